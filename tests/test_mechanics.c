/*
 * Faults that a mutation check put into the mechanics and no other test noticed: memory over the
 * run, layouts that cannot be, numbers at their limits, slabs that are not used, large tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/cpu_slab.h"
#include "sim/large.h"
#include "sim/node_slab.h"
#include "sim/sheaf.h"
#include "tests/cache_fixture.h"
#include "tests/run_fixture.h"

/* 512 bytes, 8 in a slab, nothing kept: an empty slab is given back at once. */
#define CACHE                                                                                      \
	"caches=[{\"name\":\"c\",\"size\":512,\"order\":0,\"cpu_partial\":0,\"min_partial\":0}]"

/* Rounds of n allocations, then n frees, all on CPU 0. */
static char *rounds(unsigned n, unsigned count)
{
	char *text = NULL, *file;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	fputs("op,cpu,object\n", out);
	while (count--) {
		for (unsigned i = 0; i < n; i++)
			fprintf(out, "alloc,0,%u\n", i);
		for (unsigned i = 0; i < n; i++)
			fprintf(out, "free,0,%u\n", i);
	}
	fclose(out);
	file = run_trace_file(text);
	free(text);
	return file;
}

static double memory(const cJSON *result, const char *name)
{
	const cJSON *caches = cJSON_GetObjectItem(result, "caches");
	const cJSON *all = cJSON_GetObjectItem(cJSON_GetArrayItem(caches, 0), "memory");

	return cJSON_GetObjectItem(all, name)->valuedouble;
}

/* The most memory is that of the fullest moment, however often slabs come and go. */
static void test_peak(void **state)
{
	char *file = rounds(32, 5), *trace;

	(void)state;
	assert_true(asprintf(&trace, "workload.trace=%s", file) > 0);
	{
		const char *const settings[] = {"policy.preset=linux-6.1", CACHE, trace, NULL};
		cJSON *result = run_json(settings);

		/* 32 objects are 4 slabs; those that stay are used again. */
		assert_true(run_number(result, 0, "free_slab") > 2 * 4);
		assert_true(memory(result, "peak_total") == 4 * 4096);
		assert_true(memory(result, "total") == run_number(result, 0, "slabs") * 4096);
		assert_true(memory(result, "used") == 0);
		cJSON_Delete(result);
	}
	unlink(file);
	free(file);
	free(trace);
}

static void refused(const char *cache, const char *part)
{
	char *file = rounds(1, 1), *trace;
	struct error err = {0};

	assert_true(asprintf(&trace, "workload.trace=%s", file) > 0);
	{
		const char *const settings[] = {cache, trace, NULL};
		char *text = run_text(settings, "text", &err);

		assert_null(text);
		if (!strstr(err.text, part))
			fail_msg("%s", err.text);
	}
	unlink(file);
	free(file);
	free(trace);
}

static void test_impossible(void **state)
{
	(void)state;
	refused("caches=[{\"name\":\"c\",\"size\":8192,\"order\":0}]",
		"order: a slab of order 0 holds no object of 8192");
	refused("caches=[{\"name\":\"c\",\"size\":4194312}]", "4194304");
	refused("caches=[{\"name\":\"c\",\"size\":8,\"order\":10}]", "objects into a slab");
}

/* ---- one cache by hand ---- */

static const struct generation gen = {0};

/* 64 objects in a slab. */
#define SIXTY_FOUR "caches=[{\"name\":\"t\",\"size\":64,\"order\":0,\"min_partial\":0}]"

/* 8 objects in a slab, an empty one is never kept. */
#define EIGHT "caches=[{\"name\":\"t\",\"size\":4096,\"order\":3,\"min_partial\":0}]"

