/* Reading results that belong together. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <sys/stat.h>

#include "sim/chart/plot_runs.h"
#include "sim/sweep/sweep_results.h"

/* A sweep of so many runs is read whole at once. */
#define FEW_RUNS 32
/* Series are kept as long as they are not more than this, in bytes. */
#define MAX_SERIES ((size_t)256 * 1024 * 1024)

/* Counters and series have been read; the tree of a thousand results would be large. */
static void prune(struct loaded_result *r)
{
	cJSON_DeleteItemFromObjectCaseSensitive(r->tree, "caches");
	cJSON_DeleteItemFromObjectCaseSensitive(r->tree, "totals");
}

static void drop_series(struct loaded_result *r)
{
	for (unsigned i = 0; i < r->nr_caches; i++) {
		free(r->caches[i].c.series);
		r->caches[i].c.series = NULL;
		r->caches[i].c.nr_series = 0;
	}
}

static size_t series_size(const struct loaded_result *r)
{
	size_t n = 0;

	for (unsigned i = 0; i < r->nr_caches; i++)
		n += r->caches[i].c.nr_series * sizeof(*r->caches[i].c.series);
	return n;
}

static uint64_t seed_of(const struct loaded_result *r)
{
	double seed = runs_config_number(r, "replay", "seed");

	return seed >= 0 && seed <= 9007199254740992.0 ? (uint64_t)seed : 0;
}

double runs_config_number(const struct loaded_result *r, const char *section, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->config, section);

	item = cJSON_GetObjectItemCaseSensitive(item, key);
	return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* ---- a sweep ---- */

static int read_axis(struct run_axis *axis, const struct sweep *s, unsigned a, struct error *err)
{
	const struct sweep_axis *from = &s->axes[a];
	const cJSON **values = calloc(from->n, sizeof(*values));
	int ret = 0;

	axis->path = strdup(from->name);
	axis->title = strdup(sweep_axis_title(s, a));
	axis->text = calloc(from->n, sizeof(*axis->text));
	if (!values || !axis->path || !axis->title || !axis->text)
		ret = error_memory(err, "an axis");
	for (unsigned i = 0; !ret && i < from->n; i++) {
		values[i] = from->variants
				? cJSON_GetObjectItemCaseSensitive(from->values[i], "label")
				: from->values[i];
		axis->text[axis->n++] = sweep_value_text(values[i]);
		if (!axis->text[i])
			ret = error_memory(err, "an axis");
	}
	if (!ret)
		ret = run_axis_numbers(axis, values, err);
	free(values);
	return ret;
}

static int read_axes(struct runs *runs, const struct sweep *s, struct error *err)
{
	runs->axes = calloc((size_t)s->nr_axes + 1, sizeof(*runs->axes));
	if (!runs->axes)
		return error_memory(err, "the axes");
	for (unsigned a = 0; a < s->nr_axes; a++)
		if (read_axis(&runs->axes[runs->nr_axes++], s, a, err))
			return -1;
	return 0;
}

static int add_point(struct runs *runs, const struct sweep *s, uint64_t point, struct error *err)
{
	struct run_point *p = &runs->points[runs->nr_points++];

	p->first = runs->nr;
	p->label = sweep_label(s, point, err);
	p->value = calloc((size_t)s->nr_axes + 1, sizeof(*p->value));
	if (!p->label)
		return -1;
	if (!p->value)
		return error_memory(err, "a point");
	for (unsigned a = 0; a < s->nr_axes; a++)
		p->value[a] = sweep_index(s, point, a);
	return 0;
}

static int add_failed(struct runs *runs, const struct sweep *s, const struct journal *j,
		      uint64_t run, struct error *err)
{
	struct failed_run *f = &runs->failed[runs->nr_failed];
	char *line = journal_read(j, run, err);
	const char *text;
	cJSON *json;

	if (!line)
		return -1;
	text = sweep_record_error(line);
	json = text ? cJSON_Parse(text) : NULL;
	f->label = sweep_label(s, sweep_point_of(s, run), err);
	f->error = strdup(cJSON_IsString(json) ? json->valuestring : "");
	cJSON_Delete(json);
	free(line);
	runs->nr_failed++;
	return f->label && f->error ? 0 : error_memory(err, "a failed run");
}

static int read_runs(struct runs *runs, const struct sweep *s, const struct journal *j,
		     struct error *err)
{
	bool whole = s->nr_runs <= FEW_RUNS;
	size_t series = 0;

	for (uint64_t point = 0; point < s->nr_points; point++) {
		struct run_point *p = NULL;

		for (uint64_t run = point * s->seeds; run < (point + 1) * s->seeds; run++) {
			struct loaded_result *r = &runs->r[runs->nr];
			int found = sweep_record_load(j, run, whole, r, err);

			if (found < 0)
				return -1;
			if (!found) {
				if (!j->entries[run].length)
					runs->missing++;
				else if (add_failed(runs, s, j, run, err))
					return -1;
				continue;
			}
			if (!p && add_point(runs, s, point, err)) {
				runs->nr++;
				return -1;
			}
			if (p || series > MAX_SERIES)
				drop_series(r);
			series += series_size(r);
			prune(r);
			p = &runs->points[runs->nr_points - 1];
			p->nr++;
			runs->number[runs->nr] = run;
			runs->whole[runs->nr] = whole;
			runs->seed[runs->nr++] = sweep_seed(s, run);
		}
	}
	return 0;
}

static int read_sweep(struct runs *runs, const struct journal_head *head, const struct journal *j,
		      struct error *err)
{
	const struct sweep *s = head->sweep;

