#include "sim/sweep/sweep_plan.h"

#include <cjson/cJSON.h>

#include "sim/engine.h"
#include "sim/file.h"
#include "sim/version.h"
#include "workloads/workload.h"

/* ---- keys ---- */

static void file_digests_free(struct file_digests *files)
{
	for (unsigned i = 0; files && i < files->n; i++)
		free(files->files[i].path);
	if (files)
		free(files->files);
	free(files);
}

static const struct digest *file_digest(struct file_digests *files, const char *path,
					struct error *err)
{
	struct file_digest *more;
	struct digest d;
	char *copy;

	for (unsigned i = 0; i < files->n; i++)
		if (!strcmp(files->files[i].path, path))
			return &files->files[i].digest;
	digest_init(&d);
	if (digest_add_file(&d, path, err))
		return NULL;
	copy = strdup(path);
	more = copy ? reallocarray(files->files, (size_t)files->n + 1, sizeof(*more)) : NULL;
	if (!more) {
		free(copy);
		error_memory(err, "the files of a sweep");
		return NULL;
	}
	files->files = more;
	more[files->n] = (struct file_digest){.path = copy, .digest = d};
	return &more[files->n++].digest;
}

static int add_file(struct digest *d, struct file_digests *files, const char *path,
		    struct error *err)
{
	const struct digest *content = path ? file_digest(files, path, err) : NULL;
	char text[DIGEST_LEN + 1];

	if (!path)
		return 0;
	if (!content)
		return -1;
	digest_text(content, text);
	digest_add_text(d, text);
	return 0;
}

static int add_plugins(struct digest *d, const struct sweep_plan *p, const struct config *cfg,
		       struct error *err)
{
	const cJSON *item;

	for (unsigned i = 0; i < p->in.nr_plugins; i++)
		if (add_file(d, p->files, p->in.plugins[i], err))
			return -1;

	cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(cfg->effective, "plugins")) {
		char *path = path_beside(cfg->path, item->valuestring, err);
		int ret = path ? add_file(d, p->files, path, err) : -1;

		free(path);
		if (ret)
			return -1;
	}
	return 0;
}

int sweep_plan_key(const struct sweep_plan *p, const struct config *cfg, char key[DIGEST_LEN + 1],
		   struct error *err)
{
	char *json = cJSON_PrintUnformatted(cfg->effective);
	struct digest d;
	int ret;

	if (!json)
		return error_memory(err, "a run's key");
	digest_init(&d);
	digest_add_text(&d, SLABSIM_VERSION);
	digest_add_text(&d, json);
	digest_add_text(&d, p->in.series ? "series" : "");
	cJSON_free(json);
	ret = add_file(&d, p->files, cfg->trace, err) ||
	      add_file(&d, p->files, cfg->initial, err) || add_plugins(&d, p, cfg, err);
	digest_text(&d, key);
	return ret ? -1 : 0;
}

/* ---- groups ---- */

/* A copy of section's member, or of the section; null when there is none. */
static cJSON *copy_of(const cJSON *effective, const char *section, const char *member)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(effective, section);

	if (member)
		item = cJSON_GetObjectItemCaseSensitive(item, member);
	return item ? cJSON_Duplicate(item, true) : cJSON_CreateNull();
}

/*
 * What a trace is read by: its file, the settings of "workload", the page size (beyond which
 * kmallocs bypass slabs), what binds call sites to caches, whether there is a state to start
 * from, and the seed of its jitter. Models generate their events anew in every run, so they are one
 * group.
 */
static char *workload_identity(const struct config *cfg)
{
	cJSON *id = cJSON_CreateArray();
	char *text;
	bool ok = id;

	if (!cfg->trace) {
		cJSON_Delete(id);
		return strdup("model");
	}
	ok = ok && cJSON_AddItemToArray(id, copy_of(cfg->effective, "workload", NULL)) &&
	     cJSON_AddItemToArray(id, cJSON_CreateString(cfg->trace)) &&
	     cJSON_AddItemToArray(id, copy_of(cfg->effective, "machine", "page_size")) &&
	     cJSON_AddItemToArray(id, cJSON_CreateBool(cfg->initial != NULL));
	if (cfg->jitter_ns)
		ok = ok && cJSON_AddItemToArray(id, copy_of(cfg->effective, "replay", "seed"));
	for (unsigned i = 0; i < cfg->nr_caches; i++) {
		const struct cache_config *c = &cfg->caches[i];

		if (c->match_call_site)
			ok = ok && cJSON_AddItemToArray(id, cJSON_CreateString(c->name)) &&
			     cJSON_AddItemToArray(id, cJSON_CreateString(c->match_call_site)) &&
			     cJSON_AddItemToArray(id, cJSON_CreateNumber((double)c->match_size));
	}
	text = ok ? cJSON_PrintUnformatted(id) : NULL;
	cJSON_Delete(id);
	return text;
}

