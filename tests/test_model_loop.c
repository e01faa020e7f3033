/* The loop model: iterations by time, frees by grace period, CPUs in use, what is refused. */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/cost.h"
#include "sim/policy.h"
#include "tests/policies_fixture.h"
#include "tests/timed_fixture.h"
#include "workloads/model.h"

static void settings_for(struct settings *s, const char *params)
{
	settings_add(s, "machine={\"cpus\":8,\"nodes\":2}");
	settings_add(s, "caches=[{\"name\":\"a\",\"object_size\":256},"
			"{\"name\":\"b\",\"object_size\":64}]");
	settings_add(s, "policy.preset=linux-6.1");
	settings_add(s, "replay.mode=timed");
	settings_add(s, "workload.model={\"loop\":%s}", params);
}

static void run(struct results *res, const char *params)
{
	struct settings s = {.n = 0};

	settings_for(&s, params);
	timed_fixture_run(res, &s);
	settings_cut(&s, 0);
}

static uint64_t allocs(const struct result_cache *c)
{
	return c->stat[ALLOC_FASTPATH] + c->stat[ALLOC_SLOWPATH];
}

static uint64_t frees(const struct result_cache *c)
{
	return c->stat[FREE_FASTPATH] + c->stat[FREE_SLOWPATH];
}

/* An iteration that costs nothing takes its work. */
static void iterations(void **state)
{
	struct results res;

	(void)state;
	run(&res, "{\"duration_us\":1000,\"work_ns\":1000,\"objects\":[1,3],\"grace_us\":0}");
	assert_int_equal(res.nr_caches, 2);
	assert_in_range(allocs(&res.caches[0]), 8 * 1000, 8 * 1001);
	assert_int_equal(allocs(&res.caches[1]), 3 * allocs(&res.caches[0]));
	/* All but the last iterations' objects are free again. */
	assert_in_range(allocs(&res.caches[1]) - frees(&res.caches[1]), 0, 8 * 3);
	assert_true(res.timing->end <= 1000000 * (uint64_t)PS_PER_NS);
	results_free(&res);
}

/* Objects wait for one to two periods, one and a half on average. */
static void grace_periods(void **state)
{
	struct results res;
	uint64_t waiting;

	(void)state;
	run(&res, "{\"duration_us\":10000,\"work_ns\":1000,\"objects\":[1,0],\"grace_us\":500}");
	assert_int_equal(res.nr_caches, 1);
	waiting = allocs(&res.caches[0]) - frees(&res.caches[0]);
	assert_int_equal(waiting, res.caches[0].state.live);
	/* At the end, each CPU somewhere in its period: from 500 to 1000 iterations. */
	assert_in_range(waiting, 8 * 600, 8 * 900);
	results_free(&res);
}

/* A free is work, too: it comes on top. */
static void frees_interrupt_the_work(void **state)
{
	struct settings s = {.n = 0};
	struct results res;
	uint64_t n;

	(void)state;
	settings_for(&s,
		     "{\"duration_us\":2000,\"work_ns\":1000,\"objects\":[1,0],\"grace_us\":100,"
		     "\"cpus\":1}");
	settings_add(&s, "machine.costs={\"free_slowpath\":500,\"free_fastpath\":500}");
	timed_fixture_run(&res, &s);
	settings_cut(&s, 0);
	n = allocs(&res.caches[0]);
	/* 1000 of work and 500 of a free for every object, but for the first periods' frees. */
	assert_in_range(n, 2000000 / 1500, 2000000 / 1500 + 200);
	results_free(&res);
}

static void cpus_in_use(void **state)
{
	struct results res;
	unsigned used = 0;

	(void)state;
	run(&res, "{\"duration_us\":100,\"cpus\":2}");
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		const uint64_t *stat = &res.caches[0].stat_per_cpu[cpu * NR_STAT_ITEMS];
		bool busy = stat[ALLOC_FASTPATH] + stat[ALLOC_SLOWPATH] > 0;

		used += busy;
		/* One on each node. */
		if (cpu == 3)
			assert_int_equal(used, 1);
	}
	assert_int_equal(used, 2);
	results_free(&res);
}

static void same_again(void **state)
{
	struct results a, b;
	const char *params = "{\"duration_us\":500,\"work_ns\":{\"exponential\":1000}}";

	(void)state;
	run(&a, params);
	run(&b, params);
	assert_int_equal(a.timing->operations, b.timing->operations);
	assert_int_equal(a.timing->end, b.timing->end);
	assert_memory_equal(a.caches[0].stat, b.caches[0].stat, sizeof(a.caches[0].stat));
	results_free(&a);
	results_free(&b);
}

static void refused(const char *params, const char *part)
{
	struct settings s = {.n = 0};
	struct error err = {0};
	struct config cfg;
	struct source *src = NULL;

	settings_for(&s, params);
	if (!config_load(&cfg, NULL, s.text, s.n, &err)) {
		src = model_open(&cfg, &err);
		config_free(&cfg);
	}
	settings_cut(&s, 0);
	assert_null(src);
	assert_int_equal(err.kind, ERROR_INPUT);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

static void wrong_parameters(void **state)
{
	(void)state;
	refused("{\"object\":[1,2]}", "object");
	refused("{\"objects\":[1]}", "2 caches");
	refused("{\"objects\":[1,-1]}", "whole numbers");
	refused("{\"objects\":[1,0.5]}", "whole numbers");
	refused("{\"objects\":[1,1000]}", "at most 1000");
	refused("{\"objects\":[0,0]}", "allocates nothing");
	refused("{\"cpus\":9}", "8");
	refused("{\"duration_us\":0}", "1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(iterations),
	    cmocka_unit_test(grace_periods),
	    cmocka_unit_test(frees_interrupt_the_work),
	    cmocka_unit_test(cpus_in_use),
	    cmocka_unit_test(same_again),
	    cmocka_unit_test(wrong_parameters),
	};

	return cmocka_run_group_tests(tests, fixture_policies, NULL);
}
