/* Pieces of traces, and traces as CSV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/trace_fixture.h"
#include "workloads/csv-write.h"
#include "workloads/cut.h"
#include "workloads/profile.h"
#include "workloads/slabtrace.h"

static const char text[] = "op,cpu,object,time_ns,node,cache,size,bulk,gfp\n"
			   "alloc,0,1,1000,,a,64,,\n"	    /* 0 */
			   "alloc,1,2,2000,,a,64,,\n"	    /* 1 */
			   "alloc,1,3,3000,1,b,32,,\n"	    /* 2 */
			   "free,1,1,4000,,,,,\n"	    /* 3 */
			   "alloc,0,4,5000,,a,64,,atomic\n" /* 4 */
			   "alloc_bulk,0,5,6000,,b,32,1,\n" /* 5 */
			   "alloc_bulk,0,6,7000,,b,32,1,\n" /* 6 */
			   "free,0,2,8000,,,,,\n"	    /* 7 */
			   "free_bulk,1,5,9000,,,,2,\n"	    /* 8 */
			   "free_bulk,1,3,9000,,,,2,\n"	    /* 9 */
			   "shrink,0,,9500,,b,,,\n";	    /* 10 */

static struct stream *open_text(const char *csv)
{
	struct trace_options opt = fixture_options;
	char *path = fixture_file(csv, strlen(csv));
	struct error err = {0};
	struct stream *st = stream_open(path, &opt, &err);

	if (!st)
		fail_msg("%s", err.text);
	unlink(path);
	free(path);
	return st;
}

/* The piece, written and read again, as CSV. */
static char *cut_text(const char *csv, const struct cut *cut)
{
	const struct slabtrace_options to = {.times = true};
	struct trace_options opt = fixture_options;
	char *path = fixture_file("", 0), *out = fixture_file("", 0), *got;
	struct stream *st = open_text(csv), *piece, *again;
	struct error err = {0};
	size_t n;

	piece = stream_cut(st, cut, &err);
	assert_non_null(piece);
	if (slabtrace_write(piece, path, &to, NULL, &err))
		fail_msg("%s", err.text);
	stream_close(piece);
	stream_close(st);
	again = stream_open(path, &opt, &err);
	if (!again || csv_write(again, out, true, &err))
		fail_msg("%s", err.text);
	stream_close(again);
	got = fixture_read(out, &n);
	got[n] = '\0';
	unlink(path);
	unlink(out);
	free(path);
	free(out);
	return got;
}

static void check_cut(const struct cut *cut, const char *rows)
{
	char *got = cut_text(text, cut), *csv = got;
	const char *header = "op,cpu,object,time_ns,node,cache,size,bulk,gfp\n";

	while (*csv == '#')
		csv = strchr(csv, '\n') + 1;
	assert_memory_equal(csv, header, strlen(header));
	assert_string_equal(csv + strlen(header), rows);
	free(got);
}

#define ALL                                                                                        \
	{                                                                                          \
		.to_ns = UINT64_MAX, .count = UINT64_MAX                                           \
	}

static void the_whole(void **state)
{
	const struct cut all = ALL;

	(void)state;
	check_cut(&all, "alloc,0,0,1000,,a,64,,\n"
			"alloc,1,1,2000,,a,64,,\n"
			"alloc,1,2,3000,1,b,32,,\n"
			"free,1,0,4000,,a,,,\n"
			"alloc,0,0,5000,,a,64,,atomic\n"
			"alloc_bulk,0,3,6000,,b,32,0,\n"
			"alloc_bulk,0,4,7000,,b,32,0,\n"
			"free,0,1,8000,,a,,,\n"
			"free_bulk,1,3,9000,,b,,1,\n"
			"free_bulk,1,2,9000,,b,,1,\n"
			"shrink,0,,9500,,b,,,\n");
}

