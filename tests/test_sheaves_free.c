/*
 * What is freed to the sheaves of 7.0, rule by rule: one object, an array's flush, kfree_rcu(),
 * flush_all() and kmem_cache_shrink() (facts 5.5, 5.6, 5.9). What is expected is worked out from
 * the rules, in the comments.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/sheaf.h"
#include "tests/cache_fixture.h"

static const struct generation gen = {0};

/* 8 objects in a slab, sheaves of 4, an empty slab is given back from 2 on the node's list. */
#define SMALL "caches=[{\"name\":\"t\",\"size\":4096,\"order\":3,\"min_partial\":2}]"

static const char *const one_cpu[] = {"policy.preset=linux-7.0", SMALL, NULL};
static const char *const two_nodes[] = {"policy.preset=linux-7.0", SMALL,
					"machine={\"cpus\":2,\"nodes\":2}", NULL};

static void release(struct cache_fixture *f, unsigned cpu, uint32_t slab)
{
	sheaf_free(&f->c, &f->c.cpu[cpu], slab, gen);
}

static void release_rcu(struct cache_fixture *f, unsigned cpu, uint32_t slab, unsigned times)
{
	while (times--)
		sheaf_free_rcu(&f->c, &f->c.cpu[cpu], slab, gen);
}

/* ---- facts 5.5 ---- */

static void test_free_local(void **state)
{
	struct cache_fixture f;
	uint32_t a;

	(void)state;
	fixture_new(&f, one_cpu);
	a = fixture_slab(&f, 0, 8);
	/* Row 2. */
	release(&f, 0, a);
	check_stats(&f, "free_fastpath 1");
	check_sheaf(f.c.cpu[0].main, "0*1");
	/* Row 3a: full, no spare, nothing in the barn: a new sheaf, the full one is the spare. */
	for (unsigned i = 0; i < 4; i++)
		release(&f, 0, a);
	check_stats(&f, "free_fastpath 4 sheaf_alloc 1");
	check_sheaf(f.c.cpu[0].main, "0*1");
	check_sheaf(f.c.cpu[0].spare, "0*4");
	assert_int_equal(f.c.slab[a].inuse, 8);
	fixture_free(&f);

	/* Row 3a with one in EMPTY. */
	fixture_new(&f, one_cpu);
	a = fixture_slab(&f, 0, 8);
	barn_put_empty(f.c.node[0].barn, sheaf_new(&f.c));
	for (unsigned i = 0; i < 5; i++)
		release(&f, 0, a);
	check_stats(&f, "free_fastpath 5");
	check_barn(&f, 0, "", 0);
	fixture_free(&f);

	/* Row 3b: a spare with room is swapped in. */
	fixture_new(&f, one_cpu);
	a = fixture_slab(&f, 0, 8);
	fixture_push(f.c.cpu[0].main, a, 4);
	f.c.cpu[0].spare = fixture_sheaf(&f, a, 1);
	release(&f, 0, a);
	check_stats(&f, "free_fastpath 1");
	check_sheaf(f.c.cpu[0].main, "0*2");
	check_sheaf(f.c.cpu[0].spare, "0*4");
	fixture_free(&f);
}

/* Main full of a's, spare full of b's, and so many full sheaves of c's in the barn. */
static void start_full(struct cache_fixture *f, unsigned nr_full, unsigned nr_empty)
{
	fixture_new(f, one_cpu);
	for (unsigned i = 0; i < 3; i++)
		fixture_slab(f, 0, 8);
	fixture_push(f->c.cpu[0].main, 0, 4);
	f->c.cpu[0].spare = fixture_sheaf(f, 1, 4);
	for (unsigned i = 0; i < nr_full; i++)
		barn_put_full(f->c.node[0].barn, fixture_sheaf(f, 2, 4));
	for (unsigned i = 0; i < nr_empty; i++)
		barn_put_empty(f->c.node[0].barn, sheaf_new(&f->c));
}

