/*
 * The batch sweep with which sheaves were presented (facts 9.7b): allocate N objects, free them in
 * the same order or shuffled, again and again, from one CPU; N = 1, 10, 100, 1000. Every counter
 * of every iteration is worked out here from facts 5, for 6.18 with sheaves of 32 and for 7.0
 * with its default of 60.
 *
 * The sheaves, of C objects each (they do not depend on the order of frees):
 *
 *	R = ceil(N / C) refills are needed at first; L = R*C - N objects are left in main.
 *
 *	7.0, C = 60: the first refill needs a new sheaf, and every refill leaves an empty spare.
 *	  N = 1, 10: R = 1; what is freed fits into main. Later iterations use main alone.
 *	  N = 100: R = 2, L = 20. Freed: 40 fill main, the spare is swapped in, 60 fill that.
 *	    Later: main 60, the spare 40, and the same way back.
 *	  N = 1000: R = 17, L = 20. Freed: 40 + 60 as before. 900 more: ten times a new sheaf and
 *	    the full main to the barn (600); then FULL is 10, and five times the spare is flushed
 *	    (300). In all 1 + 10 new sheaves; 720 objects stay.
 *	    Later: main 60, the spare 60, ten from the barn 600; 280 more need 5 refills, L = 20.
 *	    Freed: the same, but the ten empty sheaves are in the barn now.
 *
 *	6.18, C = 32: a refill leaves the emptied main in the barn, and no spare.
 *	  N = 1, 10: as above.
 *	  N = 100: R = 4, L = 28, and one empty sheaf in the barn. Freed: 4 fill main; no spare:
 *	    the empty one becomes main, 32; two new sheaves, 32 each, and twice main to the barn.
 *	    In all 3 new sheaves. Later: main 32, the spare 32, two from the barn, and back.
 *	  N = 1000: R = 32, L = 24. Freed: 8, then 32 with the empty sheaf; ten times a new sheaf
 *	    and main to the barn (320); twenty times the spare is flushed (640); 384 stay.
 *	    Later: 384 from the sheaves; 616 more need 20 refills, L = 24. The first refill uses the
 *	    empty spare, which ends in the barn, so there are 11 empty ones there: one becomes main
 *	    when 8 are freed, ten are exchanged, twenty flushes follow.
 *
 * What the slabs see depends on the order of frees only as far as slabs are shared. Four sizes:
 *
 *	One slab for all (8 bytes, order 3, 4096 objects). 7.0: each refill but the first takes it
 *	  off the list and frees the surplus: FREE_ADD_PARTIAL. 6.18: it is the cpu slab for ever:
 *	  one slow path, then fast ones, for the flushes, too. Any order of frees.
 *
 *	One object per slab (4096 bytes, order 0). Flushed slabs are full, then empty. 7.0: the
 *	  first 6 (min_partial) of 300 stay on the list, 294 are given back; a refill finds 6 there
 *	  and needs 294 new ones. 6.18: each refilled object is a slow path with a full cpu slab
 *	  (DEACTIVATE_BYPASS, but for the very first). Flushed: to the CPU's list, which holds 12
 *	  (6 objects, twice, in slabs of 1): 640 puts drain it 53 times, 636 slabs; 6 stay on the
 *	  node's list, 630 are given back, 4 are on the CPU's list. Later: those 4, then the 6 (one
 *	  and 5 to the CPU's list, of 7 it would take), then 630 new ones. The cpu slab's object is
 *	  the one allocated as number 992; it is freed as 992nd, or shuffled (11 * 272 = 2992) as
 *	  272nd, and in both cases not flushed.
 *
 *	Blocks: N, C and L are multiples of the objects in a slab, and each slab's objects lie side
 *by side in one sheaf. In order they are freed side by side, too, so slabs move as a whole. 7.0:
 *200 bytes, 20 objects: of 15 flushed slabs 5 (min_partial) stay, 10 are given back. 6.18: 512
 *bytes, 8 objects: 80 flushed slabs are put on the CPU's list, which holds 13 (52 objects): 6
 *drains, 78 slabs, of which 5 stay; 2 on the CPU's list. Later 80 slow paths: those 2, the 5 (one
 *and 4), 73 new ones. Each refill of 32 is 4 slow paths and 28 fast. The cpu slab is what is
 *allocated last, freed last and never flushed.
 *
 *	Blocks, transposed (7.0): the first object of every slab is freed, then the second ... The
 *	  first iteration only. Flushed first: the 20 left, a whole slab, below the frees number 0
 *to 39, of 40 slabs: 40 slabs become partial, then the whole one is given back, for 40 are more
 *than 5. Then the frees number 640 to 879, of all 50 slabs, at most 6 of one: the other 10 slabs
 *become partial. FREE_ADD_PARTIAL 50, FREE_SLAB 1.
 *
 *	6.18, 256 bytes, order 1, 32 objects, in order, the first iteration only. A refill is a
 *slab, but the frees are shifted by 8: the k-th sheaf that fills up (k = 2 ...) has 24 of slab k-2,
 *and on top 8 of slab k-1; the first one has the 24 left, of slab 31, the cpu slab, and 8 of slab
 *0. Flushed are the first, and 12 to 30. The CPU's list holds 4. 1: slab 0 to the list; 24 to the
 *cpu slab: FREE_FASTPATH. 12: slabs 11 and 10 to the list. 13: slab 12 as well; then slab 11 is
 *empty, on the list. 14: slab 13: drained are 12, 10, 11, 0, all kept. Then slab 12 is empty: 4 on
 *the node's list are fewer than 5, it stays. 15, 16, 17: slabs 14, 15, 16 to the list; 13, 14, 15
 *become empty there. 18: slab 17: drained are 16, kept, the fifth, and 15, 14, 13, given back. Then
 *slab 16 is empty, with 5 on the node's list: given back. 22, 26, 30: as 18. Slow frees 1 + 19 * 2;
 *puts 1 + 2 + 18; drains 5; FREE_ADD_PARTIAL 4 + 4; DEACTIVATE_EMPTY 4 * 3; FREE_REMOVE_PARTIAL 4.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/sheaf.h"
#include "tests/cache_fixture.h"

#define ITERATIONS 6

static const struct generation gen_7_0 = {0};
static const struct generation gen_6_18 = {
    .delayed_freezing = true,
    .bulk_counts_objects = true,
    .sheaves_above_cpu_slabs = true,
};

/* Which of n objects is freed as number i. */
static unsigned in_order(unsigned i, unsigned n)
{
	(void)n;
	return i;
}

