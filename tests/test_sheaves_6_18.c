/*
 * 6.18's sheaves above cpu slabs, rule by rule: the rows of facts 5.11, each against 7.0's way,
 * and what those calls do that reach the layer below. What is expected is worked out from the
 * rules, in the comments.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/sheaf_prefill.h"
#include "tests/cache_fixture.h"

static const struct generation gen = {
    .delayed_freezing = true,
    .bulk_counts_objects = true,
    .sheaves_above_cpu_slabs = true,
};

/*
 * 8 objects in a slab, sheaves of 4, an empty slab is given back from 2 on the node's list; per-CPU
 * partial lists of 2 slabs (6 objects, twice that over 8, rounded up).
 */
#define SMALL                                                                                      \
	"caches=[{\"name\":\"t\",\"size\":4096,\"order\":3,\"min_partial\":2,\"sheaf_capacity\":"  \
	"4}]"

static const char *const one_cpu[] = {"policy.preset=linux-6.18", SMALL, NULL};
static const char *const two_nodes[] = {"policy.preset=linux-6.18", SMALL,
					"machine={\"cpus\":2,\"nodes\":2}", NULL};

static uint32_t alloc(struct cache_fixture *f, unsigned cpu, int node, bool may_block)
{
	return sheaf_alloc(&f->c, &f->c.cpu[cpu], node, may_block, gen);
}

static void release(struct cache_fixture *f, unsigned cpu, uint32_t slab)
{
	sheaf_free(&f->c, &f->c.cpu[cpu], slab, gen);
}

/* 5.3 row 3c, gfp may block; row 5. */
static void test_alloc_blocking(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;

	(void)state;
	fixture_new(&f, one_cpu);
	pc = &f.c.cpu[0];
	assert_int_equal(f.c.cpu_partial_slabs, 2);
	/*
	 * No spare, nothing in the barn: a new sheaf, filled by a bulk allocation below: a new
	 * slab for the first object, the fast path for three. The old main goes to EMPTY.
	 */
	alloc(&f, 0, NUMA_NO_NODE, true);
	check_stats(&f, "alloc_fastpath 3 alloc_slowpath 1 alloc_slab 1 alloc_cpu_sheaf 1 "
			"sheaf_refill 4 sheaf_alloc 1 barn_get_fail 1");
	check_sheaf(pc->main, "0*3");
	check_sheaf(pc->spare, "none");
	check_barn(&f, 0, "", 1);
	for (unsigned i = 0; i < 3; i++)
		alloc(&f, 0, NUMA_NO_NODE, true);
	check_stats(&f, "alloc_cpu_sheaf 3");
	/* The head of EMPTY now; 4 more of the cpu slab. */
	alloc(&f, 0, NUMA_NO_NODE, true);
	check_stats(&f, "alloc_fastpath 4 alloc_cpu_sheaf 1 sheaf_refill 4 barn_get_fail 1");
	check_barn(&f, 0, "", 1);
	/* An empty spare goes first, and there is none afterwards; the cpu slab is used up. */
	pc->main->size = 0;
	pc->spare = sheaf_new(&f.c);
	alloc(&f, 0, NUMA_NO_NODE, true);
	check_stats(&f, "alloc_fastpath 3 alloc_slowpath 1 alloc_slab 1 deactivate_bypass 1 "
			"alloc_cpu_sheaf 1 sheaf_refill 4 barn_get_fail 1");
	check_sheaf(pc->spare, "none");
	check_barn(&f, 0, "", 2);
	fixture_free(&f);
}

/* 5.3 row 3c, gfp may not block: this one object from below; no sheaf is filled. */
static void test_alloc_atomic(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, one_cpu);
	alloc(&f, 0, NUMA_NO_NODE, false);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1 barn_get_fail 1");
	alloc(&f, 0, NUMA_NO_NODE, false);
	check_stats(&f, "alloc_fastpath 1 barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "");
	/* Rows 3a and 3b hold for it as well. */
	f.c.cpu[0].spare = fixture_sheaf(&f, 0, 1);
	barn_put_full(f.c.node[0].barn, fixture_sheaf(&f, 0, 4));
	alloc(&f, 0, NUMA_NO_NODE, false);
	check_stats(&f, "alloc_cpu_sheaf 1");
	alloc(&f, 0, NUMA_NO_NODE, false);
	check_stats(&f, "alloc_cpu_sheaf 1 barn_get 1");
	fixture_free(&f);
}

