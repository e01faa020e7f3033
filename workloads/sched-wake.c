/* Where a woken task goes: select_task_rq_fair() and what it calls. */
#include "workloads/sched-internal.h"

#define SECOND (UINT64_C(1000000000000)) /* ps */
/* sd->imbalance_pct is 117: half of the excess is the waker's handicap. */
#define PREV_PERCENT 108

static void record_wakee(struct sched *s, struct task *waker, uint32_t wakee, uint64_t now)
{
	(void)s;
	if (now > waker->flips_decay + SECOND) {
		waker->wakee_flips >>= 1;
		waker->flips_decay = now;
	}
	if (waker->last_wakee != wakee) {
		waker->last_wakee = wakee;
		waker->wakee_flips++;
	}
}

static bool wake_wide(const struct sched *s, const struct task *waker, const struct task *wakee)
{
	uint32_t master = waker->wakee_flips, slave = wakee->wakee_flips, swap;

	if (master < slave) {
		swap = master;
		master = slave;
		slave = swap;
	}
	return slave >= s->p.llc_cpus && master >= slave * s->p.llc_cpus;
}

static bool share_cache(const struct sched *s, unsigned a, unsigned b)
{
	return a / s->p.llc_cpus == b / s->p.llc_cpus;
}

/* wake_affine(): the waker's CPU, or the one where the task ran before. */
static unsigned wake_affine(struct sched *s, uint32_t task, unsigned cpu, uint32_t waker, bool sync,
			    uint64_t now)
{
	unsigned prev = s->task[task].cpu;
	uint64_t here, there, load;

	if (sync && sched_nr_running(&s->rq[cpu]) == 1)
		return cpu;
	if (sched_idle(&s->rq[prev]))
		return prev;
	load = sched_task_load(s, task, now);
	here = sched_cpu_load(s, cpu, now);
	if (sync) {
		uint64_t own = sched_task_load(s, waker, now);

		if (own > here)
			return cpu;
		here -= own;
	}
	here = (here + load) * 100;
	there = sched_cpu_load(s, prev, now);
	there = (there > load ? there - load : 0) * PREV_PERCENT + sync;
	return here < there ? cpu : prev;
}

/* select_idle_sibling(): an idle CPU near target, or target. */
static unsigned idle_sibling(const struct sched *s, unsigned prev, unsigned target)
{
	unsigned n = s->p.llc_cpus, first = target / n * n;

	if (sched_idle(&s->rq[target]))
		return target;
	if (prev != target && share_cache(s, prev, target) && sched_idle(&s->rq[prev]))
		return prev;
	for (unsigned i = 1; i < n; i++) {
		unsigned cpu = first + (target - first + i) % n;

		if (cpu < s->cpus && sched_idle(&s->rq[cpu]))
			return cpu;
	}
	return target;
}

bool sched_wake(struct sched *s, uint32_t task, unsigned cpu, uint32_t waker, bool sync,
		uint64_t now)
{
	struct task *t = &s->task[task];
	unsigned target = t->cpu;
	uint64_t ahead = s->p.latency / 2, floor;
	struct runqueue *rq;

	if (t->state != TASK_BLOCKED)
		return false;
	s->wakeups++;
	if (waker != TASK_NONE) {
		record_wakee(s, &s->task[waker], task, now);
		if (cpu != target && !wake_wide(s, &s->task[waker], t))
			target = wake_affine(s, task, cpu, waker, sync, now);
	}
	target = idle_sibling(s, t->cpu, target);
	sched_set_cpu(s, task, target, now);
	sched_account(s, target, now);
	rq = &s->rq[target];
	/* place_entity(): a sleeper gets half a latency ahead of the queue, no more. */
	floor = rq->min_vruntime > ahead ? rq->min_vruntime - ahead : 0;
	if (t->vruntime < floor)
		t->vruntime = floor;
	sched_idle_ends(s, target, now);
	sched_enqueue(s, target, task, now);
	sched_check_preempt(s, target, task);
	return true;
}
