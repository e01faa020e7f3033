/*
 * Calls for many objects under 7.0's sheaves, rule by rule: kmem_cache_alloc_bulk(),
 * kmem_cache_free_bulk() with the kernel's error, and prefilled sheaves (facts 5.7, 5.8).
 * What is expected is worked out from the rules, in the comments.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/sheaf_prefill.h"
#include "tests/cache_fixture.h"

static const struct generation gen = {0};

/* 8 objects in a slab, sheaves of 4, an empty slab is given back from 2 on the node's list. */
#define SMALL "caches=[{\"name\":\"t\",\"size\":4096,\"order\":3,\"min_partial\":2}]"

static const char *const one_cpu[] = {"policy.preset=linux-7.0", SMALL, NULL};
static const char *const two_nodes[] = {"policy.preset=linux-7.0", SMALL,
					"machine={\"cpus\":2,\"nodes\":2}", NULL};

/* Full slabs 0 ... n-1 of node 0. */
static void start(struct cache_fixture *f, unsigned n)
{
	fixture_new(f, one_cpu);
	while (n--)
		fixture_slab(f, 0, 8);
}

static void fill_barn(struct cache_fixture *f, unsigned nr_full, uint32_t slab, unsigned nr_empty)
{
	while (nr_full--)
		barn_put_full(f->c.node[0].barn, fixture_sheaf(f, slab, 4));
	while (nr_empty--)
		barn_put_empty(f->c.node[0].barn, sheaf_new(&f->c));
}

/* ---- facts 5.7, allocation ---- */

static void test_alloc_bulk_sheaves(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	uint32_t got[8];

	(void)state;
	start(&f, 5);
	pc = &f.c.cpu[0];
	for (uint32_t s = 0; s < 3; s++)
		fixture_push(pc->main, s, 1);
	/* Step 1: the top two, the deeper one first. */
	assert_true(sheaf_alloc_bulk(&f.c, pc, got, 2, gen));
	assert_memory_equal(got, ((uint32_t[]){1, 2}), 2 * sizeof(*got));
	check_stats(&f, "alloc_fastpath 2");
	check_sheaf(pc->main, "0*1");
	/* Main's last, then the spare's 2 (3a), then 3 of the barn's full one (3b). */
	pc->spare = fixture_sheaf(&f, 3, 2);
	fill_barn(&f, 1, 4, 0);
	assert_true(sheaf_alloc_bulk(&f.c, pc, got, 6, gen));
	assert_memory_equal(got, ((uint32_t[]){0, 3, 3, 4, 4, 4}), 6 * sizeof(*got));
	check_stats(&f, "alloc_fastpath 6 barn_get 1");
	check_sheaf(pc->main, "4*1");
	check_sheaf(pc->spare, "");
	check_barn(&f, 0, "", 1);
	fixture_free(&f);
}

static void test_alloc_bulk_rest(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	uint32_t got[16];

	(void)state;
	start(&f, 1);
	pc = &f.c.cpu[0];
	fixture_push(pc->main, 0, 2);
	fixture_slab(&f, 0, 5);
	/*
	 * Two of main, then BARN_GET_FAIL and no refill of a sheaf. The rest of 8: the 3 of the
	 * list's slab, 5 of a new one, whose other 3 stay on the list.
	 */
	assert_true(sheaf_alloc_bulk(&f.c, pc, got, 10, gen));
	assert_memory_equal(got, ((uint32_t[]){0, 0, 1, 1, 1, 2, 2, 2, 2, 2}), 10 * sizeof(*got));
	check_stats(&f, "alloc_fastpath 2 alloc_slowpath 8 alloc_slab 1 barn_get_fail 1");
	check_list(&f, 0, "2:3");
	check_sheaf(pc->main, "");
	check_sheaf(pc->spare, "none");
	fixture_free(&f);

	/* Capacity 0: the rest is everything. */
	fixture_lay_out(&f, one_cpu);
	f.c.sheaf_capacity = 0;
	fixture_start(&f);
	assert_true(sheaf_alloc_bulk(&f.c, &f.c.cpu[0], got, 10, gen));
	check_stats(&f, "alloc_slowpath 10 alloc_slab 2");
	check_list(&f, 0, "1:6");
	fixture_free(&f);
}

/* ---- facts 5.7, free ---- */

static void free_same(struct cache_fixture *f, uint32_t slab, uint32_t n)
{
	uint32_t slabs[16];

	for (uint32_t i = 0; i < n; i++)
		slabs[i] = slab;
	sheaf_free_bulk(&f->c, &f->c.cpu[0], slabs, n, gen);
}

