/*
 * Run queues for closed workload models: the kernel's completely fair scheduler (2.6.23 to 6.5)
 * for tasks of one priority, as it was in 5.15. Tasks have a virtual runtime; each CPU runs the one
 * that has had least; a sleeper is placed a little ahead; what a slice is worth is looked at by
 * the tick only; a woken task preempts the current one when that is far enough ahead, and then
 * the preempted one is the next again (the last buddy). Wake-ups go to the waker's or the
 * previous CPU, and to an idle one that shares its cache; loads are the kernel's decaying
 * averages, CPUs without tasks pull, busy ones even out now and then; whoever was queued or ran
 * longest ago is moved first.
 */
#ifndef SLABSIM_SCHED_H
#define SLABSIM_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"

#define TASK_NONE UINT32_MAX

enum task_state { TASK_RUNNABLE, TASK_RUNNING, TASK_BLOCKED, TASK_DONE };

/* A decaying average: of tasks that want to run, in units of LOAD_ONE. */
struct load_avg {
	uint64_t avg;
	uint64_t updated; /* in units of LOAD_UNIT_SHIFT */
};

struct task {
	uint64_t vruntime; /* ps; relative to its queue's min_vruntime, once it has a queue */
	uint64_t ran;	   /* until when it ran last where it is now, ps */
	struct load_avg load;
	uint64_t queued; /* a number that grows: who came to the queue first */
	uint64_t listed; /* another one, of cfs_tasks: who was woken, moved or put on a CPU last */
	uint32_t at;	 /* its place in the run queue */
	uint32_t last_wakee;
	uint32_t wakee_flips; /* how often it has woken another one than before */
	uint64_t flips_decay; /* when they were halved last, ps */
	uint16_t cpu;	      /* where it runs or ran last */
	uint8_t state;	      /* enum task_state */
};

struct runqueue {
	uint32_t *queue; /* a heap by vruntime; without current */
	uint32_t n;
	uint32_t current;      /* TASK_NONE: idle */
	uint32_t next, last;   /* the buddies: who preempted, who was preempted; or TASK_NONE */
	uint64_t since;	       /* when current was put on the CPU, ps */
	uint64_t charged;      /* until when current's runtime is accounted */
	uint64_t min_vruntime; /* ps; never goes back */
	uint64_t ticks;	       /* that have been looked at */
	uint64_t next_balance; /* ps */
	uint64_t interval;     /* until the one after it, ps */
	uint64_t idle_since;   /* ps; 0: it is not, or has been woken */
	uint64_t avg_idle;     /* how long that lasts, ps */
	struct load_avg load;  /* of all its tasks, sleeping ones too */
	unsigned balance_failed;
	bool resched; /* another task should run instead of current */
};

/* The kernel's sysctls and what it knows of the machine; times in ps. */
struct sched_params {
	uint64_t latency;	  /* sched_latency_ns: in it every task runs once */
	uint64_t min_granularity; /* the shortest slice */
	uint64_t wakeup_granularity;
	uint64_t migration_cost; /* who ran so recently is not moved to even out */
	uint64_t tick;		 /* 1 s / CONFIG_HZ */
	uint64_t balance;	 /* a CPU with work evens out that often; 0: never */
	unsigned llc_cpus;	 /* CPUs that share a last level cache: 0..n-1, n..2n-1, ... */
};

struct sched {
	struct sched_params p;
	struct task *task;
	uint32_t nr_tasks;
	struct runqueue *rq;
	unsigned cpus;
	unsigned *started; /* CPUs that were idle and have got a task */
	unsigned nr_started;
	uint32_t *decay;	 /* tables of the load averages */
	uint64_t queued, listed; /* numbers of tasks given out so far */
	uint64_t switches, wakeups, preemptions, migrations;
};

int sched_init(struct sched *s, unsigned cpus, uint32_t nr_tasks, const struct sched_params *p,
	       struct error *err);
void sched_free(struct sched *s);

/* Make a task that sleeps on cpu, as a new one. */
void sched_new(struct sched *s, uint32_t task, unsigned cpu, uint64_t now);
/*
 * The task that runs on cpu from now on: the current one, or another when that has blocked or
 * used its slice, or a woken one preempts it, or, when there is none, one pulled from another
 * queue. TASK_NONE: idle. *switched tells whether it is another one.
 */
uint32_t sched_pick(struct sched *s, unsigned cpu, uint64_t now, bool *switched);
/* The current task of cpu goes to sleep; with done, for ever. */
void sched_block(struct sched *s, unsigned cpu, uint64_t now, bool done);
/*
 * waker, which runs on the CPU cpu or is TASK_NONE, wakes a task, with sync as one that is about
 * to sleep. True: the task was asleep.
 */
bool sched_wake(struct sched *s, uint32_t task, unsigned cpu, uint32_t waker, bool sync,
		uint64_t now);
/* A CPU that was idle, has got a task and has to be started; -1: no more. */
int sched_started(struct sched *s);

#endif
