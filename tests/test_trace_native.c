/*
 * .slabtrace files: what a replay gets from one is what it gets from the trace it was made of;
 * the same recording gives the same bytes, whatever format it was read from.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/trace_fixture.h"
#include "workloads/deliver.h"
#include "workloads/slabtrace.h"

#define BUNDLED "workloads/traces/hackbench-6.1-8cpu.txt.zst"

static const char operations[] = "op,cpu,object,time_ns,node,cache,size,bulk,gfp\n"
				 "alloc,0,1,1000,,a,64,,\n"
				 "alloc,300,2,900,1,b,32,,atomic\n"
				 "alloc_bulk,1,3,2000,,a,64,7,\n"
				 "alloc_bulk,1,4,2000,,a,64,7,atomic\n"
				 "free_bulk,1,4,2000000000000,,a,,8,\n"
				 "free_bulk,1,3,2000000000001,,a,,8,\n"
				 "free_rcu,2,1,2000000000000,,,,,\n"
				 "shrink,,,2000000000000,,a,,,\n"
				 "free,3,99,2000000000002,,b,,,\n";

static struct source *open_with(const char *file, const struct trace_options *opt)
{
	struct error err = {0};
	struct source *src = trace_open(file, opt, &err);

	if (!src)
		fail_msg("%s", err.text);
	return src;
}

static void unlink_free(char *path)
{
	unlink(path);
	free(path);
}

/* Every way a replay may want a trace. */
static void check_replays(const char *file, const char *native)
{
	static const int64_t reorder[] = {-1, 0, 1000, 1000000};

	for (unsigned i = 0; i < 16; i++) {
		struct trace_options opt = fixture_options;
		struct source *a, *b;

		opt.reorder_ns = reorder[i % 4];
		opt.adopt = i & 4;
		opt.may_block = i & 8 ? 0 : -1;
		a = open_with(file, &opt);
		b = open_with(native, &opt);
		fixture_same(a, b);
		fixture_close(a);
		fixture_close(b);
	}
}

static void same_as_the_trace(void **state)
{
	static const char *const files[] = {
	    "tests/data/trace-ftrace.txt",     "tests/data/trace-perf-script.txt",
	    "tests/data/trace-trace-cmd.txt",  "tests/data/trace-v7.dat",
	    "tests/data/trace-dat-us.txt.zst",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *native = fixture_convert(files[i], true);

		check_replays(files[i], native);
		unlink_free(native);
	}
}

static void same_as_the_operations(void **state)
{
	char *csv = fixture_file(operations, sizeof(operations) - 1);
	char *native = fixture_convert(csv, true);

	(void)state;
	check_replays(csv, native);
	unlink_free(csv);
	unlink_free(native);
}

/* A long trace with many simultaneous events; the size is what the format promises. */
static void bundled(void **state)
{
	char *native = fixture_convert(BUNDLED, true), *bare = fixture_convert(BUNDLED, false);
	struct source *src = open_with(native, &fixture_options);
	uint64_t events = src->info.events;
	size_t n;

	(void)state;
	fixture_close(src);
	check_replays(BUNDLED, native);
	free(fixture_read(native, &n));
	print_message("%.2f bytes an event with times, ", (double)n / (double)events);
	assert_true(n < 7 * events);
	free(fixture_read(bare, &n));
	print_message("%.2f without\n", (double)n / (double)events);
	assert_true(n < 4 * events);
	unlink_free(native);
	unlink_free(bare);
}

static void check_same_bytes(const char *a, const char *b)
{
	size_t na, nb;
	char *pa = fixture_read(a, &na), *pb = fixture_read(b, &nb);

	assert_int_equal(na, nb);
	assert_memory_equal(pa, pb, na);
	free(pa);
	free(pb);
}

