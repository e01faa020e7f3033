/* Rows for plain object sizes: "slabsim order --sizes". */
#ifndef SLABSIM_ORDER_SIZES_H
#define SLABSIM_ORDER_SIZES_H

#include "sim/geometry.h"
#include "sim/order/order_table.h"

/*
 * Add a row for each size in text: sizes and ranges A..B (in steps of 8), separated by commas,
 * and "kmalloc" for the kmalloc caches of a machine with t->page_size. Sizes are those of
 * objects; like says how they are aligned, its object_size is not looked at.
 */
int order_table_add_sizes(struct order_table *t, const char *text,
			  const struct geometry_request *like, struct error *err);

#endif
