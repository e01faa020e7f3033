/*
 * How much of the variation of a figure over a sweep each axis accounts for: a decomposition of
 * variance. The figure is fitted by a model in which every axis has an effect of its own
 * (least squares, GSL's QR decomposition); an axis's share is what the fit loses without it, of
 * the sum of squares. What no sum of effects explains is interaction, or chance. In a full
 * product the shares add up to all; with points excluded they need not.
 */
#ifndef SLABSIM_SENSITIVITY_H
#define SLABSIM_SENSITIVITY_H

#include "sim/error.h"

/* level[i * nr_axes + a]: which of levels[a] values axis a has in observation i. */
struct design {
	unsigned nr_axes;
	const unsigned *levels;
	size_t n;
	const unsigned *level;
};

struct sensitivity;

/* Prepare for a design. NULL and err: out of memory, or too large. */
struct sensitivity *sensitivity_new(const struct design *d, struct error *err);
void sensitivity_free(struct sensitivity *s);
/*
 * Decompose y[n]. share[a]: of axis a, 0 to 1; *rest: what the axes' own effects leave. All 0
 * when y is constant. 0, or -1 and err.
 */
int sensitivity_shares(struct sensitivity *s, const double *y, double *share, double *rest,
		       struct error *err);

#endif
