#include "tests/oracle.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <inttypes.h>

#include "sim/config/config.h"
#include "sim/engine.h"
#include "sim/result/exporter.h"
#include "tests/json_file.h"
#include "workloads/workload.h"

#define MAX_SETTINGS 16

static const cJSON *at(const cJSON *json, const char *a, const char *b)
{
	const cJSON *inner = cJSON_GetObjectItemCaseSensitive(json, a);

	return b ? cJSON_GetObjectItemCaseSensitive(inner, b) : inner;
}

struct settings {
	char *text[MAX_SETTINGS];
	unsigned n;
};

static void set(struct settings *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void set(struct settings *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (s->n < MAX_SETTINGS && vasprintf(&s->text[s->n], fmt, ap) >= 0)
		s->n++;
	va_end(ap);
}

/* The preset of a kernel version: "6.1.192" runs under linux-6.1. */
static void set_policy(struct settings *s, const cJSON *test)
{
	const char *version = cJSON_GetStringValue(at(test, "kernel", "version"));
	const cJSON *accounting = at(test, "kernel", "partial_accounting");
	const cJSON *ratio = at(test, "set", "remote_node_defrag_ratio");
	const char *patch = version ? strrchr(version, '.') : NULL;

	if (patch)
		set(s, "policy.preset=linux-%.*s", (int)(patch - version), version);
	if (accounting)
		set(s, "policy.partial_accounting=%s", cJSON_GetStringValue(accounting));
	if (cJSON_IsNumber(ratio))
		set(s, "policy.remote_node_defrag_ratio=%d", ratio->valueint);
	else if (ratio)
		set(s, "policy.remote_node_defrag_ratio=%s", cJSON_GetStringValue(ratio));
}

/* The cache as it was created, with what was written to its sysfs files. */
static void set_cache(struct settings *s, const cJSON *test)
{
	cJSON *cache = cJSON_Duplicate(at(test, "cache", NULL), true);
	static const char *const written[] = {"cpu_partial", "min_partial"};
	char *text;

	cJSON_AddStringToObject(cache, "name", "oracle");
	for (unsigned i = 0; i < sizeof(written) / sizeof(written[0]); i++) {
		const cJSON *value = at(test, "set", written[i]);

		if (value)
			cJSON_AddNumberToObject(cache, written[i], value->valuedouble);
	}
	text = cJSON_PrintUnformatted(cache);
	set(s, "caches=[%s]", text);
	cJSON_free(text);
	cJSON_Delete(cache);
}

static cJSON *run(const struct config *cfg, struct error *err)
{
	struct source *src = workload_open(cfg, err);
	struct engine *e = src ? engine_new(cfg, src, err) : NULL;
	cJSON *json = NULL;
	struct results res;

	if (e && !engine_run(e, NULL, NULL, err) && !engine_results(e, &res, err)) {
		char *text = NULL;
		size_t n = 0;
		FILE *out = open_memstream(&text, &n);

		if (out)
			exporter_find("json")->write(out, &res);
		if (out && !fclose(out))
			json = cJSON_Parse(text);
		if (!json)
			error_failed(err, "the JSON result cannot be parsed");
		free(text);
		results_free(&res);
	}
	engine_free(e);
	if (src)
		src->ops->close(src);
	return json;
}

struct comparison {
	const char *file;
	unsigned compared, differing;
	struct error *err;
};

static void compare(struct comparison *c, const char *what, const cJSON *want, const cJSON *got)
{
	c->compared++;
	if (cJSON_IsNumber(got) && got->valuedouble == want->valuedouble)
		return;
	c->differing++;
	if (cJSON_IsNumber(got))
		error_failed(c->err, "%s: %s is %.0f, the kernel's %.0f", c->file, what,
			     got->valuedouble, want->valuedouble);
	else
		error_failed(c->err, "%s: %s is missing from the result", c->file, what);
}

/* Counters, geometry and the state at the end; in the result the geometry is the cache's own. */
static void compare_numbers(struct comparison *c, const cJSON *want, const cJSON *cache)
{
	const cJSON *item, *cpu;

	cJSON_ArrayForEach (item, want) {
		if (cJSON_IsNumber(item))
			compare(c, item->string, item, at(cache, item->string, NULL));
	}
	cJSON_ArrayForEach (item, at(want, "geometry", NULL))
		compare(c, item->string, item, at(cache, item->string, NULL));
	cJSON_ArrayForEach (item, at(want, "counters", NULL))
		compare(c, item->string, item, at(cache, "counters", item->string));
	if (cJSON_GetArraySize(at(want, "counters", NULL)) !=
	    cJSON_GetArraySize(at(cache, "counters", NULL)))
		error_failed(c->err, "%s: the result has other counters than the kernel", c->file),
		    c->differing++;
	cJSON_ArrayForEach (item, at(want, "per_cpu", NULL)) {
		const cJSON *got = at(cache, "per_cpu", item->string);

		cJSON_ArrayForEach (cpu, item)
			compare(c, item->string, cpu, at(got, cpu->string, NULL));
		/* Zeros are left out on both sides, so the numbers of entries must agree. */
		if (cJSON_GetArraySize(item) != cJSON_GetArraySize(got))
			error_failed(c->err, "%s: %s of other CPUs than the kernel's", c->file,
				     item->string),
			    c->differing++;
	}
}

/* ops becomes what cfg has, but that it always uses its loop for random events. */
static void use_random_loop(struct config *cfg, struct allocator_ops *ops)
{
	*ops = *(const struct allocator_ops *)cfg->policy.choice[AXIS_ALLOCATOR].policy;
	if (ops->replay_random)
		ops->replay = ops->replay_random;
	cfg->policy.choice[AXIS_ALLOCATOR].policy = &ops->policy;
}

int oracle_run_case(const char *json_file, bool random, unsigned *differing, struct error *err)
{
	struct allocator_ops ops;
	struct comparison c = {.file = json_file, .err = err};
	cJSON *test = json_file_read(json_file, err), *result;
	struct settings s = {0};
	struct config cfg;
	const char *threads = getenv("SLABSIM_THREADS");
	char *trace = NULL;

	if (!test)
		return -1;
	set(&s, "machine={\"cpus\":%d,\"nodes\":%d,\"page_size\":%d}",
	    at(test, "machine", "cpus")->valueint, at(test, "machine", "nodes")->valueint,
	    at(test, "machine", "page_size")->valueint);
	set(&s, "workload.gfp=%s", cJSON_GetStringValue(at(test, "gfp", NULL)));
	set_policy(&s, test);
	set_cache(&s, test);
	if (asprintf(&trace, "%.*s/%s", (int)(strrchr(json_file, '/') - json_file), json_file,
		     cJSON_GetStringValue(at(test, "trace", NULL))) < 0)
		trace = NULL;
	set(&s, "workload.trace=%s", trace ? trace : "");
	if (trace && !config_load(&cfg, NULL, s.text, s.n, err)) {
		cfg.threads = threads ? (unsigned)strtoul(threads, NULL, 10) : 1;
		if (random)
			use_random_loop(&cfg, &ops);
		result = run(&cfg, err);
		if (result) {
			const cJSON *caches = at(result, "caches", NULL);

			if (cJSON_GetArraySize(caches) == 1)
				compare_numbers(&c, at(test, "expected", NULL),
						cJSON_GetArrayItem(caches, 0));
			else
				error_failed(err, "%s: not one cache in the result", json_file);
		}
		cJSON_Delete(result);
		config_free(&cfg);
	}
	free(trace);
	for (unsigned i = 0; i < s.n; i++)
		free(s.text[i]);
	cJSON_Delete(test);
	*differing = c.differing;
	return c.compared ? (int)c.compared : -1;
}

static int is_case(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 5 && !strcmp(d->d_name + n - 5, ".json");
}

int oracle_run_directory(const char *dir, bool random, unsigned *failed)
{
	struct dirent **list;
	int n = scandir(dir, &list, is_case, alphasort);

	*failed = 0;
	for (int i = 0; i < n; i++) {
		struct error err = {0};
		unsigned differing = 0;
		char *file;

		if (asprintf(&file, "%s/%s", dir, list[i]->d_name) < 0)
			return -1;
		if (oracle_run_case(file, random, &differing, &err) < 0 || differing) {
			fprintf(stderr, "%s: %u numbers differ: %s\n", file, differing, err.text);
			++*failed;
		}
		free(file);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return n;
}