static unsigned shuffled(unsigned i, unsigned n)
{
	/* No common divisor with n. */
	unsigned stride = n == 1000 ? 11 : n == 100 ? 13 : 3;

	return i * stride % n;
}

/* 50 blocks of 20. */
static unsigned transposed(unsigned i, unsigned n)
{
	(void)n;
	return i % 50 * 20 + i / 50;
}

struct batch {
	unsigned n;
	const char *first, *later; /* counters of the first iteration; of each later one */
};

static void run(const char *preset, const char *cache, unsigned (*order)(unsigned, unsigned),
		const struct batch *b)
{
	const char *const settings[] = {preset, cache, NULL};
	uint32_t slabs[1000];
	struct cache_fixture f;
	struct error err = {0};
	struct cpu_cache *pc;
	bool old;

	fixture_new(&f, settings);
	pc = &f.c.cpu[0];
	old = f.c.allocator->has_cpu_slabs;
	for (unsigned i = 0; i < (b->later ? ITERATIONS : 1); i++) {
		for (unsigned k = 0; k < b->n; k++, f.c.allocs++)
			slabs[k] = old ? sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_6_18)
				       : sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0);
		for (unsigned k = 0; k < b->n; k++, f.c.frees++) {
			if (old)
				sheaf_free(&f.c, pc, slabs[order(k, b->n)], gen_6_18);
			else
				sheaf_free(&f.c, pc, slabs[order(k, b->n)], gen_7_0);
		}
		check_stats(&f, i ? b->later : b->first);
		if (f.c.allocator->check(&f.c, &err))
			fail_msg("%s", err.text);
	}
	fixture_free(&f);
}

#define RUN(preset, cache, order, batches)                                                         \
	for (unsigned i_ = 0; i_ < sizeof(batches) / sizeof(batches[0]); i_++)                     \
	run("policy.preset=" preset, "caches=[{\"name\":\"t\"," cache "}]", order, &batches[i_])

/* What the sheaves of 7.0 count, after what lies below. */
#define FAST(n)	  "alloc_fastpath " n " free_fastpath " n
#define START_1	  "sheaf_refill 60 sheaf_alloc 1 barn_get_fail 1"
#define START_100 "sheaf_refill 120 sheaf_alloc 1 barn_get_fail 2"
#define START_1000                                                                                 \
	"sheaf_flush 300 sheaf_refill 1020 sheaf_alloc 11 barn_get_fail 17 barn_put 10 "           \
	"barn_put_fail 5"
