/*
 * cpu_partial: default-old
 *
 *	size >= PAGE_SIZE: 2;  >= 1024: 6;  >= 256: 13;  else 30
 *
 * Kernels up to 5.15 (facts 2.2).
 */
#include "sim/policy.h"

static unsigned nr_objects(const struct cpu_partial_input *in)
{
	if (in->size >= in->page_size)
		return 2;
	if (in->size >= 1024)
		return 6;
	if (in->size >= 256)
		return 13;
	return 30;
}

static const struct cpu_partial_ops default_old = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_CPU_PARTIAL,
	       .name = "default-old",
	       .summary = "2, 6, 13 or 30 objects by size (up to 5.15)"},
    .nr_objects = nr_objects,
};
POLICY(default_old);
