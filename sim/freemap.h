/*
 * A set of numbers 0 ... n-1 that finds its smallest member in a few steps: a bitmap, over it a
 * bitmap of the words that are not empty, and so on up to one word.
 */
#ifndef SLABSIM_FREEMAP_H
#define SLABSIM_FREEMAP_H

#include <stdbool.h>
#include <stdint.h>

#define FREEMAP_LEVELS 6 /* enough for 2^36 numbers */

struct freemap {
	uint64_t *level[FREEMAP_LEVELS]; /* level[0] has a bit per number */
	unsigned levels;
	uint64_t size;	/* n */
	uint64_t count; /* members */
};

/* An empty set for numbers below size, at most 2^32. false: out of memory. */
bool freemap_init(struct freemap *m, uint64_t size);
void freemap_release(struct freemap *m);
bool freemap_has(const struct freemap *m, uint64_t i);
/* i must not be a member yet, or be one, respectively. */
void freemap_add(struct freemap *m, uint64_t i);
void freemap_remove(struct freemap *m, uint64_t i);
/* The smallest member of a set that has one. */
uint64_t freemap_first(const struct freemap *m);

#endif