static void test_free_bulk_room(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;

	(void)state;
	/* Main has room for 1; no spare: the empty one of the barn becomes main, room for 4. */
	start(&f, 2);
	pc = &f.c.cpu[0];
	fixture_push(pc->main, 0, 3);
	fill_barn(&f, 0, 0, 1);
	free_same(&f, 1, 5);
	check_stats(&f, "free_fastpath 5");
	check_sheaf(pc->main, "1*4");
	check_sheaf(pc->spare, "0*3 1*1");
	check_barn(&f, 0, "", 0);
	/* Spare full, EMPTY empty: BARN_PUT_FAIL, the two are freed to their slab as objects. */
	free_same(&f, 1, 2);
	check_stats(&f, "free_slowpath 2 free_add_partial 1 barn_put_fail 1");
	check_list(&f, 0, "1:2");
	/* With an empty one there: main to the head of FULL. */
	fill_barn(&f, 0, 0, 1);
	free_same(&f, 0, 2);
	check_stats(&f, "free_fastpath 2 barn_put 1");
	check_sheaf(pc->main, "0*2");
	check_barn(&f, 0, "1*4", 0);
	fixture_free(&f);

	/* No spare and EMPTY empty: stop, without a counter of its own. No sheaf is allocated. */
	start(&f, 1);
	free_same(&f, 0, 6);
	check_stats(&f, "free_fastpath 4 free_slowpath 2 free_add_partial 1");
	check_sheaf(f.c.cpu[0].spare, "none");
	fixture_free(&f);

	/* A spare with room is swapped in. */
	start(&f, 1);
	pc = &f.c.cpu[0];
	fixture_push(pc->main, 0, 4);
	pc->spare = fixture_sheaf(&f, 0, 1);
	free_same(&f, 0, 3);
	check_stats(&f, "free_fastpath 3");
	check_sheaf(pc->main, "0*4");
	check_sheaf(pc->spare, "0*4");
	/* Ten full ones: BARN_PUT_FAIL although EMPTY is not empty; nothing is flushed. */
	fill_barn(&f, 10, 0, 1);
	free_same(&f, 0, 1);
	check_stats(&f, "free_slowpath 1 free_add_partial 1 barn_put_fail 1");
	assert_int_equal(f.c.node[0].barn->nr_empty, 1);
	fixture_free(&f);

	/* Capacity 0: every object is a slow one. */
	fixture_lay_out(&f, one_cpu);
	f.c.sheaf_capacity = 0;
	fixture_start(&f);
	fixture_slab(&f, 0, 8);
	free_same(&f, 0, 6);
	check_stats(&f, "free_slowpath 6 free_add_partial 1");
	fixture_free(&f);
}

/* The last element takes a remote one's place and is looked at next. */
static void test_free_bulk_remote(void **state)
{
	uint32_t slabs[] = {0, 3, 1, 2};
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, two_nodes);
	for (unsigned i = 0; i < 3; i++)
		fixture_slab(&f, 0, 8);
	fixture_slab(&f, 1, 8);
	sheaf_free_bulk(&f.c, &f.c.cpu[0], slabs, 4, gen);
	/* In array order: 0, 2 (it took 3's place), 1. The remote one is flushed: its slab was
	 * full. */
	check_sheaf(f.c.cpu[0].main, "0*1 2*1 1*1");
	check_stats(&f, "free_fastpath 3 free_slowpath 1 free_add_partial 1");
	check_list(&f, 1, "3:1");
	fixture_free(&f);
}

/*
 * local objects of slab 0, then remote ones: those of slabs 1, 2, 3, 4 of node 1, 8 of each, and
 * of slab 5 what is over 32. The slabs are full, so each object is in use.
 */
static void free_mixed(struct cache_fixture *f, unsigned local, unsigned remote)
{
	uint32_t slabs[64];

	fixture_new(f, two_nodes);
	fixture_slab(f, 0, 8);
	for (unsigned i = 0; i < 5; i++)
		fixture_slab(f, 1, 8);
	for (unsigned i = 0; i < local; i++)
		slabs[i] = 0;
	for (unsigned i = 0; i < remote; i++)
		slabs[local + i] = 1 + i / 8;
	sheaf_free_bulk(&f->c, &f->c.cpu[0], slabs, local + remote, gen);
}

