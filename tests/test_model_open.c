/* The open models: each does what its parameters say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/model_fixture.h"

#define TWO	    "caches=[{\"name\":\"a\",\"object_size\":64},{\"name\":\"b\",\"object_size\":256}]"
#define ONE	    "caches=[{\"name\":\"a\",\"object_size\":256}]"
#define MODEL(text) "workload.model=" text

static double share(uint64_t part, uint64_t of)
{
	return (double)part / (double)of;
}

#define assert_about(value, want, slack) about_at(value, want, slack, __LINE__)
static void about_at(double value, double want, double slack, int line)
{
	if (value < want - slack || value > want + slack)
		fail_msg("line %d: %g, not %g +- %g", line, value, want, slack);
}

/* The mean time from an allocation to its free, ns. */
static double mean_lifetime(const struct model_run *r)
{
	uint64_t *born[2] = {calloc(r->n + 1, 8), calloc(r->n + 1, 8)}, sum = 0, n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct event *ev = &r->event[i].ev;
		uint64_t *b = &born[ev->cache][ev->object];

		assert_true(ev->object < r->n);
		if (ev->op == EV_ALLOC || ev->op == EV_ALLOC_BULK) {
			*b = r->event[i].start;
		} else {
			sum += r->event[i].start - *b;
			n++;
		}
	}
	free(born[0]);
	free(born[1]);
	return (double)sum / (double)n / 1000;
}

static void test_open(void **state)
{
	uint64_t by_cpu[8] = {0};
	struct model_run r;

	(void)state;
	model_run(&r, SETTINGS(TWO, MODEL("{\"open\":{\"operations\":200000,\"remote\":0.3,"
					  "\"think_ns\":{\"exponential\":1000},"
					  "\"lifetime_ns\":{\"exponential\":50000},"
					  "\"weights\":[3,1],\"cpu_skew\":1}}")));
	assert_int_equal(model_allocs(&r, 0) + model_allocs(&r, 1), 200000);
	assert_int_equal(r.said, r.n);
	assert_about(share(model_allocs(&r, 0), 200000), 0.75, 0.01);
	assert_about(share(r.remote, 200000), 0.3, 0.01);
	assert_about(mean_lifetime(&r), 50000, 1000);
	for (size_t i = 0; i < r.n; i++)
		by_cpu[r.event[i].ev.cpu] += r.event[i].ev.op == EV_ALLOC;
	/* 1/k of 1 + 1/2 + ... + 1/8 = 2.718 */
	for (unsigned cpu = 0; cpu < 8; cpu++)
		assert_about(share(by_cpu[cpu], 200000), 1 / 2.7179 / (cpu + 1), 0.01);
	model_run_free(&r);
}

static void test_open_nodes(void **state)
{
	uint64_t away = 0, n = 0;
	uint16_t cpu[65536];
	struct model_run r;

	(void)state;
	model_run(&r, SETTINGS(ONE, "machine.nodes=2",
			       MODEL("{\"open\":{\"operations\":30000,\"remote\":0.5,"
				     "\"remote_node\":0.8,\"node_skew\":2}}")));
	for (size_t i = 0; i < r.n; i++) {
		const struct event *ev = &r.event[i].ev;

		if (ev->op == EV_ALLOC) {
			cpu[ev->object] = ev->cpu;
			n += ev->cpu < 4;
		} else {
			away += ev->cpu / 4 != cpu[ev->object] / 4;
		}
	}
	assert_about(share(away, 30000), 0.4, 0.015);
	/* The second node is a quarter as busy. */
	assert_about(share(n, 30000), 0.8, 0.01);
	model_run_free(&r);
}

/* Bursts whose objects die together are freed in a row, in order. */
static void test_bursts(void **state)
{
	struct model_run r;
	uint64_t follows = 0;

	(void)state;
	model_run(&r, SETTINGS(ONE, "machine.cpus=1",
			       MODEL("{\"open\":{\"operations\":10000,\"burst\":10,"
				     "\"think_ns\":100000,\"lifetime_ns\":1000,\"together\":1}}")));
	for (size_t i = 0; i < r.n; i++)
		follows += r.event[i].ev.op == EV_FREE && i && r.event[i - 1].ev.op == EV_FREE &&
			   r.event[i].ev.object != r.event[i - 1].ev.object;
	assert_int_equal(follows, 9 * 1000);
	model_run_free(&r);
}

