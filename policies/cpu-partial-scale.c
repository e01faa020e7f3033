/*
 * cpu_partial: {"scale": FACTOR, "of": RULE}
 *
 *	FACTOR times what RULE gives; FACTOR may be a fraction, {"scale": 0.5, ...}, then the
 *	result is rounded down
 *
 * The 2011 measurements scaled the default by 1/2, 2, 8, 32 and 128 (facts 2.5).
 */
#include "sim/policy.h"

static unsigned nr_objects(const struct cpu_partial_input *in)
{
	const struct cpu_partial_ops *of = (const struct cpu_partial_ops *)in->choice.of;
	struct cpu_partial_input base = *in;

	base.choice = (struct policy_choice){.policy = in->choice.of};
	return (unsigned)(of->nr_objects(&base) * in->choice.number / POLICY_UNIT);
}

static const struct cpu_partial_ops scale = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_CPU_PARTIAL,
	       .name = "scale",
	       .summary = "a multiple of another rule: {\"scale\": 8, \"of\": \"default-old\"}",
	       .takes_number = true,
	       .takes_fraction = true,
	       .takes_base = true,
	       .min = 0,
	       .max = 1000},
    .nr_objects = nr_objects,
};
POLICY(scale);