static void test_free_bulk_kernel_error(void **state)
{
	struct cache_fixture f;

	(void)state;
	/*
	 * 2 local, exactly 32 remote. The scan takes the first remote one, r0, and in its place
	 * comes the last, r31, then r30 ... r1: the array is 1, 4*8, 3*8, 2*8, 1*7. The 32nd fills
	 * it and ends the scan: it is flushed, and the two local ones are never freed.
	 *
	 * The flush, from the end: 7 of slab 1: partial, the list's first. 8 of 2: empty; 1 slab
	 * is on the list, fewer than 2: kept. 8 of 3, 8 of 4: 2 are on the list: given back. The
	 * last of 1: empty; the list has 2, itself counted: removed and given back.
	 */
	free_mixed(&f, 2, 32);
	check_stats(&f, "free_slowpath 32 free_add_partial 2 free_remove_partial 1 free_slab 3");
	check_list(&f, 1, "2:8");
	check_sheaf(f.c.cpu[0].main, "");
	assert_int_equal(f.c.slab[0].inuse, 8);
	assert_int_equal(f.c.lost_frees, 2);
	fixture_free(&f);

	/* 33: the scan goes on behind the 32nd with an empty array; everything is freed. */
	free_mixed(&f, 2, 33);
	assert_int_equal(cache_stat(&f.c, FREE_SLOWPATH), 33);
	assert_int_equal(cache_stat(&f.c, FREE_FASTPATH), 2);
	check_sheaf(f.c.cpu[0].main, "0*2");
	assert_int_equal(f.c.lost_frees, 0);
	fixture_free(&f);

	/* 31: never full. */
	free_mixed(&f, 2, 31);
	assert_int_equal(cache_stat(&f.c, FREE_SLOWPATH), 31);
	assert_int_equal(cache_stat(&f.c, FREE_FASTPATH), 2);
	assert_int_equal(f.c.lost_frees, 0);
	fixture_free(&f);

	/* 32 and no local one: there is nothing to forget. */
	free_mixed(&f, 0, 32);
	assert_int_equal(cache_stat(&f.c, FREE_SLOWPATH), 32);
	assert_int_equal(f.c.lost_frees, 0);
	fixture_free(&f);
}

/* ---- facts 5.8 ---- */

static void test_prefill_fast(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	struct sheaf *sheaf;

	(void)state;
	start(&f, 1);
	pc = &f.c.cpu[0];
	/* A spare with enough is taken as it is. */
	pc->spare = fixture_sheaf(&f, 0, 2);
	sheaf = sheaf_prefill(&f.c, pc, 2, gen);
	check_stats(&f, "sheaf_prefill_fast 1");
	check_sheaf(sheaf, "0*2");
	check_sheaf(pc->spare, "none");
	/* It returns as the spare, even partly filled. */
	assert_int_equal(sheaf_alloc_from(sheaf), 0);
	check_stats(&f, "");
	sheaf_return(&f.c, pc, sheaf, gen);
	check_stats(&f, "sheaf_return_fast 1");
	check_sheaf(pc->spare, "0*1");
	/* With too few it is filled up to its capacity: 3 of a new slab. */
	sheaf = sheaf_prefill(&f.c, pc, 2, gen);
	check_stats(&f, "alloc_slab 1 sheaf_refill 3 sheaf_prefill_fast 1");
	check_sheaf(sheaf, "0*1 1*3");
	sheaf_return(&f.c, pc, sheaf, gen);
	/* An empty spare is taken, too; the slab's surplus of 1 is freed back (facts 5.4). */
	pc->spare->size = 0;
	sheaf = sheaf_prefill(&f.c, pc, 1, gen);
	check_stats(&f,
		    "free_add_partial 1 sheaf_refill 4 sheaf_prefill_fast 1 sheaf_return_fast 1");
	sheaf_return(&f.c, pc, sheaf, gen);
	fixture_free(&f);
}

static void test_prefill_slow(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	struct sheaf *sheaf;

	(void)state;
	/* No spare: the head of FULL. */
	start(&f, 1);
	pc = &f.c.cpu[0];
	fill_barn(&f, 1, 0, 1);
	sheaf = sheaf_prefill(&f.c, pc, 4, gen);
	check_stats(&f, "barn_get 1 sheaf_prefill_slow 1");
	check_sheaf(sheaf, "0*4");
	check_barn(&f, 0, "", 1);
	sheaf_return(&f.c, pc, sheaf, gen);
	fixture_free(&f);
	/* Or else the head of EMPTY, which counts as a failure, filled with 4 of a new slab. */
	start(&f, 0);
	pc = &f.c.cpu[0];
	fill_barn(&f, 0, 0, 1);
	sheaf = sheaf_prefill(&f.c, pc, 1, gen);
	check_stats(&f, "alloc_slab 1 sheaf_refill 4 barn_get_fail 1 sheaf_prefill_slow 1");
	check_barn(&f, 0, "", 0);
	sheaf_return(&f.c, pc, sheaf, gen);
	fixture_free(&f);
	/* Or else a new one. */
	start(&f, 0);
	pc = &f.c.cpu[0];
	sheaf = sheaf_prefill(&f.c, pc, 1, gen);
	check_stats(
	    &f, "alloc_slab 1 sheaf_refill 4 sheaf_alloc 1 barn_get_fail 1 sheaf_prefill_slow 1");
	sheaf_return(&f.c, pc, sheaf, gen);
	fixture_free(&f);
}

