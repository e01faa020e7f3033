/* The scheduler of closed models, rule by rule, with tasks moved by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "workloads/sched-internal.h"

#define MS UINT64_C(1000000000) /* ps */

static const struct sched_params params = {
    .latency = 24 * MS,
    .min_granularity = 3 * MS,
    .wakeup_granularity = 4 * MS,
    .migration_cost = MS / 2,
    .tick = 4 * MS,
    .llc_cpus = 1,
};

static void start(struct sched *s, unsigned cpus, uint32_t tasks, const struct sched_params *p)
{
	struct error err = {0};

	assert_int_equal(sched_init(s, cpus, tasks, p, &err), 0);
}

/* A task that is awake on cpu. */
static void awake(struct sched *s, uint32_t task, unsigned cpu, uint64_t now)
{
	sched_new(s, task, cpu, now);
	assert_true(sched_wake(s, task, cpu, TASK_NONE, false, now));
}

static uint32_t pick(struct sched *s, unsigned cpu, uint64_t now)
{
	bool switched;

	return sched_pick(s, cpu, now, &switched);
}

/* Let every CPU's tasks run from begin to end. */
static void run_all(struct sched *s, uint64_t begin, uint64_t end)
{
	for (uint64_t now = begin; now < end; now += MS)
		for (unsigned cpu = 0; cpu < s->cpus; cpu++)
			pick(s, cpu, now);
}

static void test_fair(void **state)
{
	struct sched s;
	uint64_t ran[3] = {0};

	(void)state;
	start(&s, 1, 3, &params);
	for (uint32_t i = 0; i < 3; i++)
		awake(&s, i, 0, 0);
	for (uint64_t now = 0; now < 6000 * MS; now += MS / 10)
		ran[pick(&s, 0, now)] += MS / 10;
	/* Equal, but for a slice of 8 ms, and the tick that ends it. */
	for (int i = 0; i < 3; i++)
		assert_in_range(ran[i], 2000 * MS - 12 * MS, 2000 * MS + 12 * MS);
	sched_free(&s);
}

/* Two tasks get 12 ms each, four get 6: the tick of 4 ms makes that 16 and 8. */
static void test_slices_end_at_ticks(void **state)
{
	static const struct {
		uint32_t tasks;
		uint64_t slice;
	} cases[] = {{2, 16 * MS}, {4, 8 * MS}, {12, 4 * MS}};

	(void)state;
	for (unsigned c = 0; c < 3; c++) {
		uint64_t since = 0, now = 0;
		unsigned slices = 0;
		struct sched s;

		start(&s, 1, cases[c].tasks, &params);
		for (uint32_t i = 0; i < cases[c].tasks; i++)
			awake(&s, i, 0, 0);
		for (uint32_t was = pick(&s, 0, 0); slices < 20; now += MS / 100) {
			uint32_t is = pick(&s, 0, now);

			if (is == was)
				continue;
			/* The first slices even out where the tasks began. */
			if (slices++ > 4)
				assert_int_equal(now - since, cases[c].slice);
			since = now;
			was = is;
		}
		sched_free(&s);
	}
}

static void test_sleeper_is_placed_half_a_latency_ahead(void **state)
{
	struct sched s;

	(void)state;
	start(&s, 1, 2, &params);
	awake(&s, 0, 0, 0);
	awake(&s, 1, 0, 0);
	pick(&s, 0, 0);
	/* One of them sleeps for long while the other runs. */
	sched_block(&s, 0, MS, false);
	for (uint64_t now = MS; now < 500 * MS; now += MS)
		pick(&s, 0, now);
	assert_true(sched_wake(&s, 0, 0, 1, true, 500 * MS));
	assert_int_equal(s.task[0].vruntime, s.rq[0].min_vruntime - 12 * MS);
	/* That is more than the wake-up granularity. */
	assert_int_equal(pick(&s, 0, 500 * MS), 0);
	sched_free(&s);
}

static void test_short_sleeper_does_not_preempt(void **state)
{
	struct sched s;
	uint32_t was;

	(void)state;
	start(&s, 1, 2, &params);
	awake(&s, 0, 0, 0);
	awake(&s, 1, 0, 0);
	assert_int_equal(pick(&s, 0, 0), 0);
	sched_block(&s, 0, 6 * MS, false);
	assert_int_equal(pick(&s, 0, 6 * MS), 1);
	/* It has had 6 ms, the other one 3: it is not 4 ms ahead. */
	assert_true(sched_wake(&s, 0, 0, 1, true, 9 * MS));
	was = pick(&s, 0, 9 * MS + 1);
	assert_int_equal(was, 1);
	sched_free(&s);
}

