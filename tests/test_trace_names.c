/* Which cache an allocation is of: by configuration, event, size, free, call site, function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/trace_fixture.h"

struct text {
	char *s;
	size_t n, cap;
};

static void add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;

	if (t->cap - t->n < 1024)
		t->s = realloc(t->s, t->cap = (t->cap + 1024) * 2);
	va_start(ap, fmt);
	t->n += (size_t)vsnprintf(t->s + t->n, t->cap - t->n, fmt, ap);
	va_end(ap);
}

/* kmem_cache_alloc of kernels before 6.18, which names no cache. */
static void cache_alloc(struct text *t, unsigned ptr, const char *site, unsigned req,
			unsigned alloc)
{
	add(t,
	    "  bash-1 [000] ..... 1.000000: kmem_cache_alloc: call_site=%s ptr=%016x bytes_req=%u "
	    "bytes_alloc=%u gfp_flags=GFP_KERNEL node=-1 accounted=false\n",
	    site, ptr, req, alloc);
}

static void cache_free(struct text *t, unsigned ptr, const char *name)
{
	add(t,
	    "  bash-1 [000] ..... 1.000000: kmem_cache_free: call_site=g+0x1/0x2 ptr=%016x%s%s\n",
	    ptr, name ? " name=" : "", name ? name : "");
}

static void kfree(struct text *t, unsigned ptr)
{
	add(t, "  bash-1 [000] ..... 1.000000: kfree: call_site=g+0x1/0x2 ptr=%016x\n", ptr);
}

static void kmalloc(struct text *t, unsigned ptr, unsigned req, unsigned alloc, const char *gfp,
		    const char *accounted)
{
	add(t,
	    "  bash-1 [000] ..... 1.000000: kmalloc: call_site=f+0x1/0x2 ptr=%016x bytes_req=%u "
	    "bytes_alloc=%u gfp_flags=%s node=-1%s%s\n",
	    ptr, req, alloc, gfp, accounted ? " accounted=" : "", accounted ? accounted : "");
}

static struct source *open_text(struct text *t, const struct trace_options *opt)
{
	struct source *src = fixture_open(t->s, opt);

	fixture_accounts_for(src, t->s);
	free(t->s);
	*t = (struct text){0};
	return src;
}

static void expect_cache(const struct source *src, const char *name, unsigned object_size,
			 unsigned size, unsigned allocs, unsigned frees)
{
	int i = fixture_cache(src, name);

	if (i < 0)
		fail_msg("there is no cache %s", name);
	assert_int_equal(src->info.caches[i].object_size, object_size);
	assert_int_equal(src->info.caches[i].size, size);
	assert_int_equal(src->info.caches[i].allocs, allocs);
	assert_int_equal(src->info.caches[i].frees, frees);
}

/* The events of each cache, counted as delivered, are what the table says. */
static void check_counts(struct source *src)
{
	struct event *ev = fixture_events(src, NULL);
	uint64_t *n = calloc(2 * src->info.nr_caches, sizeof(*n));

	for (uint64_t i = 0; i < src->info.events; i++)
		n[2 * ev[i].cache + (ev[i].op == EV_FREE)]++;
	for (unsigned i = 0; i < src->info.nr_caches; i++) {
		assert_int_equal(n[2 * i], src->info.caches[i].allocs);
		assert_int_equal(n[2 * i + 1], src->info.caches[i].frees);
	}
	free(n);
	free(ev);
}

static void by_free(void **state)
{
	struct text t = {0};
	struct source *src;

	(void)state;
	cache_alloc(&t, 0xa1, "open+0x1/0x2", 224, 256);
	cache_alloc(&t, 0xa2, "open+0x1/0x2", 192, 192);
	cache_free(&t, 0xa1, "filp");
	cache_free(&t, 0xa2, "dentry");
	src = open_text(&t, NULL);
	expect_cache(src, "filp", 224, 256, 1, 1);
	expect_cache(src, "dentry", 192, 192, 1, 1);
	assert_int_equal(src->info.nr_caches, 2);
	assert_int_equal(fixture_note(src, "named_by_free"), 2);
	check_counts(src);
	fixture_close(src);
}

