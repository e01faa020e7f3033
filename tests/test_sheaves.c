/*
 * The sheaves of 7.0, rule by rule: capacity, allocation and refill (facts 5.2 to 5.4).
 * What is expected is worked out from the rules, in the comments, and never read off a run.
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
/* 64 objects in a slab, sheaves of 60. */
#define WORKED "caches=[{\"name\":\"t\",\"size\":64,\"order\":0,\"min_partial\":2}]"

static const char *const one_cpu[] = {"policy.preset=linux-7.0", SMALL, NULL};
static const char *const two_nodes[] = {"policy.preset=linux-7.0", SMALL,
					"machine={\"cpus\":2,\"nodes\":2}", NULL};
static const char *const worked[] = {"policy.preset=linux-7.0", WORKED, NULL};

static uint32_t alloc(struct cache_fixture *f, unsigned cpu, int node)
{
	return sheaf_alloc(&f->c, &f->c.cpu[cpu], node, true, gen);
}

/* ---- facts 5.2 ---- */

static unsigned capacity(const char *preset, unsigned page_size, unsigned size, unsigned requested)
{
	char policy[64], machine[64], caches[128];
	const char *const settings[] = {policy, machine, caches, NULL};
	struct cache_fixture f;
	unsigned cap;

	snprintf(policy, sizeof(policy), "policy.preset=%s", preset);
	snprintf(machine, sizeof(machine), "machine={\"page_size\":%u}", page_size);
	snprintf(caches, sizeof(caches),
		 "caches=[{\"name\":\"t\",\"size\":%u,\"sheaf_capacity\":%u}]", size, requested);
	fixture_new(&f, settings);
	cap = f.c.sheaf_capacity;
	fixture_free(&f);
	return cap;
}

static void test_capacity(void **state)
{
	static const struct {
		unsigned page_size, size, requested, cap;
	} table[] = {
	    {4096, 8, 0, 60},
	    {4096, 248, 0, 60},
	    {4096, 256, 0, 28},
	    {4096, 1016, 0, 28},
	    {4096, 1024, 0, 12},
	    {4096, 4088, 0, 12},
	    {4096, 4096, 0, 4},
	    {4096, 32768, 0, 4},
	    {65536, 4096, 0, 12},
	    {65536, 65528, 0, 12},
	    {65536, 65536, 0, 4},
	    /* maple_node: max(28, 32), not enlarged to fill its bucket; less changes nothing. */
	    {4096, 256, 32, 32},
	    {4096, 256, 29, 29},
	    {4096, 256, 10, 28},
	    {4096, 4096, 60, 60},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_int_equal(
		    capacity("linux-7.0", table[i].page_size, table[i].size, table[i].requested),
		    table[i].cap);
	/* 6.18 does exactly what the creator asks; older kernels have no sheaves. */
	assert_int_equal(capacity("linux-6.18", 4096, 256, 0), 0);
	assert_int_equal(capacity("linux-6.18", 4096, 256, 32), 32);
	assert_int_equal(capacity("linux-6.18", 4096, 256, 5), 5);
	assert_int_equal(capacity("linux-6.12", 4096, 256, 32), 0);
}

/* A main sheaf for each CPU, no spare, empty barns (facts 5.1); the counters are cleared. */
static void test_new_cache(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, two_nodes);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		check_sheaf(f.c.cpu[cpu].main, "");
		check_sheaf(f.c.cpu[cpu].spare, "none");
		check_sheaf(f.c.cpu[cpu].rcu_free, "none");
		check_barn(&f, cpu, "", 0);
	}
	check_stats(&f, "");
	fixture_free(&f);
}

/* ---- facts 5.3 ---- */

static void test_alloc_first(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, one_cpu);
	/*
	 * Row 3c: main empty, no spare, empty barn: a new sheaf, refilled with 4 of a new slab's 8
	 * objects; the old main becomes the spare. Row 5 then takes one.
	 */
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), 0);
	check_stats(&f,
		    "alloc_fastpath 1 alloc_slab 1 sheaf_refill 4 sheaf_alloc 1 barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "0*3");
	check_sheaf(f.c.cpu[0].spare, "");
	check_list(&f, 0, "0:4");
	/* Row 5: three more, and nothing else. */
	for (unsigned i = 0; i < 3; i++)
		alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f, "alloc_fastpath 3");
	check_sheaf(f.c.cpu[0].main, "");
	/* Row 3c with an empty spare: it is E. The slab's last 4 objects; it leaves the list. */
	alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f, "alloc_fastpath 1 sheaf_refill 4 barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "0*3");
	check_sheaf(f.c.cpu[0].spare, "");
	check_list(&f, 0, "");
	check_barn(&f, 0, "", 0);
	fixture_free(&f);
}

