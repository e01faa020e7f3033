#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <unistd.h>

#include "sim/config/config.h"
#include "sim/engine.h"
#include "sim/result/exporter.h"
#include "tests/run_fixture.h"
#include "workloads/workload.h"

static char *run(const struct config *cfg, const char *format, struct error *err)
{
	struct source *src = workload_open(cfg, err);
	struct engine *e = src ? engine_new(cfg, src, err) : NULL;
	struct results res;
	char *text = NULL;
	size_t n = 0;

	if (e && !engine_run(e, NULL, NULL, err) && !engine_results(e, &res, err)) {
		FILE *out = open_memstream(&text, &n);

		assert_non_null(out);
		exporter_find(format)->write(out, &res);
		assert_int_equal(fclose(out), 0);
		results_free(&res);
	}
	engine_free(e);
	if (src)
		src->ops->close(src);
	return text;
}

char *run_text(const char *const *settings, const char *format, struct error *err)
{
	struct config cfg;
	unsigned n = 0;
	char *text;

	while (settings[n])
		n++;
	*err = (struct error){0};
	if (policies_init(err) || config_load(&cfg, NULL, (char *const *)settings, n, err))
		return NULL;
	text = run(&cfg, format, err);
	config_free(&cfg);
	return text;
}

struct cJSON *run_json(const char *const *settings)
{
	struct error err;
	char *text = run_text(settings, "json", &err);
	cJSON *json;

	if (!text)
		fail_msg("%s", err.text);
	json = cJSON_Parse(text);
	free(text);
	assert_non_null(json);
	return json;
}

double run_number(const struct cJSON *result, unsigned i, const char *name)
{
	const cJSON *caches = cJSON_GetObjectItemCaseSensitive(result, "caches");
	const cJSON *cache = cJSON_GetArrayItem(caches, (int)i);
	const cJSON *counters = cJSON_GetObjectItemCaseSensitive(cache, "counters");
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(cache, name);

	if (!item)
		item = cJSON_GetObjectItemCaseSensitive(counters, name);
	if (!cJSON_IsNumber(item))
		fail_msg("caches[%u].%s is missing", i, name);
	return item->valuedouble;
}

char *run_trace_file(const char *text)
{
	char *name = strdup("/tmp/slabsim-test-XXXXXX");
	int fd = name ? mkstemp(name) : -1;
	size_t n = strlen(text);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	close(fd);
	return name;
}
