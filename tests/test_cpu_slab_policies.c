/*
 * Policies of the per-CPU partial lists that no recorded kernel ran: unlimited lists, full lists
 * that are not drained or not filled by frees, 3.2's refill, the older rules for empty slabs, and
 * scaled limits (facts 2.2, 2.5, 3.2). What is expected is worked out from the rules.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/cpu_slab.h"
#include "tests/cache_fixture.h"

/* Slabs on a CPU's list are frozen: kernels up to 6.7. */
static const struct generation gen = {0};

static uint32_t alloc(struct cache_fixture *f)
{
	return cpu_slab_alloc(&f->c, &f->c.cpu[0], NUMA_NO_NODE, true, gen);
}

static void release(struct cache_fixture *f, uint32_t slab, unsigned cnt)
{
	cpu_slab_free_run(&f->c, &f->c.cpu[0], slab, cnt, gen);
}

/* 8 objects in a slab; limit and min_partial as given; one policy beside the preset's. */
static void start(struct cache_fixture *f, const char *preset, const char *policy, unsigned limit,
		  unsigned min_partial)
{
	char caches[160], base[64];
	const char *const settings[] = {base, policy, caches, NULL};

	snprintf(base, sizeof(base), "policy.preset=%s", preset);
	snprintf(caches, sizeof(caches),
		 "caches=[{\"name\":\"t\",\"size\":512,\"order\":0,\"cpu_partial\":%u,"
		 "\"min_partial\":%u}]",
		 limit, min_partial);
	fixture_new(f, settings);
	assert_int_equal(f->c.objects, 8);
}

static void full_slabs(struct cache_fixture *f, unsigned n)
{
	while (n--)
		fixture_slab(f, 0, 8);
}

/* Partial slabs with so many objects free, the node's list in this order. */
static void partial_slabs(struct cache_fixture *f, const unsigned *nr_free, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		fixture_slab(f, 0, 8 - nr_free[i]);
}

/* ---- partial_accounting ---- */

