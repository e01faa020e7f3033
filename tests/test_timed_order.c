/*
 * The timed machine whose operations cost nothing counts what order mode counts, CPU by CPU, and
 * ends in the same state: the operation lists of tests/oracle and the bundled recorded trace,
 * under every preset.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/policy.h"
#include "tests/policies_fixture.h"
#include "tests/timed_fixture.h"

#define TRACE "workloads/traces/hackbench-6.1-8cpu"

static void assert_same_cache(const struct result_cache *a, const struct result_cache *b,
			      unsigned cpus, const char *name)
{
	for (unsigned item = 0; item < NR_STAT_ITEMS; item++) {
		if (a->stat[item] != b->stat[item])
			fail_msg("%s, %s: %s is %llu in order, %llu timed", name, a->name,
				 stat_name(item), (unsigned long long)a->stat[item],
				 (unsigned long long)b->stat[item]);
	}
	assert_memory_equal(a->stat_per_cpu, b->stat_per_cpu,
			    (size_t)cpus * NR_STAT_ITEMS * sizeof(*a->stat_per_cpu));
	assert_memory_equal(&a->state, &b->state, sizeof(a->state));
}

/* Both modes under the preset; s has room for three more settings. */
static void compare_modes(struct settings *s, const char *preset, const char *name)
{
	struct results order, timed;
	unsigned n = s->n;

	settings_add(s, "policy.preset=%s", preset);
	timed_fixture_run(&order, s);
	settings_add(s, "replay.mode=timed");
	timed_fixture_run(&timed, s);
	assert_null(order.timing);
	assert_non_null(timed.timing);
	assert_int_equal(order.replayed, timed.replayed);
	assert_int_equal(order.skipped, timed.skipped);
	assert_int_equal(order.nr_caches, timed.nr_caches);
	for (unsigned i = 0; i < order.nr_caches; i++)
		assert_same_cache(&order.caches[i], &timed.caches[i], order.cpus, name);
	results_free(&order);
	results_free(&timed);
	settings_cut(s, n);
}

static void compare_list(const struct settings *list, const char *name, void *arg)
{
	struct settings s = *list;

	compare_modes(&s, arg, name);
}

static void operation_lists(void **state)
{
	const struct preset *preset;

	(void)state;
	for (size_t i = 0; (preset = preset_nth(i)); i++)
		timed_fixture_each_list(compare_list, (void *)preset->name);
}

static void recorded_trace(void **state)
{
	struct settings s = {.n = 0};
	const struct preset *preset;

	(void)state;
	settings_add(&s, "workload.trace=" TRACE ".txt.zst");
	settings_add(&s, "replay.initial=" TRACE ".slabinfo");
	for (size_t i = 0; (preset = preset_nth(i)); i++)
		compare_modes(&s, preset->name, TRACE);
	settings_cut(&s, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(operation_lists),
	    cmocka_unit_test(recorded_trace),
	};

	return cmocka_run_group_tests(tests, fixture_policies, NULL);
}
