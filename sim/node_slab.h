/*
 * The mechanics of 7.0 below the sheaves: no cpu slab, every object comes from and goes to a
 * slab on its node's partial list (facts 5.3 to 5.5). NL holds every slab with a free object;
 * full slabs are on no list. The same shape as cpu_slab.h, which does this for older kernels.
 */
#ifndef SLABSIM_NODE_SLAB_H
#define SLABSIM_NODE_SLAB_H

#include "sim/arena.h"

/* Take one object of the head of node's list; the slab leaves the list when it is full. */
static inline uint32_t node_slab_take_one(struct cache *c, unsigned node,
					  const struct generation gen)
{
	uint32_t s;

	lock_list(c, node, gen);
	s = node_list_first(&c->node[node]);
	touch_slab(c, s, gen);
	charge(c, COST_CMPXCHG, gen);
	if (++c->slab[s].inuse == c->slab[s].objects) {
		node_list_del(c, s);
		charge(c, COST_LIST, gen);
	}
	unlock_list(c, node, gen);
	take_path(c, PATH_ALLOC_FROM_PARTIAL, gen);
	return s;
}

/* The first of the CPU's neighbours with more than min_partial slabs, or -1. */
static inline int node_slab_remote_node(struct cache *c, struct cpu_cache *pc)
{
	const uint16_t *zonelist = &c->machine->zonelist[pc->node * c->machine->nodes];

	for (unsigned i = 0; i < c->machine->nodes; i++)
		if (c->node[zonelist[i]].nr_partial > c->min_partial)
			return zonelist[i];
	return -1;
}

/* A slab goes (back) to the head of its node's list. */
static inline void node_slab_add_head(struct cache *c, uint32_t s, const struct generation gen)
{
	unsigned node = c->slab[s].node;

	lock_list(c, node, gen);
	charge(c, COST_LIST, gen);
	node_list_add_head(c, s);
	unlock_list(c, node, gen);
}

/* The slow path for one object, facts 5.3; ALLOC_SLOWPATH is counted. */
static inline uint32_t node_slab_alloc_inline(struct cache *c, struct cpu_cache *pc, int node,
					      const struct generation gen)
{
	unsigned wanted = node == NUMA_NO_NODE ? pc->node : (unsigned)node;
	int remote = -1;
	uint32_t s;

	pc->stat[ALLOC_SLOWPATH]++;
	charge(c, COST_SLOWPATH, gen);
	if (c->node[wanted].nr_partial)
		return node_slab_take_one(c, wanted, gen);
	if (node == NUMA_NO_NODE && arena_may_ask_remote_nodes(c))
		remote = node_slab_remote_node(c, pc);
	if (remote >= 0)
		return node_slab_take_one(c, (unsigned)remote, gen);
	s = slab_new(c, pc, wanted, node != NUMA_NO_NODE, gen);
	if (s == SLAB_NONE && node != NUMA_NO_NODE && !c->out_of_memory) {
		/* The second attempt may look anywhere. */
		remote = arena_may_ask_remote_nodes(c) ? node_slab_remote_node(c, pc) : -1;
		if (remote >= 0)
			return node_slab_take_one(c, (unsigned)remote, gen);
		s = slab_new(c, pc, wanted, false, gen);
	}
	if (s == SLAB_NONE)
		return SLAB_NONE;
	if (++c->slab[s].inuse < c->slab[s].objects)
		node_slab_add_head(c, s, gen);
	return s;
}
OUT_OF_LINE(uint32_t, node_slab_alloc, (struct cache * c, struct cpu_cache *pc, int node), c, pc,
	    node)

/* __slab_free() of cnt objects of one slab, facts 5.5; the caller counts the path. */
static inline void node_slab_free_run_inline(struct cache *c, struct cpu_cache *pc, uint32_t s,
					     uint32_t cnt, const struct generation gen)
{
	struct slab *slab = &c->slab[s];
	bool was_full = slab->inuse == slab->objects;
	unsigned node = slab->node;
	bool discard;

	touch_slab(c, s, gen);
	charge(c, COST_CMPXCHG, gen);
	if (gen.timed && c->count_partial->keeps_counters)
		charge(c, COST_COUNTER, gen);
	slab->inuse -= (uint16_t)cnt;
	take_path(c, PATH_FREE_SLOWPATH, gen);
	/* Neither to nor from a list: no lock. */
	if (!was_full && slab->inuse)
		return;
	lock_list(c, node, gen);
	discard = slab_is_empty_surplus(c, slab, EMPTY_AT_FREE);
	if (discard && !was_full) {
		node_list_del(c, s);
		charge(c, COST_LIST, gen);
		pc->stat[FREE_REMOVE_PARTIAL]++;
	} else if (was_full && !discard) {
		node_list_add_tail(c, s);
		charge(c, COST_LIST, gen);
		pc->stat[FREE_ADD_PARTIAL]++;
	}
	unlock_list(c, node, gen);
	take_path(c, discard ? PATH_FREE_SLAB : PATH_FREE_NODE_PARTIAL, gen);
	if (discard) {
		pc->stat[FREE_SLAB]++;
		slab_discard(c, s, gen);
	}
}
OUT_OF_LINE(void, node_slab_free_run,
	    (struct cache * c, struct cpu_cache *pc, uint32_t s, uint32_t cnt), c, pc, s, cnt)

