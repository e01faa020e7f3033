#include "sim/node_list.h"

#include <stdlib.h>

/* A power of two, twice as many places as slabs: so gaps are closed seldom. */
bool node_list_reserve(struct node_cache *n)
{
	uint32_t size = n->ring_size ? n->ring_size * 2 : 64;
	uint32_t *ring;

	if (2 * ((uint64_t)n->slabs + 1) <= n->ring_size)
		return true;
	ring = size ? calloc(size, sizeof(*ring)) : NULL;
	if (!ring)
		return false;
	for (uint32_t i = n->head; i != n->tail; i++)
		ring[i & (size - 1)] = node_list_at(n, i);
	free(n->ring);
	n->ring = ring;
	n->ring_size = size;
	return true;
}

void node_list_close_gaps(struct cache *c, struct node_cache *n)
{
	uint32_t to = n->head;

	for (uint32_t i = n->head; i != n->tail; i++) {
		uint32_t s = node_list_at(n, i);

		if (s == SLAB_NONE)
			continue;
		n->ring[to & (n->ring_size - 1)] = s;
		c->slab[s].at = to++;
	}
	n->tail = to;
}
