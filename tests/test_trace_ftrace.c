/* Every layout of trace and trace_pipe in tracefs, and what else such files contain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/trace_fixture.h"
#include "workloads/task-line.h"

#define SEC 1000000000ull

static const struct {
	const char *line;
	unsigned cpu;
	bool has_time;
	uint64_t time_ns;
	const char *event;
} layouts[] = {
    /* 5 flags, 4 flags, none */
    {"              ls-19384   [000] .....   806.477922: kfree: x", 0, true, 806 * SEC + 477922000,
     "kfree"},
    {"          <idle>-0     [003] ..s. 312444.111637: kfree: x", 3, true, 312444 * SEC + 111637000,
     "kfree"},
    {"             cli-1934  [001]  2796.789510: kfree: x", 1, true, 2796 * SEC + 789510000,
     "kfree"},
    /* an old kernel with jiffies only */
    {"               init-1     [000] .N..     0.170000: kfree: x", 0, true, 170000000, "kfree"},
    /* option record-tgid */
    {"              ls-19384   (-------) [1023] .....   806.477922: kfree: x", 1023, true,
     806 * SEC + 477922000, "kfree"},
    {"              ls-19384   (  19384) [000] d.h2.   806.477922: kfree: x", 0, true,
     806 * SEC + 477922000, "kfree"},
    /* names of tasks */
    {"           <...>-39771 [000] .... 312444.141956: kfree: x", 0, true, 312444 * SEC + 141956000,
     "kfree"},
    {"   kworker/0:1-ev-77    [002] .....     1.000001: kfree: x", 2, true, SEC + 1000, "kfree"},
    {"    Web Content 7-88    [002] .....     1.000001: kfree: x", 2, true, SEC + 1000, "kfree"},
    {"       a-1 [7] -89      [002] .....     1.000001: kfree: x", 2, true, SEC + 1000, "kfree"},
    /* latency format, with its marks */
    {"      ls-19384     0..... 216736us : kfree: x", 0, true, 216736000, "kfree"},
    {"    bash-28971     1d.s1. 22477us+: kfree: x", 1, true, 22477000, "kfree"},
    {"    bash-28971    11d.s1. 22477us!: kfree: x", 11, true, 22477000, "kfree"},
    /* other clocks: a count says nothing about nanoseconds */
    {"            bash-28971   [001] .....            5: kfree: x", 1, false, 0, "kfree"},
    /* trace-cmd: an instance's name, a padded event, nanoseconds, -l, --ts-diff */
    {"factsx:             bash-23772 [001]   849.986374: kfree:                x", 1, true,
     849 * SEC + 986374000, "kfree"},
    {"            bash-23772 [001]   849.986373997: kfree:                x", 1, true,
     849 * SEC + 986373997, "kfree"},
    {"            bash-23772   1.....   849.986374: kfree:                x", 1, true,
     849 * SEC + 986374000, "kfree"},
    {"            bash-23772 [001]   849.986374: (+22)   kfree:                x", 1, true,
     849 * SEC + 986374000, "kfree"},
};

static void all_layouts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		const char *s = layouts[i].line;
		struct task_line tl;

		if (!task_line_parse(s, s + strlen(s), &tl))
			fail_msg("not parsed: %s", s);
		assert_int_equal(tl.cpu, layouts[i].cpu);
		assert_int_equal(tl.has_time, layouts[i].has_time);
		assert_int_equal(tl.time_ns, layouts[i].time_ns);
		assert_int_equal(tl.event_len, strlen(layouts[i].event));
		assert_memory_equal(tl.event, layouts[i].event, tl.event_len);
		assert_string_equal(tl.fields, "x");
	}
}

static void no_layouts(void **state)
{
	static const char *const lines[] = {
	    "",
	    "-",
	    "bash-",
	    "bash-1",
	    "bash-1 ",
	    "bash-1 [",
	    "bash-1 [0",
	    "bash-1 [0]",
	    "bash-1 [0] ",
	    "bash-1 [0] .",
	    "bash-1 [0] ..... ",
	    "bash-1 [0] ..... 1.2",
	    "bash-1 [0] ..... 1.1234567890: kfree: x",
	    "bash-1 [70000] ..... 1.2: kfree: x",
	    "bash-1 (",
	    "bash-1 (12",
	    "bash-1 0",
	    "bash-1 0.",
	    "bash-1 0..... 12us",
	    "bash-1 0..... 12us+",
	    "bash-12345678901234567890 [0] ..... 1.2: kfree: x",
	    " => __kmalloc",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		/* Exactly as long as the text, so that reading beyond it is noticed. */
		size_t n = strlen(lines[i]);
		char *s = malloc(n + 1);
		struct task_line tl;

		memcpy(s, lines[i], n);
		if (task_line_parse(s, s + n, &tl))
			fail_msg("parsed: %s", lines[i]);
		free(s);
	}
}

static void no_event(void **state)
{
	static const char line[] = "bash-1 [0] ..... 1.2: kmalloc <-foo: bar";
	struct task_line tl;

	(void)state;
	assert_true(task_line_parse(line, line + strlen(line), &tl));
	assert_int_equal(tl.event_len, 0);
}

#define HEAD                                                                                       \
	"# tracer: nop\n#\n# entries-in-buffer/entries-written: 5/12   #P:6\n#\n"                  \
	"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"

