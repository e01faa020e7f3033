/*
 * refill: 3.7
 *
 *	stop when the free objects of all slabs taken, the first included, > cpu_partial / 2
 *
 * Kernels 3.7 to 5.15 (facts 3.2).
 */
#include "sim/cache.h"

static bool enough(const struct cache *c, const struct refill_progress *p)
{
	return p->available > c->cpu_partial / 2;
}

static const struct refill_ops since_3_7 = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_REFILL,
	       .name = "3.7",
	       .summary = "until the free objects taken exceed half the limit (3.7 to 5.15)"},
    .enough = enough,
};
POLICY(since_3_7);
