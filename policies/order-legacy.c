/*
 * legacy: calculate_order() up to 6.6 (facts 1.4).
 *
 *   objects = slub_min_objects, or 4 * (fls(cpus) + 1); no more than a slub_max_order slab holds
 *   while objects > 1:
 *       for fraction in 16, 8, 4:
 *           the first order that holds that many objects, within slub_min_order and
 *           slub_max_order, and wastes at most 1/fraction of the slab
 *       objects -= 1
 *   else the first order within slub_max_order that holds one object
 *   else the first order at all that does
 */
#include "sim/order.h"

static const struct order_ops order_legacy = {
    .policy =
	{
	    .abi = POLICY_ABI,
	    .axis = AXIS_ORDER,
	    .name = "legacy",
	    .summary = "up to 6.6: waste at most 1/16, 1/8, 1/4 of the slab, then fewer objects",
	},
    .order = calculate_order_legacy,
};

POLICY(order_legacy);
