#include "workloads/sched.h"

int sched_init(struct sched *s, unsigned cpus, uint32_t nr_tasks, const struct sched_params *p,
	       struct error *err)
{
	*s = (struct sched){.p = *p, .nr_tasks = nr_tasks, .cpus = cpus};
	s->task = calloc(nr_tasks, sizeof(*s->task));
	s->rq = calloc(cpus, sizeof(*s->rq));
	for (unsigned cpu = 0; s->rq && cpu < cpus; cpu++) {
		s->rq[cpu].current = TASK_NONE;
		s->rq[cpu].queue = calloc(nr_tasks, sizeof(*s->rq[cpu].queue));
		if (!s->rq[cpu].queue)
			return error_memory(err, "run queues");
	}
	return s->task && s->rq ? 0 : error_memory(err, "run queues");
}

void sched_free(struct sched *s)
{
	for (unsigned cpu = 0; s->rq && cpu < s->cpus; cpu++)
		free(s->rq[cpu].queue);
	free(s->rq);
	free(s->task);
}

static bool before(const struct sched *s, uint32_t a, uint32_t b)
{
	const struct task *x = &s->task[a], *y = &s->task[b];

	return x->vruntime != y->vruntime ? x->vruntime < y->vruntime : a < b;
}

static void put(struct sched *s, struct runqueue *rq, uint32_t i, uint32_t task)
{
	rq->queue[i] = task;
	s->task[task].at = i;
}

static void enqueue(struct sched *s, unsigned cpu, uint32_t task)
{
	struct runqueue *rq = &s->rq[cpu];
	uint32_t i = rq->n++;

	for (; i > 0 && before(s, task, rq->queue[(i - 1) / 2]); i = (i - 1) / 2)
		put(s, rq, i, rq->queue[(i - 1) / 2]);
	put(s, rq, i, task);
	s->task[task].state = TASK_RUNNABLE;
	s->task[task].cpu = (uint16_t)cpu;
}

static uint32_t dequeue_first(struct sched *s, unsigned cpu)
{
	struct runqueue *rq = &s->rq[cpu];
	uint32_t first = rq->queue[0], last = rq->queue[--rq->n], i = 0, child;

	while ((child = 2 * i + 1) < rq->n) {
		if (child + 1 < rq->n && before(s, rq->queue[child + 1], rq->queue[child]))
			child++;
		if (!before(s, rq->queue[child], last))
			break;
		put(s, rq, i, rq->queue[child]);
		i = child;
	}
	if (rq->n)
		put(s, rq, i, last);
	return first;
}

/* update_curr() and update_min_vruntime(). */
static void account(struct sched *s, unsigned cpu, uint64_t now)
{
	struct runqueue *rq = &s->rq[cpu];
	uint64_t least = UINT64_MAX;

	if (rq->current != TASK_NONE) {
		if (now > rq->charged)
			s->task[rq->current].vruntime += now - rq->charged;
		least = s->task[rq->current].vruntime;
	}
	rq->charged = now;
	if (rq->n && s->task[rq->queue[0]].vruntime < least)
		least = s->task[rq->queue[0]].vruntime;
	if (least != UINT64_MAX && least > rq->min_vruntime)
		rq->min_vruntime = least;
}

void sched_start(struct sched *s, uint32_t task, unsigned cpu)
{
	s->task[task].vruntime = s->rq[cpu].min_vruntime;
	enqueue(s, cpu, task);
}

static uint64_t slice(const struct sched *s, const struct runqueue *rq)
{
	uint64_t share = s->p.latency / (rq->n + 1);

	return share > s->p.min_granularity ? share : s->p.min_granularity;
}

