/* What differs between results: axes and points. */
#include <cjson/cJSON.h>
#include <math.h>

#include "sim/chart/plot_runs.h"
#include "sim/result/result_label.h"
#include "sim/sweep/sweep.h"

/* ---- values as numbers ---- */

/* The only number of {"scale": 8, "of": "default-old"}; NULL when it is not such an object. */
static const cJSON *scaled(const cJSON *value, const char **of)
{
	const cJSON *item, *number = NULL;
	const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(value, "of"));

	if (!cJSON_IsObject(value) || !name || cJSON_GetArraySize(value) != 2)
		return NULL;
	cJSON_ArrayForEach (item, value)
		if (cJSON_IsNumber(item))
			number = item;
	*of = name;
	return number;
}

/* What all scaled values are multiples of; NULL: none is, or of different things. */
static const char *multiples_of(const cJSON *const *values, unsigned n)
{
	const char *of = NULL, *other = NULL;

	for (unsigned i = 0; i < n; i++) {
		if (!scaled(values[i], &other))
			continue;
		if (of && strcmp(of, other) != 0)
			return NULL;
		of = other;
	}
	return of;
}

static double number_of(const cJSON *value, const char *of)
{
	const cJSON *number;
	const char *name;

	if (!of)
		return cJSON_IsNumber(value) ? value->valuedouble : NAN;
	if (cJSON_IsString(value) && strcmp(value->valuestring, of) == 0)
		return 1;
	number = scaled(value, &name);
	return number ? number->valuedouble : NAN;
}

int run_axis_numbers(struct run_axis *axis, const cJSON *const *values, struct error *err)
{
	const char *of = multiples_of(values, axis->n);

	axis->value = calloc(axis->n, sizeof(*axis->value));
	if (!axis->value)
		return error_memory(err, "an axis");
	axis->numeric = true;
	for (unsigned i = 0; i < axis->n; i++) {
		axis->value[i] = number_of(values[i], of);
		axis->numeric &= isfinite(axis->value[i]) != 0;
	}
	if (!axis->numeric || !of)
		return 0;
	axis->of = strdup(of);
	return axis->of ? 0 : error_memory(err, "an axis");
}

unsigned runs_find_axis(const struct runs *runs, const char *name)
{
	unsigned a;

	for (a = 0; a < runs->nr_axes; a++)
		if (strcmp(runs->axes[a].path, name) == 0 || strcmp(runs->axes[a].title, name) == 0)
			break;
	return a;
}

unsigned runs_longest_axis(const struct runs *runs, unsigned skip)
{
	unsigned best = runs->nr_axes;

	for (unsigned a = 0; a < runs->nr_axes; a++) {
		const struct run_axis *axis = &runs->axes[a];
		const struct run_axis *old = best < runs->nr_axes ? &runs->axes[best] : NULL;

		if (a == skip || axis->n < 2)
			continue;
		if (!old || axis->numeric > old->numeric ||
		    (axis->numeric == old->numeric && axis->n > old->n))
			best = a;
	}
	return best;
}

unsigned runs_lines_axis(const struct runs *runs, unsigned skip)
{
	unsigned best = runs->nr_axes;

	for (unsigned a = 0; a < runs->nr_axes; a++) {
		const struct run_axis *axis = &runs->axes[a];
		const struct run_axis *old = best < runs->nr_axes ? &runs->axes[best] : NULL;

		if (a == skip || axis->n < 2 || axis->n > MAX_LINES)
			continue;
		if (!old || axis->n > old->n || (axis->n == old->n && axis->numeric < old->numeric))
			best = a;
	}
	return best;
}

/* ---- axes of files ---- */

static const char *const sections[] = {"policy", "machine", "workload", "replay"};

static const cJSON *setting(const struct loaded_result *r, const char *section, const char *key)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(r->config, section);

	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static bool same(const cJSON *a, const cJSON *b)
{
	return a && b ? cJSON_Compare(a, b, true) : a == b;
}

/* Does it differ, and not only because it follows from something else that does? */
static bool is_axis(const struct runs *runs, const char *section, const char *key)
{
	const cJSON *first = setting(&runs->r[0], section, key);
	bool differs = false, follows = strcmp(section, "policy") == 0;

	if (strcmp(key, "seed") == 0 || strcmp(key, "description") == 0)
		return false;
	for (unsigned i = 0; i < runs->nr; i++) {
		differs |= !same(first, setting(&runs->r[i], section, key));
		follows = follows && result_setting_follows(&runs->r[i], key);
	}
	return differs && !follows;
}

static int fill_axis(struct run_axis *axis, const struct runs *runs, const char *section,
		     const char *key, struct error *err)
{
	const cJSON **values = calloc(runs->nr, sizeof(*values));
	int ret = 0;

	if (asprintf(&axis->path, "%s.%s", section, key) < 0)
		axis->path = NULL;
	axis->title = strdup(key);
	axis->text = calloc(runs->nr, sizeof(*axis->text));
	if (!values || !axis->path || !axis->title || !axis->text)
		ret = error_memory(err, "an axis");
	for (unsigned i = 0; !ret && i < runs->nr; i++) {
		const cJSON *value = setting(&runs->r[i], section, key);
		unsigned j;

		for (j = 0; j < axis->n; j++)
			if (same(values[j], value))
				break;
		if (j < axis->n)
			continue;
		values[j] = value;
		axis->text[axis->n++] = value ? sweep_value_text(value) : strdup("-");
		if (!axis->text[j])
			ret = error_memory(err, "an axis");
	}
	if (!ret)
		ret = run_axis_numbers(axis, values, err);
	free(values);
	return ret;
}

