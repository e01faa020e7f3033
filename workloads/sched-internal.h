/* What the files of the scheduler share. */
#ifndef SLABSIM_SCHED_INTERNAL_H
#define SLABSIM_SCHED_INTERNAL_H

#include "workloads/sched.h"

/* sched.c: put a task on cpu's queue, take it off. */
void sched_enqueue(struct sched *s, unsigned cpu, uint32_t task, uint64_t now);
void sched_dequeue(struct sched *s, uint32_t task, uint64_t now);
/* update_curr() and update_min_vruntime(). */
void sched_account(struct sched *s, unsigned cpu, uint64_t now);
/* wakeup_preempt_entity() > 0: a is so far ahead of b that b should run. */
bool sched_behind(const struct sched *s, uint32_t a, uint32_t b);
/* A task has come to cpu's queue: preempt the current one if it should be, start an idle CPU. */
void sched_check_preempt(struct sched *s, unsigned cpu, uint32_t task);
/* The task comes to the head of cfs_tasks, from whose end balancing takes. */
void sched_list(struct sched *s, uint32_t task);
/* An idle CPU has got a task. */
void sched_start_idle(struct sched *s, unsigned cpu);
/* The task, which is on no queue, belongs to cpu from now on. */
void sched_set_cpu(struct sched *s, uint32_t task, unsigned cpu, uint64_t now);

static inline bool sched_idle(const struct runqueue *rq)
{
	return rq->current == TASK_NONE && !rq->n;
}

static inline uint32_t sched_nr_running(const struct runqueue *rq)
{
	return rq->n + (rq->current != TASK_NONE);
}

/* sched-load.c: the averages, half of which is the last 33 ms (PELT). */
#define LOAD_ONE	(UINT64_C(1) << 20)
#define LOAD_UNIT_SHIFT 20 /* of ps: about a microsecond */

uint32_t *sched_decay_table(void);
/* Up to now, during which nr tasks wanted to run. */
void sched_load_update(const struct sched *s, struct load_avg *l, uint32_t nr, uint64_t now);
/* The average of a CPU, of a task. */
uint64_t sched_cpu_load(struct sched *s, unsigned cpu, uint64_t now);
uint64_t sched_task_load(struct sched *s, uint32_t task, uint64_t now);

/* sched-balance.c: what an idle CPU, and a busy one by its tick, does. True: it got a task. */
bool sched_balance_newidle(struct sched *s, unsigned cpu, uint64_t now);
/* A task is woken on cpu, which may have been idle: how long CPUs are is averaged. */
void sched_idle_ends(struct sched *s, unsigned cpu, uint64_t now);
void sched_balance_tick(struct sched *s, unsigned cpu, uint64_t now);

#endif