static void test_mix(void **state)
{
	struct model_run r;
	uint64_t last = 0;

	(void)state;
	model_run(
	    &r, SETTINGS(TWO, MODEL("{\"mix\":{\"operations\":50000,"
				    "\"think_ns\":{\"exponential\":2000},"
				    "\"caches\":[{\"name\":\"a\",\"at_once\":0.25,\"remote\":0.5},"
				    "{\"name\":\"b\",\"operations\":500,\"begin_ns\":1e6,"
				    "\"remote\":1,\"lifetime_ns\":1e9,"
				    "\"remote_lifetime_ns\":20000}]}}")));
	assert_int_equal(model_allocs(&r, 0), 50000);
	assert_int_equal(model_allocs(&r, 1), 500);
	assert_int_equal(r.said, r.n);
	/* A quarter at once, half of the rest remote; and all of b. */
	assert_about(share(r.remote - 500, 50000), 0.375, 0.01);
	for (size_t i = 0; i < r.n; i++) {
		if (r.event[i].ev.cache == 1 && r.event[i].ev.op == EV_ALLOC)
			assert_true(r.event[i].start >= 1000000000);
		last = r.event[i].start;
	}
	/* Nothing of b has lived for a second. */
	assert_true(last < 1000000000000);
	model_run_free(&r);
}

/* Frees only every so often, all that are due at once. */
static void test_sessions(void **state)
{
	struct model_run r;
	uint64_t session = 0;
	unsigned sessions = 0;

	(void)state;
	model_run(&r, SETTINGS(ONE, "machine.cpus=1",
			       MODEL("{\"mix\":{\"operations\":10000,\"think_ns\":1000,"
				     "\"lifetime_ns\":100,\"free_gap_ns\":100000}}")));
	for (size_t i = 0; i < r.n; i++) {
		if (r.event[i].ev.op != EV_FREE || r.event[i].start == session)
			continue;
		session = r.event[i].start;
		sessions++;
	}
	assert_in_range(sessions, 99, 102);
	model_run_free(&r);
}

static void test_phases(void **state)
{
	uint64_t n[2] = {0};
	struct model_run r;

	(void)state;
	model_run(&r, SETTINGS(ONE, "machine.cpus=1",
			       MODEL("{\"mix\":{\"operations\":20000,\"think_ns\":1000,"
				     "\"phases\":[{\"duration_ns\":1e6,\"rate\":3},"
				     "{\"duration_ns\":1e6,\"rate\":1}]}}")));
	for (size_t i = 0; i < r.n; i++)
		if (r.event[i].ev.op == EV_ALLOC)
			n[r.event[i].start / 1000000000 % 2]++;
	assert_about(share(n[0], n[0] + n[1]), 0.75, 0.01);
	model_run_free(&r);
}

/*
 * A cache's own phases, with bursts of their own; and gaps that reach over several phases: in one
 * of twenty as long, bursts come as much more often.
 */
static void test_phases_of_a_cache(void **state)
{
	uint64_t n[2] = {0}, bursts = 0, last = 0;
	struct model_run r;

	(void)state;
	model_run(&r, SETTINGS(TWO, "machine.cpus=1",
			       MODEL("{\"mix\":{\"operations\":20000,\"think_ns\":{\"exponential\":"
				     "400000},\"caches\":[{\"name\":\"a\",\"phases\":["
				     "{\"duration_ns\":1e5,\"rate\":20,\"burst\":5},"
				     "{\"duration_ns\":19e5,\"rate\":1}]}]}}")));
	for (size_t i = 0; i < r.n; i++) {
		bool first = r.event[i].start % 2000000000 < 100000000;

		if (r.event[i].ev.op != EV_ALLOC)
			continue;
		n[!first]++;
		bursts += first && r.event[i].start > last + 1000000;
		last = r.event[i].start;
	}
	/* Twenty times as often for a nineteenth of the time, five at a time. */
	assert_about(share(n[0], n[0] + n[1]), 100.0 / 119, 0.01);
	assert_about((double)n[0] / (double)bursts, 5, 0.5);
	model_run_free(&r);
}

