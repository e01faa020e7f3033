/*
 * Readers of slabinfo in the timed machine: how often they come, what they look at, whom they
 * hold up, and what that costs under each count_partial policy.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/cost.h"
#include "sim/policy.h"
#include "tests/policies_fixture.h"
#include "tests/timed_fixture.h"

#define WALK_NS	 10
#define LOCK_NS	 3
#define COUNT_NS 7

/*
 * CPU 0 allocates n objects, CPU 1 frees all but one in 8 of them, which fills the node's list;
 * then CPU 0 allocates and frees an object every us, for 1 ms.
 */
static char *fill_list(unsigned n)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	unsigned t = 0;

	assert_non_null(f);
	for (unsigned i = 0; i < n; i++)
		fprintf(f, "alloc,0,%u,%u\n", i, t++);
	for (unsigned i = 0; i < n; i++)
		if (i % 8)
			fprintf(f, "free,1,%u,%u\n", i, t++);
	for (unsigned i = 0; i < 1000; i++) {
		t += 1000;
		fprintf(f, "alloc,0,%u,%u\nfree,0,%u,%u\n", n, t, n, t + 500);
	}
	fclose(f);
	return text;
}

static void run(struct results *res, const char *policy, unsigned n, unsigned interval_us)
{
	struct settings s = {.n = 0};
	char *rows = fill_list(n);

	settings_add(&s,
		     "machine={\"cpus\":2,\"nodes\":1,\"costs\":{\"walk\":%d,\"lock\":%d,"
		     "\"counter\":%d}}",
		     WALK_NS, LOCK_NS, COUNT_NS);
	settings_add(&s,
		     "policy={\"preset\":\"linux-6.1\",\"cpu_partial\":0,\"count_partial\":\"%s\"}",
		     policy);
	settings_add(&s, "replay={\"mode\":\"timed\",\"reader_interval_us\":%u}", interval_us);
	timed_fixture_run_csv(res, &s, rows);
	settings_cut(&s, 0);
	free(rows);
}

static void no_reader(void **state)
{
	struct results res;

	(void)state;
	run(&res, "walk", 4000, 0);
	assert_int_equal(res.timing->reads, 0);
	assert_int_equal(res.timing->spent[COST_WALK], 0);
	assert_int_equal(res.timing->node[0].hold_max, LOCK_NS * PS_PER_NS);
	assert_true(res.caches[0].state.partial > 100);
	results_free(&res);
}

static void walk_holds_the_lock(void **state)
{
	const struct result_timing *t;
	struct results res;
	uint64_t partial;

	(void)state;
	for (unsigned n = 4000; n <= 16000; n *= 2) {
		run(&res, "walk", n, 100);
		t = res.timing;
		partial = res.caches[0].state.partial;
		assert_true(partial > n / 40);
		/* One at every 100 us, up to the last operation. */
		assert_int_equal(t->reads, t->end / PS_PER_NS / 100000);
		assert_int_equal(t->path_time[PATH_READ].count, t->reads);
		assert_int_equal(t->slabs_read * WALK_NS * PS_PER_NS, t->spent[COST_WALK]);
		/* The list does not change any more once it is full. */
		assert_int_equal(t->node[0].hold_max, (partial * WALK_NS + LOCK_NS) * PS_PER_NS);
		assert_int_equal(t->path_time[PATH_READ].max, t->node[0].hold_max);
		assert_true(t->read_error_max < 1e-12);
		results_free(&res);
	}
}

static void counters_hold_nothing(void **state)
{
	const struct result_timing *t;
	struct results res;

	(void)state;
	run(&res, "counters", 4000, 100);
	t = res.timing;
	assert_true(t->reads >= 10);
	assert_int_equal(t->slabs_read, 0);
	assert_int_equal(t->node[0].hold_max, LOCK_NS * PS_PER_NS);
	/* A reader adds up both CPUs' counters, a slow free keeps one. */
	assert_int_equal(t->path_time[PATH_READ].max, 2 * COUNT_NS * PS_PER_NS);
	assert_int_equal(t->spent[COST_COUNTER],
			 (t->reads * 2 + res.caches[0].stat[FREE_SLOWPATH]) * COUNT_NS * PS_PER_NS);
	assert_true(t->read_error_max < 1e-12);
	results_free(&res);
}

