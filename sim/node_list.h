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

/* The first slab, or SLAB_NONE. Gaps before it are gone afterwards. */
static inline uint32_t node_list_first(struct node_cache *n)
{
	if (!n->nr_partial)
		return SLAB_NONE;
	while (node_list_at(n, n->head) == SLAB_NONE)
		n->head++;
	return node_list_at(n, n->head);
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
	uint32_t at = n->head, s, ahead;

	do
		s = node_list_at(n, at++);
	while (__builtin_expect(s == SLAB_NONE, 0));
	n->head = at;
	n->nr_partial--;
	c->slab[s].place = SLAB_NOWHERE;
	/* Beyond the tail stands what once was there, which does no harm. */
	ahead = node_list_at(n, at + NODE_LIST_AHEAD);
	if (__builtin_expect(ahead != SLAB_NONE, 1))
		__builtin_prefetch(&c->slab[ahead], 1);
	return s;
}

static inline void node_list_del(struct cache *c, uint32_t s)
{
	struct slab *slab = &c->slab[s];
	struct node_cache *n = &c->node[slab->node];

	slab->place = SLAB_NOWHERE;
	n->ring[slab->at & (n->ring_size - 1)] = SLAB_NONE;
	n->nr_partial--;
}

#endif
