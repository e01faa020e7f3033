#include "sim/order.h"

unsigned fls(unsigned n)
{
	return n ? 32 - (unsigned)__builtin_clz(n) : 0;
}

unsigned get_order(uint64_t size, unsigned page_size)
{
	uint64_t pages = size ? (size - 1) / page_size : 0;

	return pages ? 64 - (unsigned)__builtin_clzll(pages) : 0;
}

uint64_t slab_bytes(unsigned order, unsigned page_size)
{
	return (uint64_t)page_size << order;
}

uint64_t order_objects(unsigned order, unsigned size, unsigned page_size)
{
	return slab_bytes(order, page_size) / size;
}

unsigned order_waste(unsigned order, unsigned size, unsigned page_size)
{
	return (unsigned)(slab_bytes(order, page_size) % size);
}

unsigned default_min_objects(unsigned nr_cpus)
{
	return 4 * (fls(nr_cpus) + 1);
}

static unsigned at_most(unsigned n, unsigned max)
{
	return n < max ? n : max;
}

void order_limits(const struct order_input *in, unsigned default_max_order,
		  struct order_limits *lim)
{
	unsigned min_order = in->slub_min_order < 0 ? 0 : (unsigned)in->slub_min_order;
	unsigned max_order =
	    in->slub_max_order < 0 ? default_max_order : (unsigned)in->slub_max_order;

	lim->min_order = at_most(min_order, MAX_PAGE_ORDER);
	lim->max_order = at_most(max_order, MAX_PAGE_ORDER);
	lim->min_objects = in->slub_min_objects > 0 ? (unsigned)in->slub_min_objects
						    : default_min_objects(in->nr_cpus);
}

int order_last_resort(unsigned size, unsigned page_size)
{
	unsigned order = get_order(size, page_size);

	return size && order <= MAX_PAGE_ORDER ? (int)order : -1;
}

int order_most_objects(unsigned size, unsigned page_size)
{
	unsigned order = get_order((uint64_t)size * MAX_OBJS_PER_PAGE, page_size);

	return order ? (int)order - 1 : 0;
}

bool order_range(const struct order_input *in, struct order_limits *lim, int *order)
{
	uint64_t max_objects;
	unsigned fitting;

	if (!in->size) {
		*order = -1;
		return false;
	}
	order_limits(in, PAGE_ALLOC_COSTLY_ORDER, lim);
	max_objects = order_objects(lim->max_order, in->size, in->page_size);
	if (!max_objects)
		max_objects = 1;
	if (lim->min_objects > max_objects)
		lim->min_objects = (unsigned)max_objects;
	fitting = get_order((uint64_t)lim->min_objects * in->size, in->page_size);
	if (fitting > lim->min_order)
		lim->min_order = fitting;
	if (lim->min_order <= MAX_PAGE_ORDER &&
	    order_objects(lim->min_order, in->size, in->page_size) > MAX_OBJS_PER_PAGE) {
		*order = order_most_objects(in->size, in->page_size);
		return false;
	}
	return true;
}

/*
 * Inner search of calculate_order_legacy(): the first order up to max_order with room for
 * min_objects whose waste is at most one fraction'th of the slab. Above max_order: not found.
 */
static unsigned calc_slab_order(const struct order_input *in, unsigned min_objects,
				unsigned min_order, unsigned max_order, unsigned fraction)
{
	unsigned order;

	if (order_objects(min_order, in->size, in->page_size) > MAX_OBJS_PER_PAGE)
		return (unsigned)order_most_objects(in->size, in->page_size);

	order = get_order((uint64_t)min_objects * in->size, in->page_size);
	if (order < min_order)
		order = min_order;
	for (; order <= max_order; order++) {
		uint64_t slab = slab_bytes(order, in->page_size);

		if (slab % in->size <= slab / fraction)
			break;
	}
	return order;
}

int calculate_order_legacy(const struct order_input *in)
{
	struct order_limits lim;
	uint64_t max_objects;
	unsigned objects, fraction, order;

	if (!in->size)
		return -1;
	order_limits(in, PAGE_ALLOC_COSTLY_ORDER, &lim);
	max_objects = order_objects(lim.max_order, in->size, in->page_size);
	objects = lim.min_objects < max_objects ? lim.min_objects : (unsigned)max_objects;

	for (; objects > 1; objects--) {
		for (fraction = 16; fraction >= 4; fraction /= 2) {
			order =
			    calc_slab_order(in, objects, lim.min_order, lim.max_order, fraction);
			if (order <= lim.max_order)
				return (int)order;
		}
	}
	/* One object a slab, whatever is wasted: first within slub_max_order, then beyond. */
	order = calc_slab_order(in, 1, lim.min_order, lim.max_order, 1);
	if (order <= lim.max_order)
		return (int)order;
	order = calc_slab_order(in, 1, lim.min_order, MAX_PAGE_ORDER, 1);
	return order <= MAX_PAGE_ORDER ? (int)order : -1;
}