#define ALLOC(cpu, time, ptr)                                                                      \
	"            bash-1 [00" #cpu "] ..... " time                                              \
	": kmalloc: call_site=f+0x1/0x2 ptr=00000000000000" ptr                                    \
	" bytes_req=60 bytes_alloc=64 gfp_flags=GFP_KERNEL node=-1 accounted=false\n"
#define KFREE(cpu, time, ptr)                                                                      \
	"            bash-1 [00" #cpu "] ..... " time                                              \
	": kfree: call_site=g+0x1/0x2 ptr=00000000000000" ptr "\n"

static void whole_file(void **state)
{
	static const char text[] = HEAD ALLOC(
	    1, "5.000001",
	    "a1") "CPU:1 [LOST 21 EVENTS]\n"
		  "CPU:2 [LOST EVENTS]\n"
		  "##### CPU 2 buffer started ####\n"
		  "\n" ALLOC(2, "5.000002",
			     "a2") "            bash-1 [002] ..... 5.000002: <stack trace>\n"
				   " => trace_event_raw_event_kmalloc\n"
				   " => f\n"
				   "            bash-1 [002] ..... 5.000003: "
				   "sched_switch: prev_comm=x\n"
				   "what is this\n" KFREE(
				       0, "5.000004", "a1") "            bash-1 [003] ..... 5.0000";
	struct source *src = fixture_open(text, NULL);
	uint64_t *times;
	struct event *ev = fixture_events(src, &times);

	(void)state;
	fixture_accounts_for(src, text);
	assert_int_equal(src->info.events, 3);
	assert_int_equal(src->info.cpus, 6); /* #P:6 */
	assert_int_equal(src->info.nodes, 0);
	assert_true(src->info.has_times);
	assert_int_equal(fixture_note(src, "comment_lines"), 6);
	assert_int_equal(fixture_note(src, "blank_lines"), 1);
	assert_int_equal(fixture_note(src, "overwritten_events"), 7);
	assert_int_equal(fixture_note(src, "lost_event_lines"), 2);
	assert_int_equal(fixture_note(src, "lost_events"), 21);
	assert_int_equal(fixture_note(src, "stack_trace_lines"), 3);
	assert_int_equal(fixture_note(src, "other_events"), 1);
	assert_int_equal(fixture_note(src, "other_lines"), 1);
	assert_int_equal(fixture_note(src, "cut_line"), 1);
	assert_int_equal(ev[1].cpu, 2);
	assert_int_equal(ev[1].op, EV_ALLOC);
	assert_int_equal(ev[1].object, 1);
	assert_int_equal(times[1], 5 * SEC + 2000);
	assert_int_equal(ev[2].cpu, 0);
	assert_int_equal(ev[2].op, EV_FREE);
	assert_int_equal(ev[2].object, 0);
	free(ev);
	free(times);
	fixture_close(src);
}

static void header_and_cpus(void **state)
{
	struct trace_options opt = fixture_options;
	struct source *src;

	(void)state;
	/* More CPUs in the recording machine than are modeled do not hurt if they were idle. */
	opt.max_cpus = 4;
	src = fixture_open(HEAD ALLOC(3, "5.000001", "a1"), &opt);
	assert_int_equal(src->info.cpus, 4);
	fixture_close(src);
	opt.max_cpus = 3;
	fixture_refused(HEAD ALLOC(2, "5.000001", "a1") ALLOC(3, "5.000001", "a2"), &opt,
			":7: CPU 3, but the machine has CPUs 0 to 2");
	/* trace_pipe has no header. */
	src = fixture_open(ALLOC(1, "5.000001", "a1"), NULL);
	assert_int_equal(src->info.cpus, 2);
	fixture_close(src);
}

static void counter_clock(void **state)
{
	static const char text[] = ALLOC(0, "17", "a1") KFREE(0, "18", "a1");
	struct source *src = fixture_open(text, NULL);

	(void)state;
	assert_false(src->info.has_times);
	free(fixture_events(src, NULL));
	fixture_close(src);
}

static void nothing_to_replay(void **state)
{
	(void)state;
	fixture_refused(HEAD, NULL, "its events are: none at all");
	fixture_refused(
	    HEAD KFREE(0, "1.000000", "a1")
		KFREE(0, "1.000000",
		      "a2") "            bash-1 [002] ..... 5.000003: sched_switch: prev_comm=x\n",
	    NULL,
	    "there is no allocation event (kmalloc, kmem_cache_alloc) in it, so there "
	    "is nothing to replay; its events are: sched_switch 1, kfree 2");
	fixture_refused(HEAD "28971 1 2387244706059 type: 658\n", NULL,
			"1 lines are in no layout known here");
}

static void hidden_pointers(void **state)
{
	(void)state;
	fixture_refused(HEAD "            sh-79      [001] .....     4.974706: kmem_cache_alloc: "
			     "call_site=f+0x2b/0x180 ptr=(____ptrval____) bytes_req=4096 "
			     "bytes_alloc=4096 gfp_flags=GFP_KERNEL node=-1 accounted=false\n",
			NULL,
			":6: every address in this trace is printed as (____ptrval____): it was "
			"recorded before the kernel had gathered the random numbers");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_layouts),	 cmocka_unit_test(no_layouts),
	    cmocka_unit_test(no_event),		 cmocka_unit_test(whole_file),
	    cmocka_unit_test(header_and_cpus),	 cmocka_unit_test(counter_clock),
	    cmocka_unit_test(nothing_to_replay), cmocka_unit_test(hidden_pointers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
