#include "workloads/sched.h"

#include <stdlib.h>

#include "workloads/sched-internal.h"

int sched_init(struct sched *s, unsigned cpus, uint32_t nr_tasks, const struct sched_params *p,
	       struct error *err)
{
	*s = (struct sched){.p = *p, .nr_tasks = nr_tasks, .cpus = cpus};
	s->task = calloc(nr_tasks, sizeof(*s->task));
	s->rq = calloc(cpus, sizeof(*s->rq));
	s->started = calloc(cpus, sizeof(*s->started));
	s->decay = sched_decay_table();
	for (unsigned cpu = 0; s->rq && cpu < cpus; cpu++) {
		s->rq[cpu].current = s->rq[cpu].next = s->rq[cpu].last = TASK_NONE;
		s->rq[cpu].next_balance = s->rq[cpu].interval = p->balance;
		s->rq[cpu].avg_idle = 2 * p->migration_cost;
		s->rq[cpu].queue = calloc(nr_tasks, sizeof(*s->rq[cpu].queue));
		if (!s->rq[cpu].queue)
			return error_memory(err, "run queues");
	}
	return s->task && s->rq && s->started && s->decay ? 0 : error_memory(err, "run queues");
}

void sched_free(struct sched *s)
{
	for (unsigned cpu = 0; s->rq && cpu < s->cpus; cpu++)
		free(s->rq[cpu].queue);
	free(s->rq);
	free(s->task);
	free(s->started);
	free(s->decay);
}

/* ---- the queue: a heap by vruntime ---- */

static bool before(const struct sched *s, uint32_t a, uint32_t b)
{
	const struct task *x = &s->task[a], *y = &s->task[b];

	/* Of equals the one that came first, as in the kernel's tree. */
	return x->vruntime != y->vruntime ? x->vruntime < y->vruntime : x->queued < y->queued;
}

static void put(struct sched *s, struct runqueue *rq, uint32_t i, uint32_t task)
{
	rq->queue[i] = task;
	s->task[task].at = i;
}

static void sift_up(struct sched *s, struct runqueue *rq, uint32_t i, uint32_t task)
{
	for (; i > 0 && before(s, task, rq->queue[(i - 1) / 2]); i = (i - 1) / 2)
		put(s, rq, i, rq->queue[(i - 1) / 2]);
	put(s, rq, i, task);
}

static void sift_down(struct sched *s, struct runqueue *rq, uint32_t i, uint32_t task)
{
	uint32_t child;

	while ((child = 2 * i + 1) < rq->n) {
		if (child + 1 < rq->n && before(s, rq->queue[child + 1], rq->queue[child]))
			child++;
		if (!before(s, rq->queue[child], task))
			break;
		put(s, rq, i, rq->queue[child]);
		i = child;
	}
	put(s, rq, i, task);
}

static void push(struct sched *s, struct runqueue *rq, uint32_t task)
{
	s->task[task].state = TASK_RUNNABLE;
	s->task[task].queued = s->queued++;
	sift_up(s, rq, rq->n++, task);
}

static void heap_remove(struct sched *s, struct runqueue *rq, uint32_t i)
{
	uint32_t moved = rq->queue[--rq->n];

	if (i == rq->n)
		return;
	if (i > 0 && before(s, moved, rq->queue[(i - 1) / 2]))
		sift_up(s, rq, i, moved);
	else
		sift_down(s, rq, i, moved);
}

/* clear_buddies() */
static void forget_buddy(struct runqueue *rq, uint32_t task)
{
	if (rq->next == task)
		rq->next = TASK_NONE;
	if (rq->last == task)
		rq->last = TASK_NONE;
}

/* The number of tasks is about to change: what it was is accounted first. */
static void update_loads(struct sched *s, unsigned cpu, uint32_t task, uint64_t now)
{
	sched_cpu_load(s, cpu, now);
	sched_task_load(s, task, now);
}

void sched_list(struct sched *s, uint32_t task)
{
	s->task[task].listed = s->listed++;
}

void sched_enqueue(struct sched *s, unsigned cpu, uint32_t task, uint64_t now)
{
	struct runqueue *rq = &s->rq[cpu];

	update_loads(s, cpu, task, now);
	sched_list(s, task);
	push(s, rq, task);
}

void sched_dequeue(struct sched *s, uint32_t task, uint64_t now)
{
	struct runqueue *rq = &s->rq[s->task[task].cpu];

	update_loads(s, s->task[task].cpu, task, now);
	heap_remove(s, rq, s->task[task].at);
	forget_buddy(rq, task);
}

/* ---- runtimes ---- */

void sched_account(struct sched *s, unsigned cpu, uint64_t now)
{
	struct runqueue *rq = &s->rq[cpu];
	uint64_t least = UINT64_MAX;

	if (rq->current != TASK_NONE) {
		struct task *t = &s->task[rq->current];

		if (now > rq->charged)
			t->vruntime += now - rq->charged;
		t->ran = now;
		least = t->vruntime;
	}
	if (now > rq->charged)
		rq->charged = now;
	if (rq->n && s->task[rq->queue[0]].vruntime < least)
		least = s->task[rq->queue[0]].vruntime;
	if (least != UINT64_MAX && least > rq->min_vruntime)
		rq->min_vruntime = least;
}

