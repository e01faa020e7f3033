/* The texts of "perf script" and "trace-cmd report". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/trace_fixture.h"

static struct source *open_text(const char *text)
{
	struct source *src = fixture_open(text, NULL);

	fixture_accounts_for(src, text);
	return src;
}

#define FIELDS                                                                                     \
	" call_site=single_open+0x2a ptr=0xffff888102b36ac0 bytes_req=32 bytes_alloc=32 "          \
	"gfp_flags=GFP_KERNEL node=-1 accounted=false"
#define FREED "call_site=f+0x26 ptr=0xffff888100da2000 name=seq_file"

/* What the choice of perf script's fields puts around the event. */
static const struct {
	const char *line;
	bool has_time;
	uint64_t time_ns;
} perf_lines[] = {
    {"            perf 21632 [003]   832.307055:          kmem:kmalloc:" FIELDS, true,
     832307055000},
    {"            perf 21632/21632 [003]   832.307055:          kmem:kmalloc:" FIELDS, true,
     832307055000},
    {"            perf 21632 [003]   832.307055230:          kmem:kmalloc:" FIELDS, true,
     832307055230},
    {"            perf 21632 [003]          kmem:kmalloc:" FIELDS, false, 0},
    {"[003]          kmem:kmalloc:" FIELDS, false, 0},
    {"21632 [003]   832.307055: kmem:kmalloc:" FIELDS, true, 832307055000},
    {"jbd2/dm-3-8  7666 [003]  4666.621521: kmem:kmalloc:" FIELDS, true, 4666621521000},
    {"  a [7] b  7666 [003]  4666.621521: kmem:kmalloc:" FIELDS, true, 4666621521000},
    {"            perf 21632 [003] K      832.307055:          1          kmem:kmalloc:" FIELDS,
     true, 832307055000},
    {"            perf 21632 [003]   832.307055:          kmem:kmalloc:" FIELDS
     " ffffffff81634d4d __kmalloc_noprof+0x2d ([kernel.kallsyms])",
     true, 832307055000},
};

static void perf_layouts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(perf_lines) / sizeof(perf_lines[0]); i++) {
		struct source *src;
		struct event *ev;
		uint64_t *times;
		char text[1024];

		snprintf(text, sizeof(text), "%s\n", perf_lines[i].line);
		src = open_text(text);
		ev = fixture_events(src, &times);
		assert_int_equal(src->info.events, 1);
		assert_int_equal(ev[0].cpu, 3);
		assert_int_equal(ev[0].flags, EVF_MAY_BLOCK);
		assert_int_equal(src->info.has_times, perf_lines[i].has_time);
		assert_int_equal(times[0], perf_lines[i].time_ns);
		assert_string_equal(src->info.caches[0].name, "kmalloc-32");
		free(ev);
		free(times);
		fixture_close(src);
	}
}

#define PERF "            perf 21632 [001]   832.307055: "

static void perf_other_lines(void **state)
{
	static const char text[] =
	    "# ========\n"
	    "# nrcpus avail : 6\n"
	    "#\n" PERF "kmem:kmalloc:" FIELDS "\n"
	    "\tffffffff81634d4d __kmalloc_cache_node_noprof+0x20d ([kernel.kallsyms])\n"
	    "\t           ee137 sched_setaffinity@@GLIBC_2.3.4+0x7 (/usr/lib/libc.so.6)\n"
	    "\n" PERF "kmem:mm_page_free: page=0x147fb4 pfn=0x147fb4 order=0\n" PERF
	    "sched:sched_switch: prev_comm=perf prev_pid=21632\n" PERF
	    "PERF_RECORD_LOST lost 12\n" PERF "kmem:kmalloc: ptr=0x1\n"
	    "who knows\n" PERF "kmem:kfree: call_site=f+0x17 ptr=0xffff888102b36ac0\n"
	    "            perf 21632 [001]   832.30";
	struct source *src = open_text(text);

	(void)state;
	assert_int_equal(src->info.events, 2);
	assert_int_equal(src->info.cpus, 6);
	assert_int_equal(fixture_note(src, "comment_lines"), 3);
	assert_int_equal(fixture_note(src, "stack_trace_lines"), 2);
	assert_int_equal(fixture_note(src, "blank_lines"), 1);
	assert_int_equal(fixture_note(src, "other_events"), 2);
	assert_int_equal(fixture_note(src, "lost_events"), 12);
	assert_int_equal(fixture_note(src, "malformed_lines"), 1);
	assert_int_equal(fixture_note(src, "other_lines"), 1);
	assert_int_equal(fixture_note(src, "cut_line"), 1);
	fixture_close(src);
}

/* --show-mmap-events and --show-task-events: more of them than a look at the format takes in. */
static void perf_mappings_first(void **state)
{
	static const char mapping[] =
	    "         swapper     0 [000]     0.000000: PERF_RECORD_MMAP -1/0: "
	    "[0xffffffff81000000(0x1209988) @ 0xffffffff81000000]: x [kernel.kallsyms]_text\n";
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct source *src;

	(void)state;
	for (int i = 0; i < 2000; i++)
		fputs(mapping, out);
	fputs(PERF "kmem:kmalloc:" FIELDS "\n", out);
	fclose(out);
	src = open_text(text);
	assert_int_equal(src->info.events, 1);
	assert_int_equal(fixture_note(src, "other_lines"), 2000);
	fixture_close(src);
	free(text);
}

