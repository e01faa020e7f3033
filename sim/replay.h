/*
 * The replay loop of every allocator: events in, operations on the top layer out. The layer is
 * a constant, so that each allocator gets a loop of its own with its fast paths inlined.
 */
#ifndef SLABSIM_REPLAY_H
#define SLABSIM_REPLAY_H

#include "sim/arena.h"
#include "sim/initial.h"
#include "sim/layer.h"

int replay_failed(const struct cache *c, struct error *err);

ALWAYS_INLINE bool replay_alloc_bulk(struct cache *c, struct cpu_cache *pc, const struct event *ev,
				     const struct layer layer, const struct generation gen)
{
	if (c->nr_bulk == c->cap_bulk && !arena_grow_bulk(c))
		return false;
	if (ev->object >= c->cap_object && !arena_grow_objects(c, ev->object))
		return false;
	c->bulk_object[c->nr_bulk++] = ev->object;
	if (ev->flags & EVF_MORE)
		return true;
	if (!layer.alloc_bulk(c, pc, c->bulk_slab, c->nr_bulk, gen))
		return false;
	for (uint32_t i = 0; i < c->nr_bulk; i++)
		c->slab_of[c->bulk_object[i]] = c->bulk_slab[i];
	c->allocs += c->nr_bulk;
	c->bulk_used = true;
	c->nr_bulk = 0;
	return true;
}

ALWAYS_INLINE bool replay_free_bulk(struct cache *c, struct cpu_cache *pc, const struct event *ev,
				    const struct layer layer, const struct generation gen)
{
	if (c->nr_bulk == c->cap_bulk && !arena_grow_bulk(c))
		return false;
	c->bulk_slab[c->nr_bulk++] = c->slab_of[ev->object];
	if (ev->flags & EVF_MORE)
		return true;
	c->frees += c->nr_bulk;
	c->bulk_used = true;
	layer.free_bulk(c, pc, c->bulk_slab, c->nr_bulk, gen);
	c->nr_bulk = 0;
	return true;
}

/* What is neither a single allocation nor a single free: kept out of the loop's way. */
ALWAYS_INLINE bool replay_other(struct cache *c, struct cpu_cache *pc, const struct event *ev,
				const struct layer layer, const struct generation gen)
{
	switch (ev->op) {
	case EV_ALLOC_BULK:
		return replay_alloc_bulk(c, pc, ev, layer, gen);
	case EV_FREE_BULK:
		return replay_free_bulk(c, pc, ev, layer, gen);
	case EV_FREE_RCU:
		c->frees++;
		layer.free_rcu(c, pc, c->slab_of[ev->object], gen);
		return true;
	case EV_ADOPT:
		if (ev->object >= c->cap_object && !arena_grow_objects(c, ev->object))
			return false;
		c->slab_of[ev->object] = initial_adopt(c);
		return true;
	case EV_SHRINK:
		layer.shrink(c, pc, gen);
		return true;
	default:
		return true;
	}
}

/*
 * Object tables beyond this many bytes do not stay in a CPU's own cache. What events to come will
 * touch is fetched beforehand then: first the table's entry, later the slab it names. With smaller
 * tables that costs more than it gains.
 */
#define REPLAY_FAR	 ((size_t)1 << 20)
#define REPLAY_AHEAD	 32 /* events */
#define REPLAY_AHEAD_MID 16

ALWAYS_INLINE void replay_fetch(struct cache *caches, const struct event *ev)
{
	const struct event *far = ev + REPLAY_AHEAD, *mid = ev + REPLAY_AHEAD_MID;
	struct cache *c = &caches[far->cache];

	if (far->object < c->cap_object)
		__builtin_prefetch(&c->slab_of[far->object], 0);
	c = &caches[mid->cache];
	if (mid->object < c->cap_object)
		__builtin_prefetch(&c->slab[c->slab_of[mid->object]], 1);
}

/* Where fetching ahead ends: at once when a sample of the events needs none. */
static inline const struct event *replay_fetch_end(const struct cache *caches,
						   const struct event *ev, size_t n)
{
	for (size_t i = 0; n > REPLAY_AHEAD && i < n; i += n / 8)
		if (caches[ev[i].cache].cap_object * sizeof(uint32_t) > REPLAY_FAR)
			return ev + n - REPLAY_AHEAD;
	return ev;
}

ALWAYS_INLINE bool replay_event(struct cache *caches, const struct event *ev,
				const struct layer layer, const struct generation gen)
{
	struct cache *c = &caches[ev->cache];
	struct cpu_cache *pc = &c->cpu[ev->cpu];

	if (ev->op == EV_ALLOC) {
		uint32_t s;

		if (unlikely(ev->object >= c->cap_object) && !arena_grow_objects(c, ev->object))
			return false;
		s = layer.alloc(c, pc, ev->node, ev->flags & EVF_MAY_BLOCK, gen);
		if (unlikely(s == SLAB_NONE))
			return false;
		c->slab_of[ev->object] = s;
		c->allocs++;
	} else if (likely(ev->op == EV_FREE)) {
		c->frees++;
		layer.free(c, pc, c->slab_of[ev->object], gen);
	} else if (!replay_other(c, pc, ev, layer, gen)) {
		return false;
	}
	return true;
}

/* Apply events in order; -1 and err when memory runs out. */
ALWAYS_INLINE int replay_events(struct cache *caches, const struct event *ev, size_t n,
				const struct layer layer, const struct generation gen,
				struct error *err)
{
	const struct event *end = ev + n, *fetch_end = replay_fetch_end(caches, ev, n);

	for (; ev < fetch_end; ev++) {
		replay_fetch(caches, ev);
		if (!replay_event(caches, ev, layer, gen))
			return replay_failed(&caches[ev->cache], err);
	}
	for (; ev < end; ev++)
		if (!replay_event(caches, ev, layer, gen))
			return replay_failed(&caches[ev->cache], err);
	return 0;
}

#endif
