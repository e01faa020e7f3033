/*
 * cpu_partial: feng
 *
 *	size >= PAGE_SIZE: 6;  >= 1024: 24;  >= 256: 52;  else 120;  twice that on 32 CPUs or more
 *
 * Feng Tang's proposal of 5 September 2023, not merged (facts 1.6, 2.2).
 */
#include "sim/policy.h"

static unsigned nr_objects(const struct cpu_partial_input *in)
{
	unsigned times = in->nr_cpus >= 32 ? 2 : 1;

	if (in->size >= in->page_size)
		return 6 * times;
	if (in->size >= 1024)
		return 24 * times;
	if (in->size >= 256)
		return 52 * times;
	return 120 * times;
}

static const struct cpu_partial_ops feng = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_CPU_PARTIAL,
	       .name = "feng",
	       .summary = "twice default on 32 CPUs or more (proposed 2023)"},
    .nr_objects = nr_objects,
};
POLICY(feng);