static void same_bytes(void **state)
{
	static const char *const files[] = {"tests/data/trace-v7.dat",
					    "tests/data/trace-v6.dat.zst",
					    "tests/data/trace-dat-ns.txt.zst"};
	char *first = fixture_convert(files[0], true), *again = fixture_convert(first, true);

	(void)state;
	check_same_bytes(first, again);
	for (unsigned i = 0; i < 3; i++) {
		char *other = fixture_convert(files[i], true);

		check_same_bytes(first, other);
		unlink_free(other);
	}
	unlink_free(first);
	unlink_free(again);
}

/* Microseconds: another resolution of the times, and nothing else. */
static void same_but_for_times(void **state)
{
	char *ns = fixture_convert("tests/data/trace-dat-ns.txt.zst", true);
	char *us = fixture_convert("tests/data/trace-dat-us.txt.zst", true);
	struct source *a = open_with(ns, &fixture_options), *b = open_with(us, &fixture_options);
	uint64_t *ta, *tb;
	struct event *ea = fixture_events(a, &ta), *eb = fixture_events(b, &tb);

	(void)state;
	assert_int_equal(a->info.events, b->info.events);
	assert_memory_equal(ea, eb, a->info.events * sizeof(*ea));
	for (uint64_t i = 0; i < a->info.events; i++)
		assert_int_equal((ta[i] + 500) / 1000 * 1000, tb[i]);
	free(ea);
	free(eb);
	free(ta);
	free(tb);
	fixture_close(a);
	fixture_close(b);
	unlink_free(ns);
	unlink_free(us);
}

/* Without times, the order of simultaneous events is the one a replay would have made. */
static void without_times(void **state)
{
	struct trace_options opt = fixture_options, in_order = fixture_options;
	const struct slabtrace_options to = {.times = false};
	char *path = fixture_file("", 0);
	struct error err = {0};
	struct stream *st = stream_in_order(stream_open(BUNDLED, &opt, &err), &err);
	struct source *a, *b;
	struct event *ea, *eb;

	(void)state;
	assert_non_null(st);
	assert_int_equal(slabtrace_write(st, path, &to, NULL, &err), 0);
	stream_close(st);
	opt.reorder_ns = 0;
	a = open_with(BUNDLED, &opt);
	in_order.reorder_ns = 1000;
	b = open_with(path, &in_order);
	assert_false(b->info.has_times);
	assert_int_equal(a->info.events, b->info.events);
	ea = fixture_events(a, NULL);
	eb = fixture_events(b, NULL);
	assert_memory_equal(ea, eb, a->info.events * sizeof(*ea));
	free(ea);
	free(eb);
	fixture_close(a);
	fixture_close(b);
	unlink_free(path);
}

/* More kinds than a byte tells, more CPUs, more objects, times that jump both ways. */
static void wide_numbers(void **state)
{
	const unsigned n = 70000;
	char *text = malloc(96 * (size_t)n), *csv, *native;
	size_t len = (size_t)snprintf(text, 96, "op,cpu,object,time_ns,cache,size\n");

	(void)state;
	for (unsigned i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, 96, "alloc,%u,%u,%llu,%s%u,64\n", i % 1000, i,
					i % 7 ? 1000000ull * i : 1ull << 40, i < 1000 ? "c" : "big",
					i < 1000 ? i : 0);
	for (unsigned i = 0; i < n; i += 3)
		len += (size_t)snprintf(text + len, 96, "free,%u,%u,%u,,\n", i % 1000, i, i);
	csv = fixture_file(text, len);
	native = fixture_convert(csv, true);
	check_replays(csv, native);
	unlink_free(csv);
	unlink_free(native);
	free(text);
}