static int find_group(struct sweep_plan *p, struct planned_run *run, const struct config *cfg,
		      struct error *err)
{
	char *id = workload_identity(cfg), **more;

	if (!id)
		return error_memory(err, "a sweep");
	for (run->group = 0; run->group < p->nr_groups; run->group++) {
		if (!strcmp(p->groups[run->group], id)) {
			free(id);
			return 0;
		}
	}
	more = reallocarray(p->groups, (size_t)p->nr_groups + 1, sizeof(*more));
	if (!more) {
		free(id);
		return error_memory(err, "a sweep");
	}
	p->groups = more;
	more[p->nr_groups++] = id;
	return 0;
}

/* ---- runs ---- */

/* A setting of the sweep's own was not given with --set, though it is applied like one. */
static void not_an_option(char *const *own, unsigned nr_own, struct error *err)
{
	char *setting = err->text + strlen("--set ");

	if (strncmp(err->text, "--set ", strlen("--set ")))
		return;
	for (unsigned i = 0; i < nr_own; i++) {
		if (!strncmp(setting, own[i], strnlen(own[i], 200))) {
			memmove(err->text, setting, strlen(setting) + 1);
			return;
		}
	}
}

static int load(const struct sweep_plan *p, char *const *own, unsigned nr_own, struct config *cfg,
		struct error *err)
{
	const struct sweep_input *in = &p->in;
	char **all = calloc((size_t)in->nr_settings + nr_own + 1, sizeof(*all));
	int ret;

	if (!all)
		return error_memory(err, "the settings of a run");
	if (in->nr_settings)
		memcpy(all, in->settings, in->nr_settings * sizeof(*all));
	if (nr_own)
		memcpy(all + in->nr_settings, own, nr_own * sizeof(*all));
	ret = config_load(cfg, in->config, all, in->nr_settings + nr_own, err);
	free(all);
	if (ret)
		not_an_option(own, nr_own, err);
	if (!ret && in->trace && config_set_trace(cfg, in->trace, err)) {
		config_free(cfg);
		ret = -1;
	}
	return ret;
}

int sweep_plan_config(const struct sweep_plan *p, uint64_t run, struct config *cfg,
		      struct error *err)
{
	unsigned n;
	char **own = sweep_settings(&p->sweep, run, &n, err);
	int ret;

	if (!own)
		return -1;
	ret = load(p, own, n, cfg, err);
	sweep_settings_free(own, n);
	if (ret)
		return -1;
	cJSON_DeleteItemFromObjectCaseSensitive(cfg->effective, "sweep");
	cJSON_DeleteItemFromObjectCaseSensitive(cfg->effective, "seeds");
	return 0;
}

/* What can be known of a run before it: all but what is in a trace. */
static int check_workload(const struct sweep_plan *p, const struct config *cfg, struct error *err)
{
	struct source *src;
	int ret;

	if (!cfg->trace && !cfg->model)
		return error_input(err,
				   "%s: workload.trace: no trace is named; name one there or with "
				   "--trace FILE",
				   p->in.config);
	if (cfg->trace && !strcmp(cfg->trace, "-"))
		return error_input(err,
				   "%s: workload.trace: a sweep needs a file, for it may read it "
				   "again; standard input cannot be",
				   p->in.config);
	if (cfg->trace && !cfg->model)
		return 0;
	src = workload_open(cfg, err);
	if (!src)
		return -1;
	ret = engine_check(cfg, src, err);
	src->ops->close(src);
	return ret;
}

/* What a point uses of its config. */
static int take_used(struct sweep_plan *p, uint64_t point, const struct config *cfg,
		     struct error *err)
{
	struct setting_use uses[NR_SETTING_USES];
	cJSON *used = config_used(cfg, err);
	char *text = used ? cJSON_PrintUnformatted(used) : NULL;

	cJSON_Delete(used);
	if (!text)
		return error_memory(err, "a sweep");
	digest_init(&p->used[point]);
	digest_add_text(&p->used[point], text);
	cJSON_free(text);
	config_uses(cfg, uses);
	for (unsigned i = 0; i < NR_SETTING_USES; i++) {
		bool somewhere = p->uses[i].used || uses[i].used;

		if (!uses[i].given)
			continue;
		p->uses[i] = uses[i];
		p->uses[i].used = somewhere;
	}
	return 0;
}

