#include "tests/trace_parity.h"

#include <cjson/cJSON.h>
#include <glob.h>
#include <math.h>

#include "sim/config/config.h"
#include "sim/engine.h"
#include "tests/json_file.h"
#include "workloads/workload.h"

/* Below these a counter says little: the traces' README sets them. */
#define MIN_OPERATIONS 4000
#define MIN_COUNT      500
#define MIN_SHARE      0.01
#define PATH_SHARE     0.10
#define BAR	       0.05
#define PATH_BAR       0.02

static bool is_path(const char *counter)
{
	static const char *const paths[] = {
	    "alloc_fastpath", "alloc_slowpath",	 "free_fastpath",
	    "free_slowpath",  "alloc_cpu_sheaf", "free_cpu_sheaf",
	};

	for (unsigned i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!strcmp(counter, paths[i]))
			return true;
	return false;
}

/* A trace without cache names calls skbuff_head_cache by its size and allocating function. */
static const char *nameless_alias(const char *name)
{
	return strcmp(name, "skbuff_head_cache") ? NULL : "256@__alloc_skb";
}

static const struct result_cache *find_cache(const struct results *res, const char *name)
{
	const char *alias = nameless_alias(name);

	for (unsigned i = 0; i < res->nr_caches; i++)
		if (!strcmp(res->caches[i].name, name))
			return &res->caches[i];
	return alias ? find_cache(res, alias) : NULL;
}

static double number(const cJSON *json, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);

	return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

struct worst {
	const char *counter;
	double ours, kernel, error;
	bool missed;
};

/* The counter furthest off, of those that the bar is about. */
static void find_worst(const cJSON *kernel, const struct results *res,
		       const struct result_cache *rc, struct worst *w)
{
	const cJSON *counters = cJSON_GetObjectItemCaseSensitive(kernel, "counters");
	double allocs = number(counters, "alloc_fastpath") + number(counters, "alloc_slowpath") +
			number(counters, "alloc_cpu_sheaf");
	const struct stat_list *list = res->allocator->stats;

	*w = (struct worst){.counter = "-"};
	for (unsigned i = 0; i < list->n; i++) {
		const char *name = stat_name(list->items[i]);
		double theirs = number(counters, name), ours = (double)rc->stat[list->items[i]];
		double error, bar;

		if (theirs < MIN_SHARE * allocs || theirs < MIN_COUNT)
			continue;
		error = fabs(ours - theirs) / theirs;
		bar = is_path(name) && theirs >= PATH_SHARE * allocs ? PATH_BAR : BAR;
		w->missed |= error > bar;
		if (error >= w->error)
			*w = (struct worst){name, ours, theirs, error, w->missed};
	}
}

static int compare(const char *dir, const cJSON *json, const struct results *res,
		   unsigned *compared)
{
	const cJSON *kernel;
	int missed = 0;

	cJSON_ArrayForEach (kernel, cJSON_GetObjectItemCaseSensitive(json, "caches")) {
		const cJSON *comparable = cJSON_GetObjectItemCaseSensitive(kernel, "comparable");
		const struct result_cache *rc = find_cache(res, kernel->string);
		struct worst w;

		if (number(kernel, "operations") < MIN_OPERATIONS)
			continue;
		if (!cJSON_IsTrue(comparable) && !nameless_alias(kernel->string))
			continue;
		++*compared;
		if (!rc) {
			printf("parity: %-30s %-18s not in the replay\n", dir, kernel->string);
			missed++;
			continue;
		}
		find_worst(kernel, res, rc, &w);
		printf("parity: %-30s %-18s %8.0f  %-20s %9.0f %9.0f  %5.2f %%%s\n", dir, rc->name,
		       number(kernel, "operations"), w.counter, w.ours, w.kernel, 100 * w.error,
		       w.missed ? "  MISSED" : "");
		missed += w.missed;
	}
	return missed;
}

