/*
 * Caches whose pages come from a modelled page allocator (machine.pages): order fallback, what
 * happens to a refill that pages run out under (facts 5.3, 5.11), and how a run ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <unistd.h>

#include "sim/initial.h"
#include "sim/pages.h"
#include "sim/sheaf.h"
#include "tests/cache_fixture.h"
#include "tests/run_fixture.h"

#define BUNDLED "workload.trace=workloads/traces/hackbench-6.1-8cpu.txt.zst"

static const struct generation gen_7_0 = {0};
static const struct generation gen_6_18 = {
    .delayed_freezing = true,
    .bulk_counts_objects = true,
    .sheaves_above_cpu_slabs = true,
};

/* A cache of a machine with so many free blocks of order 0, and none larger. */
static struct pages *start(struct cache_fixture *f, const char *const *settings, unsigned blocks)
{
	struct pages_config cfg = {.has_free_blocks = true, .free_blocks = {blocks}};
	struct error err = {0};
	struct pages *pages;

	fixture_lay_out(f, settings);
	assert_int_equal(pages_new(&pages, &f->machine, &cfg, &err), 0);
	f->c.pages = pages;
	fixture_start(f);
	return pages;
}

/* 64 objects in a slab, sheaves of 60; one page in all. */
static void test_refill_7_0(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-7.0", "caches=[{\"name\":\"t\",\"size\":64,\"order\":0}]", NULL};
	struct cache_fixture f;
	struct pages *pages = start(&f, settings, 1);
	struct cpu_cache *pc = &f.c.cpu[0];

	(void)state;
	for (unsigned i = 0; i < 60; i++)
		assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0), 0);
	check_stats(&f,
		    "alloc_fastpath 60 alloc_slab 1 sheaf_refill 60 sheaf_alloc 1 barn_get_fail 1");
	check_list(&f, 0, "0:4");
	/*
	 * The spare gets the last 4, and no more: they are flushed, it is freed. The slow path
	 * then takes one of them.
	 */
	assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0), 0);
	check_stats(&f, "alloc_slowpath 1 free_add_partial 1 sheaf_flush 4 sheaf_refill 4 "
			"sheaf_free 1 barn_get_fail 1");
	check_sheaf(pc->main, "");
	check_sheaf(pc->spare, "none");
	check_list(&f, 0, "0:3");
	/* The same with a new sheaf. */
	assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0), 0);
	check_stats(&f, "alloc_slowpath 1 free_add_partial 1 sheaf_flush 3 sheaf_refill 3 "
			"sheaf_alloc 1 sheaf_free 1 barn_get_fail 1");
	assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0), 0);
	assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0), 0);
	/* The 65th: nothing is left. */
	assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0), SLAB_NONE);
	assert_false(f.c.out_of_memory);
	fixture_free(&f);
	pages_destroy(pages);
}

/* The same in 6.18: a bulk allocation below frees what it got. */
static void test_refill_6_18(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-6.18",
	    "caches=[{\"name\":\"t\",\"size\":64,\"order\":0,\"sheaf_capacity\":60}]", NULL};
	struct cache_fixture f;
	struct pages *pages = start(&f, settings, 1);
	struct cpu_cache *pc = &f.c.cpu[0];
	struct error err = {0};

	(void)state;
	for (unsigned i = 0; i < 60; i++)
		assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_6_18), 0);
	check_stats(&f, "alloc_fastpath 59 alloc_slowpath 1 alloc_slab 1 alloc_cpu_sheaf 60 "
			"sheaf_refill 60 sheaf_alloc 1 barn_get_fail 1");
	/*
	 * The barn's sheaf; 4 pops, then a slow path without a slab: the full cpu slab is left,
	 * and no page is there. The 4 are one run of a full slab, to the CPU's list; the sheaf is
	 * freed. Then the allocation itself: that slab becomes the cpu slab again.
	 */
	assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_6_18), 0);
	check_stats(&f, "alloc_fastpath 4 alloc_slowpath 2 free_slowpath 1 deactivate_bypass 1 "
			"cpu_partial_alloc 1 cpu_partial_free 1 sheaf_free 1 barn_get_fail 1");
	check_sheaf(pc->main, "");
	assert_int_equal(pc->free, 3);
	/* The identities hold, with what failed taken into account. */
	f.c.allocs = 61;
	if (f.c.allocator->check(&f.c, &err))
		fail_msg("%s", err.text);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_6_18), 0);
	assert_int_equal(sheaf_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_6_18), SLAB_NONE);
	fixture_free(&f);
	pages_destroy(pages);
}

