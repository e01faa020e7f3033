/* What the replay loop asks of an allocator's top layer. */
#ifndef SLABSIM_LAYER_H
#define SLABSIM_LAYER_H

#include "sim/cache.h"
#include "sim/generation.h"

/* A slab index stands for one object of that slab; SLAB_NONE and false mean no memory. */
struct layer {
	uint32_t (*alloc)(struct cache *c, struct cpu_cache *pc, int node, bool may_block,
			  const struct generation gen);
	void (*free)(struct cache *c, struct cpu_cache *pc, uint32_t slab,
		     const struct generation gen);
	/* kfree_rcu(), its grace period over. */
	void (*free_rcu)(struct cache *c, struct cpu_cache *pc, uint32_t slab,
			 const struct generation gen);
	bool (*alloc_bulk)(struct cache *c, struct cpu_cache *pc, uint32_t *slabs, uint32_t n,
			   const struct generation gen);
	void (*free_bulk)(struct cache *c, struct cpu_cache *pc, uint32_t *slabs, uint32_t n,
			  const struct generation gen);
	void (*shrink)(struct cache *c, struct cpu_cache *pc, const struct generation gen);
};

#endif
