/*
 * count_partial: counters
 *
 *	each node keeps its free objects up to date, CPU by CPU, at every slow-path operation; a
 *	reader adds the counters up
 *
 * Xunlei Pang's proposal, v4 of 2021, not merged (facts 6). Operations one after the other leave
 * the sum exact, so the value is that of a walk; what differs is who pays for it, and when.
 */
#include "sim/cache.h"

static uint64_t scanned(uint64_t nr_partial)
{
	(void)nr_partial;
	return 0;
}

static const struct count_partial_ops counters = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_COUNT_PARTIAL,
	       .name = "counters",
	       .summary = "counters kept by every slow path (proposed 2021)"},
    .keeps_counters = true,
    .scanned = scanned,
    .free_objects = cache_walk_free_objects,
};
POLICY(counters);
