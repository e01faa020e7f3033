/*
 * empty_slab: since-3.16
 *
 *	give back:  nr_partial >= min_partial
 *
 * Kernels from 3.16, 2014 (facts 2.5).
 */
#include "sim/policy.h"

static bool discard(unsigned nr_partial, unsigned min_partial, enum empty_slab_where where)
{
	(void)where;
	return nr_partial >= min_partial;
}

static const struct empty_slab_ops since_3_16 = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_EMPTY_SLAB,
	       .name = "since-3.16",
	       .summary = "given back when the node has min_partial slabs (3.16 and later)"},
    .discard = discard,
};
POLICY(since_3_16);
