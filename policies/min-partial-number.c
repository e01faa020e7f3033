/*
 * min_partial: a number of slabs, the same for every cache, as written to sysfs.
 */
#include "sim/policy.h"

static unsigned min_partial(unsigned size, int64_t number)
{
	(void)size;
	return (unsigned)number;
}

static const struct min_partial_ops number = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_MIN_PARTIAL,
	       .name = "number",
	       .summary = "so many slabs for every cache, as written to sysfs",
	       .takes_number = true,
	       .plain_number = true,
	       .min = 0,
	       .max = 1000000000},
    .min_partial = min_partial,
};
POLICY(number);