static void test_unlimited(void **state)
{
	struct cache_fixture f;

	(void)state;
	/* Limit 4 objects: 1 slab; twenty frees to full slabs: never drained. */
	start(&f, "linux-6.1", "policy.partial_accounting=unlimited", 4, 5);
	full_slabs(&f, 20);
	for (uint32_t s = 0; s < 20; s++)
		release(&f, s, 1);
	check_stats(&f, "free_slowpath 20 cpu_partial_free 20");
	assert_int_equal(cpu_partial_slabs(&f.c.cpu[0]), 20);
	fixture_free(&f);
	/* The refill rule stays the preset's: half of 1 slab, and one: 1 beside the cpu slab. */
	start(&f, "linux-6.1", "policy.partial_accounting=unlimited", 4, 5);
	partial_slabs(&f, (unsigned[]){2, 2, 2, 2}, 4);
	alloc(&f);
	check_stats(&f, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 1");
	fixture_free(&f);
	/* Under pages, the same twenty: the second finds the list full, and every later one. */
	start(&f, "linux-6.1", "policy.partial_accounting=pages", 4, 5);
	full_slabs(&f, 20);
	for (uint32_t s = 0; s < 20; s++)
		release(&f, s, 1);
	check_stats(&f, "free_slowpath 20 free_add_partial 19 cpu_partial_free 20 "
			"cpu_partial_drain 19");
	fixture_free(&f);
}

/* ---- cpu_partial_full ---- */

static void test_no_drain_free(void **state)
{
	struct cache_fixture f;

	(void)state;
	start(&f, "linux-3.2", "policy.cpu_partial_full=no-drain", 3, 1);
	full_slabs(&f, 8);
	/*
	 * Objects on the list before each put: 0, 1, 2, 3: not more than 3. The fifth finds 4: it
	 * goes to the node's tail, unfrozen.
	 */
	for (uint32_t s = 0; s < 5; s++)
		release(&f, s, 1);
	check_stats(&f, "free_slowpath 5 free_add_partial 1 cpu_partial_free 4");
	check_cpu_list(&f, 0, "3:1 2:1 1:1 0:1");
	check_list(&f, 0, "4:1");
	/* One more of each: the list's slab is frozen, the node's is not. */
	release(&f, 0, 1);
	check_stats(&f, "free_slowpath 1 free_frozen 1");
	release(&f, 4, 1);
	check_stats(&f, "free_slowpath 1");
	/* Slabs that become empty at once: 1 on the node's list is not more than 1; 2 are. */
	release(&f, 5, 8);
	check_stats(&f, "free_slowpath 1 free_add_partial 1");
	check_list(&f, 0, "4:2 5:8");
	release(&f, 6, 8);
	check_stats(&f, "free_slowpath 1 free_slab 1");
	/* The list has four slabs for as long as nobody allocates. */
	check_cpu_list(&f, 0, "3:1 2:1 1:1 0:2");
	fixture_free(&f);
}

static void test_no_drain_refill(void **state)
{
	struct cache_fixture f;

	(void)state;
	/*
	 * 0 becomes the cpu slab. 1, 2, 3, 4 are put while the list has 0, 1, 2, 3 objects; 5 finds
	 * 4 and goes back to the head, and the refill ends; half the limit does not matter.
	 */
	start(&f, "linux-3.2", "policy.cpu_partial_full=no-drain", 3, 5);
	partial_slabs(&f, (unsigned[]){2, 1, 1, 1, 1, 1, 1}, 7);
	assert_int_equal(alloc(&f), 0);
	check_stats(&f, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 4");
	check_cpu_list(&f, 0, "4:1 3:1 2:1 1:1");
	check_list(&f, 0, "5:1 6:1");
	assert_false(f.c.slab[5].frozen);
	fixture_free(&f);
	/* The kernel's way: 2 objects after slab 2 are more than half of 3. */
	start(&f, "linux-3.2", "policy.cpu_partial_full=drain", 3, 5);
	partial_slabs(&f, (unsigned[]){2, 1, 1, 1, 1, 1, 1}, 7);
	alloc(&f);
	check_stats(&f, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 2");
	fixture_free(&f);
}

static void test_alloc_only(void **state)
{
	struct cache_fixture f;

	(void)state;
	start(&f, "linux-3.2", "policy.cpu_partial_full=alloc-only", 3, 1);
	full_slabs(&f, 3);
	/* A free goes to the node even though the list is empty. */
	release(&f, 0, 1);
	check_stats(&f, "free_slowpath 1 free_add_partial 1");
	release(&f, 1, 8);
	check_stats(&f, "free_slowpath 1 free_add_partial 1");
	release(&f, 2, 8);
	check_stats(&f, "free_slowpath 1 free_slab 1");
	check_list(&f, 0, "0:1 1:8");
	/* A refill fills the list: slab 1's 8 objects, and it is full. The next has 2's old index.
	 */
	partial_slabs(&f, (unsigned[]){1}, 1);
	assert_int_equal(alloc(&f), 0);
	check_stats(&f, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 1");
	check_cpu_list(&f, 0, "1:8");
	check_list(&f, 0, "2:1");
	/* From there the next allocation is served: this kernel makes it C, and refills from it. */
	assert_int_equal(alloc(&f), 1);
	check_stats(&f, "alloc_slowpath 1 alloc_refill 1 deactivate_bypass 1 cpu_partial_alloc 1");
	fixture_free(&f);
}

/* ---- refill ---- */

static void check_extra(const char *refill, unsigned limit, const char *stats)
{
	struct cache_fixture f;
	char policy[64];

	snprintf(policy, sizeof(policy), "policy.refill=\"%s\"", refill);
	start(&f, "linux-3.2", policy, limit, 5);
	partial_slabs(&f, (unsigned[]){8, 8, 8, 8}, 4);
	alloc(&f);
	check_stats(&f, stats);
	fixture_free(&f);
}

static void test_refill(void **state)
{
	(void)state;
	/* 3.2 looks at the list alone, so one more is taken whatever the first had. */
	check_extra("3.2", 2, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 1");
	/* 15: the list has 8 after one, 16 after two. */
	check_extra("3.2", 30, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 2");
	/* 3.7 counts the first: 8 > 1; and 16 > 15 after one more. */
	check_extra("3.7", 2, "alloc_slowpath 1 alloc_from_partial 1");
	check_extra("3.7", 30, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 1");
	/* 8 is not more than 8. */
	check_extra("3.2", 16, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 2");
	check_extra("3.7", 16, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 1");
	/* Slabs: 30 objects are 8; half, and one: 5, of which the list has 3. 8 are 2: 2 extra. */
	check_extra("5.16", 30, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 3");
	check_extra("5.16", 8, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 2");
	/* A limit of 0: one extra up to 6.9, none since. */
	check_extra("5.16", 0, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 1");
	check_extra("6.10", 0, "alloc_slowpath 1 alloc_from_partial 1");
	check_extra("6.10", 8, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 2");
}

/* ---- empty_slab ---- */

/* A slab of the node's list loses its last object; on_list: how many the list has, with it. */
static void check_empty_free(const char *policy, unsigned on_list, bool given_back)
{
	struct cache_fixture f;

	start(&f, "linux-3.2", policy, 30, 2);
	partial_slabs(&f, (unsigned[]){7}, 1);
	for (unsigned i = 1; i < on_list; i++)
		partial_slabs(&f, (unsigned[]){1}, 1);
	release(&f, 0, 1);
	check_stats(&f, given_back ? "free_slowpath 1 free_remove_partial 1 free_slab 1"
				   : "free_slowpath 1");
	fixture_free(&f);
}

/* The cpu slab is flushed with all its objects free; on_list: how many the node's list has. */
static void check_empty_deactivate(const char *policy, unsigned on_list, bool given_back)
{
	struct cache_fixture f;

	start(&f, "linux-3.2", policy, 30, 2);
	alloc(&f);
	release(&f, 0, 1);
	check_stats(&f, "alloc_slowpath 1 free_fastpath 1 alloc_slab 1");
	for (unsigned i = 0; i < on_list; i++)
		partial_slabs(&f, (unsigned[]){1}, 1);
	cpu_slab_flush_cpu(&f.c, &f.c.cpu[0], gen);
	check_stats(&f, given_back ? "free_slab 1 cpuslab_flush 1 deactivate_empty 1"
				   : "cpuslab_flush 1 deactivate_to_head 1");
	fixture_free(&f);
}

/* The CPU's list of 4 empty slabs is drained; on_list as above; kept: how many stay. */
static void check_empty_drain(const char *policy, unsigned on_list, unsigned kept)
{
	struct cache_fixture f;

	start(&f, "linux-3.2", policy, 30, 2);
	full_slabs(&f, 4);
	for (uint32_t s = 0; s < 4; s++)
		release(&f, s, 8);
	check_stats(&f, "free_slowpath 4 cpu_partial_free 4");
	for (unsigned i = 0; i < on_list; i++)
		partial_slabs(&f, (unsigned[]){1}, 1);
	cpu_slab_flush_cpu(&f.c, &f.c.cpu[0], gen);
	assert_int_equal(cache_stat(&f.c, FREE_ADD_PARTIAL), kept);
	assert_int_equal(cache_stat(&f.c, DEACTIVATE_EMPTY), 4 - kept);
	assert_int_equal(cache_stat(&f.c, FREE_SLAB), 4 - kept);
	assert_int_equal(cache_partial(&f.c), on_list + kept);
	fixture_free(&f);
}

/* min_partial is 2. The list grows while it is drained. */
static void test_empty_slab(void **state)
{
	static const char *const now = "policy.empty_slab=\"since-3.16\"",
				 *const then = "policy.empty_slab=\"since-3.2\"",
				 *const first = "policy.empty_slab=\"before-2011-fix\"";

	(void)state;
	/* >= */
	check_empty_free(now, 1, false);
	check_empty_free(now, 2, true);
	check_empty_deactivate(now, 1, false);
	check_empty_deactivate(now, 2, true);
	check_empty_drain(now, 0, 2);
	check_empty_drain(now, 1, 1);
	check_empty_drain(now, 2, 0);
	/* > */
	check_empty_free(then, 2, false);
	check_empty_free(then, 3, true);
	check_empty_deactivate(then, 2, false);
	check_empty_deactivate(then, 3, true);
	check_empty_drain(then, 0, 3);
	check_empty_drain(then, 2, 1);
	check_empty_drain(then, 3, 0);
	/* > but for draining: given back while the list has fewer than 2, all kept otherwise. */
	check_empty_free(first, 2, false);
	check_empty_free(first, 3, true);
	check_empty_deactivate(first, 2, false);
	check_empty_deactivate(first, 3, true);
	check_empty_drain(first, 0, 0);
	check_empty_drain(first, 1, 0);
	check_empty_drain(first, 2, 4);
}

/* ---- limits ---- */

static void check_limits(const char *cpu_partial, unsigned cpus, const unsigned *want)
{
	static const unsigned sizes[] = {4096, 1024, 256, 64};

	for (unsigned i = 0; i < 4; i++) {
		char policy[80], machine[32], caches[64];
		const char *const settings[] = {"policy.preset=linux-6.1", policy, machine, caches,
						NULL};
		struct cache_fixture f;

		snprintf(policy, sizeof(policy), "policy.cpu_partial=%s", cpu_partial);
		snprintf(machine, sizeof(machine), "machine.cpus=%u", cpus);
		snprintf(caches, sizeof(caches), "caches=[{\"name\":\"t\",\"size\":%u}]", sizes[i]);
		fixture_new(&f, settings);
		assert_int_equal(f.c.cpu_partial, want[i]);
		assert_int_equal(f.c.cpu_partial_slabs,
				 (2 * want[i] + f.c.objects - 1) / f.c.objects);
		fixture_free(&f);
	}
}

static void test_cpu_partial(void **state)
{
	(void)state;
	check_limits("default-old", 8, (unsigned[]){2, 6, 13, 30});
	check_limits("default", 64, (unsigned[]){6, 24, 52, 120});
	check_limits("{\"scale\":0.5,\"of\":\"default-old\"}", 8, (unsigned[]){1, 3, 6, 15});
	check_limits("{\"scale\":2,\"of\":\"default-old\"}", 8, (unsigned[]){4, 12, 26, 60});
	check_limits("{\"scale\":8,\"of\":\"default-old\"}", 8, (unsigned[]){16, 48, 104, 240});
	check_limits("{\"scale\":128,\"of\":\"default-old\"}", 8,
		     (unsigned[]){256, 768, 1664, 3840});
	check_limits("{\"scale\":0,\"of\":\"default\"}", 8, (unsigned[]){0, 0, 0, 0});
	check_limits("{\"scale\":0.5,\"of\":\"feng\"}", 32, (unsigned[]){6, 24, 52, 120});
	check_limits("feng", 31, (unsigned[]){6, 24, 52, 120});
	check_limits("feng", 32, (unsigned[]){12, 48, 104, 240});
	check_limits("feng", 224, (unsigned[]){12, 48, 104, 240});
	check_limits("7", 8, (unsigned[]){7, 7, 7, 7});
}

static unsigned min_partial(const char *name, unsigned size, int64_t number)
{
	const struct policy *p = policy_find(AXIS_MIN_PARTIAL, name);

	assert_non_null(p);
	return ((const struct min_partial_ops *)p)->min_partial(size, number);
}

static void test_min_partial(void **state)
{
	static const struct {
		unsigned size, slabs;
	} table[] = {
	    {8, 5},	{2048, 5},  {4095, 5},	 {4096, 6},	{16383, 6},    {16384, 7},
	    {65535, 7}, {65536, 8}, {262144, 9}, {1048576, 10}, {4194304, 10},
	};
	struct error err = {0};

	(void)state;
	assert_int_equal(policies_init(&err), 0);
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		assert_int_equal(min_partial("default", table[i].size, 0), table[i].slabs);
		/* log2 of it, halved, is below 64 for all of them. */
		assert_int_equal(min_partial("feng", table[i].size, 0), 64);
	}
	assert_int_equal(min_partial("number", 64, 0), 0);
	assert_int_equal(min_partial("number", 64, 17), 17);
}

/* ---- remote_node_defrag_ratio, facts 3.2 step 5 ---- */

#define DRAWS 102400

/* How often of DRAWS the other nodes are asked. */
static unsigned asked(const char *ratio, unsigned nodes, unsigned seed)
{
	char policy[64], machine[48], replay[32];
	const char *const settings[] = {"policy.preset=linux-6.1",
					policy,
					machine,
					replay,
					"caches=[{\"name\":\"t\",\"size\":512}]",
					NULL};
	struct cache_fixture f;
	unsigned n = 0;

	snprintf(policy, sizeof(policy), "policy.remote_node_defrag_ratio=%s", ratio);
	snprintf(machine, sizeof(machine), "machine={\"cpus\":%u,\"nodes\":%u}", nodes, nodes);
	snprintf(replay, sizeof(replay), "replay.seed=%u", seed);
	fixture_new(&f, settings);
	for (unsigned i = 0; i < DRAWS; i++)
		n += arena_may_ask_remote_nodes(&f.c);
	fixture_free(&f);
	return n;
}

static void test_defrag_ratio(void **state)
{
	(void)state;
	/*
	 * The kernel keeps ten times the ratio R and asks for residues 0 ... 10 R of 1024. R = 100
	 * gives 1001/1024 (97.75 %), 100100 of 102400; the standard deviation is
	 * sqrt(102400 * 0.97754 * 0.02246) = 47.4. Within five of them.
	 */
	for (unsigned seed = 1; seed <= 4; seed++)
		assert_in_range(asked("100", 2, seed), 100100 - 237, 100100 + 237);
	/* R = 50: 501/1024, 50100, deviation 160. R = 1: 11/1024, 1100, deviation 33. */
	assert_in_range(asked("50", 2, 1), 50100 - 800, 50100 + 800);
	assert_in_range(asked("1", 2, 1), 1100 - 165, 1100 + 165);
	/* Neither is random; nor is one node. */
	assert_int_equal(asked("0", 2, 1), 0);
	assert_int_equal(asked("always", 2, 1), DRAWS);
	assert_int_equal(asked("100", 1, 1), 0);
	/* The same seed, the same answers; another seed, others (of these two it is known). */
	assert_int_equal(asked("50", 2, 7), asked("50", 2, 7));
	assert_int_not_equal(asked("50", 2, 7), asked("50", 2, 8));
}

/* The other nodes are asked in order, those with more than min_partial slabs. */
static void test_any_partial(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-6.1", "machine={\"cpus\":3,\"nodes\":3}",
	    "policy.remote_node_defrag_ratio=always",
	    "caches=[{\"name\":\"t\",\"size\":512,\"order\":0,\"min_partial\":1,"
	    "\"cpu_partial\":4}]",
	    NULL};
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, settings);
	fixture_slab(&f, 1, 4);
	fixture_slab(&f, 2, 4);
	fixture_slab(&f, 2, 5);
	/* Node 1 has 1; node 2's first becomes C, half a limit of 1, and one: its second follows.
	 */
	assert_int_equal(alloc(&f), 1);
	check_stats(&f, "alloc_slowpath 1 alloc_from_partial 1 cpu_partial_node 1");
	check_cpu_list(&f, 0, "2:3");
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_unlimited),	    cmocka_unit_test(test_no_drain_free),
	    cmocka_unit_test(test_no_drain_refill), cmocka_unit_test(test_alloc_only),
	    cmocka_unit_test(test_refill),	    cmocka_unit_test(test_empty_slab),
	    cmocka_unit_test(test_cpu_partial),	    cmocka_unit_test(test_min_partial),
	    cmocka_unit_test(test_defrag_ratio),    cmocka_unit_test(test_any_partial),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