/* Order 3 wanted, only pages are free: slabs of s->min's order, fewer objects in them. */
static void test_fallback(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-6.1", "caches=[{\"name\":\"t\",\"size\":1024,\"order\":3}]", NULL};
	struct cache_fixture f;
	struct pages *pages = start(&f, settings, 2);
	struct cpu_cache *pc = &f.c.cpu[0];

	(void)state;
	assert_int_equal(f.c.objects, 32);
	for (unsigned i = 0; i < 5; i++)
		cpu_slab_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0);
	/* 4 objects a page. */
	check_stats(&f, "alloc_fastpath 3 alloc_slowpath 2 alloc_slab 2 deactivate_bypass 1 "
			"order_fallback 2");
	assert_int_equal(f.c.bytes, 8192);
	assert_int_equal(f.c.node[0].total_objects, 8);
	assert_int_equal(pages_free_bytes(pages, 0), 0);
	for (unsigned i = 0; i < 3; i++)
		cpu_slab_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0);
	assert_int_equal(cpu_slab_alloc(&f.c, pc, NUMA_NO_NODE, true, gen_7_0), SLAB_NONE);
	fixture_free(&f);
	pages_destroy(pages);
}

/*
 * Slabs of 32 objects in replay.initial, pages of 4 here. Two full ones and one with 20 in use: 84
 * objects, which take 22 pages, all of them found again. The fallen-back full slabs have room for
 * 8, the partial one for 3 of its 20; the other 73 take 18 full pages and one with 1.
 */
static void test_initial_fallback(void **state)
{
	static const char *const settings[] = {
	    "policy.preset=linux-6.1", "caches=[{\"name\":\"t\",\"size\":1024,\"order\":3}]", NULL};
	static const struct initial_cache in = {
	    .slabs = 3, .total_objects = 96, .objects = 84, .partial = 1, .objects_partial = 20};
	struct cache_fixture f;
	struct pages *pages = start(&f, settings, 100);
	struct error err = {0};

	(void)state;
	assert_int_equal(initial_place(&f.c, &in, 84, &err), 0);
	assert_int_equal(f.c.base.live, 84);
	assert_int_equal(f.c.nr_slabs, 2 + 1 + 18 + 1);
	assert_int_equal(f.c.base.full, 2 + 18);
	assert_int_equal(f.c.base.partial, 2);
	check_list(&f, 0, "2:1 21:3");
	for (unsigned i = 0; i < 84; i++)
		assert_int_not_equal(initial_adopt(&f.c), SLAB_NONE);
	assert_int_equal(initial_adopt(&f.c), SLAB_NONE);
	fixture_free(&f);
	pages_destroy(pages);
}

/* ---- whole runs ---- */

static double total(const cJSON *result, const char *name)
{
	int n = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "caches"));
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += run_number(result, (unsigned)i, name);
	return sum;
}

/*
 * The bundled trace on a machine whose free memory is in pieces below order 3, and on one that
 * has just been booted. engine_run() checks the identities.
 */
static void test_fragmented(void **state)
{
	static const char *const presets[] = {"linux-3.2", "linux-6.1", "linux-6.12", "linux-6.18",
					      "linux-7.0"};

	(void)state;
	for (unsigned i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		char preset[48];
		const char *settings[] = {BUNDLED, preset,
					  "machine.pages={\"memory_per_node\":67108864}", NULL};
		cJSON *fresh, *old, *endless;

		snprintf(preset, sizeof(preset), "policy.preset=%s", presets[i]);
		fresh = run_json(settings);
		settings[2] = "machine.pages={\"memory_per_node\":67108864,\"free\":50,"
			      "\"fragmentation\":100}";
		old = run_json(settings);
		settings[2] = "machine.pages=null";
		endless = run_json(settings);
		assert_true(total(fresh, "order_fallback") == 0);
		assert_true(total(old, "order_fallback") > 0);
		assert_true(total(old, "slabs") > total(fresh, "slabs"));
		assert_true(total(old, "alloc_slab") > total(fresh, "alloc_slab"));
		/* With enough memory its limit makes no difference. */
		assert_true(total(fresh, "slabs") == total(endless, "slabs"));
		assert_true(total(fresh, "alloc_slowpath") == total(endless, "alloc_slowpath"));
		/* The geometry is what the cache asks for. */
		assert_true(total(old, "order") == total(fresh, "order"));
		assert_true(total(old, "objects_per_slab") == total(fresh, "objects_per_slab"));
		cJSON_Delete(fresh);
		cJSON_Delete(old);
		cJSON_Delete(endless);
	}
}

/* Slabs that replay.initial places fall back as well, and lose no object. */
static void test_fragmented_initial(void **state)
{
	const char *settings[] = {
	    BUNDLED,
	    "policy.preset=linux-6.1",
	    "replay.initial=workloads/traces/hackbench-6.1-8cpu.kernel.json",
	    "machine.pages={\"memory_per_node\":268435456,\"free\":50,\"fragmentation\":100}",
	    "machine.nodes=2",
	    NULL,
	};
	cJSON *old = run_json(settings), *fresh;

	(void)state;
	settings[3] = "machine.pages=null";
	fresh = run_json(settings);
	assert_true(total(old, "order_fallback") > 0);
	assert_true(total(old, "slabs") > total(fresh, "slabs"));
	cJSON_Delete(old);
	cJSON_Delete(fresh);
	/* Too little for what there was at the start. */
	settings[3] = "machine.pages={\"memory_per_node\":1048576}";
	{
		struct error err;

		assert_null(run_text(settings, "json", &err));
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_non_null(strstr(err.text, "no node has pages left for the slabs it begins "
						 "with (replay.initial)"));
	}
}

