/* Choosing points by the values of their axes. */
#ifndef SLABSIM_PLOT_WHERE_H
#define SLABSIM_PLOT_WHERE_H

#include "sim/chart/plot_runs.h"

/*
 * The points that fit all of the n conditions AXIS=VALUE, *count of them; an array to be freed.
 * NULL and err: there is no such axis or value, or no point fits.
 */
unsigned *plot_where(const struct runs *runs, char *const *where, unsigned n, unsigned *count,
		     struct error *err);
/* "OPTION: no axis NAME; there are ..."; returns -1. */
int plot_no_axis(const struct runs *runs, const char *option, const char *name, struct error *err);

#endif