static void test_wake_is_for_sleepers(void **state)
{
	struct sched s;

	(void)state;
	start(&s, 1, 2, &params);
	awake(&s, 0, 0, 0);
	assert_false(sched_wake(&s, 0, 0, TASK_NONE, true, 0));
	pick(&s, 0, 0);
	assert_false(sched_wake(&s, 0, 0, TASK_NONE, true, 0));
	sched_block(&s, 0, MS, true);
	assert_false(sched_wake(&s, 0, 0, TASK_NONE, true, MS));
	assert_int_equal(pick(&s, 0, MS), TASK_NONE);
	sched_free(&s);
}

/* Who was preempted goes on when the one who did it sleeps, before all who wait. */
static void test_last_buddy(void **state)
{
	struct sched s;
	uint32_t running;
	uint64_t now = 0;

	(void)state;
	start(&s, 1, 12, &params);
	for (uint32_t i = 0; i < 12; i++)
		awake(&s, i, 0, 0);
	/* Task 0 sleeps while the others take turns. */
	assert_int_equal(pick(&s, 0, 0), 0);
	sched_block(&s, 0, MS / 100, false);
	for (; now < 400 * MS; now += MS / 10)
		running = pick(&s, 0, now);
	/* In the middle of somebody's slice. */
	while (pick(&s, 0, now) == running)
		now += MS / 10;
	running = pick(&s, 0, now + MS / 10);
	assert_true(sched_wake(&s, 0, 0, running, true, now + MS / 5));
	assert_int_equal(pick(&s, 0, now + MS / 5), 0);
	sched_block(&s, 0, now + MS / 4, false);
	assert_int_equal(pick(&s, 0, now + MS / 4), running);
	sched_free(&s);
}

/* Of those with the same virtual runtime the one that was woken first, whatever its number. */
static void test_equals_take_turns(void **state)
{
	static const uint32_t order[] = {2, 0, 3, 1};
	struct sched s;

	(void)state;
	start(&s, 1, 4, &params);
	for (uint32_t i = 0; i < 4; i++)
		sched_new(&s, i, 0, 0);
	for (uint32_t i = 0; i < 4; i++)
		sched_wake(&s, order[i], 0, TASK_NONE, false, 0);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(s.task[order[i]].vruntime, s.task[0].vruntime);
		assert_int_equal(pick(&s, 0, 0), order[i]);
		sched_block(&s, 0, 0, false);
	}
	sched_free(&s);
}

/* Who preempts is next, even if another one has had a little less. */
static void test_next_buddy(void **state)
{
	struct sched s;

	(void)state;
	start(&s, 1, 3, &params);
	for (uint32_t i = 0; i < 3; i++)
		sched_new(&s, i, 0, 0);
	for (uint32_t i = 0; i < 3; i++)
		sched_wake(&s, i, 0, TASK_NONE, false, 0);
	/* Task 0 has had 1 ms, task 1 7.5 and more, task 2 nothing. */
	assert_int_equal(pick(&s, 0, 0), 0);
	sched_block(&s, 0, MS, false);
	assert_int_equal(pick(&s, 0, MS), 1);
	assert_true(sched_wake(&s, 0, 0, 1, true, 17 * MS / 2));
	assert_true(s.task[2].vruntime < s.task[0].vruntime);
	assert_int_equal(pick(&s, 0, 17 * MS / 2), 0);
	sched_free(&s);
}

/* A CPU that has been woken soon after it fell idle, again and again, pulls nothing any more. */
static void test_short_idling_pulls_nothing(void **state)
{
	struct sched s;
	uint64_t now = MS;

	(void)state;
	start(&s, 2, 4, &params);
	awake(&s, 0, 0, 0);
	awake(&s, 1, 0, 0);
	awake(&s, 3, 1, 0);
	pick(&s, 0, 0);
	assert_int_equal(pick(&s, 1, 0), 3);
	for (int i = 0; i < 20; i++) {
		sched_block(&s, 1, now, false);
		/* Task 1 has just run; from the sixth time or so on it is not even looked at. */
		s.task[1].ran = i < 19 ? now : 0;
		assert_int_equal(pick(&s, 1, now), TASK_NONE);
		assert_true(sched_wake(&s, 3, 0, TASK_NONE, false, now + MS / 100));
		assert_int_equal(pick(&s, 1, now + MS / 100), 3);
		now += MS / 10;
	}
	sched_free(&s);
}

