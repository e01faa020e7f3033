/* What a stream holds: how much of each cache, how long its objects live, who frees them. */
#ifndef SLABSIM_PROFILE_H
#define SLABSIM_PROFILE_H

#include "sim/timing.h"
#include "workloads/stream.h"

struct profile_cache {
	uint64_t allocs, frees, adopted, shrinks;
	uint64_t remote_frees; /* on another CPU than the allocation, where that is known */
	uint64_t may_block;    /* allocations that may */
	uint64_t live, peak;   /* objects at the end, and at most */
	/* From allocation to free, in events and in ns; NULL: none was freed. */
	struct histogram *lifetime_events, *lifetime_ns;
};

struct profile {
	uint64_t events;
	uint64_t first_ns, last_ns; /* the earliest and the latest time */
	uint64_t of_cpu[MAX_CPUS];  /* events */
	struct profile_cache *caches;
	unsigned nr_caches;
};

/* Read the stream from its first event on. 0, or -1 and err; p is to be freed in any case. */
int profile_make(struct profile *p, struct stream *st, struct error *err);
void profile_free(struct profile *p);

#endif
