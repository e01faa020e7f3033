/* What traces leave out, and how it is mended, counted, and turned into dense object ids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/trace_fixture.h"
#include "workloads/objects.h"

#define ALLOC_OF(cpu, time, ptr, name, gfp)                                                        \
	"  a-1 [00" #cpu "] ..... " time ": kmem_cache_alloc: call_site=f+0x1/0x2 ptr=" ptr        \
	" name=" name " bytes_req=64 bytes_alloc=64 gfp_flags=" gfp " node=-1 accounted=false\n"
#define ALLOC(ptr) ALLOC_OF(0, "1.000000", ptr, "c", "GFP_KERNEL")
#define CFREE_OF(ptr, name)                                                                        \
	"  a-1 [002] ..... 2.0: kmem_cache_free: call_site=f+0x1 ptr=" ptr " name=" name "\n"
#define CFREE(ptr) CFREE_OF(ptr, "c")
#define KFREE(ptr) "  a-1 [002] ..... 2.0: kfree: call_site=f+0x1/0x2 ptr=" ptr "\n"
#define KMALLOC(ptr, size)                                                                         \
	"  a-1 [000] ..... 1.0: kmalloc: call_site=f+0x1/0x2 ptr=" ptr " bytes_req=" size          \
	" bytes_alloc=" size " gfp_flags=GFP_KERNEL node=1 accounted=false\n"

static struct source *open_text(const char *text)
{
	struct source *src = fixture_open(text, NULL);

	fixture_accounts_for(src, text);
	return src;
}

static void ids_are_used_again(void **state)
{
	static const char text[] =
	    ALLOC("a1") ALLOC("a2") ALLOC("a3") CFREE("a2") ALLOC("a4") CFREE("a1") CFREE("a3")
		ALLOC("a2") ALLOC("a1") ALLOC("a5") ALLOC_OF(0, "1.0", "b1", "other", "GFP_KERNEL");
	struct source *src = open_text(text);
	struct event *ev = fixture_events(src, NULL);
	bool live[4] = {false};

	(void)state;
	for (uint64_t i = 0; i < 10; i++) {
		assert_in_range(ev[i].object, 0, 3); /* at most four live at once */
		assert_int_equal(live[ev[i].object], ev[i].op == EV_FREE);
		live[ev[i].object] = ev[i].op == EV_ALLOC;
	}
	/* Each cache counts on its own. */
	assert_int_equal(ev[10].object, 0);
	assert_int_equal(ev[10].cache, fixture_cache(src, "other"));
	free(ev);
	fixture_close(src);
}

static void implicit_free(void **state)
{
	static const char text[] = ALLOC_OF(0, "1.000001", "a1", "c", "GFP_KERNEL")
	    ALLOC_OF(1, "1.000002", "a1", "d", "GFP_KERNEL") CFREE_OF("a1", "d");
	struct source *src = open_text(text);
	uint64_t *times;
	struct event *ev = fixture_events(src, &times);

	(void)state;
	assert_int_equal(src->info.events, 4);
	assert_int_equal(fixture_note(src, "implicit_free"), 1);
	/* By the CPU that allocates again, just before. */
	assert_int_equal(ev[1].op, EV_FREE);
	assert_int_equal(ev[1].cpu, 1);
	assert_int_equal(ev[1].cache, fixture_cache(src, "c"));
	assert_int_equal(times[1], 1000002000);
	assert_int_equal(ev[2].op, EV_ALLOC);
	assert_int_equal(ev[2].cache, fixture_cache(src, "d"));
	assert_int_equal(ev[3].cache, fixture_cache(src, "d"));
	free(ev);
	free(times);
	fixture_close(src);
}

static void unknown_and_null(void **state)
{
	static const char text[] =
	    CFREE("a1") KFREE("a2") ALLOC("a1") CFREE("a1") CFREE("a1") KFREE("0000000000000000")
		KFREE("(null)") KFREE("(nil)") KFREE("0000000000000010") ALLOC("0000000000000000");
	struct source *src = open_text(text);

	(void)state;
	assert_int_equal(src->info.events, 2);
	/* Those that tell their cache could be there from the beginning. */
	assert_int_equal(fixture_note(src, "free_of_earlier_object"), 2);
	assert_int_equal(fixture_note(src, "free_of_unknown_object"), 1);
	assert_int_equal(fixture_note(src, "free_of_null"), 3);
	assert_int_equal(fixture_note(src, "free_of_zero_size"), 1);
	assert_int_equal(fixture_note(src, "failed_allocation"), 1);
	assert_int_equal(src->info.nr_caches, 1);
	fixture_close(src);
}

