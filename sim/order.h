/*
 * Slab orders: the arithmetic every order policy shares (facts 1.4-1.6), and the pre-6.7 search,
 * which more than one policy is built on. Sizes and slabs are in bytes.
 */
#ifndef SLABSIM_ORDER_H
#define SLABSIM_ORDER_H

#include "sim/policy.h"

#define MAX_PAGE_ORDER		10    /* the largest block the page allocator has */
#define PAGE_ALLOC_COSTLY_ORDER 3     /* slub_max_order when it is not given */
#define MAX_OBJS_PER_PAGE	32767 /* the slab's object counter has 15 bits */

/* Number of bits of n: fls(0) = 0, fls(1) = 1, fls(8) = 4. */
unsigned fls(unsigned n);
/* Smallest order whose block holds size bytes; may be above MAX_PAGE_ORDER. */
unsigned get_order(uint64_t size, unsigned page_size);
/* Bytes of a slab. order is at most MAX_PAGE_ORDER + 1. */
uint64_t slab_bytes(unsigned order, unsigned page_size);
/* Objects that fit into a slab; size is not 0. */
uint64_t order_objects(unsigned order, unsigned size, unsigned page_size);
/* Bytes behind the last object of a slab; size is not 0. */
unsigned order_waste(unsigned order, unsigned size, unsigned page_size);
/* 4 * (fls(nr_cpus) + 1): the objects a slab should have when slub_min_objects is not given. */
unsigned default_min_objects(unsigned nr_cpus);

/* The boot parameters in force: what was given, or else the defaults, within the possible. */
struct order_limits {
	unsigned min_order;
	unsigned max_order;
	unsigned min_objects; /* automatic when not given or 0 */
};

void order_limits(const struct order_input *in, unsigned default_max_order,
		  struct order_limits *lim);

/*
 * The orders a 6.7+ search looks at (facts 1.5, N1-N4). true: go through min_order ...
 * max_order, which is an empty range when min_order > max_order. false: the search is over
 * already, since min_order would put more than MAX_OBJS_PER_PAGE objects in a slab; *order is
 * the answer.
 */
bool order_range(const struct order_input *in, struct order_limits *lim, int *order);

/* The smallest order that holds one object, or -1 when none does: the last resort. */
int order_last_resort(unsigned size, unsigned page_size);
/* The largest order with no more than MAX_OBJS_PER_PAGE objects. */
int order_most_objects(unsigned size, unsigned page_size);

/* calculate_order() as it was until 6.6 (facts 1.4). */
int calculate_order_legacy(const struct order_input *in);

#endif
