/* The chart of waste against size, drawn by gnuplot (plots/waste-by-size.gp). */
#ifndef SLABSIM_ORDER_PLOT_H
#define SLABSIM_ORDER_PLOT_H

#include "sim/order_table.h"

/* Can a chart be drawn to path: its suffix is .svg, .png or .pdf? 0, or -1 and err. */
int order_plot_check(const char *path, struct error *err);
/*
 * Draw the table to path. What was drawn, one line per size, is kept beside it in a file of the
 * same name that ends in .dat, so that the chart can be made anew.
 */
int order_plot(const struct order_table *t, const char *path, struct error *err);

#endif
