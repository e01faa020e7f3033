/* The hackbench model: what must hold of every run, whatever the figures. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/model_fixture.h"

#define CACHES                                                                                     \
	"caches=[{\"name\":\"head\",\"object_size\":216,\"hwcache_align\":true},"                  \
	"{\"name\":\"data\",\"object_size\":512}]"

/* hackbench with these parameters; whose objects are all freed again is the fixture's to check. */
static void hackbench(struct model_run *r, const char *params, const char *machine,
		      const char *policy, unsigned seed)
{
	char model[512], seeding[32];

	snprintf(model, sizeof(model), "workload.model={\"hackbench\":{%s}}", params);
	snprintf(seeding, sizeof(seeding), "replay.seed=%u", seed);
	model_run(r, SETTINGS(CACHES, machine, policy, model, seeding));
}

#define LINUX_5_15 "policy.preset=linux-5.15"

/* One head and one data a message, allocated by one CPU in one go, freed by another likewise. */
static void test_messages(void **state)
{
	struct model_run r;

	(void)state;
	hackbench(&r, "\"groups\":2,\"fan\":3,\"loops\":50", "machine.cpus=4", LINUX_5_15, 1);
	assert_int_equal(model_allocs(&r, 0), 2 * 3 * 3 * 50);
	assert_int_equal(model_allocs(&r, 1), 2 * 3 * 3 * 50);
	assert_int_equal(r.n, 4 * 2 * 3 * 3 * 50);
	assert_int_equal(r.said, r.n);
	for (size_t i = 0; i < r.n; i += 2) {
		const struct event *a = &r.event[i].ev, *b = &r.event[i + 1].ev;

		assert_int_equal(a->cpu, b->cpu);
		assert_int_equal(a->op, b->op);
		assert_int_equal(r.event[i].start, r.event[i + 1].start);
		/* The head first; freed, the data first. */
		assert_int_equal(a->cache, a->op == EV_FREE);
		assert_int_equal(b->cache, a->op == EV_ALLOC);
	}
	model_run_free(&r);
}

/* Nothing live; every slab is empty or a CPU's, and the node keeps no more than min_partial. */
static void test_end_state(void **state)
{
	static const char *const policies[] = {
	    "policy={\"preset\":\"linux-5.15\",\"cpu_partial\":13}",
	    "policy={\"preset\":\"linux-6.1\",\"cpu_partial\":13}",
	    "policy={\"preset\":\"linux-6.1\",\"cpu_partial\":52}",
	};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct result_cache *c;
		struct model_run r;

		hackbench(&r, "\"groups\":4,\"loops\":30", "machine.cpus=8", policies[i], 1);
		for (unsigned cache = 0; cache < 2; cache++) {
			c = &r.res.caches[cache];
			assert_true(c->state.slabs > 8);
			assert_int_equal(c->state.slabs, c->state.cpu_slabs + c->state.partial);
			assert_true(c->state.partial <= c->min_partial);
			assert_int_equal(c->state.objects_partial, 0);
			assert_int_equal(c->stat[ALLOC_SLAB] - c->stat[FREE_SLAB], c->state.slabs);
		}
		model_run_free(&r);
	}
}