/* Events that need not wait take a shorter way, with the same outcome. */
static void both_ways(void **state)
{
	static const int64_t reorder[] = {-1, 0, 1000, 1000000};

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		struct trace_options opt = fixture_options;
		struct deliver *quick, *slow;
		struct stream *a, *b;
		struct error err = {0};
		struct batch qb = {0}, sb = {0};
		size_t q = 0, s = 0;

		opt.reorder_ns = reorder[i % 4];
		opt.adopt = i & 4;
		a = stream_open(BUNDLED, &opt, &err);
		b = stream_open(BUNDLED, &opt, &err);
		if (!deliver_needed(a, &opt)) {
			stream_close(a);
			stream_close(b);
			continue;
		}
		quick = deliver_new(a, &opt, &err);
		slow = deliver_new(b, &opt, &err);
		/* The shorter way leaves them out. */
		deliver_want_sites(slow);
		assert_int_equal(deliver_rewind(slow, &err), 0);
		for (;;) {
			bool more = true, other = true;

			if (q == qb.n) {
				q = qb.n = 0;
				more = deliver_next(quick, &qb, &err) > 0;
			}
			if (s == sb.n) {
				s = sb.n = 0;
				other = deliver_next(slow, &sb, &err) > 0;
			}
			assert_int_equal(more, other);
			if (!more)
				break;
			for (; q < qb.n && s < sb.n; q++, s++)
				if (memcmp(&qb.events[q], &sb.events[s], sizeof(*qb.events)) ||
				    qb.time_ns[q] != sb.time_ns[s])
					fail_msg("an event differs");
		}
		deliver_free(quick);
		deliver_free(slow);
		stream_close(a);
		stream_close(b);
	}
}

/* The configuration can tell caches by call site, of a .slabtrace file too. */
static void told_by_call_site(void **state)
{
	static const struct trace_match match[] = {
	    {"getname_flags", 4096, "names"},
	    {"anon_vma_clone+0x64", -1, "chains"},
	    {"nowhere", -1, "nothing"},
	};
	const char *file = "tests/data/trace-v7.dat";
	char *native = fixture_convert(file, true);

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct trace_options opt = fixture_options;
		struct source *a, *b;
		int ca, cb;

		opt.match = match;
		opt.nr_match = 3;
		opt.reorder_ns = i & 1 ? 0 : -1;
		opt.adopt = i & 2;
		a = open_with(file, &opt);
		b = open_with(native, &opt);
		assert_int_equal(a->info.events, b->info.events);
		assert_int_equal(fixture_note(a, "named_by_config"),
				 fixture_note(b, "named_by_config"));
		assert_true(fixture_note(b, "named_by_config") > 0);
		assert_int_equal(fixture_cache(b, "nothing"), -1);
		for (unsigned m = 0; m < 2; m++) {
			ca = fixture_cache(a, match[m].name);
			cb = fixture_cache(b, match[m].name);
			assert_true(ca >= 0 && cb >= 0);
			assert_int_equal(a->info.caches[ca].allocs, b->info.caches[cb].allocs);
			assert_int_equal(a->info.caches[ca].frees, b->info.caches[cb].frees);
			assert_int_equal(a->info.caches[ca].size, b->info.caches[cb].size);
		}
		free(fixture_events(b, NULL));
		fixture_close(a);
		fixture_close(b);
	}
	unlink_free(native);
}

/* A smaller machine will do if all CPUs with events are there. */
static void smaller_machine(void **state)
{
	struct trace_options opt = fixture_options;
	char *native = fixture_convert("tests/data/trace-v7.dat", true);
	struct error err = {0};
	struct source *src;

	(void)state;
	opt.max_cpus = 4;
	src = open_with(native, &opt);
	assert_int_equal(src->info.cpus, 4);
	fixture_close(src);
	opt.max_cpus = 2;
	assert_null(trace_open(native, &opt, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "CPU 3, but the machine has CPUs 0 to 1"));
	unlink_free(native);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(same_as_the_trace),
	    cmocka_unit_test(same_as_the_operations),
	    cmocka_unit_test(bundled),
	    cmocka_unit_test(same_bytes),
	    cmocka_unit_test(same_but_for_times),
	    cmocka_unit_test(without_times),
	    cmocka_unit_test(both_ways),
	    cmocka_unit_test(wide_numbers),
	    cmocka_unit_test(told_by_call_site),
	    cmocka_unit_test(smaller_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
