/*
 * NL, a node's partial list: slab indices in a ring, in their order, with gaps where slabs have
 * left from the middle. To the kernel it is a linked list; here a slab that comes or goes need not
 * touch its neighbours, and the slabs next in turn can be fetched before they are wanted.
 */
#ifndef SLABSIM_NODE_LIST_H
#define SLABSIM_NODE_LIST_H

#include "sim/cache.h"

/* Taken slabs are fetched so many places ahead. */
#define NODE_LIST_AHEAD 8

/*
 * Make room for every slab of the node, so that adding one never fails. False when memory is out.
 * To be called before n->slabs grows.
 */
bool node_list_reserve(struct node_cache *n);
/* Close the gaps: the ring's places are used up. */
void node_list_close_gaps(struct cache *c, struct node_cache *n);

/* What stands at a place from n->head to n->tail - 1: a slab, or SLAB_NONE for a gap. */
static inline uint32_t node_list_at(const struct node_cache *n, uint32_t place)
{
	return n->ring[place & (n->ring_size - 1)];
}

/* The first slab, or SLAB_NONE. */
static inline uint32_t node_list_first(const struct node_cache *n)
{
	return n->nr_partial ? node_list_at(n, n->head) : SLAB_NONE;
}

static inline void node_list_put(struct cache *c, struct node_cache *n, uint32_t place, uint32_t s)
{
	c->slab[s].place = SLAB_ON_NODE;
	c->slab[s].at = place;
	n->ring[place & (n->ring_size - 1)] = s;
	n->nr_partial++;
}

static inline void node_list_add_head(struct cache *c, uint32_t s)
{
	struct node_cache *n = &c->node[c->slab[s].node];

	if (__builtin_expect(n->tail - n->head == n->ring_size, 0))
		node_list_close_gaps(c, n);
	node_list_put(c, n, --n->head, s);
}

static inline void node_list_add_tail(struct cache *c, uint32_t s)
{
	struct node_cache *n = &c->node[c->slab[s].node];

	if (__builtin_expect(n->tail - n->head == n->ring_size, 0))
		node_list_close_gaps(c, n);
	node_list_put(c, n, n->tail++, s);
}

/* Take the first slab, which there is, off the list. */
static inline uint32_t node_list_pop(struct cache *c, struct node_cache *n)
{
	uint32_t head = n->head, s = node_list_at(n, head);
	uint32_t ahead = node_list_at(n, head + NODE_LIST_AHEAD);

	/* Beyond the tail stands what once was there, which does no harm. */
	if (ahead != SLAB_NONE)
		__builtin_prefetch(&c->slab[ahead], 1);
	c->slab[s].place = SLAB_NOWHERE;
	n->nr_partial--;
	/* Neither end is a gap. */
	do
		head++;
	while (head != n->tail && node_list_at(n, head) == SLAB_NONE);
	n->head = head;
	return s;
}

static inline void node_list_del(struct cache *c, uint32_t s)
{
	struct slab *slab = &c->slab[s];
	struct node_cache *n = &c->node[slab->node];

	if (slab->at == n->head) {
		node_list_pop(c, n);
		return;
	}
	slab->place = SLAB_NOWHERE;
	n->ring[slab->at & (n->ring_size - 1)] = SLAB_NONE;
	n->nr_partial--;
	while (node_list_at(n, n->tail - 1) == SLAB_NONE)
		n->tail--;
}

#endif