static void test_alloc_empty_from_barn(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, one_cpu);
	barn_put_empty(f.c.node[0].barn, sheaf_new(&f.c));
	barn_put_empty(f.c.node[0].barn, sheaf_new(&f.c));
	/* Row 3c: no spare, so E is the head of EMPTY; no sheaf is allocated. */
	alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f, "alloc_fastpath 1 alloc_slab 1 sheaf_refill 4 barn_get_fail 1");
	check_sheaf(f.c.cpu[0].spare, "");
	check_barn(&f, 0, "", 1);
	fixture_free(&f);
}

static void test_alloc_spare_and_barn(void **state)
{
	struct cache_fixture f;
	uint32_t a, b, c;

	(void)state;
	fixture_new(&f, one_cpu);
	a = fixture_slab(&f, 0, 8);
	b = fixture_slab(&f, 0, 8);
	c = fixture_slab(&f, 0, 8);
	f.c.cpu[0].spare = fixture_sheaf(&f, a, 2);
	barn_put_full(f.c.node[0].barn, fixture_sheaf(&f, b, 4));
	barn_put_full(f.c.node[0].barn, fixture_sheaf(&f, c, 4));
	check_barn(&f, 0, "2*4 | 1*4", 0);
	/* Row 3a: the spare has objects: swapped, and the barn is not asked. */
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), a);
	check_stats(&f, "alloc_fastpath 1");
	check_sheaf(f.c.cpu[0].main, "0*1");
	check_sheaf(f.c.cpu[0].spare, "");
	alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f, "alloc_fastpath 1");
	/* Row 3b: the head of FULL is the one put last; the empty main goes to EMPTY. */
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), c);
	check_stats(&f, "alloc_fastpath 1 barn_get 1");
	check_sheaf(f.c.cpu[0].main, "2*3");
	check_sheaf(f.c.cpu[0].spare, "");
	check_barn(&f, 0, "1*4", 1);
	fixture_free(&f);
}

static void test_alloc_of_node(void **state)
{
	struct cache_fixture f;
	uint32_t a, b;

	(void)state;
	fixture_new(&f, two_nodes);
	/* Row 1: another node than L. Nothing on its list: a new slab there, put on the list. */
	assert_int_equal(alloc(&f, 0, 1), 0);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1 alloc_node_mismatch 1");
	check_list(&f, 1, "0:7");
	/* One object of the head slab, which stays the head and leaves the list when full. */
	b = fixture_slab(&f, 1, 5);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(alloc(&f, 0, 1), 0);
	check_stats(&f, "alloc_slowpath 6 alloc_node_mismatch 6");
	check_list(&f, 1, "0:1 1:3");
	alloc(&f, 0, 1);
	check_list(&f, 1, "1:3");
	check_stats(&f, "alloc_slowpath 1 alloc_node_mismatch 1");
	check_sheaf(f.c.cpu[0].main, "");

	/* Row 4: n is L, but main's last object is of node 1: it stays, the slow path serves. */
	a = fixture_slab(&f, 0, 8);
	fixture_push(f.c.cpu[0].main, a, 1);
	fixture_push(f.c.cpu[0].main, b, 1);
	assert_int_equal(alloc(&f, 0, 0), 3);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1 alloc_node_mismatch 1");
	check_sheaf(f.c.cpu[0].main, "2*1 1*1");
	check_list(&f, 0, "3:7");
	/* Without a node it is taken, and then a's matches node 0 (row 5). */
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), b);
	assert_int_equal(alloc(&f, 0, 0), a);
	check_stats(&f, "alloc_fastpath 2");
	/* Row 4 comes after row 3: the full sheaf has been fetched already. */
	barn_put_full(f.c.node[0].barn, fixture_sheaf(&f, b, 4));
	alloc(&f, 0, 0);
	check_stats(&f, "alloc_slowpath 1 alloc_node_mismatch 1 barn_get 1");
	check_sheaf(f.c.cpu[0].main, "1*4");
	check_list(&f, 0, "3:6");
	fixture_free(&f);
}

