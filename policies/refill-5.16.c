/*
 * refill: 5.16
 *
 *	stop when the slabs taken beside the first > cpu_partial_slabs / 2
 *
 * Kernels 5.16 to 6.9 (facts 3.2). With a limit of 0 one extra slab is still taken.
 */
#include "sim/cache.h"

static bool enough(const struct cache *c, const struct refill_progress *p)
{
	return p->taken - 1 > c->cpu_partial_slabs / 2;
}

static const struct refill_ops since_5_16 = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_REFILL,
	       .name = "5.16",
	       .summary = "half the limit in slabs, and one, beside the first (5.16 to 6.9)"},
    .enough = enough,
};
POLICY(since_5_16);
