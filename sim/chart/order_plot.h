/* The chart of waste against size, drawn by gnuplot (plots/waste-by-size.gp). */
#ifndef SLABSIM_ORDER_PLOT_H
#define SLABSIM_ORDER_PLOT_H

#include "sim/order/order_table.h"

/* Can a chart be drawn to path: does it end in .svg, .png or .pdf? 0, or -1 and err. */
int order_plot_check(const char *path, struct error *err);
/* Draw the table to path. Sizes that have no order under one of the rules are left out. */
int order_plot(const struct order_table *t, const char *path, struct error *err);

#endif
