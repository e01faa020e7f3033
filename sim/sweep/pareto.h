/* The Pareto front: points that no other beats in one measure without losing in the other. */
#ifndef SLABSIM_PARETO_H
#define SLABSIM_PARETO_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Of n points, less being better in both measures: front[0..] gets those on the front, by x and
 * then as they came; it has room for n, how many is returned. Points that are alike are all on
 * it.
 * Those with a NAN are not.
 */
size_t pareto_front(const double *x, const double *y, size_t n, size_t *front);

#endif