static void test_prefill_oversize(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	struct sheaf *sheaf;

	(void)state;
	start(&f, 0);
	pc = &f.c.cpu[0];
	/* 5 > 4: a private sheaf, filled as the rest of a bulk allocation: no SHEAF_REFILL. */
	sheaf = sheaf_prefill(&f.c, pc, 5, gen);
	check_stats(&f, "alloc_slowpath 5 alloc_slab 1 sheaf_prefill_oversize 1");
	check_sheaf(sheaf, "0*5");
	check_list(&f, 0, "0:3");
	/* Refilled to its capacity when it has fewer than asked for: 2 of the list's slab of 3. */
	sheaf_alloc_from(sheaf);
	sheaf_alloc_from(sheaf);
	assert_true(sheaf_refill_prefilled(&f.c, pc, &sheaf, 3, gen));
	check_stats(&f, "");
	assert_true(sheaf_refill_prefilled(&f.c, pc, &sheaf, 4, gen));
	check_stats(&f, "alloc_slowpath 2 free_add_partial 1");
	check_sheaf(sheaf, "0*5");
	check_list(&f, 0, "0:1");
	/* Returned: flushed, and freed without SHEAF_FREE; the slab has 1 free, 6 after. */
	sheaf_return(&f.c, pc, sheaf, gen);
	check_stats(&f, "sheaf_flush 5");
	check_list(&f, 0, "0:6");
	check_sheaf(pc->spare, "none");
	fixture_free(&f);
}

static void test_prefill_refill(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	struct sheaf *sheaf;

	(void)state;
	start(&f, 0);
	pc = &f.c.cpu[0];
	sheaf = sheaf_prefill(&f.c, pc, 4, gen);
	check_stats(
	    &f, "alloc_slab 1 sheaf_refill 4 sheaf_alloc 1 barn_get_fail 1 sheaf_prefill_slow 1");
	sheaf_alloc_from(sheaf);
	/* Enough: nothing. Too few: to the capacity, with 1 of the list's slab of 4. */
	assert_true(sheaf_refill_prefilled(&f.c, pc, &sheaf, 3, gen));
	check_stats(&f, "");
	assert_true(sheaf_refill_prefilled(&f.c, pc, &sheaf, 4, gen));
	check_stats(&f, "free_add_partial 1 sheaf_refill 1");
	/*
	 * More than the capacity: prefill(6) first: 3 left in the slab, so a new one gives 3; then
	 * the old sheaf is returned, and becomes the spare.
	 */
	assert_true(sheaf_refill_prefilled(&f.c, pc, &sheaf, 6, gen));
	check_stats(&f,
		    "alloc_slowpath 6 alloc_slab 1 sheaf_prefill_oversize 1 sheaf_return_fast 1");
	check_sheaf(sheaf, "0*3 1*3");
	check_sheaf(pc->spare, "0*4");
	sheaf_return(&f.c, pc, sheaf, gen);
	fixture_free(&f);
}

static void test_return_slow(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;

	(void)state;
	/* There is a spare, FULL < 10: filled with 3 of a new slab, to the head of FULL. */
	start(&f, 2);
	pc = &f.c.cpu[0];
	pc->spare = sheaf_new(&f.c);
	fill_barn(&f, 9, 0, 0);
	sheaf_return(&f.c, pc, fixture_sheaf(&f, 1, 1), gen);
	check_stats(&f, "alloc_slab 1 sheaf_refill 3 barn_put 1 sheaf_return_slow 1");
	check_barn(&f, 0, "1*1 2*3 | 0*4 | 0*4 | 0*4 | 0*4 | 0*4 | 0*4 | 0*4 | 0*4 | 0*4", 0);
	/* Ten now: flushed and freed, without BARN_PUT_FAIL. */
	sheaf_return(&f.c, pc, fixture_sheaf(&f, 1, 2), gen);
	check_stats(&f, "free_add_partial 1 sheaf_flush 2 sheaf_free 1 sheaf_return_slow 1");
	check_list(&f, 0, "2:5 1:2");
	check_sheaf(pc->spare, "");
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_alloc_bulk_sheaves),	   cmocka_unit_test(test_alloc_bulk_rest),
	    cmocka_unit_test(test_free_bulk_room),	   cmocka_unit_test(test_free_bulk_remote),
	    cmocka_unit_test(test_free_bulk_kernel_error), cmocka_unit_test(test_prefill_fast),
	    cmocka_unit_test(test_prefill_slow),	   cmocka_unit_test(test_prefill_oversize),
	    cmocka_unit_test(test_prefill_refill),	   cmocka_unit_test(test_return_slow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
