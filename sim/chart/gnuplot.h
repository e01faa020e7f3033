/* Running gnuplot, without a shell. */
#ifndef SLABSIM_GNUPLOT_H
#define SLABSIM_GNUPLOT_H

#include <stddef.h>

#include "sim/error.h"

/*
 * What gnuplot draws to its standard output for a script of n bytes: *len bytes and a NUL, to be
 * freed. gnuplot does not always notice that a disk is full; whoever writes the picture does. The
 * user's own gnuplot settings are not read. NULL and err, with what gnuplot said: it is not
 * installed, it failed, or drew nothing.
 */
char *gnuplot_draw(const char *script, size_t n, size_t *len, struct error *err);

#endif