/* One message on the way at a time; every one is freed at the other end. */
static void test_rr(void **state)
{
	static const char *const ends[] = {"same-cpu", "apart", "other-node"};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		char text[160];
		struct model_run r;
		int live = 0;

		snprintf(
		    text, sizeof(text),
		    MODEL("{\"rr\":{\"transactions\":1000,\"connections\":3,\"ends\":\"%s\"}}"),
		    ends[i]);
		model_run(&r, SETTINGS(TWO, "machine.nodes=2", text));
		assert_int_equal(r.said, r.n);
		assert_int_equal(r.n, 1000 * 2 * 2 * 2);
		assert_int_equal(r.remote, i ? 1000 * 2 * 2 : 0);
		for (size_t e = 0; e < r.n; e++) {
			const struct event *ev = &r.event[e].ev;

			live += ev->op == EV_ALLOC ? 1 : -1;
			assert_in_range(live, 0, 3 * 2);
			if (i == 2 && ev->op == EV_FREE)
				assert_int_not_equal(ev->cpu / 4,
						     r.event[e].ev.cpu / 4 == 0 ? 2 : 3);
		}
		model_run_free(&r);
	}
}

static void test_pipe(void **state)
{
	struct model_run r;
	int64_t live = 0, most = 0;

	(void)state;
	/* The consumer is slower: the queue fills, and then the producer waits. */
	model_run(&r, SETTINGS(ONE, MODEL("{\"pipe\":{\"operations\":8000,\"pairs\":1,\"batch\":4,"
					  "\"queue\":5,\"produce_ns\":100,\"consume_ns\":300}}")));
	assert_int_equal(r.said, r.n);
	assert_int_equal(r.remote, 8000);
	for (size_t i = 0; i < r.n; i++) {
		live += r.event[i].ev.op == EV_ALLOC ? 1 : -1;
		most = live > most ? live : most;
	}
	assert_int_equal(most, 5 * 4);
	model_run_free(&r);
	model_run(&r, SETTINGS(ONE, MODEL("{\"pipe\":{\"operations\":40000,\"remote\":0.25,"
					  "\"batch\":2,\"bulk\":true}}")));
	assert_about(share(r.remote, 40000), 0.25, 0.02);
	assert_int_equal(r.event[0].ev.op, EV_ALLOC_BULK);
	assert_int_equal(r.event[0].ev.flags & EVF_MORE, EVF_MORE);
	assert_int_equal(r.event[1].ev.flags & EVF_MORE, 0);
	model_run_free(&r);
}

static void test_boom(void **state)
{
	static const char *const orders[] = {"fifo", "lifo", "random"};

	(void)state;
	for (unsigned o = 0; o < 3; o++) {
		char text[200];
		struct model_run r;
		int live = 0, most = 0, turns = 0;
		bool rising = true;
		uint32_t last = 0;
		bool in_order = true;

		snprintf(text, sizeof(text),
			 MODEL("{\"boom\":{\"peak\":100,\"trough\":10,\"cycles\":4,"
			       "\"order\":\"%s\"}}"),
			 orders[o]);
		model_run(&r, SETTINGS(ONE, "machine.cpus=1", text));
		assert_int_equal(r.said, r.n);
		assert_int_equal(model_allocs(&r, 0), 4 * 90 + 10);
		for (size_t i = 0; i < r.n; i++) {
			bool alloc = r.event[i].ev.op == EV_ALLOC;

			turns += alloc != rising;
			rising = alloc;
			live += alloc ? 1 : -1;
			most = live > most ? live : most;
			/* In the first bust the oldest object is 0, the youngest 99. */
			if (turns != 1 || alloc)
				continue;
			if (i > 100 && r.event[i].ev.object != (o == 0 ? last + 1 : last - 1))
				in_order = false;
			last = r.event[i].ev.object;
		}
		assert_int_equal(most, 100);
		assert_int_equal(turns, 7);
		assert_int_equal(in_order, o != 2);
		model_run_free(&r);
	}
}

