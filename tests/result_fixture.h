/*
 * Results built by hand: the three published slabinfo reports of 000 (configs/published), whose
 * counters are real, with the lists' lengths as facts 9.1 derives them.
 */
#ifndef RESULT_FIXTURE_H
#define RESULT_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>

#include "sim/result/exporter.h"

static const enum stat_item slub_items[] = {
    ALLOC_FASTPATH,	 ALLOC_SLOWPATH,    FREE_FASTPATH,	     FREE_SLOWPATH,
    FREE_FROZEN,	 FREE_ADD_PARTIAL,  FREE_REMOVE_PARTIAL,     ALLOC_FROM_PARTIAL,
    ALLOC_SLAB,		 ALLOC_REFILL,	    ALLOC_NODE_MISMATCH,     FREE_SLAB,
    CPUSLAB_FLUSH,	 DEACTIVATE_FULL,   DEACTIVATE_EMPTY,	     DEACTIVATE_TO_HEAD,
    DEACTIVATE_TO_TAIL,	 DEACTIVATE_BYPASS, DEACTIVATE_REMOTE_FREES, ORDER_FALLBACK,
    CMPXCHG_DOUBLE_FAIL, CPU_PARTIAL_ALLOC, CPU_PARTIAL_FREE,	     CPU_PARTIAL_NODE,
    CPU_PARTIAL_DRAIN,
};
static const struct stat_list slub_list = {slub_items, sizeof(slub_items) / sizeof(slub_items[0])};
static const struct allocator_ops slub_allocator = {
    .policy = {.name = "slub"}, .stats = &slub_list, .has_cpu_slabs = true};

static const enum stat_item sheaf_items[] = {
    ALLOC_FASTPATH, ALLOC_SLOWPATH, FREE_RCU_SHEAF, FREE_FASTPATH, FREE_SLOWPATH, ALLOC_SLAB,
    FREE_SLAB,	    SHEAF_FLUSH,    SHEAF_REFILL,   BARN_GET,	   BARN_GET_FAIL, BARN_PUT,
};
static const struct stat_list sheaf_list = {sheaf_items,
					    sizeof(sheaf_items) / sizeof(sheaf_items[0])};
static const struct allocator_ops sheaf_allocator = {
    .policy = {.name = "sheaves"}, .stats = &sheaf_list, .has_sheaves = true};

struct fixture_column {
	const char *name, *accounting;
	unsigned cpu_partial, cpu_partial_slabs;
	uint64_t slabs, partial, cpu_slabs, objects;
	uint64_t stat[NR_STAT_ITEMS];
};

static const struct fixture_column published_000[] = {
    {"objects, cpu_partial 13",
     "objects",
     13,
     0,
     49,
     5,
     44,
     1408,
     {[ALLOC_FASTPATH] = 469952498,
      [ALLOC_SLOWPATH] = 42053573,
      [ALLOC_SLAB] = 41093,
      [DEACTIVATE_TO_TAIL] = 18,
      [ALLOC_FROM_PARTIAL] = 20039522,
      [CPU_PARTIAL_ALLOC] = 4686640,
      [DEACTIVATE_REMOTE_FREES] = 16,
      [CPUSLAB_FLUSH] = 18,
      [DEACTIVATE_EMPTY] = 4993,
      [DEACTIVATE_BYPASS] = 24767229,
      [ALLOC_REFILL] = 21972674,
      [FREE_FASTPATH] = 5946606,
      [FREE_SLOWPATH] = 506059465,
      [FREE_SLAB] = 41044,
      [FREE_ADD_PARTIAL] = 21229327,
      [FREE_REMOVE_PARTIAL] = 36051,
      [CPU_PARTIAL_FREE] = 24767229,
      [FREE_FROZEN] = 124027841,
      [CPU_PARTIAL_NODE] = 1153767}},
    {"pages, cpu_partial 13",
     "pages",
     13,
     1,
     16,
     1,
     15,
     480,
     {[ALLOC_FASTPATH] = 473016294,
      [ALLOC_SLOWPATH] = 38989777,
      [ALLOC_SLAB] = 32717,
      [DEACTIVATE_TO_TAIL] = 3,
      [ALLOC_FROM_PARTIAL] = 11371127,
      [CPU_PARTIAL_ALLOC] = 11686226,
      [DEACTIVATE_REMOTE_FREES] = 2,
      [CPUSLAB_FLUSH] = 3,
      [DEACTIVATE_EMPTY] = 227,
      [DEACTIVATE_BYPASS] = 23090059,
      [ALLOC_REFILL] = 27585695,
      [FREE_FASTPATH] = 5405653,
      [FREE_SLOWPATH] = 506600418,
      [FREE_SLAB] = 32701,
      [FREE_ADD_PARTIAL] = 22749164,
      [FREE_REMOVE_PARTIAL] = 32474,
      [CPU_PARTIAL_FREE] = 23090059,
      [FREE_FROZEN] = 67541803,
      [CPU_PARTIAL_NODE] = 11345565}},
    {"pages, cpu_partial 52",
     "pages",
     52,
     4,
     28,
     0,
     28,
     896,
     {[ALLOC_FASTPATH] = 473799295,
      [ALLOC_SLOWPATH] = 38206776,
      [ALLOC_SLAB] = 32295,
      [DEACTIVATE_TO_TAIL] = 11,
      [ALLOC_FROM_PARTIAL] = 5815764,
      [CPU_PARTIAL_ALLOC] = 18119280,
      [DEACTIVATE_REMOTE_FREES] = 10,
      [CPUSLAB_FLUSH] = 11,
      [DEACTIVATE_EMPTY] = 989,
      [DEACTIVATE_BYPASS] = 23967320,
      [ALLOC_REFILL] = 32358473,
      [FREE_FASTPATH] = 4980278,
      [FREE_SLOWPATH] = 507025793,
      [FREE_SLAB] = 32267,
      [FREE_ADD_PARTIAL] = 23291143,
      [FREE_REMOVE_PARTIAL] = 31278,
      [CPU_PARTIAL_FREE] = 23967320,
      [FREE_FROZEN] = 76974794,
      [CPU_PARTIAL_NODE] = 17444112}},
};

