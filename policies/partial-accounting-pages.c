/*
 * partial_accounting: pages
 *
 *	full:  slabs on the list >= cpu_partial_slabs = ceil(2 * cpu_partial / objects per slab)
 *
 * Kernels 5.16 to 6.19, commit b47291ef02b0 (facts 2.3, 2.4).
 */
#include "sim/cpu_partial.h"

static int64_t room(const struct cache *c, const struct cpu_cache *cpu)
{
	return (int64_t)c->cpu_partial_slabs - cpu_partial_slabs(cpu);
}

static const struct partial_accounting_ops pages = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_PARTIAL_ACCOUNTING,
	       .name = "pages",
	       .summary = "slabs on the list, taken as half full (5.16 to 6.19)"},
    .refill = "5.16",
    .room = room,
};
POLICY(pages);