static void large_kmalloc(void **state)
{
	static const char text[] = KMALLOC("a1", "8192") KMALLOC("a2", "16384") KFREE("a2")
	    KFREE("a1") KMALLOC("a3", "16384") KMALLOC("a3", "64");
	struct trace_options opt = fixture_options;
	struct source *src = open_text(text);

	(void)state;
	assert_int_equal(src->info.events, 3);
	assert_int_equal(fixture_note(src, "large_kmalloc"), 3);
	assert_int_equal(fixture_note(src, "implicit_free"), 0);
	assert_int_equal(src->info.nodes, 2);
	fixture_close(src);
	/* With 64 KiB pages it is no longer large. */
	opt.page_size = 65536;
	src = fixture_open(text, &opt);
	assert_int_equal(fixture_note(src, "large_kmalloc"), 0);
	assert_int_equal(fixture_note(src, "implicit_free"), 1);
	assert_true(fixture_cache(src, "kmalloc-16k") >= 0);
	fixture_close(src);
	fixture_refused(KMALLOC("a1", "16384") KFREE("a1") ALLOC("(nil)"), NULL,
			"no allocation in it that can be replayed: 1 failed, 2 events are of more "
			"than two pages");
}

/* A free that names another cache: the object had been freed without an event. */
static void free_into_other_cache(void **state)
{
	static const char text[] =
	    ALLOC("a1") CFREE_OF("a1", "d") KMALLOC("a2", "64") CFREE_OF("a2", "d");
	struct source *src = open_text(text);
	struct event *ev = fixture_events(src, NULL);

	(void)state;
	assert_int_equal(src->info.events, 4);
	assert_int_equal(fixture_note(src, "free_into_other_cache"), 2);
	assert_int_equal(fixture_note(src, "implicit_free"), 2);
	assert_int_equal(fixture_cache(src, "d"), -1);
	assert_int_equal(ev[1].cache, fixture_cache(src, "c"));
	assert_int_equal(ev[3].cache, fixture_cache(src, "kmalloc-64"));
	free(ev);
	fixture_close(src);
}

static void malformed_lines(void **state)
{
	static const char text[] =
	    ALLOC("a1") ALLOC("what") "  a-1 [002] ..... 2.0: kfree: call_site=f+0x1/0x2\n";
	struct source *src = open_text(text);

	(void)state;
	assert_int_equal(fixture_note(src, "malformed_lines"), 2);
	fixture_close(src);
}

static void may_block(void **state)
{
	static const char text[] =
	    ALLOC_OF(0, "1.0", "a1", "c", "GFP_KERNEL") ALLOC_OF(0, "1.0", "a2", "c", "GFP_ATOMIC")
		ALLOC_OF(0, "1.0", "a3", "c", "") CFREE("a1");
	static const uint8_t expect[3][4] = {
	    {0, 0, 0, 0},
	    {EVF_MAY_BLOCK, EVF_MAY_BLOCK, EVF_MAY_BLOCK, 0},
	    {EVF_MAY_BLOCK, 0, EVF_MAY_BLOCK, 0},
	};
	const int option[3] = {0, 1, -1};

	(void)state;
	for (int k = 0; k < 3; k++) {
		struct trace_options opt = fixture_options;
		struct source *src;
		struct event *ev;

		opt.may_block = option[k];
		src = fixture_open(text, &opt);
		ev = fixture_events(src, NULL);
		for (int i = 0; i < 4; i++)
			assert_int_equal(ev[i].flags, expect[k][i]);
		free(ev);
		fixture_close(src);
	}
}

/* The table of live objects against the plainest possible one. */
static void objects_table(void **state)
{
	enum { PTRS = 5000, STEPS = 200000 };
	static uint32_t id_of[PTRS]; /* + 1; 0: not live */
	static bool used[PTRS + 1];
	struct objects o;
	uint32_t x = 1, live = 0, peak = 0;

	(void)state;
	assert_int_equal(objects_init(&o), 0);
	for (int i = 0; i < STEPS; i++) {
		uint64_t ptr;
		uint32_t p, id;

		x = x * 1664525 + 1013904223;
		p = (x >> 8) % PTRS;
		ptr = 0xffff888100000000ull + (uint64_t)p * 64;
		/* First more allocations than frees, then the other way round. */
		if (((x >> 4) & 7) < (i < STEPS / 2 ? 5 : 3)) {
			bool was_live;

			id = objects_put(&o, ptr, &was_live);
			assert_int_equal(was_live, id_of[p] != 0);
			if (was_live) {
				assert_int_equal(id, id_of[p] - 1);
				continue;
			}
			assert_false(used[id]);
			used[id] = true;
			id_of[p] = id + 1;
			live++;
			peak = live > peak ? live : peak;
		} else {
			id = objects_take(&o, ptr);
			if (!id_of[p]) {
				assert_int_equal(id, OBJECT_NONE);
				continue;
			}
			assert_int_equal(id, id_of[p] - 1);
			used[id] = false;
			id_of[p] = 0;
			live--;
		}
	}
	assert_int_equal(o.live, live);
	assert_int_equal(o.ids, peak);
	objects_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ids_are_used_again),
	    cmocka_unit_test(implicit_free),
	    cmocka_unit_test(unknown_and_null),
	    cmocka_unit_test(large_kmalloc),
	    cmocka_unit_test(free_into_other_cache),
	    cmocka_unit_test(malformed_lines),
	    cmocka_unit_test(may_block),
	    cmocka_unit_test(objects_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
