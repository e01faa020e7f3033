/* The engine's timed mode: the same caches, run by the discrete-event clock (timed.h). */
#ifndef SLABSIM_ENGINE_TIMED_H
#define SLABSIM_ENGINE_TIMED_H

#include "sim/engine_internal.h"
#include "sim/timed.h"

/*
 * A reader of slabinfo, who counts the partial lists of every cache now and then, one list after
 * the other. Each list is a step of its own, so that others meet the reader at that list's lock
 * only while it is there.
 */
struct readers {
	uint64_t interval;    /* ps; 0: there are none */
	uint64_t next;	      /* when the next list is looked at */
	uint64_t began;	      /* this reading */
	unsigned cache, node; /* whose list that is */
	unsigned cpu; /* whose the reader is; it keeps the caches' locks, not the CPU, busy */
	uint64_t reads;
	uint64_t slabs;	  /* looked at with a lock held */
	double error_sum; /* of the counted free objects against the true ones, relative */
	double error_max;
	uint64_t errors; /* readings the error is of: those with free objects */
};

struct timed {
	struct timing timing;
	struct readers readers;
	uint64_t operations;
	uint64_t end; /* ps */
};

/* Set up clocks and locks; before the caches get any slab. 0, or -1 and err. */
int engine_timed_new(struct engine *e, struct error *err);
void engine_timed_free(struct engine *e);
/* Run the load to its end. */
int engine_timed_run(struct engine *e, struct load *load,
		     void (*progress)(void *arg, uint64_t done), void *arg, struct error *err);
/* Fill res->timing and res->caches[].locks. */
int engine_timed_results(const struct engine *e, struct results *res, struct error *err);

#endif
