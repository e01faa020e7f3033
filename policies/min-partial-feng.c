/*
 * min_partial: feng
 *
 *	clamp(floor(log2(size)) / 2, 64, 128)
 *
 * Feng Tang's proposal 2/3 of 5 September 2023, not merged (facts 1.6): larger node lists.
 */
#include "sim/policy.h"

static unsigned min_partial(unsigned size, int64_t number)
{
	(void)size;
	(void)number;
	/* log2 of any size, halved, is below the lower bound. */
	return 64;
}

static const struct min_partial_ops feng = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_MIN_PARTIAL,
	       .name = "feng",
	       .summary = "64 slabs for every cache (proposed 2023)"},
    .min_partial = min_partial,
};
POLICY(feng);