/* One call site, two caches of one size: a wrong guess is corrected in the event. */
static void wrong_guess(void **state)
{
	struct text t = {0};
	struct source *src;
	struct event *ev;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		cache_alloc(&t, 0xa1, "alloc+0x1/0x2", 64, 64);
		cache_free(&t, 0xa1, i % 2 ? "even" : "odd");
	}
	src = open_text(&t, NULL);
	ev = fixture_events(src, NULL);
	for (unsigned i = 0; i < 12; i++)
		assert_string_equal(src->info.caches[ev[i].cache].name, i / 2 % 2 ? "even" : "odd");
	expect_cache(src, "even", 64, 64, 3, 3);
	expect_cache(src, "odd", 64, 64, 3, 3);
	free(ev);
	fixture_close(src);
}

/* What is never freed, or by kfree, is of the cache that the call site mostly used. */
static void by_call_site(void **state)
{
	struct text t = {0};
	struct source *src;
	struct event *ev;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		cache_alloc(&t, 0xa1, "alloc+0x1/0x2", 64, 64);
		cache_free(&t, 0xa1, "often");
	}
	cache_alloc(&t, 0xa1, "alloc+0x1/0x2", 64, 64);
	cache_free(&t, 0xa1, "seldom");
	/* By now the guess is "seldom". */
	cache_alloc(&t, 0xb1, "alloc+0x1/0x2", 64, 64);
	cache_alloc(&t, 0xb2, "alloc+0x1/0x2", 64, 64);
	kfree(&t, 0xb2);
	/* The same call site with another size tells nothing. */
	cache_alloc(&t, 0xb3, "alloc+0x1/0x2", 56, 64);
	src = open_text(&t, NULL);
	expect_cache(src, "often", 64, 64, 5, 4);
	expect_cache(src, "seldom", 64, 64, 1, 1);
	assert_int_equal(fixture_note(src, "named_by_free"), 4);
	assert_int_equal(fixture_note(src, "named_by_call_site"), 2);
	ev = fixture_events(src, NULL);
	for (unsigned i = 8; i < 11; i++)
		assert_string_equal(src->info.caches[ev[i].cache].name, "often");
	free(ev);
	check_counts(src);
	fixture_close(src);
}

static void by_function(void **state)
{
	struct text t = {0};
	struct source *src;

	(void)state;
	cache_alloc(&t, 0xa1, "alloc+0x1/0x20", 64, 64);
	cache_free(&t, 0xa1, "cache");
	cache_alloc(&t, 0xa2, "alloc+0x9/0x20", 64, 64);
	cache_alloc(&t, 0xa3, "alloc+0x9/0x20", 72, 72);
	cache_alloc(&t, 0xa4, "other+0x1/0x20", 64, 64);
	cache_alloc(&t, 0xa5, "ffffffff8116ffbd", 64, 64);
	kfree(&t, 0xa5);
	src = open_text(&t, NULL);
	expect_cache(src, "cache", 64, 64, 2, 1);
	expect_cache(src, "72@alloc", 72, 72, 1, 0);
	expect_cache(src, "64@other", 64, 64, 1, 0);
	expect_cache(src, "64@0xffffffff8116ffbd", 64, 64, 1, 1);
	assert_int_equal(fixture_note(src, "named_by_function"), 1);
	assert_int_equal(fixture_note(src, "nameless"), 3);
	check_counts(src);
	fixture_close(src);
}

