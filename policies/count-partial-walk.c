/*
 * count_partial: walk
 *
 *	the free objects of every slab on the node's partial list, under list_lock
 *
 * Every kernel's sysfs, and /proc/slabinfo up to 6.9 (facts 6): exact, O(nr_partial).
 */
#include "sim/cache.h"

static uint64_t scanned(uint64_t nr_partial)
{
	return nr_partial;
}

static const struct count_partial_ops walk = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_COUNT_PARTIAL,
	       .name = "walk",
	       .summary = "walk the whole list (slabinfo up to 6.9)"},
    .scanned = scanned,
    .free_objects = cache_walk_free_objects,
};
POLICY(walk);
