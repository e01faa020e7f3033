/*
 * cpu_partial: a number of objects, the same for every cache, as written to sysfs.
 */
#include "sim/policy.h"

static unsigned nr_objects(const struct cpu_partial_input *in)
{
	return (unsigned)in->choice.number;
}

static const struct cpu_partial_ops number = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_CPU_PARTIAL,
	       .name = "number",
	       .summary = "so many objects for every cache, as written to sysfs",
	       .takes_number = true,
	       .plain_number = true,
	       .min = 0,
	       .max = 1000000000},
    .nr_objects = nr_objects,
};
POLICY(number);