/* -F ip,sym puts an address behind the cache's name. */
static void perf_ip_behind_name(void **state)
{
	struct source *src = open_text(
	    PERF "kmem:kmem_cache_alloc: call_site=g+0x1 ptr=0xffff888100da2000 bytes_req=120 "
		 "bytes_alloc=120 gfp_flags=GFP_KERNEL node=-1 accounted=false ffffffff8162f1a1 "
		 "kmem_cache_alloc_noprof\n" PERF "kmem:kmem_cache_free: " FREED
		 " ffffffff8162fe13 kmem_cache_free+0x383\n" PERF "kmem:kmem_cache_free: " FREED
		 "\n");

	(void)state;
	assert_int_equal(src->info.nr_caches, 1);
	assert_string_equal(src->info.caches[0].name, "seq_file");
	fixture_close(src);
}

static void perf_without_cpu(void **state)
{
	(void)state;
	fixture_refused("            perf 21632   832.307055:          kmem:kmalloc:" FIELDS "\n",
			NULL,
			":1: the event has no CPU; print it with \"perf script -F "
			"comm,tid,cpu,time,event,trace\"");
	fixture_refused(PERF "sched:sched_switch: prev_comm=perf\n", NULL,
			"there is no allocation event (kmalloc, kmem_cache_alloc) in it");
}

#define TC "            bash-23772 [001]   849.986374: "

static void trace_cmd_lines(void **state)
{
	static const char text[] =
	    "version = 6\n"
	    "CPU 3 is empty\n"
	    "cpus=4\n" TC "kmalloc:              (single_open+0x2a)" FIELDS "\n"
	    "inst:            bash-23772 [001]   849.986374: kmalloc:              "
	    "(single_open+0x2a) call_site=single_open+0x2a ptr=0xffff888102b36ac8 bytes_req=32 "
	    "bytes_alloc=32 gfp_flags=GFP_ATOMIC node=-1 accounted=tr\n"
	    "CPU:1 [78 EVENTS DROPPED]\n"
	    "CPU:0 [EVENTS DROPPED]\n" TC
	    "kmalloc:              call_site=0xffffffff81634d4d ptr=0xffff888102b36ad8 "
	    "bytes_req=32 bytes_alloc=32 gfp_flags=0xcc0 node=-1\n" TC
	    "kfree:                (f+0x39b) call_site=f+0x39b ptr=(nil)\n" TC
	    "mm_page_alloc:        page=0x1837b8 pfn=0x1837b8 order=0\n"
	    " => stack\n"
	    "\n"
	    "eh\n";
	struct source *src = open_text(text);
	struct event *ev = fixture_events(src, NULL);

	(void)state;
	assert_int_equal(src->info.events, 3);
	assert_int_equal(src->info.cpus, 4);
	assert_int_equal(fixture_note(src, "comment_lines"), 3);
	assert_int_equal(fixture_note(src, "lost_event_lines"), 2);
	/* Of the second line it is only known that there were some. */
	assert_int_equal(fixture_note(src, "lost_events"), 79);
	assert_int_equal(fixture_note(src, "free_of_null"), 1);
	assert_int_equal(fixture_note(src, "other_events"), 1);
	assert_int_equal(fixture_note(src, "stack_trace_lines"), 1);
	assert_int_equal(fixture_note(src, "blank_lines"), 1);
	assert_int_equal(fixture_note(src, "other_lines"), 1);
	assert_int_equal(ev[1].cache, fixture_cache(src, "kmalloc-cg-32"));
	assert_int_equal(ev[1].flags, 0);
	assert_int_equal(ev[2].cache, fixture_cache(src, "kmalloc-32"));
	free(ev);
	fixture_close(src);
}

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	if (!f)
		fail_msg("cannot open %s", path);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	return text;
}

/* Recorded ones, from tests/data. */
static void recorded(void **state)
{
	static const struct {
		const char *path;
		uint64_t events, earlier, implicit;
		const char *cache;
		unsigned allocs, object_size, size;
	} files[] = {
	    {"tests/data/trace-perf-script.txt", 38, 2, 0, "filp", 4, 184, 192},
	    {"tests/data/trace-trace-cmd.txt", 46, 0, 4, "tracefs_inode_cache", 6, 648, 656},
	    {"tests/data/trace-ftrace.txt", 50, 0, 4, "tracefs_inode_cache", 7, 648, 656},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *text = slurp(files[i].path);
		struct source *src = open_text(text);
		int cache = fixture_cache(src, files[i].cache);

		assert_true(cache >= 0);
		assert_int_equal(src->info.cpus, 2);
		assert_int_equal(src->info.events, files[i].events);
		assert_int_equal(fixture_note(src, "free_of_earlier_object"), files[i].earlier);
		assert_int_equal(fixture_note(src, "implicit_free"), files[i].implicit);
		assert_int_equal(fixture_note(src, "malformed_lines"), 0);
		assert_int_equal(fixture_note(src, "other_lines"), 0);
		assert_int_equal(src->info.caches[cache].allocs, files[i].allocs);
		assert_int_equal(src->info.caches[cache].object_size, files[i].object_size);
		assert_int_equal(src->info.caches[cache].size, files[i].size);
		fixture_close(src);
		free(text);
	}
}

static void binary_recordings(void **state)
{
	(void)state;
	fixture_refused("PERFILE2 and more", NULL, "perf script --ns --show-lost-events");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(perf_layouts),
	    cmocka_unit_test(perf_other_lines),
	    cmocka_unit_test(perf_mappings_first),
	    cmocka_unit_test(perf_ip_behind_name),
	    cmocka_unit_test(perf_without_cpu),
	    cmocka_unit_test(trace_cmd_lines),
	    cmocka_unit_test(recorded),
	    cmocka_unit_test(binary_recordings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