/* Whoever sleeps is woken: every combination comes to its end. */
static void test_no_lost_wakeup(void **state)
{
	static const char *const params[] = {
	    "\"groups\":1,\"fan\":1,\"loops\":20",
	    /* One message fits into a socket: everybody waits for everybody. */
	    "\"groups\":3,\"fan\":5,\"loops\":20,\"sndbuf\":1",
	    "\"groups\":3,\"fan\":5,\"loops\":20,\"sndbuf\":1600",
	    "\"groups\":2,\"fan\":10,\"loops\":40,\"llc_cpus\":1,\"hz\":1000",
	    "\"groups\":2,\"fan\":10,\"loops\":40,\"llc_cpus\":2,\"host_cpus\":1",
	    "\"groups\":2,\"fan\":10,\"loops\":40,\"host_cpus\":2,\"host_slice_ns\":10000,"
	    "\"slowdown\":5",
	    "\"groups\":3,\"fan\":4,\"loops\":30,\"switch_ns\":0,\"wake_ns\":0,\"idle_ns\":0,"
	    "\"jitter\":0",
	    "\"groups\":2,\"fan\":4,\"loops\":30,\"write_ns\":0,\"read_ns\":0,\"switch_ns\":0,"
	    "\"wake_ns\":0,\"idle_ns\":0",
	    "\"groups\":2,\"fan\":4,\"loops\":300,\"sched_balance_ns\":100000,"
	    "\"sched_min_granularity_ns\":1000,\"sched_latency_ns\":2000,\"hz\":100000",
	};
	static const char *const machines[] = {"machine.cpus=1", "machine.cpus=2",
					       "machine.cpus=7"};

	(void)state;
	for (unsigned i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		for (unsigned m = 0; m < 3; m++) {
			struct model_run r;

			hackbench(&r, params[i], machines[m], LINUX_5_15, 3);
			assert_int_equal(r.said, r.n);
			model_run_free(&r);
		}
}

/* Of each receiver no more messages are there than its socket has room for. */
static void test_sockets_are_limited(void **state)
{
	struct model_run r;
	int64_t live = 0, most = 0;

	(void)state;
	/* Two receivers, 1000 bytes: two messages of 768 begin before that is reached. */
	hackbench(&r, "\"groups\":1,\"fan\":2,\"loops\":500,\"sndbuf\":1000,\"truesize\":768",
		  "machine.cpus=4", LINUX_5_15, 1);
	for (size_t i = 0; i < r.n; i++) {
		if (r.event[i].ev.cache)
			continue;
		live += r.event[i].ev.op == EV_ALLOC ? 1 : -1;
		most = live > most ? live : most;
	}
	assert_int_equal(most, 2 * 2);
	model_run_free(&r);
}

static void test_same_seed_same_run(void **state)
{
	struct model_run a, b, other;

	(void)state;
	hackbench(&a, "\"groups\":2,\"loops\":20", "machine.cpus=8", LINUX_5_15, 5);
	hackbench(&b, "\"groups\":2,\"loops\":20", "machine.cpus=8", LINUX_5_15, 5);
	hackbench(&other, "\"groups\":2,\"loops\":20", "machine.cpus=8", LINUX_5_15, 6);
	assert_int_equal(a.digest, b.digest);
	assert_int_not_equal(a.digest, other.digest);
	model_run_free(&a);
	model_run_free(&b);
	model_run_free(&other);
}

/* The second run begins when the first one has ended. */
static void test_runs_follow_each_other(void **state)
{
	struct model_run one, two;

	(void)state;
	hackbench(&one, "\"groups\":2,\"loops\":40", "machine.cpus=4", LINUX_5_15, 1);
	hackbench(&two, "\"groups\":2,\"loops\":40,\"runs\":2", "machine.cpus=4", LINUX_5_15, 1);
	assert_int_equal(model_allocs(&two, 0), 2 * model_allocs(&one, 0));
	assert_int_equal(two.said, 2 * one.said);
	for (size_t i = 0; i < one.n; i++)
		assert_memory_equal(&one.event[i].ev, &two.event[i].ev, sizeof(struct event));
	model_run_free(&one);
	model_run_free(&two);
}

/* A policy that makes operations dearer changes who runs when: the load is closed. */
static void test_closed(void **state)
{
	struct model_run a, b;

	(void)state;
	hackbench(&a, "\"groups\":2,\"loops\":20", "machine.cpus=8", LINUX_5_15, 1);
	hackbench(&b, "\"groups\":2,\"loops\":20",
		  "machine={\"cpus\":8,\"costs\":{\"alloc_fastpath\":500}}", LINUX_5_15, 1);
	assert_int_not_equal(a.digest, b.digest);
	assert_true(b.res.timing->end > a.res.timing->end);
	model_run_free(&a);
	model_run_free(&b);
}

/* Twice as slow, everything takes about twice as long. */
static void test_slowdown(void **state)
{
	struct model_run a, b;

	(void)state;
	hackbench(&a, "\"groups\":2,\"loops\":60", "machine.cpus=4", LINUX_5_15, 1);
	hackbench(&b, "\"groups\":2,\"loops\":60,\"slowdown\":2", "machine.cpus=4", LINUX_5_15, 1);
	assert_in_range(b.res.timing->end * 100 / a.res.timing->end, 185, 215);
	/* With half as many CPUs of the host as of the guest, too. */
	model_run_free(&b);
	hackbench(&b, "\"groups\":2,\"loops\":60,\"host_cpus\":2", "machine.cpus=4", LINUX_5_15, 1);
	assert_in_range(b.res.timing->end * 100 / a.res.timing->end, 190, 280);
	model_run_free(&a);
	model_run_free(&b);
}

/* The counters of three runs with different seeds, together. */
static void sum_of_runs(const char *params, double sum[NR_STAT_ITEMS])
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		struct model_run r;

		hackbench(&r, params, "machine.cpus=8", LINUX_5_15, seed);
		for (unsigned i = 0; i < NR_STAT_ITEMS; i++)
			sum[i] += (double)r.res.caches[0].stat[i];
		model_run_free(&r);
	}
}

