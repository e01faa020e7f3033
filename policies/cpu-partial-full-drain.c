/*
 * cpu_partial_full: drain
 *
 *	free, list full:  the whole list goes to the nodes, the slab starts a new one
 *	refill:           always added; the limit may be exceeded
 *
 * Every kernel with per-CPU partial lists (facts 2.4).
 */
#include "sim/policy.h"

static enum cpu_partial_put put(bool full, bool from_free)
{
	return full && from_free ? PUT_DRAIN_AND_ADD : PUT_ADD;
}

static const struct cpu_partial_full_ops drain = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_CPU_PARTIAL_FULL,
	       .name = "drain",
	       .summary = "a free that meets a full list moves the list to the nodes (kernel)"},
    .put = put,
};
POLICY(drain);