static void test_boom_remote(void **state)
{
	struct model_run r;

	(void)state;
	model_run(&r, SETTINGS(TWO, MODEL("{\"boom\":{\"peak\":2000,\"trough\":0,\"cycles\":2,"
					  "\"remote\":0.4}}")));
	assert_int_equal(r.n, 2 * 2 * 2000 * 8);
	assert_about(share(r.remote, 2 * 2000 * 8), 0.4, 0.02);
	model_run_free(&r);
}

/*
 * Ten objects fit into the CPU's slab of 32: after the first allocation everything is on the fast
 * path. Shuffled it is the same.
 */
static void test_batch(void **state)
{
	struct model_run r;

	(void)state;
	model_run(&r, SETTINGS(ONE, MODEL("{\"batch\":{\"count\":10,\"iterations\":100,"
					  "\"shuffled\":true,\"cpu\":3}}")));
	assert_int_equal(model_stat(&r, 0, ALLOC_FASTPATH), 999);
	assert_int_equal(model_stat(&r, 0, ALLOC_SLOWPATH), 1);
	assert_int_equal(model_stat(&r, 0, FREE_FASTPATH), 1000);
	assert_int_equal(r.event[0].ev.cpu, 3);
	assert_int_equal(r.said, r.n);
	model_run_free(&r);
	/* 40 need two slabs, by calls of 16, 16 and 8; the second finds what the first left. */
	model_run(&r, SETTINGS(ONE, MODEL("{\"batch\":{\"count\":40,\"iterations\":1,"
					  "\"bulk\":16}}")));
	assert_int_equal(r.n, 80);
	assert_int_equal(model_stat(&r, 0, ALLOC_SLAB), 2);
	assert_int_equal(model_stat(&r, 0, ALLOC_SLOWPATH), 2);
	model_run_free(&r);
}

static const char slabinfo[] =
    "slabinfo - version: 2.1\n"
    "# name <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables\n"
    "dentry 900 950 192 21 1 : tunables 0 0 0 : slabdata 45 45 0\n"
    "task_struct 100 110 4096 8 8 : tunables 0 0 0 : slabdata 14 14 0\n"
    "filp 100 110 256 16 1 : tunables 0 0 0 : slabdata 7 7 0\n"
    "nothing_of_these 5 16 256 16 1 : tunables 0 0 0 : slabdata 1 1 0\n";

static void test_churn(void **state)
{
	char file[] = "/tmp/slabsim-test-XXXXXX", text[200];
	const struct result_cache *c;
	struct model_run r;
	uint64_t allocs[4] = {0};
	int fd = mkstemp(file);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, slabinfo, strlen(slabinfo)), strlen(slabinfo));
	close(fd);
	snprintf(text, sizeof(text),
		 MODEL("{\"churn\":{\"operations\":100000,\"slabinfo\":\"%s\","
		       "\"process\":{\"caches\":[\"task_struct\"]}}}"),
		 file);
	model_run(&r, SETTINGS(text));
	unlink(file);
	assert_int_equal(r.said, r.n);
	for (unsigned i = 0; i < r.res.nr_caches; i++) {
		static const char *const names[] = {"dentry", "filp", "task_struct",
						    "nothing_of_these"};

		c = &r.res.caches[i];
		for (unsigned k = 0; k < 4; k++)
			if (!strcmp(c->name, names[k]))
				allocs[k] = model_allocs(&r, i);
	}
	/* Files use nine dentries to a filp; processes the one cache they may; nobody the last. */
	assert_int_equal(allocs[0] + allocs[1] + allocs[2], 100000);
	assert_about(share(allocs[0], allocs[0] + allocs[1]), 0.9, 0.01);
	assert_true(allocs[2] > 10000);
	assert_int_equal(allocs[3], 0);
	model_run_free(&r);
}

