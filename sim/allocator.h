/* Events to an allocator in order mode, in the way that suits them. */
#ifndef SLABSIM_ALLOCATOR_H
#define SLABSIM_ALLOCATOR_H

#include "sim/cache.h"

/*
 * Do so many slow frees meet a full slab that a branch on it would mostly be predicted wrongly?
 * One in five so far, of the CPUs and caches of a few of the events.
 */
static inline bool frees_are_random(const struct cache *caches, const struct event *ev, size_t n)
{
	uint64_t slow = 0, first = 0;

	for (size_t i = 0; i < n; i += n / 8 + 1) {
		const struct cpu_cache *pc = &caches[ev[i].cache].cpu[ev[i].cpu];

		slow += pc->stat[FREE_SLOWPATH];
		first += pc->stat[CPU_PARTIAL_FREE];
	}
	return first > slow / 5;
}

static inline int allocator_replay(const struct allocator_ops *a, struct cache *caches,
				   const struct event *ev, size_t n, struct error *err)
{
	if (a->replay_random && frees_are_random(caches, ev, n))
		return a->replay_random(caches, ev, n, err);
	return a->replay(caches, ev, n, err);
}

#endif
