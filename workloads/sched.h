/*
 * Run queues for closed workload models: a small completely fair scheduler. Tasks have a virtual
 * runtime, each CPU runs the one that has had least; sleepers are placed a little ahead, wake-ups
 * and used-up slices preempt, idle CPUs pull. The figures are the kernel's sysctls (5.15, 6.1),
 * and configuration.
 */
#ifndef SLABSIM_SCHED_H
#define SLABSIM_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"

#define TASK_NONE UINT32_MAX

enum task_state { TASK_RUNNABLE, TASK_RUNNING, TASK_BLOCKED, TASK_DONE };

struct task {
	uint64_t vruntime; /* ps */
	uint32_t at;	   /* its place in the run queue */
	uint16_t cpu;	   /* where it runs or ran last */
	uint8_t state;	   /* enum task_state */
};

struct runqueue {
	uint32_t *queue; /* a heap by vruntime */
	uint32_t n;
	uint32_t current;      /* TASK_NONE: idle */
	uint64_t since;	       /* when current was put on the CPU, ps */
	uint64_t charged;      /* until when current's runtime is accounted */
	uint64_t min_vruntime; /* ps; never goes back */
	bool resched;	       /* a woken task should run instead of current */
};

struct sched_params {
	uint64_t latency;	  /* sched_latency_ns: in it every task runs once; ps */
	uint64_t min_granularity; /* the shortest slice */
	uint64_t wakeup_granularity;
	double wake_affine; /* share of wake-ups that may go to the waker's CPU */
};

struct sched {
	struct sched_params p;
	struct task *task;
	uint32_t nr_tasks;
	struct runqueue *rq;
	unsigned cpus;
	uint64_t switches, wakeups, preemptions, migrations;
};

int sched_init(struct sched *s, unsigned cpus, uint32_t nr_tasks, const struct sched_params *p,
	       struct error *err);
void sched_free(struct sched *s);

/* Put a task that is on no queue on cpu's, as a new one. */
void sched_start(struct sched *s, uint32_t task, unsigned cpu);
/*
 * The task that runs on cpu from now on: the current one, or another when that has blocked or
 * used its slice, or a woken one preempts it, or, when there is none, one pulled from the
 * busiest queue. TASK_NONE: idle. *switched tells whether it is another one.
 */
uint32_t sched_pick(struct sched *s, unsigned cpu, uint64_t now, bool *switched);
/* The current task of cpu goes to sleep; with done, for ever. */
void sched_block(struct sched *s, unsigned cpu, uint64_t now, bool done);
/*
 * Wake a sleeping task from cpu waker; random is from 0 to 1. Returns the CPU it was put on when
 * that was idle, and so has to be started, or -1.
 */
int sched_wake(struct sched *s, uint32_t task, unsigned waker, uint64_t now, double random);

#endif
