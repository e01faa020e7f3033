/*
 * empty_slab: since-3.2
 *
 *	give back:  nr_partial > min_partial
 *
 * Kernels 3.2 to 3.15 (facts 2.5).
 */
#include "sim/policy.h"

static bool discard(unsigned nr_partial, unsigned min_partial, enum empty_slab_where where)
{
	(void)where;
	return nr_partial > min_partial;
}

static const struct empty_slab_ops since_3_2 = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_EMPTY_SLAB,
	       .name = "since-3.2",
	       .summary = "given back when the node has more than min_partial slabs (3.2 to 3.15)"},
    .discard = discard,
};
POLICY(since_3_2);
