/*
 * cpu_partial_full: alloc-only
 *
 *	free:    the slab goes to the tail of its node's list, or is given back
 *	refill:  adds while the list is below its limit
 *
 * Path 3 of the 2011 cpu_partial measurements (facts 2.5).
 */
#include "sim/policy.h"

static enum cpu_partial_put put(bool full, bool from_free)
{
	return full || from_free ? PUT_REFUSE : PUT_ADD;
}

static const struct cpu_partial_full_ops alloc_only = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_CPU_PARTIAL_FULL,
	       .name = "alloc-only",
	       .summary = "only refills fill the list; frees go to the node (2011, path 3)"},
    .put = put,
    .refill_until_refused = true,
};
POLICY(alloc_only);
