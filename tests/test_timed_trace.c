/*
 * A trace as the load of the timed machine: think times, stretching, causality, bulk calls, ids
 * that are used again, caches left out; and whole runs with times worked out by hand.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/cost.h"
#include "sim/load_trace.h"
#include "sim/policy.h"
#include "tests/policies_fixture.h"
#include "tests/timed_fixture.h"
#include "tests/trace_fixture.h"

#define HEAD "op,cpu,object,time_ns\n"

static bool keep_all(const void *arg, unsigned cache)
{
	return !arg || *(const unsigned *)arg == cache;
}

static struct load *open_load(struct source **src, const char *text, const unsigned *only,
			      uint64_t *left_out)
{
	struct error err = {0};
	struct load *load;

	*src = fixture_open(text, NULL);
	load = load_trace(*src, (*src)->info.cpus, keep_all, only, left_out, &err);
	if (!load)
		fail_msg("%s", err.text);
	return load;
}

static void close_load(struct load *load, struct source *src)
{
	load->ops->close(load);
	fixture_close(src);
}

static enum load_state ask(struct load *load, unsigned cpu, uint64_t now_ns,
			   struct load_operation *op)
{
	struct error err = {0};

	return (enum load_state)load->ops->next(load, cpu, now_ns * PS_PER_NS, op, &err);
}

/* The CPU's next operation is one event that starts at start_ns in a trace run so far. */
static void expect(struct load *load, unsigned cpu, uint64_t now_ns, uint8_t op, uint64_t start_ns)
{
	struct load_operation operation;

	assert_int_equal(ask(load, cpu, now_ns, &operation), LOAD_OPERATION);
	assert_int_equal(operation.n, 1);
	assert_int_equal(operation.events->op, op);
	assert_int_equal(operation.start, start_ns * PS_PER_NS);
}

/* It has run. */
static void end(struct load *load, unsigned cpu, uint64_t start_ns, uint64_t end_ns,
		uint64_t waited_ns)
{
	struct load_operation operation;
	struct error err = {0};

	assert_int_equal(ask(load, cpu, start_ns, &operation), LOAD_OPERATION);
	assert_int_equal(load->ops->ended(load, cpu, &operation, start_ns * PS_PER_NS,
					  end_ns * PS_PER_NS, waited_ns * PS_PER_NS, &err),
			 0);
}

static void gaps_are_think_times(void **state)
{
	uint64_t left_out = 0;
	struct source *src;
	struct load *load = open_load(&src,
				      HEAD "alloc,0,1,5000\n"
					   "alloc,0,2,5100\n"
					   "alloc,1,3,5150\n"
					   "alloc,0,4,5400\n"
					   "alloc,0,5,5500\n",
				      NULL, &left_out);

	(void)state;
	/* The first event of all is at 0. */
	expect(load, 0, 0, EV_ALLOC, 0);
	expect(load, 1, 0, EV_ALLOC, 150);
	/* What an operation took is part of the gap in the trace, too. */
	end(load, 0, 0, 80, 0);
	expect(load, 0, 80, EV_ALLOC, 100);
	/* Late by 50: the next gap begins there. */
	end(load, 0, 150, 160, 0);
	expect(load, 0, 160, EV_ALLOC, 450);
	/* A wait for locks comes on top. */
	end(load, 0, 450, 490, 30);
	expect(load, 0, 490, EV_ALLOC, 580);
	end(load, 0, 580, 600, 0);
	assert_int_equal(ask(load, 0, 600, &(struct load_operation){0}), LOAD_FINISHED);
	/* The other CPU has not been touched by that. */
	expect(load, 1, 600, EV_ALLOC, 150);
	close_load(load, src);
}

static void without_times_an_event_a_ns(void **state)
{
	uint64_t left_out = 0;
	struct source *src;
	struct load *load =
	    open_load(&src, "op,cpu,object\nalloc,0,1\nalloc,1,2\nalloc,0,3\n", NULL, &left_out);

	(void)state;
	expect(load, 1, 0, EV_ALLOC, 1);
	end(load, 0, 0, 0, 0);
	expect(load, 0, 0, EV_ALLOC, 2);
	close_load(load, src);
}