static void test_same_seed_same_run(void **state)
{
	static const char *const models[] = {
	    MODEL("{\"open\":{\"operations\":5000,\"think_ns\":{\"exponential\":100},"
		  "\"remote\":0.5}}"),
	    MODEL("{\"mix\":{\"operations\":5000,\"lifetime_ns\":{\"exponential\":100}}}"),
	    MODEL("{\"rr\":{\"transactions\":500,\"latency_ns\":{\"exponential\":1000}}}"),
	    MODEL("{\"pipe\":{\"operations\":5000,\"remote\":0.5}}"),
	    MODEL("{\"boom\":{\"peak\":100,\"trough\":10}}"),
	    MODEL("{\"batch\":{\"count\":100,\"iterations\":10,\"shuffled\":true}}"),
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		struct model_run a, b, c;

		model_run(&a, SETTINGS(TWO, models[i], "replay.seed=1"));
		model_run(&b, SETTINGS(TWO, models[i], "replay.seed=1"));
		model_run(&c, SETTINGS(TWO, models[i], "replay.seed=2"));
		assert_int_equal(a.digest, b.digest);
		assert_int_not_equal(a.digest, c.digest);
		model_run_free(&a);
		model_run_free(&b);
		model_run_free(&c);
	}
}

static void test_refusals(void **state)
{
	static const struct {
		const char *model, *message;
	} cases[] = {
	    {"{\"open\":{\"weights\":[1]}}",
	     "workload.model.open.weights: one number for each of the 2 caches is wanted"},
	    {"{\"open\":{\"weights\":[0,0]}}", "workload.model.open.weights: no weight is above 0"},
	    {"{\"open\":{\"cpu_weights\":[]}}",
	     "workload.model.open.cpu_weights: a list of numbers >= 0, not all 0, is wanted"},
	    {"{\"mix\":{\"caches\":[{\"name\":\"c\"}]}}",
	     "workload.model.mix.caches[0].name: the name of one of the config's caches is wanted"},
	    {"{\"mix\":{\"caches\":[{\"name\":\"a\"},{\"name\":\"a\"}]}}",
	     "workload.model.mix.caches[1].name: this cache has been told of before"},
	    {"{\"mix\":{\"caches\":[{\"name\":\"a\",\"brust\":2}]}}",
	     "workload.model.mix.caches[0]: there is no key \"brust\"; did you mean \"burst\"?"},
	    {"{\"mix\":{\"phases\":[]}}",
	     "workload.model.mix.phases: a list of 1 to 64 objects is wanted"},
	    {"{\"mix\":{\"phases\":[5]}}", "workload.model.mix.phases[0]: an object is wanted"},
	    {"{\"rr\":{\"ends\":\"near\"}}",
	     "workload.model.rr.ends: one of \"same-cpu\", \"apart\", \"other-node\" is wanted"},
	    {"{\"pipe\":{\"bulk\":1}}", "workload.model.pipe.bulk: true or false is wanted"},
	    {"{\"boom\":{\"peak\":5,\"trough\":5}}",
	     "workload.model.boom.trough: it must be below peak, 5"},
	    {"{\"batch\":{\"cpu\":8}}", "workload.model.batch.cpu: a number from 0 to 7 is wanted"},
	    {"{\"churn\":{}}", "workload.model.churn.file.caches: no cache belongs to files or "
			       "processes"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[200];

		snprintf(text, sizeof(text), "workload.model=%s", cases[i].model);
		assert_string_equal(model_refused(SETTINGS(TWO, text)), cases[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_open),
	    cmocka_unit_test(test_open_nodes),
	    cmocka_unit_test(test_bursts),
	    cmocka_unit_test(test_mix),
	    cmocka_unit_test(test_sessions),
	    cmocka_unit_test(test_phases),
	    cmocka_unit_test(test_phases_of_a_cache),
	    cmocka_unit_test(test_rr),
	    cmocka_unit_test(test_pipe),
	    cmocka_unit_test(test_boom),
	    cmocka_unit_test(test_boom_remote),
	    cmocka_unit_test(test_batch),
	    cmocka_unit_test(test_churn),
	    cmocka_unit_test(test_same_seed_same_run),
	    cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
