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

/* Apply events in order; -1 and err when memory runs out. */
ALWAYS_INLINE int replay_events(struct cache *caches, const struct event *ev, size_t n,
				const struct layer layer, const struct generation gen,
				struct error *err)
{
	for (const struct event *end = ev + n; ev < end; ev++) {
		struct cache *c = &caches[ev->cache];
		struct cpu_cache *pc = &c->cpu[ev->cpu];

		if (ev->op == EV_ALLOC) {
			uint32_t s;

			if (unlikely(ev->object >= c->cap_object) &&
			    !arena_grow_objects(c, ev->object))
				return replay_failed(c, err);
			s = layer.alloc(c, pc, ev->node, ev->flags & EVF_MAY_BLOCK, gen);
			if (unlikely(s == SLAB_NONE))
				return replay_failed(c, err);
			c->slab_of[ev->object] = s;
			c->allocs++;
		} else if (likely(ev->op == EV_FREE)) {
			c->frees++;
			layer.free(c, pc, c->slab_of[ev->object], gen);
		} else if (!replay_other(c, pc, ev, layer, gen)) {
			return replay_failed(c, err);
		}
	}
	return 0;
}

#endif