static void test_idle_cpu_pulls_the_coldest(void **state)
{
	struct sched s;

	(void)state;
	start(&s, 2, 3, &params);
	for (uint32_t i = 0; i < 3; i++)
		awake(&s, i, 0, 0);
	while (sched_started(&s) >= 0)
		;
	/* 0 runs, then 1; both have just run when CPU 1 looks. */
	assert_int_equal(pick(&s, 0, 0), 0);
	sched_block(&s, 0, MS, false);
	assert_int_equal(pick(&s, 0, MS), 1);
	assert_true(sched_wake(&s, 0, 0, 1, false, MS));
	assert_int_equal(pick(&s, 1, MS + 1), 2);
	assert_int_equal(s.task[2].cpu, 1);
	/* What ran less than the migration cost ago stays. */
	sched_block(&s, 1, MS + 2, true);
	assert_int_equal(pick(&s, 1, MS + 2), TASK_NONE);
	assert_int_equal(pick(&s, 1, MS + MS / 2 + 1), 0);
	sched_free(&s);
}

/* Of those that may be moved it is who was woken, or ran, longest ago, not who has slept longest.
 */
static void test_balancing_takes_who_has_waited_longest(void **state)
{
	struct sched_params p = params;
	struct sched s;

	(void)state;
	p.tick = 0;
	start(&s, 2, 3, &p);
	awake(&s, 0, 0, 0);
	sched_new(&s, 1, 0, 0);
	sched_new(&s, 2, 0, 0);
	assert_int_equal(pick(&s, 0, MS), 0);
	assert_true(sched_wake(&s, 1, 0, TASK_NONE, false, 2 * MS));
	sched_block(&s, 0, 3 * MS, false);
	assert_int_equal(pick(&s, 0, 3 * MS), 1);
	/* 1 has run until 5 and waits from then on; 2, which never ran, is woken at 6. */
	assert_true(sched_wake(&s, 0, 0, TASK_NONE, false, 5 * MS));
	s.rq[0].resched = true;
	s.rq[0].next = 0;
	assert_int_equal(pick(&s, 0, 5 * MS), 0);
	assert_true(sched_wake(&s, 2, 0, TASK_NONE, false, 6 * MS));
	assert_int_equal(pick(&s, 1, 8 * MS), 1);
	sched_free(&s);
}

/* What has just run is moved, too, once balancing has failed twice. */
static void test_failed_balancing_moves_hot_tasks(void **state)
{
	struct sched_params p = params;
	struct sched s;

	(void)state;
	p.balance = 8 * MS;
	start(&s, 2, 8, &p);
	for (uint32_t i = 0; i < 8; i++)
		awake(&s, i, i == 0, 0);
	for (uint64_t now = 0; now <= 28 * MS; now += 4 * MS) {
		/* A tick comes on CPU 1; there is load to move, but all of it has just run. */
		run_all(&s, now, now + 1);
		for (uint32_t i = 1; i < 8; i++)
			s.task[i].ran = now + 4 * MS;
		assert_int_equal(sched_nr_running(&s.rq[1]), now < 24 * MS ? 1 : 4);
	}
	sched_free(&s);
}

/* A CPU that had nothing to even out looks half as often. */
static void test_balanced_cpus_look_less_often(void **state)
{
	struct sched_params p = params;
	struct sched s;

	(void)state;
	p.balance = 8 * MS;
	start(&s, 2, 4, &p);
	for (uint32_t i = 0; i < 4; i++)
		awake(&s, i, i % 2, 0);
	run_all(&s, 0, 9 * MS);
	assert_int_equal(s.rq[0].next_balance, 24 * MS);
	sched_free(&s);
}

static void test_idle_cpu_is_started(void **state)
{
	struct sched_params p = params;
	struct sched s;

	(void)state;
	p.llc_cpus = 4;
	start(&s, 4, 3, &p);
	awake(&s, 0, 0, 0);
	assert_int_equal(sched_started(&s), 0);
	assert_int_equal(sched_started(&s), -1);
	pick(&s, 0, 0);
	/* CPU 0 is busy: an idle sibling takes the next one. */
	sched_new(&s, 1, 0, 0);
	assert_true(sched_wake(&s, 1, 0, 0, true, 0));
	assert_int_equal(s.task[1].cpu, 1);
	assert_int_equal(sched_started(&s), 1);
	sched_free(&s);

	/* Without a shared cache nobody looks for one. */
	start(&s, 4, 2, &params);
	awake(&s, 0, 0, 0);
	pick(&s, 0, 0);
	sched_new(&s, 1, 0, 0);
	assert_true(sched_wake(&s, 1, 0, 0, true, 0));
	assert_int_equal(s.task[1].cpu, 0);
	sched_free(&s);
}

