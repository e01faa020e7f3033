/*
 * Load averages as the kernel's per-entity load tracking keeps them: a geometric series with a
 * half-life of 32 periods of 1024 * 1024 ns.
 */
#include <math.h>
#include <stdlib.h>

#include "workloads/sched-internal.h"

#define HALF_LIFE 32000u /* 32 * 1024 * 1024 ns, in units of 2^20 ps */
#define FINE	  256u
#define COARSE	  (HALF_LIFE / FINE) /* 125 */

/* y^0 ... y^255, then y^0, y^256, ...; y^HALF_LIFE is a half; in units of 2^-31. */
uint32_t *sched_decay_table(void)
{
	uint32_t *t = calloc(FINE + COARSE, sizeof(*t));

	for (unsigned i = 0; t && i < FINE + COARSE; i++) {
		double n = i < FINE ? i : (i - FINE) * (double)FINE;

		t[i] = (uint32_t)lrint(ldexp(exp2(-n / HALF_LIFE), 31));
	}
	return t;
}

static uint64_t factor(const uint32_t *table, uint64_t n)
{
	uint64_t halves = n / HALF_LIFE, rest = n % HALF_LIFE;

	if (halves > 31)
		return 0;
	return ((uint64_t)table[rest % FINE] * table[FINE + rest / FINE] >> 31) >> halves;
}

void sched_load_update(const struct sched *s, struct load_avg *l, uint32_t nr, uint64_t now)
{
	uint64_t unit = now >> LOAD_UNIT_SHIFT, f;

	if (unit <= l->updated)
		return;
	f = factor(s->decay, unit - l->updated);
	l->updated = unit;
	l->avg = (l->avg * f + nr * LOAD_ONE * ((UINT64_C(1) << 31) - f)) >> 31;
}

uint64_t sched_cpu_load(struct sched *s, unsigned cpu, uint64_t now)
{
	struct runqueue *rq = &s->rq[cpu];

	sched_load_update(s, &rq->load, sched_nr_running(rq), now);
	return rq->load.avg;
}

uint64_t sched_task_load(struct sched *s, uint32_t task, uint64_t now)
{
	struct task *t = &s->task[task];

	sched_load_update(s, &t->load, t->state == TASK_RUNNABLE || t->state == TASK_RUNNING, now);
	return t->load.avg;
}