/* The cache's peaks and series are made up; nothing published says them. */
static void fixture_series(struct result_cache *c, unsigned points, uint64_t peak)
{
	unsigned i;

	c->series = calloc(points, sizeof(*c->series));
	assert_non_null(c->series);
	c->nr_series = points;
	for (i = 0; i < points; i++) {
		uint64_t phase = (uint64_t)i * (points - 1 - i) * 4 / points;

		c->series[i] = (struct series_point){
		    .event = (uint64_t)i * 1024012142 / (points - 1),
		    .time_ns = (uint64_t)i * 61000000000 / (points - 1),
		    .memory_total = peak / 8192 * phase / points * 8192,
		    .objects = peak / 256 * phase / points * 9 / 10,
		    .partial = phase / 4,
		};
	}
}

static void fixture_results(struct results *res, unsigned column)
{
	const struct fixture_column *p = &published_000[column];
	struct result_cache *c;
	char *text;

	memset(res, 0, sizeof(*res));
	res->name = strdup(p->name);
	res->allocator = &slub_allocator;
	res->cpus = 8;
	res->has_times = true;
	res->replayed = 1024012142;
	res->caches = calloc(1, sizeof(*res->caches));
	assert_true(asprintf(&text,
			     "{\"name\":\"%s\",\"machine\":{\"cpus\":8,\"nodes\":1,"
			     "\"page_size\":4096},\"policy\":{\"preset\":\"linux-5.15\","
			     "\"partial_accounting\":\"%s\",\"cpu_partial\":%u},\"seed\":1}",
			     p->name, p->accounting, p->cpu_partial) > 0);
	res->config = cJSON_Parse(text);
	free(text);
	assert_non_null(res->name);
	assert_non_null(res->caches);
	assert_non_null(res->config);

	c = &res->caches[0];
	res->nr_caches = 1;
	*c = (struct result_cache){
	    .name = strdup("skbuff_head_cache"),
	    .object_size = 216,
	    .size = 256,
	    .align = 64,
	    .order = 1,
	    .objects_per_slab = 32,
	    .cpu_partial = p->cpu_partial,
	    .cpu_partial_slabs = p->cpu_partial_slabs,
	    .min_partial = 5,
	    .hwcache_align = true,
	    .page_size = 4096,
	};
	memcpy(c->stat, p->stat, sizeof(c->stat));
	c->stat_per_cpu = calloc((size_t)res->cpus * NR_STAT_ITEMS, sizeof(uint64_t));
	assert_non_null(c->stat_per_cpu);
	c->stat_per_cpu[0 * NR_STAT_ITEMS + ALLOC_FASTPATH] = p->stat[ALLOC_FASTPATH] - 5;
	c->stat_per_cpu[7 * NR_STAT_ITEMS + ALLOC_FASTPATH] = 5;
	c->state = (struct cache_state){
	    .slabs = p->slabs,
	    .total_objects = p->slabs * 32,
	    .objects = p->objects,
	    .partial = p->partial,
	    .cpu_slabs = p->cpu_slabs,
	    .memory_total = p->slabs * 8192,
	    .memory_used = p->objects * 216,
	    .peak_total = p->slabs * 8192 * 100,
	    .waste_align = p->slabs * 32 * 40,
	    .memory_free = p->slabs * 32 * 216,
	};
	fixture_series(c, 33, c->state.peak_total);
}

/* What exporter name writes of res; to be freed. */
static char *fixture_export(const struct results *res, const char *name)
{
	const struct exporter *e = exporter_find(name);
	char *text = NULL;
	size_t n;
	FILE *out;

	assert_non_null(e);
	out = open_memstream(&text, &n);
	assert_non_null(out);
	e->write(out, res);
	assert_int_equal(fclose(out), 0);
	return text;
}

/*
 * Compare text with the file of that name under tests/golden. UPDATE_GOLDEN=1 writes the file
 * instead; look at the difference before it is committed.
 */
static void assert_golden(const char *name, const char *text)
{
	char path[256], *want = NULL;
	size_t cap = 0;
	FILE *f;

	snprintf(path, sizeof(path), "tests/golden/%s", name);
	if (getenv("UPDATE_GOLDEN")) {
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(text, f);
		assert_int_equal(fclose(f), 0);
		return;
	}
	f = fopen(path, "r");
	if (!f)
		fail_msg("%s: cannot be read", path);
	assert_true(getdelim(&want, &cap, 0, f) >= 0);
	fclose(f);
	if (strcmp(want, text) != 0)
		print_error("%s differs from:\n%s\n", path, text);
	assert_string_equal(text, want);
	free(want);
}

#endif