	runs->is_sweep = true;
	runs->name = *s->name ? strdup(s->name) : NULL;
	runs->sweep = cJSON_Duplicate(s->json, true);
	runs->seeds = s->seeds;
	runs->r = calloc(s->nr_runs + 1, sizeof(*runs->r));
	runs->seed = calloc(s->nr_runs + 1, sizeof(*runs->seed));
	runs->number = calloc(s->nr_runs + 1, sizeof(*runs->number));
	runs->whole = calloc(s->nr_runs + 1, sizeof(*runs->whole));
	runs->points = calloc(s->nr_points + 1, sizeof(*runs->points));
	runs->failed = calloc(s->nr_runs + 1, sizeof(*runs->failed));
	if ((*s->name && !runs->name) || (s->json && !runs->sweep) || !runs->r || !runs->seed ||
	    !runs->number || !runs->whole || !runs->points || !runs->failed)
		return error_memory(err, "a sweep");
	if (read_axes(runs, s, err) || read_runs(runs, s, j, err))
		return -1;
	if (!runs->nr)
		return error_input(err, "%s: no run has a result yet", runs->what);
	return 0;
}

static int load_sweep(struct runs *runs, struct error *err)
{
	struct journal_head head;
	struct journal j;
	int ret = journal_open(&j, &head, runs->what, err);

	if (!ret)
		ret = read_sweep(runs, &head, &j, err);
	journal_close(&j);
	journal_head_free(&head);
	return ret;
}

static int complete_run(struct runs *runs, const struct journal *j, unsigned i, bool series,
			struct error *err)
{
	struct loaded_result r;
	int found = sweep_record_load(j, runs->number[i], true, &r, err);

	if (found < 0)
		return -1;
	/* a journal that lost a run meanwhile still has what was read of it */
	if (!found)
		return 0;
	if (!series)
		drop_series(&r);
	prune(&r);
	loaded_result_free(&runs->r[i]);
	runs->r[i] = r;
	runs->whole[i] = true;
	return 0;
}

static bool all_whole(const struct runs *runs, const unsigned *points, unsigned n)
{
	for (unsigned p = 0; p < n; p++) {
		const struct run_point *point = &runs->points[points[p]];

		for (unsigned i = 0; i < point->nr; i++)
			if (!runs->whole[point->first + i])
				return false;
	}
	return true;
}

int runs_complete(struct runs *runs, const unsigned *points, unsigned n, struct error *err)
{
	struct journal_head head;
	struct journal j;
	int ret;

	if (!runs->is_sweep || all_whole(runs, points, n))
		return 0;
	ret = journal_open(&j, &head, runs->what, err);
	for (unsigned p = 0; !ret && p < n; p++) {
		const struct run_point *point = &runs->points[points[p]];

		for (unsigned i = 0; !ret && i < point->nr; i++)
			if (!runs->whole[point->first + i])
				ret = complete_run(runs, &j, point->first + i, i == 0, err);
	}
	journal_close(&j);
	journal_head_free(&head);
	return ret;
}

/* ---- files ---- */

static int load_files(struct runs *runs, char *const *names, unsigned n, struct error *err)
{
	const char *shared;

	runs->seeds = 1;
	runs->r = results_load(names, n, err);
	if (!runs->r)
		return -1;
	runs->nr = n;
	runs->seed = calloc(n, sizeof(*runs->seed));
	if (!runs->seed)
		return error_memory(err, "the results");
	for (unsigned i = 0; i < n; i++) {
		runs->seed[i] = seed_of(&runs->r[i]);
		prune(&runs->r[i]);
	}
	shared = n == 1 ? runs->r[0].name : results_shared_name(runs->r, n);
	if (shared && *shared) {
		runs->name = strdup(shared);
		if (!runs->name)
			return error_memory(err, "the results");
	}
	if (runs_find_axes(runs, err))
		return -1;
	return runs_find_points(runs, err);
}

int runs_load(struct runs *runs, char *const *names, unsigned n, struct error *err)
{
	struct stat st;

	*runs = (struct runs){.what = names[0]};
	if (n == 1 && stat(names[0], &st) == 0 && S_ISDIR(st.st_mode))
		return load_sweep(runs, err);
	for (unsigned i = 0; i < n; i++)
		if (stat(names[i], &st) == 0 && S_ISDIR(st.st_mode))
			return error_input(err,
					   "%s: is a folder; either one sweep's folder, or files "
					   "of results",
					   names[i]);
	return load_files(runs, names, n, err);
}

static void axis_free(struct run_axis *a)
{
	for (unsigned i = 0; i < a->n; i++)
		free(a->text[i]);
	free(a->text);
	free(a->value);
	free(a->path);
	free(a->title);
	free(a->of);
}

void runs_free(struct runs *runs)
{
	for (unsigned i = 0; i < runs->nr_axes; i++)
		axis_free(&runs->axes[i]);
	for (unsigned i = 0; i < runs->nr_points; i++) {
		free(runs->points[i].label);
		free(runs->points[i].value);
	}
	for (unsigned i = 0; i < runs->nr_failed; i++) {
		free(runs->failed[i].label);
		free(runs->failed[i].error);
	}
	free(runs->failed);
	free(runs->axes);
	free(runs->points);
	free(runs->seed);
	free(runs->number);
	free(runs->whole);
	loaded_results_free(runs->r, runs->nr);
	cJSON_Delete(runs->sweep);
	free(runs->name);
	*runs = (struct runs){0};
}
