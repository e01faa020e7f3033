#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <cjson/cJSON.h>
#include <glob.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <unistd.h>

#include "sim/engine.h"
#include "tests/json_file.h"
#include "tests/timed_fixture.h"
#include "tests/trace_fixture.h"
#include "workloads/workload.h"

const char timed_fixture_costs[] =
    "{\"alloc_fastpath\":2,\"free_fastpath\":3,\"sheaf\":5,\"sheaf_object\":7,\"slowpath\":11,"
    "\"free_slowpath\":13,\"cmpxchg\":17,\"lock\":19,\"list\":23,\"walk\":29,\"counter\":31,"
    "\"page_alloc\":37,\"page_free\":41,\"page_order\":43,\"new_object\":47,\"ipi\":53,"
    "\"line_complex\":59,\"line_node\":61,\"line_remote\":67}";

void settings_add(struct settings *s, const char *fmt, ...)
{
	va_list ap;
	int n;

	assert_true(s->n < MAX_SETTINGS);
	va_start(ap, fmt);
	n = vasprintf(&s->text[s->n++], fmt, ap);
	va_end(ap);
	assert_true(n >= 0);
}

void settings_cut(struct settings *s, unsigned n)
{
	while (s->n > n)
		free(s->text[--s->n]);
}

void timed_fixture_run(struct results *res, const struct settings *s)
{
	struct error err = {0};
	struct config cfg;
	struct source *src;
	struct engine *e;

	if (policies_init(&err) || config_load(&cfg, NULL, s->text, s->n, &err))
		fail_msg("%s", err.text);
	src = workload_open(&cfg, &err);
	e = src ? engine_new(&cfg, src, &err) : NULL;
	if (!e || engine_run(e, NULL, NULL, &err) || engine_results(e, res, &err))
		fail_msg("%s", err.text);
	engine_free(e);
	src->ops->close(src);
	config_free(&cfg);
}

void timed_fixture_run_csv(struct results *res, const struct settings *s, const char *rows)
{
	struct settings all = {.n = 0};
	char *text, *file;

	assert_true(asprintf(&text, "op,cpu,object,time_ns\n%s", rows) > 0);
	file = fixture_file(text, strlen(text));
	settings_add(&all, "workload.trace=%s", file);
	settings_add(&all, "caches=[{\"name\":\"c\",\"object_size\":256}]");
	for (unsigned i = 0; i < s->n; i++)
		settings_add(&all, "%s", s->text[i]);
	timed_fixture_run(res, &all);
	settings_cut(&all, 0);
	unlink(file);
	free(file);
	free(text);
}

static int number(const cJSON *json, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(json, key)->valueint;
}

static void add_cache(struct settings *s, const cJSON *list)
{
	cJSON *cache = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(list, "cache"), true);
	const cJSON *written = cJSON_GetObjectItemCaseSensitive(list, "set"), *item;
	char *text;

	cJSON_AddStringToObject(cache, "name", "list");
	cJSON_ArrayForEach (item, written)
		if (!strcmp(item->string, "cpu_partial") || !strcmp(item->string, "min_partial"))
			cJSON_AddNumberToObject(cache, item->string, item->valuedouble);
	text = cJSON_PrintUnformatted(cache);
	settings_add(s, "caches=[%s]", text);
	cJSON_free(text);
	cJSON_Delete(cache);
}

void timed_fixture_each_list(void (*fn)(const struct settings *s, const char *name, void *arg),
			     void *arg)
{
	glob_t found;

	assert_int_equal(glob("tests/oracle/*/*.json", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 40);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *file = found.gl_pathv[i];
		struct settings s = {.n = 0};
		struct error err = {0};
		cJSON *list = json_file_read(file, &err);
		const cJSON *machine;

		if (!list)
			fail_msg("%s", err.text);
		machine = cJSON_GetObjectItemCaseSensitive(list, "machine");
		settings_add(&s, "machine={\"cpus\":%d,\"nodes\":%d,\"page_size\":%d}",
			     number(machine, "cpus"), number(machine, "nodes"),
			     number(machine, "page_size"));
		settings_add(&s, "workload.trace=%.*s/%s", (int)(strrchr(file, '/') - file), file,
			     cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(list, "trace")));
		add_cache(&s, list);
		fn(&s, file, arg);
		settings_cut(&s, 0);
		cJSON_Delete(list);
	}
	globfree(&found);
}

struct interval confidence(const double *values, size_t n)
{
	double sd = gsl_stats_sd(values, 1, n);

	return (struct interval){
	    .mean = gsl_stats_mean(values, 1, n),
	    .half = gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * sd / sqrt((double)n),
	};
}

void assert_in_interval(struct interval in, double want, const char *what)
{
	print_message("%s: %.5g +- %.2g, by the formula %.5g\n", what, in.mean, in.half, want);
	/* An interval that contains everything would prove nothing. */
	assert_true(in.half < 0.05 * in.mean);
	assert_true(fabs(in.mean - want) <= in.half);
}