/* Kernels print empty names when they print real pointers. */
static void empty_names(void **state)
{
	struct text t = {0};
	struct source *src;

	(void)state;
	cache_alloc(&t, 0xa1, "__alloc_skb+0x4d/0x190", 208, 256);
	cache_free(&t, 0xa1, "");
	cache_alloc(&t, 0xa1, "__alloc_skb+0x4d/0x190", 208, 256);
	src = open_text(&t, NULL);
	expect_cache(src, "256@__alloc_skb", 208, 256, 2, 1);
	fixture_close(src);
}

static void by_event(void **state)
{
	static const char text[] =
	    "  a-1 [000] ..... 1.0: kmem_cache_alloc: call_site=f+0x1 ptr=a1 name=filp "
	    "bytes_req=184 bytes_alloc=192 gfp_flags=GFP_KERNEL node=-1 accounted=true\n"
	    "  a-1 [000] ..... 1.0: kmem_cache_alloc: call_site=f+0x1 ptr=a2 name=dentry "
	    "bytes_req=192 bytes_alloc=192 gfp_flags=GFP_KERNEL node=-1 accounted=true\n"
	    "  a-1 [000] ..... 1.0: kmem_cache_free: call_site=f+0x1 ptr=a1 name=filp\n"
	    "  a-1 [000] ..... 1.0: kfree: call_site=f+0x1 ptr=a2\n"; /* legal since 6.4 */
	struct source *src = fixture_open(text, NULL);

	(void)state;
	expect_cache(src, "filp", 184, 192, 1, 1);
	expect_cache(src, "dentry", 192, 192, 1, 1);
	assert_int_equal(fixture_note(src, "named_by_trace"), 2);
	fixture_close(src);
}

static void kmalloc_by_size(void **state)
{
	struct text t = {0};
	struct source *src;

	(void)state;
	kmalloc(&t, 0xa1, 60, 64, "GFP_KERNEL", "false");
	kmalloc(&t, 0xa2, 100, 128, "GFP_KERNEL_ACCOUNT", "true");
	kmalloc(&t, 0xa3, 1024, 1024, "GFP_KERNEL|__GFP_RECLAIMABLE", "false");
	kmalloc(&t, 0xa4, 1025, 2048, "GFP_KERNEL|GFP_DMA", "true");
	kmalloc(&t, 0xa5, 8192, 8192, "", "true");
	/* A debug kernel's objects are larger; the request tells the cache. */
	kmalloc(&t, 0xa6, 80, 168, "GFP_KERNEL", "false");
	kfree(&t, 0xa2);
	src = open_text(&t, NULL);
	expect_cache(src, "kmalloc-64", 64, 64, 1, 0);
	expect_cache(src, "kmalloc-cg-128", 128, 128, 1, 1);
	expect_cache(src, "kmalloc-rcl-1k", 1024, 1024, 1, 0);
	expect_cache(src, "dma-kmalloc-2k", 2048, 2048, 1, 0);
	expect_cache(src, "kmalloc-cg-8k", 8192, 8192, 1, 0);
	expect_cache(src, "kmalloc-96", 168, 168, 1, 0);
	assert_int_equal(fixture_note(src, "named_by_size"), 6);
	fixture_close(src);
}

/* Without "accounted": kmalloc-cg where kmem_cache_free has names, for it came not much later. */
static void kmalloc_before_accounted(void **state)
{
	struct text t = {0};
	struct source *src;

	(void)state;
	kmalloc(&t, 0xa1, 64, 64, "GFP_KERNEL_ACCOUNT", NULL);
	cache_free(&t, 0xa2, NULL);
	src = open_text(&t, NULL);
	expect_cache(src, "kmalloc-64", 64, 64, 1, 0);
	fixture_close(src);

	kmalloc(&t, 0xa1, 64, 64, "GFP_KERNEL_ACCOUNT", NULL);
	cache_free(&t, 0xa2, "filp");
	src = open_text(&t, NULL);
	expect_cache(src, "kmalloc-cg-64", 64, 64, 1, 0);
	fixture_close(src);
}

