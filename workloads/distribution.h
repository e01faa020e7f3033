/*
 * A random number's distribution as a configuration gives it; drawing is GSL's.
 *
 *	5				constant
 *	{"exponential": MEAN}
 *	{"uniform": [FROM, TO]}
 *	{"lognormal": {"mean": M, "sigma": S}}	S of the logarithm
 *	{"weibull": {"scale": A, "shape": B}}
 *	{"pareto": {"scale": B, "shape": A}}	shape above 1: it has a mean
 */
#ifndef SLABSIM_DISTRIBUTION_H
#define SLABSIM_DISTRIBUTION_H

#include <gsl/gsl_rng.h>

#include "workloads/model.h"

enum distribution_kind {
	DIST_CONSTANT,
	DIST_EXPONENTIAL,
	DIST_UNIFORM,
	DIST_LOGNORMAL,
	DIST_WEIBULL,
	DIST_PARETO,
};

struct distribution {
	enum distribution_kind kind;
	double a, b;
};

/* The member of a model's parameters as a distribution of values >= 0; mean when not given. */
struct distribution params_distribution(struct model_params *p, const char *key, double mean);
double distribution_draw(const struct distribution *d, gsl_rng *rng);

#endif