static void times_never_go_back(void **state)
{
	uint64_t left_out = 0;
	struct source *src;
	struct load *load = open_load(&src,
				      HEAD "alloc,0,1,1000\n"
					   "alloc,1,2,3000\n"
					   "alloc,0,3,2000\n"
					   "alloc,0,4,500\n"
					   "alloc,0,5,3100\n",
				      NULL, &left_out);

	(void)state;
	end(load, 0, 0, 0, 0);
	expect(load, 0, 0, EV_ALLOC, 2000);
	end(load, 0, 2000, 2000, 0);
	expect(load, 0, 2000, EV_ALLOC, 2000);
	end(load, 0, 2000, 2000, 0);
	expect(load, 0, 2000, EV_ALLOC, 2100);
	close_load(load, src);
}

static void nothing_is_freed_before_it_is_allocated(void **state)
{
	uint64_t left_out = 0;
	struct source *src;
	struct load *load = open_load(&src,
				      HEAD "alloc,0,1,0\n"
					   "alloc,0,2,10\n"
					   "free,1,2,20\n"
					   "free,2,2,25\n" /* of nothing: left out */
					   "free,2,1,30\n",
				      NULL, &left_out);
	struct load_operation op;

	(void)state;
	assert_int_equal(ask(load, 1, 0, &op), LOAD_WAITS);
	assert_int_equal(ask(load, 2, 0, &op), LOAD_WAITS);
	end(load, 0, 0, 100, 0);
	/* Object 1 is there: only its CPU is told. */
	assert_int_equal(load->ops->woken(load), 2);
	assert_int_equal(load->ops->woken(load), -1);
	expect(load, 2, 100, EV_FREE, 30);
	end(load, 0, 100, 120, 0);
	assert_int_equal(load->ops->woken(load), 1);
	assert_int_equal(load->ops->woken(load), -1);
	expect(load, 1, 120, EV_FREE, 20);
	close_load(load, src);
}

/* An address is used again: the second allocation may come before the first one's free. */
static void ids_used_again_are_other_objects(void **state)
{
	uint64_t left_out = 0;
	struct source *src;
	struct load *load = open_load(&src,
				      HEAD "alloc,0,1,0\n"
					   "free,1,1,10\n"
					   "alloc,2,1,20\n"
					   "free,3,1,30\n",
				      NULL, &left_out);
	struct load_operation op;

	(void)state;
	assert_int_equal(ask(load, 1, 0, &op), LOAD_WAITS);
	assert_int_equal(ask(load, 3, 0, &op), LOAD_WAITS);
	end(load, 2, 20, 40, 0);
	/* The second object exists, the first does not yet. */
	assert_int_equal(load->ops->woken(load), 3);
	assert_int_equal(load->ops->woken(load), -1);
	assert_int_equal(ask(load, 3, 40, &op), LOAD_OPERATION);
	end(load, 0, 0, 100, 0);
	assert_int_equal(load->ops->woken(load), 1);
	close_load(load, src);
}

static void bulk_calls_are_one_operation(void **state)
{
	uint64_t left_out = 0;
	struct source *src;
	struct load *load = open_load(&src,
				      "op,cpu,object,bulk,time_ns\n"
				      "alloc_bulk,0,1,1,0\n"
				      "alloc_bulk,0,2,1,0\n"
				      "alloc_bulk,0,3,1,0\n"
				      "alloc_bulk,0,4,2,50\n"
				      "free_bulk,1,2,3,60\n"
				      "free_bulk,1,4,3,60\n",
				      NULL, &left_out);
	struct load_operation op;

	(void)state;
	assert_int_equal(ask(load, 0, 0, &op), LOAD_OPERATION);
	assert_int_equal(op.n, 3);
	/* The free waits for the last of its objects. */
	assert_int_equal(ask(load, 1, 0, &op), LOAD_WAITS);
	end(load, 0, 0, 10, 0);
	assert_int_equal(load->ops->woken(load), 1);
	assert_int_equal(ask(load, 1, 10, &op), LOAD_WAITS);
	end(load, 0, 50, 60, 0);
	assert_int_equal(load->ops->woken(load), 1);
	assert_int_equal(ask(load, 1, 60, &op), LOAD_OPERATION);
	assert_int_equal(op.n, 2);
	close_load(load, src);
}

