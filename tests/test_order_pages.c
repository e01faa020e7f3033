/* The page allocator: nothing is lost, blocks split and merge, fragmentation hits large orders. */
#include "sim/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "sim/freemap.h"

#define MIB (UINT64_C(1) << 20)

static uint16_t zonelist[] = {0, 1, 1, 0};
static struct machine machine = {.cpus = 2, .nodes = 2, .page_size = 4096, .zonelist = zonelist};

static struct pages *new_pages(const struct pages_config *cfg)
{
	struct error err = {0};
	struct pages *p;

	if (pages_new(&p, &machine, cfg, &err))
		fail_msg("%s", err.text);
	assert_non_null(p);
	return p;
}

static void assert_sound(const struct pages *p)
{
	struct error err = {0};

	if (pages_check(p, &err))
		fail_msg("%s", err.text);
}

static void freemap_finds_the_smallest(void **state)
{
	const uint64_t sizes[] = {1, 64, 65, 4096, 4097, 300000};

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		uint64_t n = sizes[s];
		struct freemap m;

		assert_true(freemap_init(&m, n));
		for (uint64_t i = n; i-- > 0;) {
			freemap_add(&m, i);
			assert_int_equal(freemap_first(&m), i);
		}
		for (uint64_t i = 0; i < n; i++) {
			assert_int_equal(freemap_first(&m), i);
			assert_true(freemap_has(&m, i));
			freemap_remove(&m, i);
			assert_false(freemap_has(&m, i));
		}
		assert_int_equal(m.count, 0);
		assert_false(freemap_has(&m, n));
		freemap_release(&m);
	}
}

static void unlimited_memory_needs_no_allocator(void **state)
{
	struct pages_config cfg = {.free = 1};
	struct error err = {0};
	struct pages *p;

	(void)state;
	assert_int_equal(pages_new(&p, &machine, &cfg, &err), 0);
	assert_null(p);
	pages_destroy(p);
}

static void splits_and_merges(void **state)
{
	struct pages_config cfg = {.memory_per_node = 4 * MIB, .free = 1};
	struct pages *p = new_pages(&cfg);
	uint32_t a, b;

	(void)state;
	assert_int_equal(pages_free_blocks(p, 0, MAX_PAGE_ORDER), 1);
	assert_true(pages_alloc(p, 0, 0, &a));
	assert_int_equal(a, 0);
	/* One block of every order below the one that was split. */
	for (unsigned o = 0; o < MAX_PAGE_ORDER; o++)
		assert_int_equal(pages_free_blocks(p, 0, o), 1);
	assert_int_equal(pages_free_blocks(p, 0, MAX_PAGE_ORDER), 0);
	/* The smallest block that is large enough, not a larger one. */
	assert_true(pages_alloc(p, 0, 3, &b));
	assert_int_equal(b, 8);
	assert_int_equal(pages_free_blocks(p, 0, 3), 0);
	assert_int_equal(pages_free_blocks(p, 0, 4), 1);
	assert_false(pages_alloc(p, 0, MAX_PAGE_ORDER, &b));
	assert_int_equal(b, 8);

	pages_free(p, 0, 0, a);
	assert_int_equal(pages_free_blocks(p, 0, 3), 1);
	pages_free(p, 0, 3, b);
	assert_int_equal(pages_free_blocks(p, 0, MAX_PAGE_ORDER), 1);
	assert_int_equal(pages_free_bytes(p, 0), 4 * MIB);
	assert_sound(p);
	pages_destroy(p);
}

/* Random work: free memory plus memory in use stays what it was, and no two blocks overlap. */
static void nothing_is_lost(void **state)
{
	struct pages_config cfg = {
	    .memory_per_node = 16 * MIB, .free = 0.6, .fragmentation = 0.5, .seed = 3};
	struct pages *p = new_pages(&cfg);
	struct {
		unsigned node, order;
		uint32_t block;
	} held[512];
	unsigned n = 0, failed = 0;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	uint64_t start[2][MAX_PAGE_ORDER + 1], bytes, used = 0;

	(void)state;
	bytes = pages_free_bytes(p, 0) + pages_free_bytes(p, 1);
	for (unsigned i = 0; i < 2 * (MAX_PAGE_ORDER + 1); i++)
		start[i & 1][i / 2] = pages_free_blocks(p, i & 1, i / 2);
	for (unsigned i = 0; i < 100000; i++) {
		if (n < 512 && gsl_rng_uniform_int(rng, 5) < 3) {
			unsigned order = (unsigned)gsl_rng_uniform_int(rng, 6);

			held[n].order = order;
			if (!pages_alloc_near(p, i & 1, order, &held[n].node, &held[n].block)) {
				failed++;
				continue;
			}
			assert_int_equal(held[n].block % (1u << order), 0);
			used += 4096u << order;
			n++;
		} else if (n) {
			unsigned k = (unsigned)gsl_rng_uniform_int(rng, n);

			pages_free(p, held[k].node, held[k].order, held[k].block);
			used -= 4096u << held[k].order;
			held[k] = held[--n];
		}
		assert_int_equal(pages_free_bytes(p, 0) + pages_free_bytes(p, 1) + used, bytes);
		if (i % 10000 == 0)
			assert_sound(p);
	}
	assert_true(failed > 100);
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < i; k++) {
			uint32_t a = held[i].block, b = held[k].block;

			if (held[i].node == held[k].node)
				assert_true(a + (1u << held[i].order) <= b ||
					    b + (1u << held[k].order) <= a);
		}
	}
	while (n--)
		pages_free(p, held[n].node, held[n].order, held[n].block);
	assert_sound(p);
	/* All merged again as it was. */
	for (unsigned i = 0; i < 2 * (MAX_PAGE_ORDER + 1); i++)
		assert_int_equal(pages_free_blocks(p, i & 1, i / 2), start[i & 1][i / 2]);
	gsl_rng_free(rng);
	pages_destroy(p);
}