static void by_config(void **state)
{
	const struct trace_match match[] = {
	    {.call_site = "__alloc_skb", .size = 256, .name = "skbuff_head_cache"},
	    {.call_site = "alloc+0x9", .size = -1, .name = "mine"},
	    {.call_site = "0xc10b963e", .size = -1, .name = "old"},
	};
	struct trace_options opt = fixture_options;
	struct text t = {0};
	struct source *src;

	(void)state;
	opt.match = match;
	opt.nr_match = 3;
	cache_alloc(&t, 0xa1, "__alloc_skb+0x4d/0x190", 208, 256);
	cache_alloc(&t, 0xa2, "__alloc_skb+0x4d/0x190", 472, 512);
	cache_alloc(&t, 0xa3, "alloc+0x9/0x20", 64, 64);
	cache_alloc(&t, 0xa4, "alloc+0x91/0x20", 64, 64);
	cache_alloc(&t, 0xa5, "c10b963e", 64, 64);
	/* The configuration is right even if the trace disagrees. */
	cache_free(&t, 0xa1, "other");
	src = open_text(&t, &opt);
	expect_cache(src, "skbuff_head_cache", 208, 256, 1, 1);
	expect_cache(src, "512@__alloc_skb", 472, 512, 1, 0);
	expect_cache(src, "mine", 64, 64, 1, 0);
	expect_cache(src, "64@alloc", 64, 64, 1, 0);
	expect_cache(src, "old", 64, 64, 1, 0);
	assert_int_equal(fixture_note(src, "named_by_config"), 3);
	fixture_close(src);
}

static void size_disagrees(void **state)
{
	struct text t = {0};
	struct source *src;

	(void)state;
	cache_alloc(&t, 0xa1, "f+0x1/0x2", 56, 64);
	cache_free(&t, 0xa1, "c");
	for (int i = 0; i < 2; i++) {
		cache_alloc(&t, 0xa1, "f+0x1/0x2", 64, 64);
		cache_free(&t, 0xa1, "c");
	}
	src = open_text(&t, NULL);
	expect_cache(src, "c", 64, 64, 3, 3);
	assert_int_equal(fixture_note(src, "size_disagrees"), 1);
	fixture_close(src);
}

/*
 * A trace longer than what the spool holds in memory: names must reach events that are in the
 * file already, and come again after a rewind.
 */
static void long_trace(void **state)
{
	const unsigned n = 40000;
	struct error err = {0};
	struct text t = {0};
	struct source *src;
	struct event *ev;

	(void)state;
	for (unsigned i = 0; i < n; i++)
		cache_alloc(&t, 0x1000 + i, "f+0x1/0x2", 64, 64);
	for (unsigned i = 0; i < n; i++)
		cache_free(&t, 0x1000 + i, i % 3 ? "two" : "one");
	src = open_text(&t, NULL);
	for (int round = 0; round < 2; round++) {
		ev = fixture_events(src, NULL);
		for (unsigned i = 0; i < 2 * n; i++) {
			const char *name = src->info.caches[ev[i].cache].name;

			if (strcmp(name, i % n % 3 ? "two" : "one"))
				fail_msg("event %u is of cache %s", i, name);
			/* Dense within the cache. */
			assert_int_equal(ev[i].object,
					 i % n % 3 ? i % n - i % n / 3 - 1 : i % n / 3);
		}
		free(ev);
		assert_int_equal(src->ops->rewind(src, &err), 0);
	}
	fixture_close(src);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(by_free),	       cmocka_unit_test(wrong_guess),
	    cmocka_unit_test(by_call_site),    cmocka_unit_test(by_function),
	    cmocka_unit_test(empty_names),     cmocka_unit_test(by_event),
	    cmocka_unit_test(kmalloc_by_size), cmocka_unit_test(kmalloc_before_accounted),
	    cmocka_unit_test(by_config),       cmocka_unit_test(size_disagrees),
	    cmocka_unit_test(long_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