static void caches_left_out(void **state)
{
	unsigned only = 1;
	uint64_t left_out = 0;
	struct source *src;
	struct load *load = open_load(&src,
				      "op,cpu,object,cache,size,time_ns\n"
				      "alloc,0,1,a,64,0\n"
				      "alloc,0,2,b,64,10\n"
				      "free,0,1,a,64,20\n",
				      &only, &left_out);

	(void)state;
	assert_int_equal(left_out, 2);
	expect(load, 0, 0, EV_ALLOC, 10);
	end(load, 0, 10, 10, 0);
	assert_int_equal(ask(load, 0, 10, &(struct load_operation){0}), LOAD_FINISHED);
	close_load(load, src);
}

/* ---- whole runs ---- */

static void run(struct results *res, const char *costs, const char *rows)
{
	struct settings s = {.n = 0};

	settings_add(&s, "machine={\"cpus\":2,\"nodes\":1,\"costs\":%s}", costs);
	settings_add(&s, "policy.preset=linux-6.1");
	settings_add(&s, "replay.mode=timed");
	timed_fixture_run_csv(res, &s, rows);
	settings_cut(&s, 0);
}

static void check_end(const char *costs, const char *rows, uint64_t end_ns)
{
	struct results res;

	run(&res, costs, rows);
	assert_int_equal(res.timing->end, end_ns * PS_PER_NS);
	results_free(&res);
}

static void runs_by_hand(void **state)
{
	(void)state;
	check_end("{}", "alloc,0,1,0\nalloc,0,2,1000\nfree,0,1,5000\n", 5000);
	check_end("{\"free_fastpath\":7}", "alloc,0,1,0\nalloc,0,2,1000\nfree,0,1,5000\n", 5007);
	/* The first allocation needs pages and ends at 10000; the second begins then, the third
	 * 1000 after that. */
	check_end("{\"page_alloc\":10000}", "alloc,0,1,0\nalloc,0,2,1000\nalloc,0,3,2000\n", 11000);
	/* The other CPU's free waits for it, and takes a cmpxchg. */
	check_end("{\"page_alloc\":10000,\"cmpxchg\":5}", "alloc,0,1,0\nfree,1,1,100\n", 10010);
}

static void paths_have_their_times(void **state)
{
	struct results res;
	const struct histogram *h;

	(void)state;
	run(&res,
	    "{\"alloc_fastpath\":2,\"free_fastpath\":3,\"slowpath\":100,\"free_slowpath\":50,"
	    "\"cmpxchg\":10,\"page_alloc\":1000,\"line_complex\":20}",
	    "alloc,0,1,0\nalloc,0,2,5000\nalloc,0,3,5100\nfree,0,2,6000\nfree,1,1,7000\n");
	h = res.timing->path_time;
	assert_int_equal(h[PATH_ALLOC_SLAB].count, 1);
	assert_int_equal(h[PATH_ALLOC_SLAB].sum, 1110 * PS_PER_NS);
	assert_int_equal(h[PATH_ALLOC_FASTPATH].count, 2);
	assert_int_equal(h[PATH_ALLOC_FASTPATH].max, 2 * PS_PER_NS);
	assert_int_equal(h[PATH_FREE_FASTPATH].sum, 3 * PS_PER_NS);
	/* The slab is CPU 0's; its line comes over. */
	assert_int_equal(h[PATH_FREE_FROZEN].sum, 80 * PS_PER_NS);
	assert_int_equal(res.timing->transfers[0], 1);
	assert_int_equal(res.timing->end, 7080 * PS_PER_NS);
	results_free(&res);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(gaps_are_think_times),
	    cmocka_unit_test(without_times_an_event_a_ns),
	    cmocka_unit_test(times_never_go_back),
	    cmocka_unit_test(nothing_is_freed_before_it_is_allocated),
	    cmocka_unit_test(ids_used_again_are_other_objects),
	    cmocka_unit_test(bulk_calls_are_one_operation),
	    cmocka_unit_test(caches_left_out),
	    cmocka_unit_test(runs_by_hand),
	    cmocka_unit_test(paths_have_their_times),
	};

	return cmocka_run_group_tests(tests, fixture_policies, NULL);
}
