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
};

/* 0, or -1 when out of memory. */
int kinds_init(struct kinds *k);
void kinds_free(struct kinds *k);
/* The number of the event's kind, a new one when it was not seen before; UINT32_MAX: no memory. */
uint32_t kinds_of(struct kinds *k, const struct event *ev, uint32_t site);
/* Most frequent first; of equals, the one that was seen first. -1: out of memory. */
int kinds_sort(struct kinds *k);

#endif
