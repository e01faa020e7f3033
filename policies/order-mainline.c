/*
 * mainline: calculate_order() since 6.7 (facts 1.5).
 *
 *   objects = slub_min_objects, or 4 * (fls(cpus) + 1); no more than a slub_max_order slab holds
 *   min_order = the first order that holds that many, slub_min_order at least
 *   for fraction in 16, 8, 4, 2:
 *       the first order in min_order ... slub_max_order that wastes at most 1/fraction
 *   else the first order that holds one object
 */
#include "sim/order.h"

static int mainline_order(const struct order_input *in)
{
	struct order_limits lim;
	unsigned fraction, order;
	int found;

	if (!order_range(in, &lim, &found))
		return found;
	for (fraction = 16; fraction >= 2; fraction /= 2) {
		for (order = lim.min_order; order <= lim.max_order; order++) {
			uint64_t slab = slab_bytes(order, in->page_size);

			if (slab % in->size <= slab / fraction)
				return (int)order;
		}
	}
	return order_last_resort(in->size, in->page_size);
}

static const struct order_ops order_mainline = {
    .policy =
	{
	    .abi = POLICY_ABI,
	    .axis = AXIS_ORDER,
	    .name = "mainline",
	    .summary = "since 6.7: waste at most 1/16, 1/8, 1/4, 1/2 of the slab",
	},
    .order = mainline_order,
};

POLICY(order_mainline);
