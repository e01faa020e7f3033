/*
 * min-waste-absolute: the proposal of June 2023, "mm/slub: Reducing slub memory wastage", with
 * waste read as the bytes left at the end of a slab (facts 1.6). Never merged. What the proposal
 * printed does not say whether bytes or shares are compared; min-waste-fraction is the other
 * reading.
 *
 *   min_order as in mainline
 *   of the orders min_order ... slub_max_order the one that leaves the fewest bytes, the lowest
 *   of those that tie
 *   the first order that holds one object, where min_order is above slub_max_order
 *
 * Orders with more objects than a slab's counter can hold are left out; with the default
 * slub_max_order there are none but for sizes that waste nothing anyway.
 */
#include "sim/order.h"

static int min_waste_absolute(const struct order_input *in)
{
	struct order_limits lim;
	unsigned order, waste, least = 0;
	int best;

	if (!order_range(in, &lim, &best))
		return best;
	for (order = lim.min_order, best = -1; order <= lim.max_order; order++) {
		if (order_objects(order, in->size, in->page_size) > MAX_OBJS_PER_PAGE)
			break;
		waste = order_waste(order, in->size, in->page_size);
		if (best < 0 || waste < least) {
			best = (int)order;
			least = waste;
		}
	}
	return best < 0 ? order_last_resort(in->size, in->page_size) : best;
}

static const struct order_ops order_min_waste_absolute = {
    .policy =
	{
	    .abi = POLICY_ABI,
	    .axis = AXIS_ORDER,
	    .name = "min-waste-absolute",
	    .summary = "2023 proposal: the order that wastes the fewest bytes per slab",
	},
    .order = min_waste_absolute,
};

POLICY(order_min_waste_absolute);