/* A busy CPU's tick sends an idle one for its waiting task. */
static void test_idle_balancing(void **state)
{
	struct sched s;

	(void)state;
	start(&s, 2, 2, &params);
	awake(&s, 0, 0, 0);
	awake(&s, 1, 0, 0);
	while (sched_started(&s) >= 0)
		;
	pick(&s, 0, 0);
	pick(&s, 0, 2 * MS);
	assert_int_equal(sched_started(&s), -1);
	pick(&s, 0, 4 * MS);
	assert_int_equal(sched_started(&s), 1);
	assert_int_equal(pick(&s, 1, 4 * MS), 1);
	sched_free(&s);
}

/* The waker's CPU when that has less to do, the previous one when not. */
static void test_affine_wakeup(void **state)
{
	struct sched s;
	uint32_t waker;

	(void)state;
	start(&s, 2, 7, &params);
	awake(&s, 0, 0, 0);
	awake(&s, 1, 0, 0);
	awake(&s, 2, 1, 0);
	awake(&s, 3, 1, 0);
	awake(&s, 4, 1, 0);
	awake(&s, 6, 1, 0);
	sched_new(&s, 5, 1, 0);
	run_all(&s, 0, 200 * MS);
	waker = s.rq[0].current;
	assert_true(sched_wake(&s, 5, 0, waker, true, 200 * MS));
	assert_int_equal(s.task[5].cpu, 0);
	/* Now the other way: CPU 1 wakes, and has more to do. */
	while (s.rq[0].current != 5)
		run_all(&s, 200 * MS, 300 * MS);
	sched_block(&s, 0, 300 * MS, false);
	run_all(&s, 300 * MS, 500 * MS);
	assert_true(sched_wake(&s, 5, 1, s.rq[1].current, true, 500 * MS));
	assert_int_equal(s.task[5].cpu, 0);
	sched_free(&s);
}

/* Who wakes many different ones, which wake others, too, does not draw them to its CPU. */
static void test_wide_wakeup(void **state)
{
	struct sched s;

	(void)state;
	start(&s, 2, 5, &params);
	awake(&s, 0, 0, 0);
	awake(&s, 2, 1, 0);
	awake(&s, 3, 1, 0);
	awake(&s, 4, 1, 0);
	sched_new(&s, 1, 1, 0);
	run_all(&s, 0, 100 * MS);
	s.task[0].wakee_flips = 5;
	s.task[1].wakee_flips = 1;
	assert_true(sched_wake(&s, 1, 0, 0, true, 100 * MS));
	assert_int_equal(s.task[1].cpu, 1);
	sched_free(&s);
}

static void test_wakee_flips(void **state)
{
	struct sched s;

	(void)state;
	start(&s, 1, 3, &params);
	awake(&s, 0, 0, 0);
	pick(&s, 0, 0);
	for (int i = 0; i < 4; i++) {
		for (uint32_t task = 1; task < 3; task++) {
			sched_new(&s, task, 0, 0);
			assert_true(sched_wake(&s, task, 0, 0, true, MS));
			sched_dequeue(&s, task, MS);
		}
	}
	assert_int_equal(s.task[0].wakee_flips, 8);
	/* The same again is none; after a second they are halved. */
	sched_new(&s, 2, 0, 0);
	assert_true(sched_wake(&s, 2, 0, 0, true, 1002 * MS));
	assert_int_equal(s.task[0].wakee_flips, 4);
	sched_free(&s);
}