static void test_free_to_barn(void **state)
{
	struct cache_fixture f;

	(void)state;
	/* Row 3d: an empty sheaf of the barn for the full main, whose place is the head. */
	start_full(&f, 1, 2);
	release(&f, 0, 0);
	check_stats(&f, "free_fastpath 1 barn_put 1");
	check_sheaf(f.c.cpu[0].main, "0*1");
	check_sheaf(f.c.cpu[0].spare, "1*4");
	check_barn(&f, 0, "0*4 | 2*4", 1);
	fixture_free(&f);
	/* Row 3e: none there, a new one. */
	start_full(&f, 9, 0);
	release(&f, 0, 0);
	check_stats(&f, "free_fastpath 1 sheaf_alloc 1 barn_put 1");
	check_barn(&f, 0, "0*4 | 2*4 | 2*4 | 2*4 | 2*4 | 2*4 | 2*4 | 2*4 | 2*4 | 2*4", 0);
	fixture_free(&f);
	/*
	 * Row 3c: ten full ones, tested before EMPTY is looked at. The spare's four objects of the
	 * full slab b are one run: FREE_ADD_PARTIAL.
	 */
	start_full(&f, 10, 1);
	release(&f, 0, 0);
	check_stats(&f, "free_fastpath 1 free_add_partial 1 sheaf_flush 4 barn_put_fail 1");
	check_sheaf(f.c.cpu[0].main, "0*1");
	check_sheaf(f.c.cpu[0].spare, "0*4");
	check_list(&f, 0, "1:4");
	assert_int_equal(f.c.node[0].barn->nr_full, 10);
	assert_int_equal(f.c.node[0].barn->nr_empty, 1);
	fixture_free(&f);
}

static void test_free_slow(void **state)
{
	struct cache_fixture f;
	uint32_t a, b;

	(void)state;
	fixture_new(&f, two_nodes);
	a = fixture_slab(&f, 1, 8);
	b = fixture_slab(&f, 1, 5);
	/* Row 1: a slab of another node; it was full, so it goes to its node's tail. */
	release(&f, 0, a);
	check_stats(&f, "free_slowpath 1 free_add_partial 1");
	check_list(&f, 1, "1:3 0:1");
	release(&f, 0, b);
	check_stats(&f, "free_slowpath 1");
	check_sheaf(f.c.cpu[0].main, "");
	fixture_free(&f);

	/* Row 1: capacity 0. */
	fixture_lay_out(&f, one_cpu);
	f.c.sheaf_capacity = 0;
	fixture_start(&f);
	a = fixture_slab(&f, 0, 8);
	release(&f, 0, a);
	check_stats(&f, "free_slowpath 1 free_add_partial 1");
	fixture_free(&f);
}

/* The table of __slab_free(); min_partial is 2. */
static void test_slab_free(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;

	(void)state;
	fixture_new(&f, one_cpu);
	pc = &f.c.cpu[0];
	for (unsigned i = 0; i < 5; i++)
		fixture_slab(&f, 0, 8);
	/* Full, inuse = 0 after, fewer than min_partial on the list: kept, empty. */
	node_slab_free_run(&f.c, pc, 0, 8, gen);
	check_stats(&f, "free_add_partial 1");
	check_list(&f, 0, "0:8");
	/* Full, inuse > 0 after: to the tail. */
	node_slab_free_run(&f.c, pc, 1, 3, gen);
	check_stats(&f, "free_add_partial 1");
	check_list(&f, 0, "0:8 1:3");
	/* Full, inuse = 0 after, min_partial reached: given back. */
	node_slab_free_run(&f.c, pc, 2, 8, gen);
	check_stats(&f, "free_slab 1");
	assert_int_equal(f.c.nr_slabs, 4);
	/* Not full, inuse > 0 after: nothing. */
	node_slab_free_run(&f.c, pc, 1, 4, gen);
	check_stats(&f, "");
	check_list(&f, 0, "0:8 1:7");
	/* Not full, inuse = 0 after, two slabs with it: given back. */
	node_slab_free_run(&f.c, pc, 1, 1, gen);
	check_stats(&f, "free_remove_partial 1 free_slab 1");
	check_list(&f, 0, "0:8");
	/* The same with itself alone: it stays where it is. */
	node_slab_free_run(&f.c, pc, 3, 7, gen);
	check_stats(&f, "free_add_partial 1");
	node_list_del(&f.c, 0);
	node_slab_free_run(&f.c, pc, 3, 1, gen);
	check_stats(&f, "");
	check_list(&f, 0, "3:8");
	fixture_free(&f);
}

