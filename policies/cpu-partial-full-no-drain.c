/*
 * cpu_partial_full: no-drain
 *
 *	list full:  a freed slab goes to the tail of its node's list, or is given back;
 *	            a refill puts the slab back at the head and ends
 *	refill:     goes on until the list is full
 *
 * Path 2 of the 2011 cpu_partial measurements, patch-pcpnodump (facts 2.5).
 */
#include "sim/policy.h"

static enum cpu_partial_put put(bool full, bool from_free)
{
	(void)from_free;
	return full ? PUT_REFUSE : PUT_ADD;
}

static const struct cpu_partial_full_ops no_drain = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_CPU_PARTIAL_FULL,
	       .name = "no-drain",
	       .summary = "a full list takes nothing; the slab goes to its node (2011, path 2)"},
    .put = put,
    .refill_until_refused = true,
};
POLICY(no_drain);