/* 5.3 rows 1 and 4: no counter of their own, the layer below with the node. */
static void test_alloc_of_node(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;

	(void)state;
	fixture_new(&f, two_nodes);
	pc = &f.c.cpu[0];
	/* Row 1; the CPU has no slab, so that nothing mismatches. A slab of node 1 is its cpu slab.
	 */
	assert_int_equal(alloc(&f, 0, 1, true), 0);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1");
	alloc(&f, 0, 1, true);
	check_stats(&f, "alloc_fastpath 1");
	/* Row 4: main's last object is of node 1. Now the cpu slab mismatches: deactivated. */
	fixture_slab(&f, 0, 8);
	fixture_push(pc->main, 1, 1);
	fixture_push(pc->main, 0, 1);
	assert_int_equal(alloc(&f, 0, 0, true), 2);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1 alloc_node_mismatch 1 "
			"deactivate_to_head 1");
	check_sheaf(pc->main, "1*1 0*1");
	check_list(&f, 1, "0:6");
	/* Row 5 with the node that matches. */
	pc->main->size = 1;
	assert_int_equal(alloc(&f, 0, 0, true), 1);
	check_stats(&f, "alloc_cpu_sheaf 1");
	fixture_free(&f);
}

/* Remote objects enter a sheaf through a cpu slab of another node. */
static void test_refill_remote(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, two_nodes);
	alloc(&f, 0, 1, true);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1");
	alloc(&f, 0, NUMA_NO_NODE, true);
	check_stats(&f, "alloc_fastpath 4 alloc_cpu_sheaf 1 sheaf_refill 4 sheaf_alloc 1 "
			"barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "0*3");
	assert_int_equal(f.c.slab[0].node, 1);
	fixture_free(&f);
}

