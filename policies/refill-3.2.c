/*
 * refill: 3.2
 *
 *	stop when the objects on the CPU's list > cpu_partial / 2, but not after the first slab
 *
 * Kernels 3.2 to 3.6 (facts 3.2). The first slab counts nothing, since its inuse has just been
 * set to objects, so at least one more is taken where there is one.
 */
#include "sim/cache.h"

static bool enough(const struct cache *c, const struct refill_progress *p)
{
	return p->taken > 1 && p->pobjects > c->cpu_partial / 2;
}

static const struct refill_ops since_3_2 = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_REFILL,
	       .name = "3.2",
	       .summary = "one extra slab, then until the list holds half the limit (3.2 to 3.6)"},
    .enough = enough,
};
POLICY(since_3_2);