static int check_run(struct sweep_plan *p, uint64_t number, struct error *err)
{
	struct planned_run *run = &p->runs[number];
	/* Seeds of a point differ in nothing that can be wrong. */
	bool first = number % p->sweep.seeds == 0;
	struct config cfg;
	int ret;

	if (sweep_plan_config(p, number, &cfg, err))
		return -1;
	ret = (first && (check_workload(p, &cfg, err) ||
			 take_used(p, sweep_point_of(&p->sweep, number), &cfg, err))) ||
	      sweep_plan_key(p, &cfg, run->key, err) || find_group(p, run, &cfg, err);
	config_free(&cfg);
	return ret ? -1 : 0;
}

/* The message says which point it is about. Returns -1. */
static int name_point(const struct sweep_plan *p, uint64_t point, struct error *err)
{
	size_t len = strlen(p->in.config);
	struct error ignored = {0};
	char *label;

	if (err->kind != ERROR_INPUT || !p->sweep.nr_axes)
		return -1;
	label = sweep_label(&p->sweep, point, &ignored);
	/* The config's name comes first anyway. */
	if (!strncmp(err->text, p->in.config, len) && !strncmp(err->text + len, ": ", 2))
		memmove(err->text, err->text + len + 2, strlen(err->text + len + 2) + 1);
	error_prefix(err, "%.200s: the sweep's point \"%.250s\" cannot be", p->in.config,
		     label ? label : "");
	free(label);
	return -1;
}

static int check_runs(struct sweep_plan *p, struct error *err)
{
	struct digest all;

	digest_init(&all);
	for (uint64_t i = 0; i < p->sweep.nr_runs; i++) {
		if (check_run(p, i, err))
			return name_point(p, sweep_point_of(&p->sweep, i), err);
		digest_add_text(&all, p->runs[i].key);
	}
	digest_text(&all, p->digest);
	return 0;
}

/* A setting on the command line that an axis overrides would be without effect. */
static int check_settings(const struct sweep_plan *p, struct error *err)
{
	for (unsigned i = 0; i < p->in.nr_settings; i++) {
		const char *given = p->in.settings[i];

		for (unsigned a = 0; a < p->sweep.nr_axes; a++) {
			const char *name = p->sweep.axes[a].name;
			size_t len = strlen(name);

			if (!strncmp(given, name, len) && given[len] == '=')
				return error_input(err,
						   "--set %.200s: the sweep has an axis %s, which "
						   "would override it",
						   given, name);
		}
	}
	for (unsigned a = 0; p->in.trace && a < p->sweep.nr_axes; a++)
		if (!strcmp(p->sweep.axes[a].name, "workload.trace"))
			return error_input(err, "--trace: the sweep has an axis workload.trace, "
						"which it would override");
	return 0;
}

static int expand(struct sweep_plan *p, const struct config *base, struct error *err)
{
	const cJSON *json = cJSON_GetObjectItemCaseSensitive(base->effective, "sweep");
	const cJSON *seeds = cJSON_GetObjectItemCaseSensitive(base->effective, "seeds");
	char where[200];

	snprintf(where, sizeof(where), "%.180s: ", p->in.config);
	if (sweep_init(&p->sweep, where, base->name, cJSON_IsObject(json) ? json : NULL,
		       cJSON_IsNumber(seeds) ? (unsigned)seeds->valuedouble : 1, base->seed, err))
		return -1;
	p->runs = calloc(p->sweep.nr_runs, sizeof(*p->runs));
	p->used = calloc(p->sweep.nr_points, sizeof(*p->used));
	return p->runs && p->used ? 0 : error_memory(err, "a sweep");
}

int sweep_plan_init(struct sweep_plan *p, const struct sweep_input *in, struct error *err)
{
	struct config base;
	int ret;

	*p = (struct sweep_plan){.in = *in, .files = calloc(1, sizeof(*p->files))};
	if (!p->files)
		return error_memory(err, "a sweep");
	if (load(p, NULL, 0, &base, err))
		return -1;
	ret = expand(p, &base, err);
	config_free(&base);
	if (ret || check_settings(p, err))
		return -1;
	return check_runs(p, err);
}

void sweep_plan_free(struct sweep_plan *p)
{
	free(p->runs);
	free(p->used);
	for (uint32_t i = 0; i < p->nr_groups; i++)
		free(p->groups[i]);
	free(p->groups);
	file_digests_free(p->files);
	sweep_free(&p->sweep);
	*p = (struct sweep_plan){0};
}