/* Flush an array of objects, run by run; neither free path is counted (facts 5.5). */
static inline void node_slab_flush(struct cache *c, struct cpu_cache *pc, uint32_t *slabs,
				   uint32_t n, const struct generation gen)
{
	while (n > 0) {
		uint32_t run, left = detached_freelist(slabs, n, &run);

		node_slab_free_run(c, pc, slabs[n - 1], run, gen);
		n = left;
	}
}

/* All free objects of s, k at most, to dst; a surplus is freed back. Returns how many. */
static inline uint32_t node_slab_empty_into(struct cache *c, struct cpu_cache *pc, uint32_t s,
					    uint32_t *dst, uint32_t k, const struct generation gen)
{
	struct slab *slab = &c->slab[s];
	uint32_t nr_free = slab->objects - slab->inuse;
	uint32_t used = nr_free < k ? nr_free : k;

	touch_slab(c, s, gen);
	charge(c, COST_CMPXCHG, gen);
	charge_times(c, COST_SHEAF_OBJECT, used, gen);
	slab->inuse = slab->objects;
	for (uint32_t i = 0; i < used; i++)
		dst[i] = s;
	if (used < nr_free)
		node_slab_free_run(c, pc, s, nr_free - used, gen);
	return used;
}

/*
 * A slab that a refill took and did not use goes back to the head of its node's list. One that is
 * empty, where the list is long enough, goes to the page allocator, and no counter says so.
 */
static inline void node_slab_put_unused(struct cache *c, uint32_t s, const struct generation gen)
{
	if (!slab_is_empty_surplus(c, &c->slab[s], EMPTY_AT_FREE)) {
		node_slab_add_head(c, s, gen);
		return;
	}
	c->uncounted_discards++;
	slab_discard(c, s, gen);
}

/* Refill from one node's list, facts 5.4 steps 1 to 3: k objects at most; returns how many. */
static inline uint32_t node_slab_refill_from(struct cache *c, struct cpu_cache *pc, unsigned node,
					     uint32_t *dst, uint32_t k, const struct generation gen)
{
	uint32_t taken = SLAB_NONE, got = 0, s;
	uint64_t available = 0;

	if (!c->node[node].nr_partial)
		return 0;
	/* A stack: the slab taken last is used first. */
	lock_list(c, node, gen);
	while (available < k && c->node[node].nr_partial) {
		s = node_list_pop(c, &c->node[node]);
		available += c->slab[s].objects - c->slab[s].inuse;
		c->slab[s].next = taken;
		taken = s;
		charge(c, COST_LIST, gen);
	}
	unlock_list(c, node, gen);
	while (taken != SLAB_NONE) {
		s = taken;
		taken = c->slab[s].next;
		if (got < k)
			got += node_slab_empty_into(c, pc, s, dst + got, k - got, gen);
		else
			node_slab_put_unused(c, s, gen);
	}
	return got;
}

/* Refill k objects into dst, facts 5.4. Fewer are returned only when no pages are left. */
static inline uint32_t node_slab_refill(struct cache *c, struct cpu_cache *pc, uint32_t *dst,
					uint32_t k, const struct generation gen)
{
	const uint16_t *zonelist = &c->machine->zonelist[pc->node * c->machine->nodes];
	uint32_t got = node_slab_refill_from(c, pc, pc->node, dst, k, gen);

	if (got < k && arena_may_ask_remote_nodes(c)) {
		for (unsigned i = 0; i < c->machine->nodes && got < k; i++) {
			if (c->node[zonelist[i]].nr_partial > c->min_partial)
				got += node_slab_refill_from(c, pc, zonelist[i], dst + got, k - got,
							     gen);
		}
	}
	while (got < k) {
		uint32_t s = slab_new(c, pc, pc->node, false, gen);
		struct slab *slab;

		if (s == SLAB_NONE)
			break;
		slab = &c->slab[s];
		while (got < k && slab->inuse < slab->objects) {
			dst[got++] = s;
			slab->inuse++;
		}
		if (slab->inuse < slab->objects)
			node_slab_add_head(c, s, gen);
	}
	return got;
}

#endif