/* Take the task that waits longest on the longest queue over to cpu, which is idle. */
static bool pull(struct sched *s, unsigned cpu)
{
	unsigned busiest = cpu;
	uint32_t task;

	for (unsigned other = 0; other < s->cpus; other++)
		if (s->rq[other].n > s->rq[busiest].n)
			busiest = other;
	if (!s->rq[busiest].n)
		return false;
	task = dequeue_first(s, busiest);
	/* Runtimes are relative to their queue. */
	s->task[task].vruntime += s->rq[cpu].min_vruntime;
	s->task[task].vruntime -= s->task[task].vruntime > s->rq[busiest].min_vruntime
				      ? s->rq[busiest].min_vruntime
				      : s->task[task].vruntime;
	enqueue(s, cpu, task);
	s->migrations++;
	return true;
}

uint32_t sched_pick(struct sched *s, unsigned cpu, uint64_t now, bool *switched)
{
	struct runqueue *rq = &s->rq[cpu];

	*switched = false;
	account(s, cpu, now);
	if (rq->current != TASK_NONE) {
		bool used_up = rq->n && now - rq->since >= slice(s, rq);

		if (!used_up && !(rq->resched && rq->n))
			return rq->current;
		s->preemptions++;
		rq->resched = false;
		enqueue(s, cpu, rq->current);
		rq->current = TASK_NONE;
	}
	rq->resched = false;
	if (!rq->n && !pull(s, cpu))
		return TASK_NONE;
	rq->current = dequeue_first(s, cpu);
	s->task[rq->current].state = TASK_RUNNING;
	s->task[rq->current].cpu = (uint16_t)cpu;
	rq->since = rq->charged = now;
	s->switches++;
	*switched = true;
	return rq->current;
}

void sched_block(struct sched *s, unsigned cpu, uint64_t now, bool done)
{
	struct runqueue *rq = &s->rq[cpu];

	account(s, cpu, now);
	s->task[rq->current].state = done ? TASK_DONE : TASK_BLOCKED;
	rq->current = TASK_NONE;
}

static bool idle(const struct runqueue *rq)
{
	return rq->current == TASK_NONE && !rq->n;
}

/* select_task_rq_fair(): an idle CPU if there is one, else the waker's or the old one. */
static unsigned choose_cpu(const struct sched *s, const struct task *t, unsigned waker,
			   double random)
{
	const struct runqueue *here = &s->rq[waker], *old = &s->rq[t->cpu];

	if (idle(old))
		return t->cpu;
	for (unsigned i = 1; i < s->cpus; i++) {
		unsigned cpu = (t->cpu + i) % s->cpus;

		if (idle(&s->rq[cpu]))
			return cpu;
	}
	/* The waker is about to sleep itself, so its CPU counts one task less. */
	if (random < s->p.wake_affine && here->n < old->n + (old->current != TASK_NONE))
		return waker;
	return t->cpu;
}

int sched_wake(struct sched *s, uint32_t task, unsigned waker, uint64_t now, double random)
{
	struct task *t = &s->task[task];
	unsigned cpu = choose_cpu(s, t, waker, random);
	struct runqueue *rq = &s->rq[cpu];
	uint64_t ahead = s->p.latency / 2, floor;
	bool was_idle = idle(rq);

	if (t->state != TASK_BLOCKED)
		return -1;
	s->wakeups++;
	if (cpu != t->cpu) {
		s->migrations++;
		t->vruntime += rq->min_vruntime;
		t->vruntime -= t->vruntime > s->rq[t->cpu].min_vruntime ? s->rq[t->cpu].min_vruntime
									: t->vruntime;
	}
	account(s, cpu, now);
	/* place_entity(): a sleeper gets half a latency ahead of the queue, no more. */
	floor = rq->min_vruntime > ahead ? rq->min_vruntime - ahead : 0;
	if (t->vruntime < floor)
		t->vruntime = floor;
	enqueue(s, cpu, task);
	if (rq->current != TASK_NONE &&
	    t->vruntime + s->p.wakeup_granularity < s->task[rq->current].vruntime)
		rq->resched = true;
	return was_idle ? (int)cpu : -1;
}