static void by_time(void **state)
{
	struct cut cut = ALL;

	(void)state;
	cut.from_ns = 2000;
	cut.to_ns = 8000;
	check_cut(&cut, "alloc,1,0,3000,1,b,32,,\n"
			"free,1,1,4000,,a,,,\n" /* allocated before */
			"alloc,0,1,5000,,a,64,,atomic\n"
			"alloc_bulk,0,2,6000,,b,32,0,\n"
			"alloc_bulk,0,3,7000,,b,32,0,\n"
			"free,0,4,8000,,a,,,\n");
}

static void by_cache(void **state)
{
	const bool only_b[] = {false, true};
	struct cut cut = ALL;

	(void)state;
	cut.caches = only_b;
	check_cut(&cut, "alloc,1,0,3000,1,b,32,,\n"
			"alloc_bulk,0,1,6000,,b,32,0,\n"
			"alloc_bulk,0,2,7000,,b,32,0,\n"
			"free_bulk,1,1,9000,,b,,1,\n"
			"free_bulk,1,0,9000,,b,,1,\n"
			"shrink,0,,9500,,b,,,\n");
}

static void by_cpu(void **state)
{
	const bool only_1[] = {false, true};
	struct cut cut = ALL;

	(void)state;
	cut.cpus = only_1;
	/* Object 5 was allocated elsewhere: its free stands alone. */
	check_cut(&cut, "alloc,1,0,2000,,a,64,,\n"
			"alloc,1,1,3000,1,b,32,,\n"
			"free,1,2,4000,,a,,,\n"
			"free,1,2,9000,,b,,,\n"
			"free_bulk,1,1,9000,,b,,0,\n");
}

static void by_count(void **state)
{
	struct cut cut = ALL;

	(void)state;
	cut.skip = 3;
	cut.count = 3;
	/* The bulk call is in as a whole. */
	check_cut(&cut, "free,1,0,4000,,a,,,\n"
			"alloc,0,0,5000,,a,64,,atomic\n"
			"alloc_bulk,0,1,6000,,b,32,0,\n"
			"alloc_bulk,0,2,7000,,b,32,0,\n");
}

/* A piece tells what of it is missing, and no repairs that happened elsewhere. */
static void what_is_told(void **state)
{
	static const char lossy[] =
	    "# tracer: nop\n"
	    "# entries-in-buffer/entries-written: 3/5   #P:2\n"
	    " a-1 [000] .....     1.000000: kmalloc: call_site=f+0x1/0x2 ptr=00000000000000a0 "
	    "bytes_req=8 bytes_alloc=8 gfp_flags=GFP_KERNEL node=-1 accounted=false\n"
	    " a-1 [000] .....     1.000001: kmalloc: call_site=f+0x1/0x2 ptr=00000000000000a0 "
	    "bytes_req=8 bytes_alloc=8 gfp_flags=GFP_KERNEL node=-1 accounted=false\n"
	    "CPU:1 [LOST 7 EVENTS]\n"
	    " a-1 [001] .....     1.000002: kfree: call_site=f+0x1/0x2 ptr=00000000000000a0\n";
	struct cut cut = ALL;
	struct stream *st = open_text(lossy), *piece;
	struct error err = {0};
	struct profile p;

	(void)state;
	assert_int_equal(st->notes[NOTE_IMPLICIT_FREE], 1);
	cut.skip = 3;
	piece = stream_cut(st, &cut, &err);
	assert_non_null(piece);
	assert_int_equal(profile_make(&p, piece, &err), 0);
	assert_int_equal(p.events, 2);
	assert_int_equal(p.caches[0].adopted, 1);
	assert_int_equal(p.caches[0].frees, 1);
	assert_int_equal(piece->notes[NOTE_ADOPTED], 1);
	assert_int_equal(piece->notes[NOTE_IMPLICIT_FREE], 0);
	assert_int_equal(piece->notes[NOTE_LOST_EVENTS], 7);
	assert_int_equal(piece->notes[NOTE_OVERWRITTEN], 2);
	profile_free(&p);
	stream_close(piece);
	stream_close(st);
}

