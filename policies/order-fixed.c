/*
 * fixed: the same order for every cache.
 *
 *   the number given
 *   but the first order that holds an object, where the number is too small for one
 *   and the last one with no more than 32767 objects, where it is too large for the counter
 *
 * As a kernel booted with slub_min_order and slub_max_order both set to the number.
 */
#include "sim/order.h"

static int fixed_order(const struct order_input *in)
{
	int least = order_last_resort(in->size, in->page_size);
	unsigned order;

	if (least < 0)
		return -1;
	order = in->number < least ? (unsigned)least : (unsigned)in->number;
	if (order > MAX_PAGE_ORDER)
		order = MAX_PAGE_ORDER;
	if (order_objects(order, in->size, in->page_size) > MAX_OBJS_PER_PAGE)
		return order_most_objects(in->size, in->page_size);
	return (int)order;
}

static const struct order_ops order_fixed = {
    .policy =
	{
	    .abi = POLICY_ABI,
	    .axis = AXIS_ORDER,
	    .name = "fixed",
	    .summary = "the same order for every cache, as far as an object fits",
	    .takes_number = true,
	    .plain_number = true,
	    .min = 0,
	    .max = MAX_PAGE_ORDER,
	},
    .order = fixed_order,
    .ignores_limits = true,
};

POLICY(order_fixed);
