/*
 * cpu_partial: default
 *
 *	size >= PAGE_SIZE: 6;  >= 1024: 24;  >= 256: 52;  else 120
 *
 * Kernels from 5.16, commit 23e98ad1ce89 (facts 2.2).
 */
#include "sim/policy.h"

static unsigned nr_objects(const struct cpu_partial_input *in)
{
	if (in->size >= in->page_size)
		return 6;
	if (in->size >= 1024)
		return 24;
	if (in->size >= 256)
		return 52;
	return 120;
}

static const struct cpu_partial_ops default_limit = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_CPU_PARTIAL,
	       .name = "default",
	       .summary = "6, 24, 52 or 120 objects by size (5.16 and later)"},
    .nr_objects = nr_objects,
};
POLICY(default_limit);