static void test_load_average(void **state)
{
	/* 32 periods of 1024 * 1024 ns */
	const uint64_t half = 32 * UINT64_C(1024) * 1024 * 1000;
	struct load_avg l = {0};
	struct sched s;

	(void)state;
	start(&s, 1, 1, &params);
	sched_load_update(&s, &l, 1, half);
	assert_in_range(l.avg, LOAD_ONE / 2 - 2, LOAD_ONE / 2 + 2);
	sched_load_update(&s, &l, 1, 2 * half);
	assert_in_range(l.avg, LOAD_ONE * 3 / 4 - 4, LOAD_ONE * 3 / 4 + 4);
	sched_load_update(&s, &l, 0, 3 * half);
	assert_in_range(l.avg, LOAD_ONE * 3 / 8 - 4, LOAD_ONE * 3 / 8 + 4);
	/* Many small steps make one large one, but for the roundings. */
	l = (struct load_avg){0};
	for (uint64_t i = 1; i <= 1000; i++)
		sched_load_update(&s, &l, 3, i * half / 1000);
	assert_in_range(l.avg, LOAD_ONE * 3 / 2 - 2000, LOAD_ONE * 3 / 2 + 2000);
	sched_load_update(&s, &l, 0, 1000 * half);
	assert_int_equal(l.avg, 0);
	sched_free(&s);
}

static void test_balancing(void **state)
{
	struct sched_params p = params;
	struct sched s;

	(void)state;
	p.balance = 100 * MS;
	start(&s, 2, 20, &p);
	for (uint32_t i = 0; i < 20; i++)
		awake(&s, i, i < 4, 0);
	run_all(&s, 0, 3000 * MS);
	assert_in_range(sched_nr_running(&s.rq[0]), 9, 11);
	assert_int_equal(sched_nr_running(&s.rq[0]) + sched_nr_running(&s.rq[1]), 20);
	sched_free(&s);
}

/* Whatever happens, each task is where it says, and no one who wants to run waits for ever. */
static void test_nobody_is_lost(void **state)
{
	enum { CPUS = 4, TASKS = 40 };
	struct sched_params p = params;
	uint64_t ran[TASKS] = {0}, woken[TASKS] = {0};
	uint32_t random = 1;
	struct sched s;

	(void)state;
	p.balance = 64 * MS;
	p.llc_cpus = 2;
	start(&s, CPUS, TASKS, &p);
	for (uint32_t i = 0; i < TASKS; i++)
		awake(&s, i, i % CPUS, 0);
	for (uint64_t now = 0; now < 20000 * MS; now += MS) {
		for (unsigned cpu = 0; cpu < CPUS; cpu++) {
			uint32_t task = pick(&s, cpu, now), other;

			if (task == TASK_NONE)
				continue;
			ran[task] = now;
			random = random * 1664525 + 1013904223;
			other = (random >> 16) % TASKS;
			if (random >> 30 == 0)
				sched_block(&s, cpu, now + MS / 2, false);
			else if (sched_wake(&s, other, cpu, task, true, now + MS / 2))
				woken[other] = now;
		}
		while (sched_started(&s) >= 0)
			;
	}
	for (uint32_t i = 0; i < TASKS; i++) {
		const struct task *t = &s.task[i];

		if (t->state == TASK_RUNNABLE) {
			assert_int_equal(s.rq[t->cpu].queue[t->at], i);
			assert_in_range(20000 * MS - (ran[i] > woken[i] ? ran[i] : woken[i]), 0,
					2000 * MS);
		} else if (t->state == TASK_RUNNING) {
			assert_int_equal(s.rq[t->cpu].current, i);
		}
	}
	assert_true(s.migrations > 0);
	sched_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_fair),
	    cmocka_unit_test(test_slices_end_at_ticks),
	    cmocka_unit_test(test_sleeper_is_placed_half_a_latency_ahead),
	    cmocka_unit_test(test_short_sleeper_does_not_preempt),
	    cmocka_unit_test(test_wake_is_for_sleepers),
	    cmocka_unit_test(test_last_buddy),
	    cmocka_unit_test(test_equals_take_turns),
	    cmocka_unit_test(test_next_buddy),
	    cmocka_unit_test(test_short_idling_pulls_nothing),
	    cmocka_unit_test(test_idle_cpu_pulls_the_coldest),
	    cmocka_unit_test(test_balancing_takes_who_has_waited_longest),
	    cmocka_unit_test(test_failed_balancing_moves_hot_tasks),
	    cmocka_unit_test(test_balanced_cpus_look_less_often),
	    cmocka_unit_test(test_idle_cpu_is_started),
	    cmocka_unit_test(test_idle_balancing),
	    cmocka_unit_test(test_affine_wakeup),
	    cmocka_unit_test(test_wide_wakeup),
	    cmocka_unit_test(test_wakee_flips),
	    cmocka_unit_test(test_load_average),
	    cmocka_unit_test(test_balancing),
	    cmocka_unit_test(test_nobody_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
