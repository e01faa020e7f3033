/*
 * The discrete-event clock: the CPU whose next operation is earliest runs it, to its end; what it
 * waits for and what it costs is timing.h's. Time is an integer, ties go by operation order.
 */
#ifndef SLABSIM_TIMED_H
#define SLABSIM_TIMED_H

#include "sim/load.h"
#include "sim/timing.h"

/* How an operation is run; the machine's clock is at its start and moves on to its end. */
typedef int (*timed_run_fn)(void *arg, const struct load_operation *op, struct error *err);

struct timed_loop {
	struct timing *timing;
	struct load *load;
	timed_run_fn run;
	void *arg;
	/* Called before an operation is run, with the time; for what happens by the clock. */
	int (*tick)(void *arg, uint64_t now, struct error *err);
	unsigned cpus;
	uint64_t operations;
	uint64_t end; /* when the last operation ended, ps */
};

/* Run until every CPU has finished; 0, or -1 and err: a failed operation, or a deadlock. */
int timed_run(struct timed_loop *loop, struct error *err);

#endif
