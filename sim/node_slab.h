/*
 * The mechanics of 7.0 below the sheaves: no cpu slab, every object comes from and goes to a
 * slab on its node's partial list (facts 5.3 to 5.5). NL holds every slab with a free object;
 * full slabs are on no list. The same shape as cpu_slab.h, which does this for older kernels.
 */
#ifndef SLABSIM_NODE_SLAB_H
#define SLABSIM_NODE_SLAB_H

#include "sim/arena.h"

/* Take one object of the head of node's list; the slab leaves the list when it is full. */
static inline uint32_t node_slab_take_one(struct cache *c, unsigned node)
{
	uint32_t s = c->node[node].head;

	if (++c->slab[s].inuse == c->slab[s].objects)
		node_list_del(c, s);
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

/* The slow path for one object, facts 5.3; ALLOC_SLOWPATH is counted. */
static __attribute__((noinline)) uint32_t node_slab_alloc(struct cache *c, struct cpu_cache *pc,
							  int node)
{
	unsigned wanted = node == NUMA_NO_NODE ? pc->node : (unsigned)node;
	int remote = -1;
	uint32_t s;

	pc->stat[ALLOC_SLOWPATH]++;
	if (c->node[wanted].nr_partial)
		return node_slab_take_one(c, wanted);
	if (node == NUMA_NO_NODE && arena_may_ask_remote_nodes(c))
		remote = node_slab_remote_node(c, pc);
	if (remote >= 0)
		return node_slab_take_one(c, (unsigned)remote);
	s = arena_new_slab(c, pc, wanted, node != NUMA_NO_NODE);
	if (s == SLAB_NONE && node != NUMA_NO_NODE && !c->out_of_memory) {
		/* The second attempt may look anywhere. */
		remote = arena_may_ask_remote_nodes(c) ? node_slab_remote_node(c, pc) : -1;
		if (remote >= 0)
			return node_slab_take_one(c, (unsigned)remote);
		s = arena_new_slab(c, pc, wanted, false);
	}
	if (s == SLAB_NONE)
		return SLAB_NONE;
	if (++c->slab[s].inuse < c->slab[s].objects)
		node_list_add_head(c, s);
	return s;
}

/* __slab_free() of cnt objects of one slab, facts 5.5; the caller counts the path. */
static inline void node_slab_free_run(struct cache *c, struct cpu_cache *pc, uint32_t s,
				      uint32_t cnt)
{
	struct slab *slab = &c->slab[s];
	bool was_full = slab->inuse == slab->objects;

	slab->inuse -= (uint16_t)cnt;
	if (slab_is_empty_surplus(c, slab, EMPTY_AT_FREE)) {
		if (!was_full) {
			node_list_del(c, s);
			pc->stat[FREE_REMOVE_PARTIAL]++;
		}
		pc->stat[FREE_SLAB]++;
		arena_discard_slab(c, s);
	} else if (was_full) {
		node_list_add_tail(c, s);
		pc->stat[FREE_ADD_PARTIAL]++;
	}
}

/* Flush an array of objects, run by run; neither free path is counted (facts 5.5). */
static inline void node_slab_flush(struct cache *c, struct cpu_cache *pc, uint32_t *slabs,
				   uint32_t n)
{
	while (n > 0) {
		uint32_t run, left = detached_freelist(slabs, n, &run);

		node_slab_free_run(c, pc, slabs[n - 1], run);
		n = left;
	}
}

/* All free objects of s, k at most, to dst; a surplus is freed back. Returns how many. */
static inline uint32_t node_slab_empty_into(struct cache *c, struct cpu_cache *pc, uint32_t s,
					    uint32_t *dst, uint32_t k)
{
	struct slab *slab = &c->slab[s];
	uint32_t nr_free = slab->objects - slab->inuse;
	uint32_t used = nr_free < k ? nr_free : k;

	slab->inuse = slab->objects;
	for (uint32_t i = 0; i < used; i++)
		dst[i] = s;
	if (used < nr_free)
		node_slab_free_run(c, pc, s, nr_free - used);
	return used;
}

/* Refill from one node's list, facts 5.4 steps 1 to 3: k objects at most; returns how many. */
static inline uint32_t node_slab_refill_from(struct cache *c, struct cpu_cache *pc, unsigned node,
					     uint32_t *dst, uint32_t k)
{
	uint32_t taken = SLAB_NONE, got = 0, s;
	uint64_t available = 0;

	/* A stack: the slab taken last is used first. */
	while (available < k && (s = c->node[node].head) != SLAB_NONE) {
		node_list_del(c, s);
		available += c->slab[s].objects - c->slab[s].inuse;
		c->slab[s].next = taken;
		taken = s;
	}
	while (taken != SLAB_NONE) {
		s = taken;
		taken = c->slab[s].next;
		if (got < k)
			got += node_slab_empty_into(c, pc, s, dst + got, k - got);
		else
			node_list_add_head(c, s);
	}
	return got;
}

/* Refill k objects into dst, facts 5.4. Fewer are returned only when no pages are left. */
static inline uint32_t node_slab_refill(struct cache *c, struct cpu_cache *pc, uint32_t *dst,
					uint32_t k)
{
	const uint16_t *zonelist = &c->machine->zonelist[pc->node * c->machine->nodes];
	uint32_t got = node_slab_refill_from(c, pc, pc->node, dst, k);

	if (got < k && arena_may_ask_remote_nodes(c)) {
		for (unsigned i = 0; i < c->machine->nodes && got < k; i++) {
			if (c->node[zonelist[i]].nr_partial > c->min_partial)
				got +=
				    node_slab_refill_from(c, pc, zonelist[i], dst + got, k - got);
		}
	}
	while (got < k) {
		uint32_t s = arena_new_slab(c, pc, pc->node, false);
		struct slab *slab;

		if (s == SLAB_NONE)
			break;
		slab = &c->slab[s];
		while (got < k && slab->inuse < slab->objects) {
			dst[got++] = s;
			slab->inuse++;
		}
		if (slab->inuse < slab->objects)
			node_list_add_head(c, s);
	}
	return got;
}

#endif