/* Capacity 0: row 2, and the slow path's three steps. */
static void test_alloc_without_sheaves(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-7.0", "machine={\"cpus\":3,\"nodes\":3}",
	    "policy.remote_node_defrag_ratio=always",
	    "caches=[{\"name\":\"t\",\"size\":4096,\"order\":3,\"min_partial\":1}]", NULL};
	struct cache_fixture f;

	(void)state;
	fixture_lay_out(&f, settings);
	f.c.sheaf_capacity = 0;
	fixture_start(&f);
	/* Node 1 has 1 slab, which is not more than min_partial; node 2 has 2. */
	fixture_slab(&f, 1, 4);
	fixture_slab(&f, 2, 6);
	fixture_slab(&f, 2, 4);
	/* Step 2: node 2's head, one object of it at a time; nothing but the path is counted. */
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), 1);
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), 1);
	check_stats(&f, "alloc_slowpath 2");
	check_list(&f, 2, "2:4");
	/* Now node 2 has 1 as well: step 3, a new slab of node 0. */
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), 3);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1");
	check_list(&f, 0, "3:7");
	/* Step 1 takes from the own node first, whatever the others have. */
	fixture_slab(&f, 2, 4);
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), 3);
	check_stats(&f, "alloc_slowpath 1");
	/* With a node given other nodes are not asked: CPU 1's node is 1, node 0 is asked for. */
	for (unsigned i = 0; i < 6; i++)
		alloc(&f, 0, 0);
	check_list(&f, 0, "");
	check_stats(&f, "alloc_slowpath 6");
	assert_int_equal(alloc(&f, 1, 0), 5);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1 alloc_node_mismatch 1");
	fixture_free(&f);

	/* A ratio of 0 never asks. */
	fixture_lay_out(&f, settings);
	f.c.sheaf_capacity = 0;
	f.c.remote_node_defrag_ratio = 0;
	fixture_start(&f);
	fixture_slab(&f, 2, 6);
	fixture_slab(&f, 2, 6);
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), 2);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1");
	fixture_free(&f);
}

/* A slab of one object is full at once and goes on no list. */
static void test_alloc_one_object_slab(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-7.0", "caches=[{\"name\":\"t\",\"size\":4096,\"order\":0}]", NULL};
	struct cache_fixture f;

	(void)state;
	fixture_lay_out(&f, settings);
	f.c.sheaf_capacity = 0;
	fixture_start(&f);
	alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f, "alloc_slowpath 1 alloc_slab 1");
	check_list(&f, 0, "");
	fixture_free(&f);
}

/* ---- facts 5.4 ---- */

/* The example of facts 5.4: k = 60, NL = a(10 free) b(40) c(30). */
static void test_refill_example(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, worked);
	fixture_slab(&f, 0, 54);
	fixture_slab(&f, 0, 24);
	fixture_slab(&f, 0, 34);
	check_list(&f, 0, "0:10 1:40 2:30");
	/* 30 of c, then 30 of b's 40, whose surplus goes back; the next allocation is from b. */
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), 1);
	check_stats(&f, "alloc_fastpath 1 free_add_partial 1 sheaf_refill 60 sheaf_alloc 1 "
			"barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "2*30 1*29");
	check_list(&f, 0, "0:10 1:10");
	fixture_free(&f);
}

/* The list a test begins with: slabs with so many free objects, 64 each. */
static void start_with(struct cache_fixture *f, const unsigned *nr_free, unsigned n)
{
	fixture_new(f, worked);
	for (unsigned i = 0; i < n; i++)
		fixture_slab(f, 0, 64 - nr_free[i]);
}

#define REFILLED "alloc_fastpath 1 sheaf_refill 60 sheaf_alloc 1 barn_get_fail 1"

static void test_refill_from_list(void **state)
{
	struct cache_fixture f;

	(void)state;
	/* Step 1: exactly enough in the first: the second is not taken, nothing is left over. */
	start_with(&f, (unsigned[]){60, 5}, 2);
	alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f, REFILLED);
	check_list(&f, 0, "1:5");
	fixture_free(&f);
	/* Step 2: an empty slab's surplus of 4 goes to the tail, behind what was not taken. */
	start_with(&f, (unsigned[]){64, 5}, 2);
	alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f, "alloc_fastpath 1 free_add_partial 1 sheaf_refill 60 sheaf_alloc 1 "
			"barn_get_fail 1");
	check_list(&f, 0, "1:5 0:4");
	fixture_free(&f);
	/* Step 3: two that were not used go back to the head in their old order. */
	start_with(&f, (unsigned[]){1, 2, 61, 7}, 4);
	alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f, "alloc_fastpath 1 free_add_partial 1 sheaf_refill 60 sheaf_alloc 1 "
			"barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "2*59");
	check_list(&f, 0, "0:1 1:2 3:7 2:1");
	fixture_free(&f);
	/* Step 5: 15 from the list, the last taken first; 45 of a new slab, 19 stay in it. */
	start_with(&f, (unsigned[]){10, 5}, 2);
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), 2);
	check_stats(&f,
		    "alloc_fastpath 1 alloc_slab 1 sheaf_refill 60 sheaf_alloc 1 barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "1*5 0*10 2*44");
	check_list(&f, 0, "2:19");
	fixture_free(&f);
}

