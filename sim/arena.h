/*
 * A cache's slabs and objects: the arena of slab entries, its node lists, the object table, and
 * what a new and a discarded slab change. Shared by every allocator; inlined into its replay
 * function.
 */
#ifndef SLABSIM_ARENA_H
#define SLABSIM_ARENA_H

#include "sim/cache.h"
#include "sim/node_list.h"
#include "sim/timing.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define likely(x)     __builtin_expect(!!(x), 1)
#define unlikely(x)   __builtin_expect(!!(x), 0)

/* Make room for one more slab entry; for object; for one more object of a bulk call. */
bool arena_grow_slabs(struct cache *c);
bool arena_grow_objects(struct cache *c, uint32_t object);
bool arena_grow_bulk(struct cache *c);

/*
 * allocate_slab(): a slab of node's memory, all objects free, on no list; counts ALLOC_SLAB and
 * ORDER_FALLBACK. With thisnode false another node may have to give the pages. SLAB_NONE when
 * no node has them, or when the simulator itself is out of memory (c->out_of_memory).
 */
uint32_t arena_new_slab(struct cache *c, struct cpu_cache *pc, unsigned node, bool thisnode);
/* Give an empty slab on no list back to the page allocator; counts nothing. */
void arena_discard_slab(struct cache *c, uint32_t s);

/* A slab has s->min's order after an order fallback, and its objects are fewer then. */
static inline unsigned slab_order(const struct cache *c, const struct slab *slab)
{
	return slab->objects == c->objects ? c->order : c->min_order;
}

/* arena_new_slab() and arena_discard_slab() with what they cost. */
static inline uint32_t slab_new(struct cache *c, struct cpu_cache *pc, unsigned node, bool thisnode,
				const struct generation gen)
{
	uint32_t s = arena_new_slab(c, pc, node, thisnode);

	if (gen.timed && s != SLAB_NONE) {
		timing_pages(c->timing, slab_order(c, &c->slab[s]), false);
		timing_charge(c->timing, COST_NEW_OBJECT, c->slab[s].objects);
		c->line_owner[s] = (uint16_t)c->timing->cpu;
		c->timing->path = PATH_ALLOC_SLAB;
	}
	return s;
}

static inline void slab_discard(struct cache *c, uint32_t s, const struct generation gen)
{
	if (gen.timed)
		timing_pages(c->timing, slab_order(c, &c->slab[s]), true);
	arena_discard_slab(c, s);
}

ALWAYS_INLINE bool slab_is_empty_surplus(const struct cache *c, const struct slab *slab,
					 enum empty_slab_where where)
{
	return slab->inuse == 0 &&
	       c->empty_slab->discard(c->node[slab->node].nr_partial, c->min_partial, where);
}

/*
 * kmem_cache_shrink()'s work on a node's list (facts 4.2): sorted, the empty ones discarded.
 * Returns how many slabs it looked at.
 */
unsigned arena_shrink_node(struct cache *c, unsigned node);

/*
 * The order in which get_any_partial() asks the nodes, local first; false: it does not ask, for
 * the remote_node_defrag_ratio test failed (facts 3.2 step 5).
 */
bool arena_may_ask_remote_nodes(struct cache *c);

/*
 * build_detached_freelist() (facts 4.4): the objects of slabs[0..n) that share the last one's
 * slab, up to three others being passed over on the way down, are moved to the end. Returns how
 * many are left before them; *run says how many there are.
 */
uint32_t detached_freelist(uint32_t *slabs, uint32_t n, uint32_t *run);

#endif