/*
 * The flush of an array (facts 4.4), bottom first: x a x b c x. From the end: x, then c and b are
 * passed over, x is found, a is the third other: a run of 2. b's search passes over c, a, x and
 * finds nothing; so do c's, a's and the last x's.
 */
static void test_flush_runs(void **state)
{
	uint32_t slabs[] = {0, 1, 0, 2, 3, 0};
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, one_cpu);
	for (unsigned i = 0; i < 4; i++)
		fixture_slab(&f, 0, 8);
	node_slab_flush(&f.c, &f.c.cpu[0], slabs, 6, gen);
	/* The swap puts c at x's place: behind x come b, c, a, and x again, on the list already. */
	check_stats(&f, "free_add_partial 4");
	check_list(&f, 0, "0:3 2:1 3:1 1:1");
	fixture_free(&f);
}

/* ---- facts 5.6 ---- */

static void test_rcu_elsewhere(void **state)
{
	struct cache_fixture f;

	(void)state;
	/* Step 1: another node: ordinary kfree_rcu(), a bulk free of one; the slab was full. */
	fixture_new(&f, two_nodes);
	fixture_slab(&f, 1, 8);
	release_rcu(&f, 0, 0, 1);
	check_stats(&f, "free_slowpath 1 free_add_partial 1");
	check_sheaf(f.c.cpu[0].rcu_free, "none");
	fixture_free(&f);
	/* Step 1: capacity 0: counted as well. */
	fixture_lay_out(&f, one_cpu);
	f.c.sheaf_capacity = 0;
	fixture_start(&f);
	fixture_slab(&f, 0, 8);
	release_rcu(&f, 0, 0, 1);
	check_stats(&f, "free_slowpath 1 free_add_partial 1 free_rcu_sheaf_fail 1");
	fixture_free(&f);
}

/* Step 2: where an absent rcu_free comes from. */
static void test_rcu_sheaf(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;

	(void)state;
	fixture_new(&f, one_cpu);
	pc = &f.c.cpu[0];
	fixture_slab(&f, 0, 8);
	/* An empty spare; there is none afterwards. */
	pc->spare = sheaf_new(&f.c);
	barn_put_empty(f.c.node[0].barn, sheaf_new(&f.c));
	release_rcu(&f, 0, 0, 1);
	check_stats(&f, "free_rcu_sheaf 1");
	check_sheaf(pc->rcu_free, "0*1");
	check_sheaf(pc->spare, "none");
	check_barn(&f, 0, "", 1);
	/* Step 4: full with the fourth: to the head of FULL after the grace period. */
	release_rcu(&f, 0, 0, 3);
	check_stats(&f, "free_rcu_sheaf 3 barn_put 1");
	check_sheaf(pc->rcu_free, "none");
	check_barn(&f, 0, "0*4", 1);
	/* A spare with objects is left alone: the head of EMPTY. */
	pc->spare = fixture_sheaf(&f, 0, 1);
	release_rcu(&f, 0, 0, 1);
	check_stats(&f, "free_rcu_sheaf 1");
	check_sheaf(pc->spare, "0*1");
	check_barn(&f, 0, "0*4", 0);
	release_rcu(&f, 0, 0, 3);
	check_stats(&f, "free_rcu_sheaf 3 barn_put 1");
	/* Neither: a new sheaf. */
	release_rcu(&f, 0, 0, 1);
	check_stats(&f, "free_rcu_sheaf 1 sheaf_alloc 1");
	fixture_free(&f);
}