#define LATER_1000                                                                                 \
	"sheaf_flush 300 sheaf_refill 300 barn_get 10 barn_get_fail 5 barn_put 10 barn_put_fail 5"

static void test_7_0_one_slab(void **state)
{
	static const struct batch batches[] = {
	    {1, FAST("1") " alloc_slab 1 " START_1, FAST("1")},
	    {10, FAST("10") " alloc_slab 1 " START_1, FAST("10")},
	    {100, FAST("100") " free_add_partial 1 alloc_slab 1 " START_100, FAST("100")},
	    {1000, FAST("1000") " free_add_partial 16 alloc_slab 1 " START_1000,
	     FAST("1000") " free_add_partial 5 " LATER_1000},
	};

	(void)state;
	RUN("linux-7.0", "\"size\":8,\"order\":3", in_order, batches);
	RUN("linux-7.0", "\"size\":8,\"order\":3", shuffled, batches);
}

static void test_7_0_one_object_slabs(void **state)
{
	static const struct batch batches[] = {
	    {1, FAST("1") " alloc_slab 60 " START_1, FAST("1")},
	    {10, FAST("10") " alloc_slab 60 " START_1, FAST("10")},
	    {100, FAST("100") " alloc_slab 120 " START_100, FAST("100")},
	    {1000, FAST("1000") " free_add_partial 6 alloc_slab 1020 free_slab 294 " START_1000,
	     FAST("1000") " free_add_partial 6 alloc_slab 294 free_slab 294 " LATER_1000},
	};

	(void)state;
	RUN("linux-7.0", "\"size\":4096,\"order\":0,\"sheaf_capacity\":60", in_order, batches);
	RUN("linux-7.0", "\"size\":4096,\"order\":0,\"sheaf_capacity\":60", shuffled, batches);
}

static void test_7_0_blocks(void **state)
{
	static const struct batch batches[] = {
	    {1, FAST("1") " alloc_slab 3 " START_1, FAST("1")},
	    {10, FAST("10") " alloc_slab 3 " START_1, FAST("10")},
	    {100, FAST("100") " alloc_slab 6 " START_100, FAST("100")},
	    {1000, FAST("1000") " free_add_partial 5 alloc_slab 51 free_slab 10 " START_1000,
	     FAST("1000") " free_add_partial 5 alloc_slab 10 free_slab 10 " LATER_1000},
	};
	static const struct batch first[] = {
	    {1000, FAST("1000") " free_add_partial 50 alloc_slab 51 free_slab 1 " START_1000, NULL},
	};

	(void)state;
	RUN("linux-7.0", "\"size\":200,\"order\":0", in_order, batches);
	RUN("linux-7.0", "\"size\":200,\"order\":0", transposed, first);
}

#undef FAST
#undef START_1
#undef START_100
#undef START_1000
#undef LATER_1000

/* 6.18's. */
#define PCS(n)	  "alloc_cpu_sheaf " n " free_cpu_sheaf " n
#define START	  " sheaf_refill 32 sheaf_alloc 1 barn_get_fail 1"
#define START_100 " sheaf_refill 128 sheaf_alloc 3 barn_get_fail 4 barn_put 2"
#define LATER_100 " barn_get 2 barn_put 2"
#define START_1000                                                                                 \
	" sheaf_flush 640 sheaf_refill 1024 sheaf_alloc 11 barn_get_fail 32 barn_put 10 "          \
	"barn_put_fail 20"
#define LATER_1000                                                                                 \
	" sheaf_flush 640 sheaf_refill 640 barn_get 10 barn_get_fail 20 barn_put 10 "              \
	"barn_put_fail 20"

static void test_6_18_one_slab(void **state)
{
	static const struct batch batches[] = {
	    {1, "alloc_fastpath 31 alloc_slowpath 1 alloc_slab 1 " PCS("1") START, PCS("1")},
	    {10, "alloc_fastpath 31 alloc_slowpath 1 alloc_slab 1 " PCS("10") START, PCS("10")},
	    {100, "alloc_fastpath 127 alloc_slowpath 1 alloc_slab 1 " PCS("100") START_100,
	     PCS("100") LATER_100},
	    {1000,
	     "alloc_fastpath 1023 alloc_slowpath 1 free_fastpath 640 alloc_slab 1 " PCS("1000")
		 START_1000,
	     "alloc_fastpath 640 free_fastpath 640 " PCS("1000") LATER_1000},
	};

	(void)state;
	RUN("linux-6.18", "\"size\":8,\"order\":3,\"sheaf_capacity\":32", in_order, batches);
	RUN("linux-6.18", "\"size\":8,\"order\":3,\"sheaf_capacity\":32", shuffled, batches);
}

