/*
 * count_partial: approximate
 *
 *	nr_partial <= 10000:  the free objects of every slab on the list
 *	else:  those of the first and the last 5000, times nr_partial / 10000, and no more than
 *	       the node's objects
 *
 * /proc/slabinfo and the OOM report from 6.10, commits 046f4c69090c and b3d8a8e87014 (facts 6).
 */
#include "sim/cache.h"

#define MAX_PARTIAL_TO_SCAN 10000

static uint64_t free_objects(const struct cache *c, unsigned node)
{
	const struct node_cache *n = &c->node[node];
	uint64_t sum = 0, scanned = 0;
	uint32_t s;

	for (s = n->head; s != SLAB_NONE; s = c->slab[s].next) {
		sum += c->slab[s].objects - c->slab[s].inuse;
		if (++scanned == MAX_PARTIAL_TO_SCAN / 2 && n->nr_partial > MAX_PARTIAL_TO_SCAN)
			break;
	}
	if (n->nr_partial <= MAX_PARTIAL_TO_SCAN)
		return sum;
	for (s = n->tail; scanned < MAX_PARTIAL_TO_SCAN; s = c->slab[s].prev, scanned++)
		sum += c->slab[s].objects - c->slab[s].inuse;
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