/* A cache without sheaves is slub-delayed's. */
static void test_without_sheaves(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-6.18", "caches=[{\"name\":\"t\",\"size\":4096,\"order\":3}]",
	    NULL};
	struct cache_fixture f;
	uint32_t slabs[8];

	(void)state;
	fixture_new(&f, settings);
	assert_int_equal(f.c.sheaf_capacity, 0);
	alloc(&f, 0, NUMA_NO_NODE, true);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1");
	release(&f, 0, 0);
	check_stats(&f, "free_fastpath 1");
	/* Bulk as in 6.12: pops count objects; a run of the cpu slab counts its objects. */
	assert_true(sheaf_alloc_bulk(&f.c, &f.c.cpu[0], slabs, 8, gen));
	check_stats(&f, "alloc_fastpath 8");
	sheaf_free_bulk(&f.c, &f.c.cpu[0], slabs, 8, gen);
	check_stats(&f, "free_fastpath 8");
	/* kfree_rcu() counts no failure here (facts 5.6 step 1). */
	alloc(&f, 0, NUMA_NO_NODE, true);
	check_stats(&f, "alloc_fastpath 1");
	sheaf_free_rcu(&f.c, &f.c.cpu[0], 0, gen);
	check_stats(&f, "free_fastpath 1");
	fixture_free(&f);
}

/* 5.5: the same decisions, another counter; what is flushed is freed below and counted there. */
static void test_free_local(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;

	(void)state;
	fixture_new(&f, one_cpu);
	pc = &f.c.cpu[0];
	for (unsigned i = 0; i < 3; i++)
		fixture_slab(&f, 0, 8);
	for (unsigned i = 0; i < 9; i++)
		release(&f, 0, 0);
	/* Rows 2, 3a with a new sheaf, 2, 3e with another: main's full 4 go to the barn. */
	check_stats(&f, "free_cpu_sheaf 9 sheaf_alloc 2 barn_put 1");
	check_sheaf(pc->main, "0*1");
	check_sheaf(pc->spare, "0*4");
	check_barn(&f, 0, "0*4", 0);
	fixture_free(&f);

	/* Row 3c: the spare's runs: 2 of the cpu slab, fast; 2 of a full slab, to the CPU's list.
	 */
	fixture_new(&f, one_cpu);
	pc = &f.c.cpu[0];
	alloc(&f, 0, NUMA_NO_NODE, false);
	alloc(&f, 0, NUMA_NO_NODE, false);
	fixture_slab(&f, 0, 8);
	check_stats(&f, "alloc_fastpath 1 alloc_slowpath 1 alloc_slab 1 barn_get_fail 2");
	fixture_push(pc->main, 1, 4);
	pc->spare = fixture_sheaf(&f, 0, 2);
	fixture_push(pc->spare, 1, 2);
	for (unsigned i = 0; i < 10; i++)
		barn_put_full(f.c.node[0].barn, fixture_sheaf(&f, 1, 4));
	release(&f, 0, 1);
	check_stats(&f, "free_fastpath 2 free_slowpath 1 cpu_partial_free 1 free_cpu_sheaf 1 "
			"sheaf_flush 4 barn_put_fail 1");
	check_cpu_list(&f, 0, "1:2");
	assert_int_equal(pc->free, 8);
	fixture_free(&f);

	/* Row 1: a slab of another node: below, to this CPU's list. */
	fixture_new(&f, two_nodes);
	fixture_slab(&f, 1, 8);
	release(&f, 0, 0);
	check_stats(&f, "free_slowpath 1 cpu_partial_free 1");
	check_cpu_list(&f, 0, "0:1");
	fixture_free(&f);
}

/* The cpu slab of another CPU is frozen: FREE_FROZEN. */
static void test_flush_frozen(void **state)
{
	struct cache_fixture f;
	uint32_t slabs[] = {0, 0};

	(void)state;
	fixture_new(&f, two_nodes);
	alloc(&f, 1, 0, false);
	alloc(&f, 1, 0, false);
	check_stats(&f, "alloc_fastpath 1 alloc_slowpath 1 alloc_slab 1");
	lower_flush(&f.c, &f.c.cpu[0], slabs, 2, gen);
	check_stats(&f, "free_slowpath 1 free_frozen 1");
	fixture_free(&f);
}

/* Facts 5.7: ALLOC_PCS from the sheaves, the rest by the bulk path below. */
static void test_alloc_bulk(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	uint32_t got[8];

	(void)state;
	fixture_new(&f, one_cpu);
	pc = &f.c.cpu[0];
	fixture_slab(&f, 0, 8);
	fixture_slab(&f, 0, 5);
	fixture_push(pc->main, 0, 2);
	/*
	 * Two of main; BARN_GET_FAIL; then the node's slab becomes the cpu slab and gives 3, and a
	 * new one gives the rest of 3.
	 */
	assert_true(sheaf_alloc_bulk(&f.c, pc, got, 8, gen));
	assert_memory_equal(got, ((uint32_t[]){0, 0, 1, 1, 1, 2, 2, 2}), 8 * sizeof(*got));
	check_stats(&f, "alloc_fastpath 4 alloc_slowpath 2 alloc_from_partial 1 alloc_slab 1 "
			"deactivate_bypass 1 alloc_cpu_sheaf 2 barn_get_fail 1");
	fixture_free(&f);
}

static void test_free_bulk(void **state)
{
	uint32_t slabs[40] = {0};
	struct cache_fixture f;

	(void)state;
	/* Room for 4; no spare, EMPTY empty; 2 in one run of a full slab: FREE_SLOWPATH 1. */
	fixture_new(&f, one_cpu);
	fixture_slab(&f, 0, 8);
	sheaf_free_bulk(&f.c, &f.c.cpu[0], slabs, 6, gen);
	check_stats(&f, "free_slowpath 1 cpu_partial_free 1 free_cpu_sheaf 4");
	fixture_free(&f);

	/*
	 * The kernel's error with 32 remote objects, here in four runs of 8 after the first: as in
	 * 7.0 the array is 1, 4*8, 3*8, 2*8, 1*7. Every slab was full. 1: to the CPU's list; 2,
	 * empty: to the list, which has 2 now; 3: drains it: 2 is empty, goes to the node with 0
	 * on its list, 1 as well; 3 starts a new list; 4: on it. The last object of slab 1, on its
	 * node's list with 2 slabs: given back.
	 */
	fixture_new(&f, two_nodes);
	fixture_slab(&f, 0, 8);
	for (unsigned i = 0; i < 4; i++)
		fixture_slab(&f, 1, 8);
	for (unsigned i = 0; i < 32; i++)
		slabs[2 + i] = 1 + i / 8;
	sheaf_free_bulk(&f.c, &f.c.cpu[0], slabs, 34, gen);
	check_stats(&f, "free_slowpath 5 free_add_partial 2 free_remove_partial 1 free_slab 1 "
			"cpu_partial_free 4 cpu_partial_drain 1");
	check_list(&f, 1, "2:8");
	check_cpu_list(&f, 0, "4:8 3:8");
	assert_int_equal(f.c.lost_frees, 2);
	check_sheaf(f.c.cpu[0].main, "");
	fixture_free(&f);
}

/* Facts 5.8: filled by the bulk path below. */
static void test_prefill(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	struct sheaf *sheaf;

	(void)state;
	fixture_new(&f, one_cpu);
	pc = &f.c.cpu[0];
	sheaf = sheaf_prefill(&f.c, pc, 2, gen);
	check_stats(&f, "alloc_fastpath 3 alloc_slowpath 1 alloc_slab 1 sheaf_refill 4 "
			"sheaf_alloc 1 barn_get_fail 1 sheaf_prefill_slow 1");
	sheaf_return(&f.c, pc, sheaf, gen);
	check_stats(&f, "sheaf_return_fast 1");
	/* Oversize: 4 that the cpu slab has, 2 of a new one. */
	sheaf = sheaf_prefill(&f.c, pc, 6, gen);
	check_stats(&f, "alloc_fastpath 5 alloc_slowpath 1 alloc_slab 1 deactivate_bypass 1 "
			"sheaf_prefill_oversize 1");
	/* Flushed: 2 of the cpu slab, and 4 of slab 0, which was full. */
	sheaf_return(&f.c, pc, sheaf, gen);
	check_stats(&f, "free_fastpath 2 free_slowpath 1 cpu_partial_free 1 sheaf_flush 6");
	fixture_free(&f);
}

/* Facts 5.9: the CPU's sheaves, then its cpu slab and list; the barn's objects come after that. */
static void test_shrink(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;

	(void)state;
	fixture_new(&f, one_cpu);
	pc = &f.c.cpu[0];
	/* Slab 0 is the cpu slab: 1 object in use, 1 more of it in main. 1 to 3 are full. */
	alloc(&f, 0, NUMA_NO_NODE, false);
	alloc(&f, 0, NUMA_NO_NODE, false);
	for (unsigned i = 0; i < 3; i++)
		fixture_slab(&f, 0, 8);
	fixture_push(pc->main, 0, 1);
	pc->spare = fixture_sheaf(&f, 1, 4);
	pc->rcu_free = fixture_sheaf(&f, 2, 2);
	barn_put_full(f.c.node[0].barn, fixture_sheaf(&f, 3, 4));
	check_stats(&f, "alloc_fastpath 1 alloc_slowpath 1 alloc_slab 1 barn_get_fail 2");
	/*
	 * The spare: slab 1 on the CPU's list; rcu_free: slab 2; main: to the cpu slab. Then that
	 * is deactivated, 7 of 8 free, no remote frees: to the node's head; the list is drained:
	 * 2, 1. Then the barn's 4 objects of full slab 3: it ends on the calling CPU's list and
	 * stays.
	 */
	sheaf_shrink(&f.c, pc, gen);
	check_stats(&f, "free_fastpath 1 free_slowpath 3 free_add_partial 2 cpuslab_flush 1 "
			"deactivate_to_head 1 cpu_partial_free 3 sheaf_flush 11 sheaf_free 3");
	check_cpu_list(&f, 0, "3:4");
	/* Sorted, the fullest first. */
	check_list(&f, 0, "2:2 1:4 0:7");
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_alloc_blocking),  cmocka_unit_test(test_alloc_atomic),
	    cmocka_unit_test(test_alloc_of_node),   cmocka_unit_test(test_refill_remote),
	    cmocka_unit_test(test_without_sheaves), cmocka_unit_test(test_free_local),
	    cmocka_unit_test(test_flush_frozen),    cmocka_unit_test(test_alloc_bulk),
	    cmocka_unit_test(test_free_bulk),	    cmocka_unit_test(test_prefill),
	    cmocka_unit_test(test_shrink),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