/* Step 5 with slabs of 21: three of them, 3 objects of the last stay. */
static void test_refill_new_slabs(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-7.0", "caches=[{\"name\":\"t\",\"size\":192,\"order\":0}]", NULL};
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, settings);
	alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f,
		    "alloc_fastpath 1 alloc_slab 3 sheaf_refill 60 sheaf_alloc 1 barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "0*21 1*21 2*17");
	check_list(&f, 0, "2:3");
	fixture_free(&f);
}

/* Step 4, under a ratio: L = 0 has 10 objects, node 1 one slab, node 2 three. */
static void start_with_nodes(struct cache_fixture *f, const char *ratio)
{
	const char *const settings[] = {
	    "policy.preset=linux-7.0", "machine={\"cpus\":3,\"nodes\":3}", ratio,
	    "caches=[{\"name\":\"t\",\"size\":64,\"order\":0,\"min_partial\":1}]", NULL};

	fixture_new(f, settings);
	fixture_slab(f, 0, 54);
	fixture_slab(f, 1, 4);
	fixture_slab(f, 2, 44);
	fixture_slab(f, 2, 29);
	fixture_slab(f, 2, 0);
}

static void test_refill_from_other_nodes(void **state)
{
	struct cache_fixture f;

	(void)state;
	start_with_nodes(&f, "policy.remote_node_defrag_ratio=always");
	/*
	 * 10 of the own node; node 1 has not more than min_partial slabs; 50 are missing, and of
	 * node 2 the slabs of 20 and 35 are enough: 35 of the second, 15 of the first.
	 */
	assert_int_equal(alloc(&f, 0, NUMA_NO_NODE), 2);
	check_stats(&f, "alloc_fastpath 1 free_add_partial 1 sheaf_refill 60 sheaf_alloc 1 "
			"barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "0*10 3*35 2*14");
	check_list(&f, 0, "");
	check_list(&f, 1, "1:60");
	check_list(&f, 2, "4:64 2:5");
	fixture_free(&f);

	/* Never asked: 50 objects of a new slab of node 0. */
	start_with_nodes(&f, "policy.remote_node_defrag_ratio=0");
	alloc(&f, 0, NUMA_NO_NODE);
	check_stats(&f,
		    "alloc_fastpath 1 alloc_slab 1 sheaf_refill 60 sheaf_alloc 1 barn_get_fail 1");
	check_sheaf(f.c.cpu[0].main, "0*10 5*49");
	check_list(&f, 0, "5:14");
	check_list(&f, 2, "2:20 3:35 4:64");
	fixture_free(&f);
}

/*
 * Step 3, which takes slabs of different sizes: of a(8 free, all there are) and b(64), b alone is
 * used. Its surplus of 4 is on the list already when a goes back: with min_partial 1 that is
 * enough, and a is given back to the page allocator, uncounted; with 2 it is kept.
 */
static void test_refill_discards_unused(void **state)
{
	struct cache_fixture f;

	(void)state;
	for (unsigned min_partial = 1; min_partial <= 2; min_partial++) {
		fixture_new(&f, worked);
		f.c.min_partial = min_partial;
		fixture_slab(&f, 0, 0);
		f.c.slab[0].objects = 8;
		f.c.node[0].total_objects -= 56;
		fixture_slab(&f, 0, 0);
		alloc(&f, 0, NUMA_NO_NODE);
		check_stats(&f, "alloc_fastpath 1 free_add_partial 1 sheaf_refill 60 "
				"sheaf_alloc 1 barn_get_fail 1");
		check_list(&f, 0, min_partial == 1 ? "1:4" : "0:8 1:4");
		assert_int_equal(f.c.nr_slabs, min_partial);
		assert_int_equal(f.c.node[0].total_objects, min_partial == 1 ? 64 : 72);
		fixture_free(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_capacity),
	    cmocka_unit_test(test_new_cache),
	    cmocka_unit_test(test_alloc_first),
	    cmocka_unit_test(test_alloc_empty_from_barn),
	    cmocka_unit_test(test_alloc_spare_and_barn),
	    cmocka_unit_test(test_alloc_of_node),
	    cmocka_unit_test(test_alloc_without_sheaves),
	    cmocka_unit_test(test_alloc_one_object_slab),
	    cmocka_unit_test(test_refill_example),
	    cmocka_unit_test(test_refill_from_list),
	    cmocka_unit_test(test_refill_new_slabs),
	    cmocka_unit_test(test_refill_from_other_nodes),
	    cmocka_unit_test(test_refill_discards_unused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
