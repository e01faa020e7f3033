/*
 * The addresses freed last, and by which event: whether an allocation may change places with a
 * free depends on that.
 */
#ifndef SLABSIM_RECENT_H
#define SLABSIM_RECENT_H

#include <stdbool.h>
#include <stdint.h>

/* So many frees are remembered; no more are held back on replay (reorder.h). */
#define RECENT_FREES 4096
#define RECENT_BITS  13

struct recent_free {
	uint64_t ptr, time_ns, event;
	uint16_t cpu;
	uint16_t next; /* in the same slot: index + 1; 0: none */
};

struct recent {
	struct recent_free free[RECENT_FREES]; /* a ring */
	uint64_t n;			       /* remembered so far */
	uint16_t slot[1 << RECENT_BITS];       /* index + 1 of the newest; 0: none */
};

void recent_add(struct recent *r, uint64_t ptr, uint64_t time_ns, uint64_t event, uint16_t cpu);
/* The newest free of ptr, or NULL. */
const struct recent_free *recent_find(const struct recent *r, uint64_t ptr);

#endif