static void check_end(const char *preset, const char *mode)
{
	/* One node's 16 pages: 8 of order 3 blocks twice; a slab of 8 objects takes one. */
	char *trace, *text = NULL, base[48], how[32], file[64];
	const char *const settings[] = {
	    base,
	    how,
	    file,
	    "machine={\"cpus\":2,\"nodes\":2,\"pages\":{\"memory_per_node\":65536}}",
	    "caches=[{\"name\":\"big\",\"size\":4096,\"order\":3}]",
	    NULL};
	struct error err;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	fputs("op,cpu,object\n", out);
	for (unsigned i = 0; i < 33; i++)
		fprintf(out, "alloc,%u,%u\n", i % 2, i);
	fclose(out);
	trace = run_trace_file(text);
	free(text);
	snprintf(base, sizeof(base), "policy.preset=%s", preset);
	snprintf(how, sizeof(how), "replay.mode=%s", mode);
	snprintf(file, sizeof(file), "workload.trace=%s", trace);
	/* 32 pages, 32 objects; the 33rd ends the run, as wrong input: exit code 2. */
	assert_null(run_text(settings, "json", &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(
	    err.text,
	    "configuration: cache big: no node has pages left for a slab of order 3 or 0: "
	    "give the machine more memory (machine.pages)");
	unlink(trace);
	free(trace);
}

static void test_exhausted(void **state)
{
	(void)state;
	check_end("linux-6.1", "order");
	check_end("linux-6.12", "order");
	check_end("linux-7.0", "order");
	check_end("linux-6.1", "timed");
	check_end("linux-7.0", "timed");
}

/* The other node's memory is used before the run ends. */
static void test_other_node(void **state)
{
	char *trace = run_trace_file("op,cpu,object\nalloc,0,0\nalloc,0,1\nalloc,0,2\n"), file[64];
	const char *const settings[] = {
	    file, "policy.preset=linux-6.1",
	    "machine={\"cpus\":2,\"nodes\":2,\"pages\":{\"free_blocks\":[1]}}",
	    "caches=[{\"name\":\"big\",\"size\":4096}]", NULL};
	struct error err;
	char *text;

	(void)state;
	snprintf(file, sizeof(file), "workload.trace=%s", trace);
	text = run_text(settings, "json", &err);
	assert_null(text);
	assert_non_null(strstr(err.text, "cache big: no node has pages left"));
	unlink(trace);
	free(trace);
	trace = run_trace_file("op,cpu,object\nalloc,0,0\nalloc,0,1\n");
	snprintf(file, sizeof(file), "workload.trace=%s", trace);
	text = run_text(settings, "json", &err);
	assert_non_null(text);
	free(text);
	unlink(trace);
	free(trace);
}

static void test_config(void **state)
{
	static const struct {
		const char *pages, *message;
	} bad[] = {
	    {"{\"memory_per_node\":4095}", "a whole number from 4096 to 17592186044416 is wanted"},
	    {"{\"memory_per_node\":65536,\"free\":101}", "a whole number from 0 to 100 is wanted"},
	    {"{\"memory_per_node\":65536,\"free_blocks\":[1]}", "is wanted, not both"},
	    {"{\"free\":50}", "memory_per_node is missing"},
	    {"{\"free_blocks\":[1,2,-3]}", "free_blocks[2]: a whole number from 0 to 268435456"},
	    {"{\"free_blocks\":[0,0,0,0,0,0,0,0,0,0,0,0]}",
	     "12 numbers, but orders go from 0 to 10"},
	    {"{\"free_blocks\":7}", "an array of up to 11 numbers"},
	    {"{\"fragmentaton\":7}", "unknown key; did you mean \"fragmentation\"?"},
	    /* What only the page allocator can tell. */
	    {"{\"memory_per_node\":65536,\"fragmentation\":100}", "lower free or fragmentation"},
	    {"{\"memory_per_node\":17592186044416}", "are more than 268435456 pages in all"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *settings[] = {NULL, BUNDLED, NULL};
		struct error err;
		char *setting;

		assert_true(asprintf(&setting, "machine.pages=%s", bad[i].pages) > 0);
		settings[0] = setting;
		assert_null(run_text(settings, "json", &err));
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.text, bad[i].message) || !strstr(err.text, "machine.pages"))
			fail_msg("%s: %s", bad[i].pages, err.text);
		free(setting);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_refill_7_0), cmocka_unit_test(test_refill_6_18),
	    cmocka_unit_test(test_fallback),   cmocka_unit_test(test_initial_fallback),
	    cmocka_unit_test(test_fragmented), cmocka_unit_test(test_fragmented_initial),
	    cmocka_unit_test(test_exhausted),  cmocka_unit_test(test_other_node),
	    cmocka_unit_test(test_config),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