/* Zero is a number that sysfs takes, too; and then there is a largest one. */
static void test_numbers(void **state)
{
	static const struct {
		const char *setting;
		enum policy_axis axis;
	} zeros[] = {
	    {"policy.min_partial=0", AXIS_MIN_PARTIAL},
	    {"policy.cpu_partial=0", AXIS_CPU_PARTIAL},
	    {"policy.order=0", AXIS_ORDER},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(zeros) / sizeof(zeros[0]); i++) {
		struct cache_fixture f;

		fixture_new(&f,
			    (const char *const[]){zeros[i].setting,
						  "caches=[{\"name\":\"t\",\"size\":64}]", NULL});
		assert_true(f.cfg.policy.choice[zeros[i].axis].policy->plain_number);
		assert_int_equal(f.cfg.policy.choice[zeros[i].axis].number, 0);
		fixture_free(&f);
	}
	refused("policy.min_partial=1000000001", "from 0 to 1000000000 is wanted, not 1000000001");
	/* As caches[].cpu_partial. */
	refused("policy.cpu_partial=1000000001", "from 0 to 1000000000 is wanted, not 1000000001");
	refused("policy.order=11", "from 0 to 10 is wanted, not 11");
}

/*
 * Facts 5.4 step 3: a small slab, as of order fallback, and a large one are taken for 6 objects;
 * the large one does, and the small one, which is empty, goes back uncounted.
 */
static void test_unused_slab(void **state)
{
	struct cache_fixture f;
	uint32_t dst[6], small;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-7.0", EIGHT, NULL});
	small = fixture_slab(&f, 0, 0);
	f.c.slab[small].objects = 4;
	f.c.node[0].total_objects -= 4;
	fixture_slab(&f, 0, 0);
	assert_int_equal(node_slab_refill(&f.c, &f.c.cpu[0], dst, 6, gen), 6);
	assert_int_equal(f.c.uncounted_discards, 1);
	assert_int_equal(f.c.nr_slabs, 1);
	assert_int_equal(f.c.node[0].total_objects, 8);
	check_stats(&f, "free_add_partial 1");
	check_list(&f, 0, "1:2");
	fixture_free(&f);
}

/* Facts 4.2: every node's empty slabs go, and the others stay, the fullest first. */
static void test_shrink_all_nodes(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-6.1", EIGHT,
					      "machine={\"cpus\":3,\"nodes\":3}", NULL});
	for (unsigned node = 0; node < 3; node++) {
		fixture_slab(&f, node, 1);
		fixture_slab(&f, node, 0);
		fixture_slab(&f, node, 7);
	}
	cpu_slab_shrink(&f.c, &f.c.cpu[0], gen);
	assert_int_equal(f.c.nr_slabs, 6);
	check_list(&f, 0, "2:1 0:7");
	check_list(&f, 1, "5:1 3:7");
	check_list(&f, 2, "8:1 6:7");
	fixture_free(&f);
}

/* Slabs with more free objects than a shrink sorts by keep their order, behind the others. */
static void test_shrink_order(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-6.1", SIXTY_FOUR, NULL});
	fixture_slab(&f, 0, 31); /* 33 free */
	fixture_slab(&f, 0, 63);
	fixture_slab(&f, 0, 1);
	fixture_slab(&f, 0, 32);
	cpu_slab_shrink(&f.c, &f.c.cpu[0], gen);
	check_list(&f, 0, "1:1 3:32 0:33 2:63");
	fixture_free(&f);
}

/* No slab, object or call beyond what an index can number: the run must end. */
static void test_too_many(void **state)
{
	bool (*const grow[])(struct cache *) = {arena_grow_slabs, arena_grow_bulk};
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-6.1", EIGHT, NULL});
	f.c.nr_slab = f.c.nr_bulk = UINT32_MAX - 1;
	for (size_t i = 0; i < 2; i++) {
		f.c.out_of_memory = false;
		assert_false(grow[i](&f.c));
		assert_true(f.c.out_of_memory);
	}
	f.c.nr_slab = f.c.nr_bulk = 0;
	f.c.out_of_memory = false;
	assert_false(arena_grow_objects(&f.c, UINT32_MAX - 1));
	assert_true(f.c.out_of_memory);
	fixture_free(&f);
}

