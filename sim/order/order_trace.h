/* Rows for the caches of a trace: "slabsim order --trace". */
#ifndef SLABSIM_ORDER_TRACE_H
#define SLABSIM_ORDER_TRACE_H

#include "sim/order/order_table.h"
#include "sim/source.h"

/*
 * A row for every cache of src that has events and whose size is known or follows from its
 * object size. Its objects are the most that were live at once. src is read to its end.
 */
int order_table_add_source(struct order_table *t, struct source *src, struct error *err);

#endif