/* Step 4 with ten full sheaves in the barn. */
static void test_rcu_full_barn(void **state)
{
	struct cache_fixture f;
	struct barn *barn;

	(void)state;
	for (unsigned nr_empty = 10; nr_empty <= 11; nr_empty++) {
		fixture_new(&f, one_cpu);
		barn = f.c.node[0].barn;
		fixture_slab(&f, 0, 8);
		fixture_slab(&f, 0, 8);
		for (unsigned i = 0; i < 10; i++)
			barn_put_full(barn, fixture_sheaf(&f, 0, 4));
		for (unsigned i = 0; i < nr_empty; i++)
			barn_put_empty(barn, sheaf_new(&f.c));
		/*
		 * rcu_free comes from EMPTY, which then has 9 or 10. The flushed sheaf goes back
		 * where there are fewer than 10, and is freed otherwise.
		 */
		release_rcu(&f, 0, 1, 4);
		if (nr_empty == 10)
			check_stats(&f, "free_add_partial 1 free_rcu_sheaf 4 sheaf_flush 4 "
					"barn_put_fail 1");
		else
			check_stats(&f, "free_add_partial 1 free_rcu_sheaf 4 sheaf_flush 4 "
					"sheaf_free 1 barn_put_fail 1");
		assert_int_equal(barn->nr_full, 10);
		assert_int_equal(barn->nr_empty, 10);
		check_list(&f, 0, "1:4");
		fixture_free(&f);
	}
}

/* ---- facts 5.9 ---- */

static void test_flush_cpu(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;

	(void)state;
	fixture_new(&f, one_cpu);
	pc = &f.c.cpu[0];
	for (unsigned i = 0; i < 3; i++)
		fixture_slab(&f, 0, 8);
	fixture_push(pc->main, 0, 2);
	pc->spare = fixture_sheaf(&f, 1, 4);
	pc->rcu_free = fixture_sheaf(&f, 2, 3);
	/* The spare first, then rcu_free, then main, which stays. Nothing goes to the barn. */
	sheaf_flush_cpu(&f.c, pc, gen);
	check_stats(&f, "free_add_partial 3 sheaf_flush 9 sheaf_free 2");
	check_list(&f, 0, "1:4 2:3 0:2");
	check_sheaf(pc->main, "");
	check_sheaf(pc->spare, "none");
	check_sheaf(pc->rcu_free, "none");
	check_barn(&f, 0, "", 0);
	/* An empty spare is freed, too. */
	pc->spare = sheaf_new(&f.c);
	sheaf_flush_cpu(&f.c, pc, gen);
	check_stats(&f, "sheaf_free 1");
	fixture_free(&f);
}

/*
 * Main is flushed in batches of 32 from the top. 42 objects are all of one slab: the upper 32
 * make the slab partial, the other 10 make it empty, and with min_partial 0 it is taken off the
 * list and given back. In one piece it would have been given back without being on a list.
 */