/* No room for one slab more on the node's list: there is no slab, and the run must end. */
static void test_no_memory_for_the_list(void **state)
{
	struct cache_fixture f;
	struct node_cache *n;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-6.1", EIGHT, NULL});
	n = &f.c.node[0];
	/* A ring twice as large cannot be. */
	n->ring_size = UINT32_C(1) << 31;
	n->slabs = UINT32_C(1) << 30;
	assert_int_equal(arena_new_slab(&f.c, &f.c.cpu[0], 0, false), SLAB_NONE);
	assert_true(f.c.out_of_memory);
	assert_int_equal(cpu_slab_alloc(&f.c, &f.c.cpu[0], NUMA_NO_NODE, false, gen), SLAB_NONE);
	assert_int_equal(f.c.failed, 1);
	n->ring_size = 0;
	n->slabs = 0;
	fixture_free(&f);
}

/* A flush leaves nothing on the CPU, and memory is that of slabs of 8 pages. */
static void test_flush(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	uint32_t a, b;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-6.1", EIGHT, NULL});
	pc = &f.c.cpu[0];
	a = fixture_slab(&f, 0, 8);
	b = fixture_slab(&f, 0, 8);
	assert_int_equal(f.c.bytes, 2 * 32768);
	cpu_slab_free(&f.c, pc, a, gen);
	cpu_slab_free(&f.c, pc, b, gen);
	assert_int_equal(cpu_partial_slabs(pc), 2);
	cpu_slab_flush_cpu(&f.c, pc, gen);
	assert_int_equal(cpu_partial_slabs(pc), 0);
	check_list(&f, 0, "1:1 0:1");
	fixture_free(&f);
}

/* Among the other nodes the one nearest to the CPU's own comes first. */
static void test_nearest_node(void **state)
{
	static const uint16_t nearest[3][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}};
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-7.0", EIGHT,
					      "machine={\"cpus\":3,\"nodes\":3}", NULL});
	memcpy(f.machine.zonelist, nearest, sizeof(nearest));
	fixture_slab(&f, 0, 1);
	fixture_slab(&f, 1, 1);
	assert_int_equal(node_slab_remote_node(&f.c, &f.c.cpu[2]), 1);
	assert_int_equal(node_slab_remote_node(&f.c, &f.c.cpu[0]), 0);
	fixture_free(&f);

	fixture_new(&f, (const char *const[]){"policy.preset=linux-6.1", EIGHT,
					      "machine={\"cpus\":3,\"nodes\":3}", NULL});
	memcpy(f.machine.zonelist, nearest, sizeof(nearest));
	fixture_slab(&f, 0, 1);
	fixture_slab(&f, 1, 1);
	f.c.remote_node_defrag_ratio = DEFRAG_RATIO_ALWAYS;
	assert_int_equal(cpu_slab_get_any_partial(&f.c, &f.c.cpu[2], gen), 1);
	fixture_free(&f);
}

/* Of 12000 slabs the first and the last 5000 are looked at; what is between is taken as alike. */
static void test_approximate_count(void **state)
{
	struct cache_fixture f;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-6.12", EIGHT, NULL});
	for (unsigned i = 0; i < 12000; i++)
		fixture_slab(&f, 0, 8 - (i < 3000 ? 1 : i < 5000 ? 5 : i < 7000 ? 7 : 3));
	assert_int_equal(f.c.count_partial->free_objects(&f.c, 0),
			 (3000 * 1 + 2000 * 5 + 5000 * 3) * 12000 / 10000);
	assert_int_equal(f.c.count_partial->scanned(12000), 10000);
	assert_int_equal(f.c.count_partial->scanned(10000), 10000);
	assert_int_equal(f.c.count_partial->scanned(9999), 9999);
	fixture_free(&f);
}

/* The largest object there is fills a slab of the largest order, beyond slub_max_order. */
static void test_largest_object(void **state)
{
	static const char *const presets[] = {"policy.preset=linux-6.1",
					      "policy.preset=linux-6.12"};

	(void)state;
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		struct cache_fixture f;

		fixture_new(&f, (const char *const[]){presets[i],
						      "caches=[{\"name\":\"t\",\"size\":4194304}]",
						      NULL});
		assert_int_equal(f.c.order, 10);
		assert_int_equal(f.c.objects, 1);
		fixture_free(&f);
	}
}

