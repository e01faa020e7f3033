/* What of a sweep makes no difference, told before it is run. */
#ifndef SLABSIM_SWEEP_ALIKE_H
#define SLABSIM_SWEEP_ALIKE_H

#include "sim/sweep/sweep_plan.h"

/*
 * note() is called, as printf() is, with each setting that no run uses, each axis whose values
 * make no difference and, when there is no such axis, with how many points are like another. 0, or
 * -1 and err.
 */
int sweep_tell_alike(const struct sweep_plan *p, void (*note)(const char *fmt, ...),
		     struct error *err);

#endif