static void fragmentation_hits_large_orders(void **state)
{
	struct pages_config cfg = {
	    .memory_per_node = 64 * MIB, .free = 0.4, .fragmentation = 1, .seed = 1};
	struct pages *p = new_pages(&cfg);
	uint32_t block;

	(void)state;
	assert_int_equal(pages_free_bytes(p, 0), (uint64_t)(0.4 * 16384) * 4096);
	assert_float_equal(pages_unusable(p, 0, 3), 1, 0);
	assert_false(pages_alloc(p, 0, 3, &block));
	assert_true(pages_alloc(p, 0, 0, &block));
	assert_true(pages_alloc(p, 0, 1, &block));
	assert_sound(p);
	pages_destroy(p);

	/* The share is met to within a group of pages, whatever the seed. */
	for (unsigned i = 0; i <= 10; i++) {
		cfg.fragmentation = i / 10.0;
		cfg.seed = UINT64_MAX - i;
		p = new_pages(&cfg);
		assert_float_equal(pages_unusable(p, 1, 3), i / 10.0, 0.0015);
		assert_int_equal(pages_free_bytes(p, 1), (uint64_t)(0.4 * 16384) * 4096);
		assert_sound(p);
		pages_destroy(p);
	}
}

/* As dense as can be: one page of every eight pinned, and an odd piece at the memory's end. */
static void densest_fragmentation(void **state)
{
	static const uint64_t pages[] = {8, 15, 16, 1021, 16384};

	(void)state;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		uint64_t room = pages[i] / 8 * 7 + pages[i] % 8;
		struct pages_config cfg = {
		    .memory_per_node = pages[i] * 4096, .fragmentation = 1, .seed = i};
		struct error err = {0};
		struct pages *p;

		cfg.free = ((double)room + 0.5) / (double)pages[i];
		p = new_pages(&cfg);
		assert_int_equal(pages_free_bytes(p, 0), room * 4096);
		assert_float_equal(pages_unusable(p, 0, 3), 1, 0);
		assert_sound(p);
		pages_destroy(p);

		cfg.free = ((double)room + 1) / (double)pages[i];
		assert_int_equal(pages_new(&p, &machine, &cfg, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
	}
}

static void same_seed_same_state(void **state)
{
	struct pages_config cfg = {
	    .memory_per_node = 8 * MIB, .free = 0.5, .fragmentation = 0.8, .seed = 7};
	struct pages *a = new_pages(&cfg), *b = new_pages(&cfg), *c;
	unsigned differ = 0;
	uint32_t x, y, z;

	(void)state;
	cfg.seed = 8;
	c = new_pages(&cfg);
	while (pages_alloc(a, 0, 1, &x)) {
		assert_true(pages_alloc(b, 0, 1, &y));
		assert_int_equal(x, y);
		differ += pages_alloc(c, 0, 1, &z) && z != x;
	}
	assert_false(pages_alloc(b, 0, 1, &y));
	assert_true(differ > 0);
	pages_destroy(a);
	pages_destroy(b);
	pages_destroy(c);
}

/* A line of /proc/buddyinfo comes back as it was given. */
static void starts_from_buddyinfo(void **state)
{
	struct pages_config cfg = {.has_free_blocks = true,
				   .free_blocks = {183, 92, 4, 0, 7, 1, 0, 0, 2, 1, 3}};
	struct pages *p = new_pages(&cfg);
	uint32_t block;
	unsigned node;

	(void)state;
	for (unsigned o = 0; o <= MAX_PAGE_ORDER; o++) {
		assert_int_equal(pages_free_blocks(p, 0, o), cfg.free_blocks[o]);
		assert_int_equal(pages_free_blocks(p, 1, o), cfg.free_blocks[o]);
	}
	assert_sound(p);
	for (unsigned i = 0; i < 3; i++)
		assert_true(pages_alloc(p, 1, MAX_PAGE_ORDER, &block));
	assert_false(pages_alloc(p, 1, MAX_PAGE_ORDER, &block));
	/* The other node helps out. */
	assert_true(pages_alloc_near(p, 1, MAX_PAGE_ORDER, &node, &block));
	assert_int_equal(node, 0);
	pages_destroy(p);
}

static void refuses_what_cannot_be(void **state)
{
	static const struct pages_config bad[] = {
	    {.memory_per_node = 4 * MIB, .free = 1.5},
	    {.memory_per_node = 4 * MIB, .free = -0.1},
	    {.memory_per_node = 4 * MIB, .free = 1, .fragmentation = 2},
	    {.memory_per_node = 4 * MIB, .free = 1, .fragmentation = 1},
	    {.memory_per_node = 4095, .free = 1},
	    {.memory_per_node = UINT64_MAX, .free = 1},
	    {.has_free_blocks = true, .free_blocks = {UINT64_MAX}},
	    {.has_free_blocks = true, .free_blocks = {[10] = PAGES_MAX}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = {0};
		struct pages *p;

		assert_int_equal(pages_new(&p, &machine, &bad[i], &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_null(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(freemap_finds_the_smallest),
	    cmocka_unit_test(unlimited_memory_needs_no_allocator),
	    cmocka_unit_test(splits_and_merges),
	    cmocka_unit_test(nothing_is_lost),
	    cmocka_unit_test(fragmentation_hits_large_orders),
	    cmocka_unit_test(densest_fragmentation),
	    cmocka_unit_test(same_seed_same_state),
	    cmocka_unit_test(starts_from_buddyinfo),
	    cmocka_unit_test(refuses_what_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
