/*
 * min-waste-fraction: the proposal of June 2023, "mm/slub: Reducing slub memory wastage", with
 * waste read as the share of the slab that is left (facts 1.6). Never merged.
 * min-waste-absolute is the other reading.
 *
 *   min_order as in mainline
 *   of the orders min_order ... slub_max_order the one that leaves the smallest share of the
 *   slab, the lowest of those that tie
 *   the first order that holds one object, where min_order is above slub_max_order
 *
 * Doubling a slab never raises the share, so this is the lowest order as good as
 * slub_max_order. Orders with more objects than a slab's counter can hold are left out.
 */
#include "sim/order.h"

static int min_waste_fraction(const struct order_input *in)
{
	struct order_limits lim;
	uint64_t waste, least = 0;
	unsigned order;
	int best;

	if (!order_range(in, &lim, &best))
		return best;
	for (order = lim.min_order, best = -1; order <= lim.max_order; order++) {
		if (order_objects(order, in->size, in->page_size) > MAX_OBJS_PER_PAGE)
			break;
		/* Shares of different slabs, brought to the denominator of max_order's. */
		waste = (uint64_t)order_waste(order, in->size, in->page_size)
			<< (lim.max_order - order);
		if (best < 0 || waste < least) {
			best = (int)order;
			least = waste;
		}
	}
	return best < 0 ? order_last_resort(in->size, in->page_size) : best;
}

static const struct order_ops order_min_waste_fraction = {
    .policy =
	{
	    .abi = POLICY_ABI,
	    .axis = AXIS_ORDER,
	    .name = "min-waste-fraction",
	    .summary = "2023 proposal: the order that wastes the smallest share of the slab",
	},
    .order = min_waste_fraction,
};

POLICY(order_min_waste_fraction);
