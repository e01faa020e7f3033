/*
 * What drives the timed machine: for every CPU the operation that comes next and when. A trace
 * with its think times is one (load_trace.h), workload models are others; closed models look at
 * when operations ended.
 */
#ifndef SLABSIM_LOAD_H
#define SLABSIM_LOAD_H

#include "sim/source.h"

enum load_state {
	LOAD_OPERATION, /* there is one */
	LOAD_WAITS,	/* for another CPU's operation; load_ops.ended says when it goes on */
	LOAD_FINISHED,	/* this CPU has none left */
};

/* One operation: a single event, or all events of a bulk call. */
struct load_operation {
	const struct event *events;
	size_t n;
	uint64_t start; /* ps: not before; the machine itself makes it no earlier than now */
	uint64_t order; /* among operations that start at the same time: the smaller first */
};

struct load;

struct load_ops {
	/* The next operation of cpu, which is free from now (ps) on. -1: err is set. */
	int (*next)(struct load *load, unsigned cpu, uint64_t now, struct load_operation *op,
		    struct error *err);
	/*
	 * The operation is about to be run: the last chance to fill in its events. NULL where
	 * next() does. 0, or -1 and err.
	 */
	int (*begin)(struct load *load, unsigned cpu, struct load_operation *op, struct error *err);
	/*
	 * The operation that next() gave for cpu has run from start to end, waited of it for
	 * locks. 0, or -1 and err.
	 */
	int (*ended)(struct load *load, unsigned cpu, const struct load_operation *op,
		     uint64_t start, uint64_t end, uint64_t waited, struct error *err);
	/*
	 * A CPU to be asked again after what has just ended: its wait is over, or the operation it
	 * gave is not its earliest any more. -1: no more. So next() may be called twice before an
	 * operation is run.
	 */
	int (*woken)(struct load *load);
	void (*close)(struct load *load);
};

/* The first member of every implementation's own struct. */
struct load {
	const struct load_ops *ops;
	struct source_info info; /* caches, notes; owned by what opened the load */
};

#endif