static void test_flush_batches(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-7.0",
	    "caches=[{\"name\":\"t\",\"size\":96,\"order\":0,\"min_partial\":0}]", NULL};
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, settings);
	assert_int_equal(f.c.objects, 42);
	fixture_slab(&f, 0, 42);
	fixture_push(f.c.cpu[0].main, 0, 42);
	sheaf_flush_cpu(&f.c, &f.c.cpu[0], gen);
	check_stats(&f, "free_add_partial 1 free_remove_partial 1 free_slab 1 sheaf_flush 42");
	/* A spare, flushed in one piece. */
	fixture_slab(&f, 0, 42);
	f.c.cpu[0].spare = fixture_sheaf(&f, 0, 42);
	sheaf_flush_cpu(&f.c, &f.c.cpu[0], gen);
	check_stats(&f, "free_slab 1 sheaf_flush 42 sheaf_free 1");
	/* The upper ones are moved in sheaf order: the flush begins with the top. */
	fixture_slab(&f, 0, 42);
	fixture_slab(&f, 0, 42);
	fixture_push(f.c.cpu[0].main, 0, 2);
	fixture_push(f.c.cpu[0].main, 1, 2);
	sheaf_flush_cpu(&f.c, &f.c.cpu[0], gen);
	check_stats(&f, "free_add_partial 2 sheaf_flush 4");
	check_list(&f, 0, "1:2 0:2");
	fixture_free(&f);
}

static void test_shrink(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, two_nodes);
	/* Node 0: slabs 0..3; CPU 0 has 2 objects of 0; its barn 4 of 1, 4 of 2 and two empty. */
	for (unsigned i = 0; i < 3; i++)
		fixture_slab(&f, 0, 8);
	fixture_slab(&f, 0, 0);
	fixture_push(f.c.cpu[0].main, 0, 2);
	barn_put_full(f.c.node[0].barn, fixture_sheaf(&f, 1, 4));
	barn_put_full(f.c.node[0].barn, fixture_sheaf(&f, 2, 4));
	barn_put_empty(f.c.node[0].barn, sheaf_new(&f.c));
	barn_put_empty(f.c.node[0].barn, sheaf_new(&f.c));
	/* Node 1: slab 4, all of whose objects are CPU 1's. */
	fixture_slab(&f, 1, 8);
	fixture_push(f.c.cpu[1].main, 4, 4);
	f.c.cpu[1].spare = fixture_sheaf(&f, 4, 4);
	/*
	 * flush_all on each CPU: CPU 0's 2 objects (slab 0 to the tail, behind the empty slab 3);
	 * CPU 1's spare (slab 4 partial), then its main: slab 4 empty, 1 on the list is fewer than
	 * min_partial, it stays. Then CPU 0, which called: FULL from its head: slab 2, slab 1.
	 * Three emptied sheaves of barns and spares, one of them CPU 1's, and the two of EMPTY.
	 */
	sheaf_shrink(&f.c, &f.c.cpu[0], gen);
	assert_int_equal(f.c.cpu[0].stat[SHEAF_FLUSH], 10);
	assert_int_equal(f.c.cpu[1].stat[SHEAF_FLUSH], 8);
	assert_int_equal(f.c.cpu[0].stat[SHEAF_FREE], 4);
	assert_int_equal(f.c.cpu[1].stat[SHEAF_FREE], 1);
	check_stats(&f, "free_add_partial 4 sheaf_flush 18 sheaf_free 5");
	/*
	 * The empty slabs 3 and 4 are discarded, which is not counted; min_partial does not save
	 * them. Fullest first: 0 with 2 free, then 1 and 2 with 4 each, the one met last first.
	 */
	check_list(&f, 0, "0:2 1:4 2:4");
	check_list(&f, 1, "");
	assert_int_equal(f.c.nr_slabs, 3);
	check_barn(&f, 0, "", 0);
	check_barn(&f, 1, "", 0);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_free_local), cmocka_unit_test(test_free_to_barn),
	    cmocka_unit_test(test_free_slow),  cmocka_unit_test(test_slab_free),
	    cmocka_unit_test(test_flush_runs), cmocka_unit_test(test_rcu_elsewhere),
	    cmocka_unit_test(test_rcu_sheaf),  cmocka_unit_test(test_rcu_full_barn),
	    cmocka_unit_test(test_flush_cpu),  cmocka_unit_test(test_flush_batches),
	    cmocka_unit_test(test_shrink),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
