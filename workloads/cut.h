/*
 * A piece of a stream. Of an object allocated outside of the piece and freed inside, only the
 * free is left: it is one from before the trace (EV_ADOPT), as it would be had no more than the
 * piece been recorded.
 */
#ifndef SLABSIM_CUT_H
#define SLABSIM_CUT_H

#include "workloads/stream.h"

struct cut {
	/* Nanoseconds since the first event: from this on, to before that. */
	uint64_t from_ns, to_ns;
	const bool *caches; /* by index: keep it; NULL: all */
	const bool *cpus;   /* by number, info.cpus of them: keep its events; NULL: all */
	/* Of the events that the above leaves, so many are skipped, then so many taken. */
	uint64_t skip, count;
};

/* st and what cut points to must outlive it. NULL and err. info has no counts. */
struct stream *stream_cut(struct stream *st, const struct cut *cut, struct error *err);

#endif
