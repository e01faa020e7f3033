/*
 * partial_accounting: unlimited
 *
 *	full:  never
 *
 * Path 1 of the 2011 cpu_partial measurements (facts 2.5): no s->cpu_partial limit. The refill
 * rule stays as it is.
 */
#include "sim/cache.h"

static int64_t room(const struct cache *c, const struct cpu_cache *cpu)
{
	(void)c;
	(void)cpu;
	return INT64_MAX;
}

static const struct partial_accounting_ops unlimited = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_PARTIAL_ACCOUNTING,
	       .name = "unlimited",
	       .summary = "never full (2011, path 1)"},
    .room = room,
};
POLICY(unlimited);
