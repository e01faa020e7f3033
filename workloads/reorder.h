/*
 * The order of simultaneous events. An allocation's event is written after it has happened, a
 * free's before, so of an allocation and a free on two CPUs with the same time the allocation
 * came first. Frees are therefore held back: until the clock has passed their time by more than
 * the window, their own CPU does something else, or their address is allocated again. The cost
 * of an event does not depend on how many are held.
 */
#ifndef SLABSIM_REORDER_H
#define SLABSIM_REORDER_H

#include <stdbool.h>

#include "sim/event.h"
#include "workloads/recent.h"

/* A burst of frees this long is let go: it bounds memory when the clock stands still. */
#define MOST_HELD RECENT_FREES

struct held {
	struct event ev;
	bool gone;
	bool adopts;   /* EV_ADOPT goes before it */
	uint32_t next; /* of the same CPU: place + 1; 0: the last */
	uint64_t time_ns;
	uint64_t number; /* of the event in the stream */
};

struct reorder {
	uint64_t window_ns;
	struct held ring[MOST_HELD]; /* in the order they came */
	uint64_t first, end;	     /* places taken; place p is ring[p % MOST_HELD] */
	struct held_list {
		uint32_t head, tail; /* place % MOST_HELD + 1; 0: none */
	} * cpu;
	unsigned cpus;
};

/* What becomes of the frees let go. */
typedef void (*reorder_emit)(void *arg, const struct held *held);

/* 0, or -1 when out of memory. */
int reorder_init(struct reorder *ro, unsigned cpus, uint64_t window_ns);
void reorder_free(struct reorder *ro);
/* Forget what is held. */
void reorder_reset(struct reorder *ro);

static inline bool reorder_is_empty(const struct reorder *ro)
{
	return ro->first == ro->end;
}

/* The clock is at time_ns: let go what is past, all of it when there is no room for more. */
void reorder_clock(struct reorder *ro, uint64_t time_ns, reorder_emit emit, void *arg);
/* A free, or EV_ADOPT's free, waits. There must be room: call reorder_clock() first. */
void reorder_hold(struct reorder *ro, const struct held *held);
/* The CPU does something else: its frees go first. */
void reorder_cpu(struct reorder *ro, unsigned cpu, reorder_emit emit, void *arg);
/* What that event freed is allocated again: if it is held, its CPU's frees go first. */
void reorder_after(struct reorder *ro, uint64_t number, reorder_emit emit, void *arg);
/* The end: everything goes. */
void reorder_finish(struct reorder *ro, reorder_emit emit, void *arg);

#endif
