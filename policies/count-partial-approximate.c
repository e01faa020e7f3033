/*
 * count_partial: approximate
 *
 *	nr_partial <= 10000:  the free objects of every slab on the list
 *	else:  those of the first and the last 5000, times nr_partial / 10000, and no more than
 *	       the node's objects
 *
 * /proc/slabinfo and the OOM report from 6.10, commits 046f4c69090c and b3d8a8e87014 (facts 6).
 */
#include "sim/node_list.h"

#define MAX_PARTIAL_TO_SCAN 10000

/* 1, or 0 for a gap in the list. */
static unsigned count_slab(const struct cache *c, uint32_t s, uint64_t *sum)
{
	if (s == SLAB_NONE)
		return 0;
	*sum += c->slab[s].objects - c->slab[s].inuse;
	return 1;
}

static uint64_t free_objects(const struct cache *c, unsigned node)
{
	const struct node_cache *n = &c->node[node];
	uint64_t sum = 0, scanned = 0, half = MAX_PARTIAL_TO_SCAN / 2;

	if (n->nr_partial <= MAX_PARTIAL_TO_SCAN)
		return cache_walk_free_objects(c, node);
	for (uint32_t at = n->head; scanned < half; at++)
		scanned += count_slab(c, node_list_at(n, at), &sum);
	for (uint32_t at = n->tail - 1; scanned < 2 * half; at--)
		scanned += count_slab(c, node_list_at(n, at), &sum);
	sum = sum * n->nr_partial / scanned;
	return sum < n->total_objects ? sum : n->total_objects;
}

static uint64_t scanned(uint64_t nr_partial)
{
	return nr_partial <= MAX_PARTIAL_TO_SCAN ? nr_partial : MAX_PARTIAL_TO_SCAN;
}

static const struct count_partial_ops approximate = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_COUNT_PARTIAL,
	       .name = "approximate",
	       .summary = "scale up 5000 slabs of each end (slabinfo from 6.10)"},
    .scanned = scanned,
    .free_objects = free_objects,
};
POLICY(approximate);
