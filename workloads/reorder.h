/*
 * The order of simultaneous events. An allocation's event is written after it has happened, a
 * free's before, so of an allocation and a free on two CPUs with the same time the allocation
 * came first. Frees are therefore held back: until the clock has passed their time by more than
 * the window, their own CPU allocates, or their address is allocated again.
 */
#ifndef SLABSIM_REORDER_H
#define SLABSIM_REORDER_H

#include "workloads/resolve.h"

struct reorder {
	struct resolver *to;
	int64_t window_ns; /* negative: everything goes on in the order it came */
	struct record *held;
	size_t n, cap;
	uint64_t moved; /* frees that were overtaken by another CPU's allocation */
};

void reorder_init(struct reorder *ro, struct resolver *to, int64_t window_ns);
void reorder_free(struct reorder *ro);

int reorder_add(struct reorder *ro, const struct record *rec, struct error *err);
/* After the last record. */
int reorder_finish(struct reorder *ro, struct error *err);

#endif
