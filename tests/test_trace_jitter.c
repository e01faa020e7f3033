/* Events put off at random: what may change, and what may not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/trace_fixture.h"

#define TRACE "workloads/traces/hackbench-6.1-8cpu.txt.zst"

static struct trace_options jitter(uint64_t ns, uint64_t seed)
{
	struct trace_options opt = fixture_options;

	opt.reorder_ns = 0;
	opt.adopt = true;
	opt.jitter_ns = ns;
	opt.seed = seed;
	return opt;
}

static struct source *open_trace(uint64_t ns, uint64_t seed)
{
	const struct trace_options opt = jitter(ns, seed);
	struct error err = {0};
	struct source *src = trace_open(TRACE, &opt, &err);

	if (!src)
		fail_msg("%s", err.text);
	return src;
}

/* Each CPU's operations and their caches are the same, in the same order. */
static void same_on_cpus(const struct event *a, const struct event *b, uint64_t n)
{
	uint64_t i, j;

	for (unsigned cpu = 0; cpu < 8; cpu++) {
		for (i = j = 0;; i++, j++) {
			while (i < n && (a[i].cpu != cpu || a[i].op == EV_ADOPT))
				i++;
			while (j < n && (b[j].cpu != cpu || b[j].op == EV_ADOPT))
				j++;
			if (i == n || j == n)
				break;
			assert_int_equal(a[i].op, b[j].op);
			assert_int_equal(a[i].cache, b[j].cache);
			assert_int_equal(a[i].flags, b[j].flags);
		}
		assert_true(i == n && j == n);
	}
}

/* Times do not go back, and what lives is freed, what does not is allocated. */
static void makes_sense(const struct source *src, const struct event *ev, const uint64_t *times)
{
	bool *live[MAX_CACHES];

	for (unsigned i = 0; i < src->info.nr_caches; i++)
		live[i] = calloc(src->info.caches[i].allocs + src->info.caches[i].adopted + 1,
				 sizeof(bool));
	for (uint64_t i = 0; i < src->info.events; i++) {
		bool *it = &live[ev[i].cache][ev[i].object];

		assert_true(i == 0 || times[i] >= times[i - 1]);
		assert_int_equal(*it, ev[i].op == EV_FREE);
		*it = !*it;
		if (ev[i].op == EV_ADOPT) {
			assert_int_equal(ev[i + 1].op, EV_FREE);
			assert_int_equal(ev[i + 1].object, ev[i].object);
			assert_int_equal(ev[i + 1].cache, ev[i].cache);
		}
	}
	for (unsigned i = 0; i < src->info.nr_caches; i++)
		free(live[i]);
}

static void only_the_order_between_cpus_changes(void **state)
{
	static const uint64_t windows[] = {100, 1000, 1000000};
	struct source *plain = open_trace(0, 1);
	struct event *before = fixture_events(plain, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		struct source *src = open_trace(windows[i], 1);
		uint64_t *times;
		struct event *ev = fixture_events(src, &times);

		assert_int_equal(src->info.events, plain->info.events);
		assert_int_equal(src->info.nr_caches, plain->info.nr_caches);
		makes_sense(src, ev, times);
		same_on_cpus(before, ev, src->info.events);
		assert_memory_not_equal(ev, before, src->info.events * sizeof(*ev));
		free(ev);
		free(times);
		fixture_close(src);
	}
	free(before);
	fixture_close(plain);
}

static void a_seed_has_one_order(void **state)
{
	struct source *a = open_trace(1000, 7), *b = open_trace(1000, 7), *c = open_trace(1000, 8);
	struct event *first = fixture_events(a, NULL), *again = fixture_events(a, NULL);
	struct event *same = fixture_events(b, NULL), *other = fixture_events(c, NULL);
	size_t bytes = a->info.events * sizeof(*first);

	(void)state;
	assert_memory_equal(first, again, bytes);
	assert_memory_equal(first, same, bytes);
	assert_memory_not_equal(first, other, bytes);
	free(first);
	free(again);
	free(same);
	free(other);
	fixture_close(a);
	fixture_close(b);
	fixture_close(c);
}

#define ALLOC(cpu, time, ptr)                                                                      \
	"  a-1 [00" #cpu "] ..... " time ": kmem_cache_alloc: call_site=f+0x1/0x2 ptr=" ptr        \
	" name=c bytes_req=64 bytes_alloc=64 gfp_flags=GFP_KERNEL node=-1 accounted=false\n"
#define FREE(cpu, time, ptr)                                                                       \
	"  a-1 [00" #cpu "] ..... " time ": kmem_cache_free: call_site=f+0x1 ptr=" ptr " name=c\n"

/* How many of 100 seeds begin with CPU 1's event and end with CPU 0's. */
static unsigned turned(const char *text)
{
	unsigned n = 0;

	for (uint64_t seed = 1; seed <= 100; seed++) {
		const struct trace_options opt = jitter(1000, seed);
		struct source *src = fixture_open(text, &opt);
		struct event *ev = fixture_events(src, NULL);

		n += ev[src->info.events - 1].cpu == 0;
		free(ev);
		fixture_close(src);
	}
	return n;
}

/* Two CPUs' events a quarter of the window apart: turned with a chance of 0.75 * 0.75 / 2. */
static void near_ones_trade_places(void **state)
{
	(void)state;
	assert_in_range(turned(ALLOC(0, "1.000000000", "a1") ALLOC(1, "1.000000250", "a2")), 15,
			42);
	assert_int_equal(turned(ALLOC(0, "1.000000000", "a1") ALLOC(1, "1.000001000", "a2")), 0);
}

static void an_object_has_its_order(void **state)
{
	(void)state;
	/* freed, and its address allocated again */
	assert_int_equal(turned(ALLOC(0, "1.000000000", "a1") FREE(0, "1.000000001", "a1")
				    ALLOC(1, "1.000000001", "a1")),
			 0);
	/* allocated and freed */
	assert_int_equal(turned(ALLOC(0, "1.000000000", "a1") FREE(1, "1.000000000", "a1")), 0);
}

static void where_it_cannot_be(void **state)
{
	struct trace_options opt = jitter(1000, 1);

	(void)state;
	fixture_refused("op,cpu,object,cache,size\nalloc,0,1,c,64\n", &opt,
			"workload.jitter_ns moves events by their times, but this trace is a list "
			"of operations in order: leave it out");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(only_the_order_between_cpus_changes),
	    cmocka_unit_test(a_seed_has_one_order),
	    cmocka_unit_test(near_ones_trade_places),
	    cmocka_unit_test(an_object_has_its_order),
	    cmocka_unit_test(where_it_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