/* A counter that is wrong violates an identity, whatever the allocator. */
static void test_checks_fail(void **state)
{
	static const char *const presets[] = {
	    "policy.preset=linux-3.2", "policy.preset=linux-6.1", "policy.preset=linux-6.12",
	    "policy.preset=linux-6.18", "policy.preset=linux-7.0"};
	static const enum stat_item items[] = {ALLOC_FASTPATH, ALLOC_SLAB, FREE_SLAB};

	(void)state;
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		struct cache_fixture f;
		struct error err = {0};

		fixture_new(&f, (const char *const[]){presets[i], EIGHT, NULL});
		assert_int_equal(f.c.allocator->check(&f.c, &err), 0);
		for (size_t j = 0; j < sizeof(items) / sizeof(items[0]); j++) {
			f.c.cpu[0].stat[items[j]]++;
			assert_int_equal(f.c.allocator->check(&f.c, &err), -1);
			f.c.cpu[0].stat[items[j]]--;
		}
		fixture_free(&f);
	}
}

/* A list that stays short while slabs come and go, in a ring whose places are used up by gaps. */
static void test_list_with_gaps(void **state)
{
	struct cache_fixture f;
	uint32_t out, slabs[8];

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-6.1", EIGHT, NULL});
	out = fixture_slab(&f, 0, 1);
	node_list_del(&f.c, out);
	/* The head is beyond the middle of the ring. */
	for (unsigned i = 0; i < 40; i++) {
		node_list_add_tail(&f.c, out);
		node_list_del(&f.c, out);
	}
	for (unsigned i = 0; i < 8; i++)
		slabs[i] = fixture_slab(&f, 0, i);
	/* All but the first and the last go round: 801 = 3 modulo 6. */
	for (unsigned i = 0; i < 801; i++) {
		uint32_t s = slabs[1 + i % 6];

		node_list_del(&f.c, s);
		node_list_add_tail(&f.c, s);
	}
	assert_int_equal(f.c.node[0].nr_partial, 8);
	check_list(&f, 0, "1:8 8:1 5:4 6:3 7:2 2:7 3:6 4:5");
	/* The same towards the head; the last is the one that stays. */
	for (unsigned i = 0; i < 801; i++) {
		uint32_t s = slabs[1 + i % 6];

		node_list_del(&f.c, s);
		node_list_add_head(&f.c, s);
	}
	check_list(&f, 0, "4:5 3:6 2:7 7:2 6:3 5:4 1:8 8:1");
	/* Gaps at either end. */
	node_list_del(&f.c, 4);
	node_list_del(&f.c, 3);
	node_list_del(&f.c, 8);
	assert_int_equal(node_list_first(&f.c.node[0]), 2);
	node_list_del(&f.c, 2);
	assert_int_equal(node_list_pop(&f.c, &f.c.node[0]), 7);
	node_list_add_tail(&f.c, 8);
	node_list_add_head(&f.c, 4);
	check_list(&f, 0, "4:5 6:3 5:4 1:8 8:1");
	for (uint32_t s; (s = node_list_first(&f.c.node[0])) != SLAB_NONE;)
		node_list_del(&f.c, s);
	assert_int_equal(f.c.node[0].nr_partial, 0);
	node_list_add_head(&f.c, 5);
	check_list(&f, 0, "5:4");
	fixture_free(&f);
}

/* A CPU's list grows with what is on it, and says when it cannot. */
static void test_cpu_list(void **state)
{
	struct cache_fixture f;
	struct cpu_cache *pc;
	uint32_t cap;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-6.1", EIGHT, NULL});
	pc = &f.c.cpu[0];
	for (uint32_t s = 0; s < 100; s++) {
		assert_true(cpu_partial_push(pc, s, s % 7));
		assert_int_equal(cpu_partial_slabs(pc), s + 1);
		assert_true(cpu_partial_slabs(pc) <= pc->partial_cap);
	}
	for (uint32_t s = 100, objects = 295; s-- > 0; objects -= s % 7) {
		assert_int_equal(cpu_partial_objects(pc), objects);
		assert_int_equal(cpu_partial_pop(pc), s);
	}
	assert_int_equal(cpu_partial_objects(pc), 0);
	assert_int_equal(cpu_partial_pop(pc), SLAB_NONE);
	assert_int_equal(cpu_partial_slabs(pc), 0);
	cap = pc->partial_cap;
	pc->partial_cap = UINT32_C(1) << 31;
	assert_false(cpu_partial_grow(pc));
	pc->partial_cap = cap;
	fixture_free(&f);
}

