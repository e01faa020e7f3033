/* Running gnuplot, without a shell. */
#ifndef SLABSIM_GNUPLOT_H
#define SLABSIM_GNUPLOT_H

#include <stddef.h>

#include "sim/error.h"

/*
 * Let gnuplot read a script of n bytes. The user's own gnuplot settings are not read. -1 and
 * err, with what gnuplot said: it is not installed, or it failed.
 */
int gnuplot_run(const char *script, size_t n, struct error *err);

#endif
