/* Replaying on several threads: the same bytes as on one, whatever the allocator. */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/config/config.h"
#include "sim/engine.h"
#include "sim/result/exporter.h"
#include "tests/policies_fixture.h"
#include "workloads/workload.h"

#define TRACE "workloads/traces/hackbench-6.1-8cpu.txt.zst"

/* The JSON of a run, to be freed. */
static char *run(const char *preset, const char *setting, unsigned threads)
{
	char text[64];
	char *settings[] = {text, (char *)setting};
	struct error err = {0};
	struct results res;
	struct config cfg;
	struct source *src;
	struct engine *e;
	char *json = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&json, &n);

	snprintf(text, sizeof(text), "policy.preset=%s", preset);
	assert_non_null(out);
	assert_int_equal(config_load(&cfg, NULL, settings, setting ? 2 : 1, &err), 0);
	assert_int_equal(config_set_trace(&cfg, TRACE, &err), 0);
	cfg.threads = threads;
	src = workload_open(&cfg, &err);
	assert_non_null(src);
	e = engine_new(&cfg, src, &err);
	assert_non_null(e);
	if (engine_run(e, NULL, NULL, &err))
		fail_msg("%s on %u threads: %s", preset, threads, err.text);
	assert_int_equal(engine_results(e, &res, &err), 0);
	exporter_find("json")->write(out, &res);
	assert_int_equal(fclose(out), 0);
	results_free(&res);
	engine_free(e);
	src->ops->close(src);
	config_free(&cfg);
	return json;
}

static void check_same(const char *preset, const char *setting)
{
	char *one = run(preset, setting, 1);

	for (unsigned threads = 2; threads <= 5; threads += 3) {
		char *several = run(preset, setting, threads);

		assert_string_equal(several, one);
		free(several);
	}
	free(one);
}

static void every_allocator(void **state)
{
	(void)state;
	check_same("linux-6.1", NULL);
	check_same("linux-6.12", NULL);
	check_same("linux-6.18", NULL);
	check_same("linux-7.0", NULL);
}

static void several_nodes(void **state)
{
	(void)state;
	check_same("linux-6.12", "machine.nodes=2");
}

static void caches_left_out(void **state)
{
	(void)state;
	check_same("linux-6.1", "replay.only=[\"kmalloc-*\"]");
}

static void one_cache(void **state)
{
	(void)state;
	check_same("linux-6.1", "replay.only=[\"skbuff_head_cache\"]");
}

static void merged(void **state)
{
	(void)state;
	check_same("linux-6.1", "replay.merge=true");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_allocator), cmocka_unit_test(several_nodes),
	    cmocka_unit_test(caches_left_out), cmocka_unit_test(one_cache),
	    cmocka_unit_test(merged),
	};

	return cmocka_run_group_tests(tests, fixture_policies, NULL);
}
