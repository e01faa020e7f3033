/* The kinds of events a trace has: a table without duplicates, the most frequent first. */
#ifndef SLABSIM_KINDS_H
#define SLABSIM_KINDS_H

#include "workloads/slabtrace-format.h"

struct kinds {
	struct slabtrace_kind *kind;
	uint32_t *slot; /* number + 1; 2^bits of them, at most half used */
	uint32_t *rank; /* by number, after kinds_sort(): its place */
	uint32_t n, cap;
	unsigned bits;
	/* Asked last: of plain frees of a cache, and of allocations from a call site. + 1; 0: none
	 */
	uint32_t *free_of, *alloc_from;
	uint32_t nr_free_of, nr_alloc_from;
};

/* Of a stream with so many caches and call sites. 0, or -1 when out of memory. */
int kinds_init(struct kinds *k, uint32_t nr_caches, uint32_t nr_sites);
void kinds_free(struct kinds *k);
/* The number of the event's kind, a new one when it was not seen before; UINT32_MAX: no memory. */
uint32_t kinds_of(struct kinds *k, const struct event *ev, uint32_t site);
/* Most frequent first; of equals, the one that was seen first. -1: out of memory. */
int kinds_sort(struct kinds *k);

#endif
