/*
 * feng: the first patch of Feng Tang's series of 5 September 2023 (facts 1.6). Never merged.
 *
 *   slub_max_order is 4 unless given
 *   the automatic number of objects is doubled on 32 CPUs or more
 *   otherwise legacy
 *
 * The same patch doubled the per-CPU partial limit on such machines: cpu_partial "feng".
 */
#include "sim/order.h"

static int feng_order(const struct order_input *in)
{
	struct order_input with = *in;

	if (with.slub_max_order < 0)
		with.slub_max_order = 4;
	if (with.slub_min_objects <= 0 && with.nr_cpus >= 32)
		with.slub_min_objects = 2 * (int)default_min_objects(with.nr_cpus);
	return calculate_order_legacy(&with);
}

static const struct order_ops order_feng = {
    .policy =
	{
	    .abi = POLICY_ABI,
	    .axis = AXIS_ORDER,
	    .name = "feng",
	    .summary = "2023 proposal: legacy up to order 4, twice the objects on 32 CPUs or more",
	},
    .order = feng_order,
};

POLICY(order_feng);