/* No memory for a sheaf's objects: the allocation fails. */
static void test_no_memory_for_a_sheaf(void **state)
{
	struct cache_fixture f;
	struct node_cache *n;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-7.0", EIGHT, NULL});
	n = &f.c.node[0];
	n->ring_size = UINT32_C(1) << 31;
	n->slabs = UINT32_C(1) << 30;
	assert_int_equal(sheaf_alloc(&f.c, &f.c.cpu[0], NUMA_NO_NODE, true, gen), SLAB_NONE);
	n->ring_size = 0;
	n->slabs = 0;
	fixture_free(&f);
}

/* Without memory for an empty sheaf a free goes to its slab. */
static void test_no_memory_for_an_empty_sheaf(void **state)
{
#ifdef SANITIZED
	(void)state;
	skip(); /* a sanitizer's malloc() ends the program instead */
#else
	const uint32_t capacity = UINT32_C(1) << 28;
	struct cache_fixture f;
	struct cpu_cache *pc;
	struct rlimit before, little;

	(void)state;
	fixture_new(&f, (const char *const[]){"policy.preset=linux-7.0", EIGHT, NULL});
	pc = &f.c.cpu[0];
	fixture_slab(&f, 0, 8);
	f.c.sheaf_capacity = pc->main->size = capacity;
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	little = (struct rlimit){UINT64_C(1) << 30, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
	sheaf_free(&f.c, pc, 0, gen);
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
	assert_true(f.c.out_of_memory);
	assert_int_equal(pc->main->size, capacity);
	check_list(&f, 0, "0:1");
	pc->main->size = 0;
	fixture_free(&f);
#endif
}

/* ---- large tables ---- */

static void test_large_tables(void **state)
{
	static const size_t sizes[] = {100,	      LARGE_MIN - 1, LARGE_MIN,
				       LARGE_MIN + 1, 3 * LARGE_MIN, 5 * LARGE_MIN + 1};
	size_t before = 0;
	unsigned char *p = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		p = large_grow(p, before, sizes[i]);
		assert_non_null(p);
		for (size_t at = 0; at < before; at += 99)
			assert_int_equal(p[at], (unsigned char)(at / 99));
		for (size_t at = 0; at < sizes[i]; at += 99)
			p[at] = (unsigned char)(at / 99);
		p[sizes[i] - 1] = (unsigned char)((sizes[i] - 1) / 99);
		if (sizes[i] >= LARGE_MIN)
			assert_int_equal((uintptr_t)p % LARGE_MIN, 0);
		before = sizes[i];
	}
	/* What cannot be had leaves the table as it was. */
	assert_null(large_grow(p, before, SIZE_MAX));
	assert_null(large_grow(p, before, SIZE_MAX / 4));
	assert_int_equal(p[99], 1);
	large_free(p, before);
	large_free(large_grow(NULL, 0, 10), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_peak),
	    cmocka_unit_test(test_impossible),
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_unused_slab),
	    cmocka_unit_test(test_shrink_all_nodes),
	    cmocka_unit_test(test_shrink_order),
	    cmocka_unit_test(test_too_many),
	    cmocka_unit_test(test_no_memory_for_the_list),
	    cmocka_unit_test(test_flush),
	    cmocka_unit_test(test_list_with_gaps),
	    cmocka_unit_test(test_cpu_list),
	    cmocka_unit_test(test_no_memory_for_a_sheaf),
	    cmocka_unit_test(test_no_memory_for_an_empty_sheaf),
	    cmocka_unit_test(test_nearest_node),
	    cmocka_unit_test(test_approximate_count),
	    cmocka_unit_test(test_largest_object),
	    cmocka_unit_test(test_checks_fail),
	    cmocka_unit_test(test_large_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