static int add_axis(struct runs *runs, const char *section, const char *key, struct error *err)
{
	struct run_axis *more =
	    reallocarray(runs->axes, (size_t)runs->nr_axes + 1, sizeof(*runs->axes));

	if (!more)
		return error_memory(err, "the axes");
	runs->axes = more;
	more[runs->nr_axes] = (struct run_axis){0};
	return fill_axis(&more[runs->nr_axes++], runs, section, key, err);
}

int runs_find_axes(struct runs *runs, struct error *err)
{
	const cJSON *item;
	char path[160];

	for (unsigned s = 0; s < sizeof(sections) / sizeof(sections[0]); s++) {
		for (unsigned i = 0; i < runs->nr; i++) {
			const cJSON *section =
			    cJSON_GetObjectItemCaseSensitive(runs->r[i].config, sections[s]);

			if (!cJSON_IsObject(section))
				continue;
			cJSON_ArrayForEach (item, section) {
				snprintf(path, sizeof(path), "%s.%.120s", sections[s],
					 item->string);
				if (runs_find_axis(runs, path) == runs->nr_axes &&
				    is_axis(runs, sections[s], item->string) &&
				    add_axis(runs, sections[s], item->string, err))
					return -1;
			}
		}
	}
	return 0;
}

/* ---- points of files ---- */

static unsigned value_index(const struct run_axis *axis, const struct loaded_result *r)
{
	const char *dot = strchr(axis->path, '.');
	char section[16], *text;
	const cJSON *value;
	unsigned i;

	snprintf(section, sizeof(section), "%.*s", (int)(dot - axis->path), axis->path);
	value = setting(r, section, dot + 1);
	text = value ? sweep_value_text(value) : strdup("-");
	for (i = 0; text && i + 1 < axis->n; i++)
		if (strcmp(axis->text[i], text) == 0)
			break;
	free(text);
	return i;
}

/* Is result i one more seed of point p? */
static bool belongs(const struct runs *runs, const struct run_point *p, const unsigned *point,
		    const unsigned *value, unsigned i)
{
	const unsigned at = (unsigned)(p - runs->points);

	/* A point has values. NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	if (memcmp(p->value, value, runs->nr_axes * sizeof(*value)) != 0)
		return false;
	for (unsigned j = 0; j < i; j++)
		if (point[j] == at && (runs->seed[j] == runs->seed[i] ||
				       strcmp(runs->r[j].name, runs->r[i].name) != 0))
			return false;
	return true;
}

static int place(struct runs *runs, unsigned *point, unsigned i, struct error *err)
{
	unsigned *value = calloc((size_t)runs->nr_axes + 1, sizeof(*value)), p;

	if (!value)
		return error_memory(err, "a point");
	for (unsigned a = 0; a < runs->nr_axes; a++)
		value[a] = value_index(&runs->axes[a], &runs->r[i]);
	for (p = 0; p < runs->nr_points; p++)
		if (belongs(runs, &runs->points[p], point, value, i))
			break;
	point[i] = p;
	if (p < runs->nr_points)
		free(value);
	else
		runs->points[runs->nr_points++].value = value;
	runs->points[p].nr++;
	return 0;
}

/* Labels that do not tell of seeds: those of each point's first result, among one another. */
static int label_points(struct runs *runs, struct error *err)
{
	struct loaded_result *firsts = calloc(runs->nr_points, sizeof(*firsts));
	int ret = firsts ? 0 : error_memory(err, "the labels");

	for (unsigned p = 0; !ret && p < runs->nr_points; p++) {
		firsts[p] = runs->r[runs->points[p].first];
		firsts[p].label = NULL;
	}
	if (!ret)
		ret = results_label(firsts, runs->nr_points, err);
	for (unsigned p = 0; firsts && p < runs->nr_points; p++)
		runs->points[p].label = firsts[p].label;
	free(firsts);
	return ret;
}

static int sort(struct runs *runs, const unsigned *point, struct error *err)
{
	struct loaded_result *r = calloc(runs->nr, sizeof(*r));
	uint64_t *seed = calloc(runs->nr, sizeof(*seed));
	unsigned n = 0;

	if (!r || !seed) {
		free(r);
		free(seed);
		return error_memory(err, "the results");
	}
	for (unsigned p = 0; p < runs->nr_points; p++) {
		runs->points[p].first = n;
		for (unsigned i = 0; i < runs->nr; i++) {
			if (point[i] != p)
				continue;
			r[n] = runs->r[i];
			seed[n++] = runs->seed[i];
		}
	}
	free(runs->r);
	free(runs->seed);
	runs->r = r;
	runs->seed = seed;
	return 0;
}

int runs_find_points(struct runs *runs, struct error *err)
{
	unsigned *point = calloc(runs->nr, sizeof(*point));
	int ret = 0;

	runs->points = calloc(runs->nr, sizeof(*runs->points));
	if (!point || !runs->points)
		ret = error_memory(err, "the points");
	for (unsigned i = 0; !ret && i < runs->nr; i++)
		ret = place(runs, point, i, err);
	if (!ret)
		ret = sort(runs, point, err);
	if (!ret)
		ret = label_points(runs, err);
	for (unsigned p = 0; !ret && p < runs->nr_points; p++)
		if (runs->points[p].nr > runs->seeds)
			runs->seeds = runs->points[p].nr;
	free(point);
	return ret;
}