static void approximate_is_bounded(void **state)
{
	const struct result_timing *t;
	struct results res;

	(void)state;
	run(&res, "approximate", 400000, 100);
	t = res.timing;
	assert_true(res.caches[0].state.partial > 10000);
	assert_int_equal(t->node[0].hold_max, (10000 * WALK_NS + LOCK_NS) * PS_PER_NS);
	/* All slabs are alike here. */
	assert_true(t->read_error_max < 0.05);
	results_free(&res);
}

/* A reader whose reading takes longer than the interval begins again at once, not twice. */
static void late_reader(void **state)
{
	const struct result_timing *t;
	struct results res;

	(void)state;
	run(&res, "walk", 40000, 1);
	t = res.timing;
	assert_true(t->path_time[PATH_READ].max > 2 * 1000 * PS_PER_NS);
	assert_true(t->path_time[PATH_READ].sum <= t->end + t->path_time[PATH_READ].max);
	assert_true(t->node[0].hold <= t->end + t->node[0].hold_max);
	results_free(&res);
}

/*
 * Two nodes, the reader at node 0's long list when CPU 1 of node 1 wants its own: it must not
 * wait for where the reader is going to be.
 */
static void one_list_at_a_time(void **state)
{
	struct settings s = {.n = 0};
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	struct results res;
	unsigned t = 0;

	(void)state;
	assert_non_null(f);
	for (unsigned cpu = 0; cpu < 2; cpu++)
		for (unsigned i = 0; i < 4000; i++)
			fprintf(f, "alloc,%u,%u,%u\n", cpu, cpu * 4000 + i, t++);
	for (unsigned cpu = 0; cpu < 2; cpu++)
		for (unsigned i = 0; i < 4000; i++)
			if (i % 8)
				fprintf(f, "free,%u,%u,%u\n", cpu, cpu * 4000 + i, t++);
	/* The reader begins at 1 ms; a little later CPU 1 asks for node 1's lock: it frees what is
	 * left of a slab there, in the time that the walk of node 0's list takes. */
	for (unsigned i = 0; i < 40; i += 8)
		fprintf(f, "free,1,%u,%u\n", 4000 + i, 1000000 + i);
	/* The reader has finished by then. */
	fprintf(f, "free,1,%u,%u\n", 4040, 1900000);
	fclose(f);
	settings_add(&s, "machine={\"cpus\":2,\"nodes\":2,\"costs\":{\"walk\":1000}}");
	settings_add(&s, "policy={\"preset\":\"linux-6.1\",\"cpu_partial\":0,\"min_partial\":5}");
	settings_add(&s, "replay={\"mode\":\"timed\",\"reader_interval_us\":1000}");
	timed_fixture_run_csv(&res, &s, text);
	settings_cut(&s, 0);
	free(text);
	assert_int_equal(res.timing->reads, 1);
	assert_true(res.timing->node[0].hold_max > 100000 * (uint64_t)PS_PER_NS);
	assert_true(res.timing->node[1].acquisitions > 100);
	assert_int_equal(res.timing->node[1].contended, 0);
	results_free(&res);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_reader),
	    cmocka_unit_test(walk_holds_the_lock),
	    cmocka_unit_test(counters_hold_nothing),
	    cmocka_unit_test(approximate_is_bounded),
	    cmocka_unit_test(late_reader),
	    cmocka_unit_test(one_list_at_a_time),
	};

	return cmocka_run_group_tests(tests, fixture_policies, NULL);
}
