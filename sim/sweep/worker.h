/*
 * Processes that do the runs of a sweep. For every group of runs that share a workload there is
 * a reader process: it reads the workload once, then forks the workers, which have it in memory
 * that way. Workers take runs from a counter they share and send what came out through the
 * group's pipe. A crash, in a reader or a worker, ends that process and nothing else.
 */
#ifndef SLABSIM_WORKER_H
#define SLABSIM_WORKER_H

#include <stdatomic.h>
#include <sys/types.h>

#include "sim/sweep/sweep_plan.h"

/* In memory that all processes share. */
struct worker_shared {
	atomic_bool stop;		/* no new run is begun */
	atomic_uint_fast64_t current[]; /* by worker: its run + 1; 0: none */
};

struct worker_shared *worker_shared_new(unsigned workers, struct error *err);
void worker_shared_free(struct worker_shared *s, unsigned workers);

/* The runs that share a workload. */
struct worker_job {
	const struct sweep_plan *plan;
	const uint64_t *runs;
	uint64_t nr_runs;
	struct worker_shared *shared;
};

enum worker_message {
	WORKER_READY,  /* the workload is read: workers can be asked for */
	WORKER_FAILED, /* it cannot be; text: why */
	WORKER_DONE,   /* a run's record; text */
	WORKER_ERROR,  /* a run cannot be; text: why */
	WORKER_GONE,   /* a worker ended; status as of waitpid(), run: what it was at */
};

struct worker_event {
	enum worker_message message;
	unsigned worker;
	uint64_t run;
	bool is_input; /* of an error: the input's fault, so that trying again is no use */
	int status;
	const char *text; /* len bytes, valid until the next call */
	size_t len;
};

struct worker_group;

/* Start the reader. NULL and err. */
struct worker_group *worker_group_start(const struct worker_job *job, unsigned max_workers,
					struct error *err);
/* Have the reader, which must be ready, fork a worker of that number. 0 or -1. */
int worker_group_add(struct worker_group *g, unsigned worker, struct error *err);
/* No more workers will be asked for: the reader ends when the last has. */
void worker_group_finish(struct worker_group *g);
/* Runs that no worker has taken yet. */
uint64_t worker_group_left(const struct worker_group *g);
/* Becomes readable when there may be events. */
int worker_group_fd(const struct worker_group *g);
/* Read what the pipe has. 1: there is something; 0: the group has ended; -1 and err. */
int worker_group_read(struct worker_group *g, struct error *err);
/* The next event of what was read; false: read again. */
bool worker_group_next(struct worker_group *g, struct worker_event *ev);
/* Kill reader and workers at once. */
void worker_group_kill(struct worker_group *g);
/* Wait for the reader; its status as of waitpid(). */
int worker_group_end(struct worker_group *g);

#endif