/*
 * A tenth of the loops has the same shares, once they are many more than what the sockets hold:
 * those here hold eight messages. free_fastpath of a single run is off by 2 % either way.
 */
static void test_scale(void **state)
{
	static const enum stat_item items[] = {ALLOC_FASTPATH, ALLOC_SLOWPATH, ALLOC_REFILL,
					       FREE_FASTPATH,  FREE_SLOWPATH,  FREE_FROZEN};
	double few[NR_STAT_ITEMS] = {0}, many[NR_STAT_ITEMS] = {0};

	(void)state;
	sum_of_runs("\"groups\":4,\"fan\":5,\"loops\":3000,\"sndbuf\":6144", few);
	sum_of_runs("\"groups\":4,\"fan\":5,\"loops\":30000,\"sndbuf\":6144", many);
	for (unsigned i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		if (fabs(10 * few[items[i]] / many[items[i]] - 1) > 0.03)
			fail_msg("%s: %g and %g", stat_name(items[i]), few[items[i]],
				 many[items[i]]);
	}
}

static void test_refusals(void **state)
{
	(void)state;
	assert_string_equal(
	    model_refused(SETTINGS(CACHES, "workload.model={\"hackbench\":{\"gruops\":2}}")),
	    "workload.model.hackbench: there is no key \"gruops\"; did you mean \"groups\"?");
	assert_string_equal(
	    model_refused(SETTINGS(CACHES, "workload.model={\"hackbench\":{\"fan\":0}}")),
	    "workload.model.hackbench.fan: a number from 1 to 200 is wanted");
	assert_string_equal(
	    model_refused(SETTINGS(CACHES, "workload.model={\"hackbench\":{\"hz\":1e6}}")),
	    "workload.model.hackbench.hz: a context switch must take less than half a tick");
	assert_string_equal(
	    model_refused(SETTINGS(CACHES, "workload.model={\"hackbnech\":{}}")),
	    "workload.model: there is no model \"hackbnech\"; did you mean \"hackbench\"?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_messages),
	    cmocka_unit_test(test_end_state),
	    cmocka_unit_test(test_no_lost_wakeup),
	    cmocka_unit_test(test_sockets_are_limited),
	    cmocka_unit_test(test_same_seed_same_run),
	    cmocka_unit_test(test_runs_follow_each_other),
	    cmocka_unit_test(test_closed),
	    cmocka_unit_test(test_slowdown),
	    cmocka_unit_test(test_scale),
	    cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
