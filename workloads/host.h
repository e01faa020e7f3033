/*
 * The host of a virtual machine that has fewer CPUs than its guest: those of the guest's CPUs
 * that have work take turns, first come, first served, a slice each. To the guest a CPU that has
 * to wait looks as if it did what it does very slowly (stolen time).
 */
#ifndef SLABSIM_HOST_H
#define SLABSIM_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"

struct host {
	unsigned cpus;	/* 0: every guest CPU has one of its own, and nothing is ever to do */
	uint64_t slice; /* ps */
	unsigned guests;
	unsigned busy;	 /* of the host's CPUs */
	unsigned *queue; /* a ring: guest CPUs that wait for their turn */
	unsigned first, n;
	uint64_t *until; /* by guest CPU: the end of its slice; 0: it does not run */
};

int host_init(struct host *h, unsigned cpus, uint64_t slice, unsigned guests, struct error *err);
void host_free(struct host *h);

static inline bool host_runs(const struct host *h, unsigned guest)
{
	return !h->cpus || h->until[guest];
}

/* The guest CPU has got work; true: it runs from now on, else when its turn comes. */
bool host_start(struct host *h, unsigned guest, uint64_t now);
/* It has none any more. Returns the one that runs in its place, or -1. */
int host_stop(struct host *h, unsigned guest, uint64_t now);
/* It has come to now. Returns the one that runs in its place, its slice being over, or -1. */
int host_turn(struct host *h, unsigned guest, uint64_t now);

#endif
