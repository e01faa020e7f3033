/*
 * A response surface: figures that a noisy experiment gives at sampled points, each as a
 * quadratic polynomial of the point's coordinates, and the point where they come nearest to what
 * is wanted. Coordinates are from -1 to 1.
 */
#ifndef SLABSIM_SURFACE_H
#define SLABSIM_SURFACE_H

#include <stddef.h>

#include "sim/error.h"

#define SURFACE_MAX_DIM 12

struct surface {
	size_t dim, figures, samples;
	const double *point;  /* [samples * dim] */
	const double *figure; /* [samples * figures] */
	const double *wanted; /* [figures] */
	const double *weight; /* [figures] */
	double *coef;	      /* [figures * terms], once fitted */
};

/* 1 + dim + dim (dim + 1) / 2 */
size_t surface_terms(size_t dim);
/* Fit coef, which is the caller's, robustly (GSL, bisquare weights). 0, or -1 and err. */
int surface_fit(struct surface *s, struct error *err);
/* The fitted figure at a point. */
double surface_at(const struct surface *s, size_t figure, const double *point);
/* The weighted root mean square of the distances to what is wanted. */
double surface_distance(const struct surface *s, const double *point);
/* The nearest point, within the cube; simplex (GSL, nmsimplex2), from its centre and corners. */
int surface_nearest(const struct surface *s, double *point, struct error *err);

#endif