/* The configuration of the recording machine: its kernel's preset and its caches as they were. */
static int load(struct config *cfg, const cJSON *json, const struct parity_options *opt,
		const char *trace, const char *kernel_json, struct error *err)
{
	const cJSON *machine = cJSON_GetObjectItemCaseSensitive(json, "machine");
	const cJSON *policy = cJSON_GetObjectItemCaseSensitive(json, "policy");
	const char *version =
	    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "kernel"));
	cJSON *caches = cJSON_CreateArray(), *root = cJSON_CreateObject(), *set;
	cJSON *workload;
	const cJSON *kernel;
	char *text[8];
	unsigned n = 0;
	int ret;

	cJSON_ArrayForEach (kernel, cJSON_GetObjectItemCaseSensitive(json, "caches")) {
		cJSON *cache =
		    cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(kernel, "geometry"), true);

		cJSON_DeleteItemFromObject(cache, "objects_per_slab");
		cJSON_AddStringToObject(cache, "name", kernel->string);
		if (!number(cache, "sheaf_capacity"))
			cJSON_DeleteItemFromObject(cache, "sheaf_capacity");
		cJSON_AddItemToArray(caches, cache);
	}
	set = policy ? cJSON_Duplicate(policy, true) : cJSON_CreateObject();
	if (version && strrchr(version, '.')) {
		char preset[64];

		snprintf(preset, sizeof(preset), "linux-%.*s",
			 (int)(strrchr(version, '.') - version), version);
		cJSON_AddStringToObject(set, "preset", preset);
	}
	cJSON_AddItemToObject(root, "policy", set);
	cJSON_AddItemToObject(root, "caches", caches);
	cJSON_AddItemToObject(root, "machine", cJSON_Duplicate(machine, true));
	workload = cJSON_AddObjectToObject(root, "workload");
	cJSON_AddStringToObject(workload, "trace", trace);
	if (!opt->reorder)
		cJSON_AddNumberToObject(workload, "reorder_ns", -1);
	if (opt->initial)
		cJSON_AddStringToObject(cJSON_AddObjectToObject(root, "replay"), "initial",
					kernel_json);
	cJSON_ArrayForEach (set, root) {
		char *value = cJSON_PrintUnformatted(set);

		if (asprintf(&text[n], "%s=%s", set->string, value) >= 0)
			n++;
		cJSON_free(value);
	}
	ret = config_load(cfg, NULL, text, n, err);
	while (n > 0)
		free(text[--n]);
	cJSON_Delete(root);
	return ret;
}

static int replay(const struct config *cfg, struct results *res, struct error *err)
{
	struct source *src = workload_open(cfg, err);
	struct engine *e = src ? engine_new(cfg, src, err) : NULL;
	int ret = -1;

	if (e && !engine_run(e, NULL, NULL, err))
		ret = engine_results(e, res, err);
	engine_free(e);
	if (src)
		src->ops->close(src);
	return ret;
}

int trace_parity(const char *dir, const struct parity_options *opt, unsigned *compared,
		 struct error *err)
{
	const char *name = strrchr(dir, '/') ? strrchr(dir, '/') + 1 : dir;
	const char *kernel_json = opt->kernel_json, *trace = opt->trace;
	char pattern[4096], file[4096];
	struct results res;
	struct config cfg;
	glob_t found = {0};
	cJSON *json;
	int missed = -1;

	snprintf(file, sizeof(file), "%s/kernel.json", dir);
	if (!kernel_json)
		kernel_json = file;
	json = json_file_read(kernel_json, err);
	if (!json)
		return -1;
	snprintf(pattern, sizeof(pattern), "%s/trace.*", dir);
	if (!trace && !glob(pattern, 0, NULL, &found))
		trace = found.gl_pathv[0];
	if (!trace) {
		error_input(err, "%s: no trace.* in it", dir);
	} else if (!load(&cfg, json, opt, trace, kernel_json, err)) {
		if (!replay(&cfg, &res, err)) {
			missed = compare(name, json, &res, compared);
			results_free(&res);
		}
		config_free(&cfg);
	}
	globfree(&found);
	cJSON_Delete(json);
	return missed;
}