/* Which free an allocation must not overtake is still known in a piece. */
static void order_is_kept(void **state)
{
	static const char *const files[] = {"tests/data/trace-v7.dat",
					    "workloads/traces/hackbench-6.1-8cpu.txt.zst"};
	const struct slabtrace_options to = {.times = true};
	struct cut cut = ALL;

	(void)state;
	cut.skip = 300;
	cut.count = 120000;
	for (unsigned i = 0; i < 2; i++) {
		struct trace_options opt = fixture_options;
		char *first = fixture_file("", 0), *second = fixture_file("", 0);
		struct stream *st, *piece;
		struct error err = {0};
		struct source *a, *b;

		/* A piece of the trace, and a piece of that, which is all of it. */
		st = stream_open(files[i], &opt, &err);
		piece = stream_cut(st, &cut, &err);
		assert_int_equal(slabtrace_write(piece, first, &to, NULL, &err), 0);
		stream_close(piece);
		stream_close(st);
		st = stream_open(first, &opt, &err);
		piece = stream_cut(st, &(struct cut)ALL, &err);
		assert_int_equal(slabtrace_write(piece, second, &to, NULL, &err), 0);
		stream_close(piece);
		stream_close(st);
		opt.reorder_ns = 1000;
		a = trace_open(first, &opt, &err);
		b = trace_open(second, &opt, &err);
		fixture_same(a, b);
		fixture_close(a);
		fixture_close(b);
		unlink(first);
		unlink(second);
		free(first);
		free(second);
	}
}

/* CSV is an operation list; read again, it is the same operations. */
static void csv_read_again(void **state)
{
	struct trace_options opt = fixture_options;
	char *path = fixture_file("", 0);
	struct stream *st = open_text(text);
	struct error err = {0};
	struct source *a, *b;

	(void)state;
	assert_int_equal(csv_write(st, path, true, &err), 0);
	stream_close(st);
	opt.adopt = true;
	a = fixture_open(text, &opt);
	b = trace_open(path, &opt, &err);
	assert_non_null(b);
	fixture_same(a, b);
	fixture_close(a);
	fixture_close(b);
	unlink(path);
	free(path);
}

/* Lifetimes and remote frees, counted by hand. */
static void profiled(void **state)
{
	struct stream *st = open_text(text);
	const struct profile_cache *a, *b;
	struct error err = {0};
	struct profile p;

	(void)state;
	assert_int_equal(profile_make(&p, st, &err), 0);
	a = &p.caches[0];
	b = &p.caches[1];
	assert_int_equal(p.events, 11);
	assert_int_equal(p.first_ns, 1000);
	assert_int_equal(p.last_ns, 9500);
	assert_int_equal(p.of_cpu[0], 6);
	assert_int_equal(p.of_cpu[1], 5);
	assert_int_equal(a->allocs, 3);
	assert_int_equal(a->frees, 2);
	assert_int_equal(a->may_block, 2);
	assert_int_equal(a->live, 1);
	assert_int_equal(a->peak, 2);
	assert_int_equal(a->remote_frees, 2);
	assert_int_equal(a->lifetime_events->count, 2);
	assert_int_equal(a->lifetime_events->max, 6);
	assert_int_equal(a->lifetime_ns->sum, 3000 + 6000);
	assert_int_equal(b->allocs, 3);
	assert_int_equal(b->frees, 2);
	assert_int_equal(b->shrinks, 1);
	assert_int_equal(b->remote_frees, 1);
	assert_int_equal(b->lifetime_ns->max, 6000);
	profile_free(&p);
	stream_close(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_whole),     cmocka_unit_test(by_time),
	    cmocka_unit_test(by_cache),	     cmocka_unit_test(by_cpu),
	    cmocka_unit_test(by_count),	     cmocka_unit_test(what_is_told),
	    cmocka_unit_test(order_is_kept), cmocka_unit_test(csv_read_again),
	    cmocka_unit_test(profiled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
