/*
 * refill: 6.10
 *
 *	cpu_partial_slabs == 0:  stop after the first slab
 *	else:                    when the slabs taken beside the first > cpu_partial_slabs / 2
 *	with a preferred node:   that node alone first, its pages too; then any node
 *
 * Kernels 6.10 to 6.19, commits acc8f4dbf1b3, ff99b18fee79, 9198ffbd2b49 (facts 3.1, 3.2).
 */
#include "sim/cache.h"

static bool enough(const struct cache *c, const struct refill_progress *p)
{
	return c->cpu_partial_slabs == 0 || p->taken - 1 > c->cpu_partial_slabs / 2;
}

static const struct refill_ops since_6_10 = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_REFILL,
	       .name = "6.10",
	       .summary =
		   "as 5.16, but none with a limit of 0; preferred node first (6.10 to 6.19)"},
    .thisnode_retry = true,
    .enough = enough,
};
POLICY(since_6_10);
