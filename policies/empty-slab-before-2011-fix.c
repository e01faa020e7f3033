/*
 * empty_slab: before-2011-fix
 *
 *	drain:       give back when nr_partial < min_partial, the wrong way round
 *	free, deactivate:  give back when nr_partial > min_partial
 *
 * Before the patch of December 2011 (facts 2.5): node lists can fill with empty slabs.
 */
#include "sim/policy.h"

static bool discard(unsigned nr_partial, unsigned min_partial, enum empty_slab_where where)
{
	if (where == EMPTY_AT_DRAIN)
		return nr_partial < min_partial;
	return nr_partial > min_partial;
}

static const struct empty_slab_ops before_2011_fix = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_EMPTY_SLAB,
	       .name = "before-2011-fix",
	       .summary = "draining tests the wrong way round (before 3.2)"},
    .discard = discard,
};
POLICY(before_2011_fix);
