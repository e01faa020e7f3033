/* What the parts of deliver share. */
#ifndef SLABSIM_DELIVER_INTERNAL_H
#define SLABSIM_DELIVER_INTERNAL_H

#include "workloads/deliver.h"
#include "workloads/id-pool.h"
#include "workloads/reorder.h"

/* Events taken from the stream at once; as many, and all that were held, can come of them. */
#define PORTION	 1024
#define MOST_OUT (2 * PORTION + 2 * MOST_HELD)

/* A cache of the stream. */
struct lane {
	uint32_t *id_of; /* as delivered, by the stream's id; ID_NONE: left out */
	uint16_t *in;	 /* and its cache, where the configuration tells caches by call site */
	uint32_t cap;
	uint16_t cache;	      /* as delivered */
	struct id_pool *pool; /* its ids */
};

struct deliver {
	struct stream *st;
	struct trace_match *match; /* its own copy */
	unsigned nr_match;	   /* 0: the stream's caches are right */
	bool *site_matches;	   /* by site: some match may apply */
	bool keep_sites;
	bool leave_out; /* objects from before the trace */
	bool adopting;	/* the next free is of an object that joins with it */
	struct reorder *reorder;
	struct source_info info;
	struct lane *lane;    /* by the stream's cache */
	struct id_pool *pool; /* by cache as delivered */
	struct stream_batch in;
	size_t next;	 /* of in */
	uint64_t number; /* of that event in the stream */
	uint64_t delivered;
	bool at_end;
	size_t n; /* of out */
	struct event out[MOST_OUT];
	uint64_t times[MOST_OUT];
	uint32_t sites[MOST_OUT]; /* when they are wanted */
};

/* The caches as delivered, from the stream's. -1: out of memory. */
int deliver_take_caches(struct deliver *d);
/* The configuration tells caches by call site: those it names. */
int deliver_add_matches(struct deliver *d, const struct trace_options *opt, struct error *err);
/* Then the events of every cache are counted anew. */
int deliver_count_matches(struct deliver *d, struct error *err);
/* Which match is for this allocation of the stream? Its index, or -1. */
int deliver_find_match(const struct deliver *d, const struct event *ev, uint32_t site);
/* info.nr_caches when there is none of this name. */
unsigned deliver_find_cache(const struct deliver *d, const char *name);

#endif
