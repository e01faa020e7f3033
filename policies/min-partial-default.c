/*
 * min_partial: default
 *
 *	clamp(floor(log2(size)) / 2, 5, 10)
 *
 * Every kernel (facts 1.7).
 */
#include "sim/policy.h"

static unsigned min_partial(unsigned size, int64_t number)
{
	unsigned log2 = 0;

	(void)number;
	while (size >>= 1)
		log2++;
	if (log2 / 2 < 5)
		return 5;
	return log2 / 2 > 10 ? 10 : log2 / 2;
}

static const struct min_partial_ops default_min = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_MIN_PARTIAL,
	       .name = "default",
	       .summary = "5 to 10 by size (every kernel)"},
    .min_partial = min_partial,
};
POLICY(default_min);