bool sched_behind(const struct sched *s, uint32_t a, uint32_t b)
{
	return s->task[a].vruntime > s->task[b].vruntime + s->p.wakeup_granularity;
}

void sched_start_idle(struct sched *s, unsigned cpu)
{
	if (s->nr_started < s->cpus)
		s->started[s->nr_started++] = cpu;
}

void sched_check_preempt(struct sched *s, unsigned cpu, uint32_t task)
{
	struct runqueue *rq = &s->rq[cpu];

	if (rq->current == TASK_NONE) {
		if (rq->n == 1)
			sched_start_idle(s, cpu);
		return;
	}
	if (rq->resched || !sched_behind(s, rq->current, task))
		return;
	rq->resched = true;
	rq->next = task;
	/* LAST_BUDDY, from sched_nr_latency tasks on. */
	if (sched_nr_running(rq) >= s->p.latency / s->p.min_granularity)
		rq->last = rq->current;
}

int sched_started(struct sched *s)
{
	return s->nr_started ? (int)s->started[--s->nr_started] : -1;
}

void sched_set_cpu(struct sched *s, uint32_t task, unsigned cpu, uint64_t now)
{
	struct task *t = &s->task[task];
	uint64_t was = s->rq[t->cpu].min_vruntime, is = s->rq[cpu].min_vruntime;
	struct load_avg *from = &s->rq[t->cpu].load;
	uint64_t load = sched_task_load(s, task, now);

	if (t->cpu == cpu)
		return;
	/* Runtimes are relative to their queue. */
	t->vruntime = t->vruntime + is > was ? t->vruntime + is - was : 0;
	sched_cpu_load(s, t->cpu, now);
	sched_cpu_load(s, cpu, now);
	from->avg -= from->avg < load ? from->avg : load;
	s->rq[cpu].load.avg += load;
	t->cpu = (uint16_t)cpu;
	t->ran = 0;
	s->migrations++;
}

void sched_new(struct sched *s, uint32_t task, unsigned cpu, uint64_t now)
{
	/* place_entity() of a new task: a slice behind the others; its load is a full one. */
	s->task[task] = (struct task){
	    .vruntime = s->rq[cpu].min_vruntime + s->p.min_granularity,
	    .cpu = (uint16_t)cpu,
	    .state = TASK_BLOCKED,
	    .last_wakee = TASK_NONE,
	    .load = {.updated = now >> LOAD_UNIT_SHIFT},
	    .flips_decay = now,
	};
}

/* ---- who runs ---- */

/* check_preempt_tick() */
static void tick(struct sched *s, unsigned cpu)
{
	struct runqueue *rq = &s->rq[cpu];
	uint32_t nr = rq->n + 1;
	uint64_t share = s->p.latency / nr, ran;
	const struct task *t;

	if (!rq->n)
		return;
	t = &s->task[rq->current];
	if (share < s->p.min_granularity)
		share = s->p.min_granularity;
	ran = rq->charged - rq->since;
	if (ran > share) {
		rq->resched = true;
		forget_buddy(rq, rq->current);
	} else if (ran >= s->p.min_granularity &&
		   t->vruntime > s->task[rq->queue[0]].vruntime + share) {
		rq->resched = true;
	}
}

/* pick_next_entity() */
static uint32_t choose(struct sched *s, struct runqueue *rq)
{
	uint32_t left = rq->queue[0];

	if (rq->next != TASK_NONE && !sched_behind(s, rq->next, left))
		return rq->next;
	if (rq->last != TASK_NONE && !sched_behind(s, rq->last, left))
		return rq->last;
	return left;
}

uint32_t sched_pick(struct sched *s, unsigned cpu, uint64_t now, bool *switched)
{
	struct runqueue *rq = &s->rq[cpu];
	uint64_t ticks = s->p.tick ? now / s->p.tick : 0;
	uint32_t next, was = rq->current;

	*switched = false;
	sched_account(s, cpu, now);
	if (ticks != rq->ticks) {
		rq->ticks = ticks;
		if (rq->current != TASK_NONE)
			tick(s, cpu);
		sched_balance_tick(s, cpu, now);
	}
	if (rq->current != TASK_NONE) {
		if (!rq->resched || !rq->n)
			return rq->current;
		s->preemptions++;
		push(s, rq, rq->current);
		rq->current = TASK_NONE;
	}
	rq->resched = false;
	if (!rq->n && !sched_balance_newidle(s, cpu, now))
		return TASK_NONE;
	next = choose(s, rq);
	heap_remove(s, rq, s->task[next].at);
	forget_buddy(rq, next);
	rq->current = next;
	sched_list(s, next);
	s->task[next].state = TASK_RUNNING;
	rq->since = rq->charged = now;
	*switched = next != was;
	s->switches += *switched;
	return next;
}

void sched_block(struct sched *s, unsigned cpu, uint64_t now, bool done)
{
	struct runqueue *rq = &s->rq[cpu];
	uint32_t task = rq->current;

	sched_account(s, cpu, now);
	update_loads(s, cpu, task, now);
	s->task[task].state = done ? TASK_DONE : TASK_BLOCKED;
	if (done)
		rq->load.avg -=
		    rq->load.avg < s->task[task].load.avg ? rq->load.avg : s->task[task].load.avg;
	rq->current = TASK_NONE;
	/* schedule() clears the request, whoever asked for it. */
	rq->resched = false;
	forget_buddy(rq, task);
}