static void test_6_18_one_object_slabs(void **state)
{
	static const struct batch batches[] = {
	    {1, "alloc_slowpath 32 alloc_slab 32 deactivate_bypass 31 " PCS("1") START, PCS("1")},
	    {10, "alloc_slowpath 32 alloc_slab 32 deactivate_bypass 31 " PCS("10") START,
	     PCS("10")},
	    {100, "alloc_slowpath 128 alloc_slab 128 deactivate_bypass 127 " PCS("100") START_100,
	     PCS("100") LATER_100},
	    {1000,
	     "alloc_slowpath 1024 free_slowpath 640 free_add_partial 6 alloc_slab 1024 "
	     "free_slab 630 deactivate_empty 630 deactivate_bypass 1023 cpu_partial_free 640 "
	     "cpu_partial_drain 53 " PCS("1000") START_1000,
	     "alloc_slowpath 640 free_slowpath 640 free_add_partial 6 alloc_from_partial 1 "
	     "alloc_slab 630 free_slab 630 deactivate_empty 630 deactivate_bypass 640 "
	     "cpu_partial_alloc 9 cpu_partial_free 640 cpu_partial_node 5 cpu_partial_drain "
	     "53 " PCS("1000") LATER_1000},
	};

	(void)state;
	RUN("linux-6.18", "\"size\":4096,\"order\":0,\"sheaf_capacity\":32", in_order, batches);
	RUN("linux-6.18", "\"size\":4096,\"order\":0,\"sheaf_capacity\":32", shuffled, batches);
}

static void test_6_18_blocks(void **state)
{
	static const struct batch batches[] = {
	    {1,
	     "alloc_fastpath 28 alloc_slowpath 4 alloc_slab 4 deactivate_bypass 3 " PCS("1") START,
	     PCS("1")},
	    {10,
	     "alloc_fastpath 28 alloc_slowpath 4 alloc_slab 4 deactivate_bypass 3 " PCS("10") START,
	     PCS("10")},
	    {100,
	     "alloc_fastpath 112 alloc_slowpath 16 alloc_slab 16 deactivate_bypass 15 " PCS("100")
		 START_100,
	     PCS("100") LATER_100},
	    {1000,
	     "alloc_fastpath 896 alloc_slowpath 128 free_slowpath 80 free_add_partial 5 "
	     "alloc_slab 128 free_slab 73 deactivate_empty 73 deactivate_bypass 127 "
	     "cpu_partial_free 80 cpu_partial_drain 6 " PCS("1000") START_1000,
	     "alloc_fastpath 560 alloc_slowpath 80 free_slowpath 80 free_add_partial 5 "
	     "alloc_from_partial 1 alloc_slab 73 free_slab 73 deactivate_empty 73 "
	     "deactivate_bypass 80 cpu_partial_alloc 6 cpu_partial_free 80 cpu_partial_node 4 "
	     "cpu_partial_drain 6 " PCS("1000") LATER_1000},
	};

	(void)state;
	RUN("linux-6.18", "\"size\":512,\"order\":0,\"sheaf_capacity\":32", in_order, batches);
}

static void test_6_18_shifted(void **state)
{
	static const struct batch first[] = {
	    {1000,
	     "alloc_fastpath 992 alloc_slowpath 32 free_fastpath 24 free_slowpath 39 "
	     "free_add_partial 8 free_remove_partial 4 alloc_slab 32 free_slab 16 "
	     "deactivate_empty 12 deactivate_bypass 31 cpu_partial_free 21 cpu_partial_drain "
	     "5 " PCS("1000") START_1000,
	     NULL},
	};

	(void)state;
	RUN("linux-6.18", "\"size\":256,\"order\":1,\"sheaf_capacity\":32", in_order, first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_7_0_one_slab),
	    cmocka_unit_test(test_7_0_one_object_slabs),
	    cmocka_unit_test(test_7_0_blocks),
	    cmocka_unit_test(test_6_18_one_slab),
	    cmocka_unit_test(test_6_18_one_object_slabs),
	    cmocka_unit_test(test_6_18_blocks),
	    cmocka_unit_test(test_6_18_shifted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
