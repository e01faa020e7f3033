/*
 * A random number's distribution as a configuration gives it; drawing is GSL's.
 *
 *	5				constant
 *	{"exponential": MEAN}
 *	{"uniform": [FROM, TO]}
 *	{"lognormal": {"mean": M, "sigma": S}}	S of the logarithm
 *	{"weibull": {"scale": A, "shape": B}}
 *	{"pareto": {"scale": B, "shape": A}}	shape above 1: it has a mean
 *	{"quantiles": [Q0, ..., Qn]}		measured: the values below which 0, 1/n, ..., all
 *						of the draws are; between them logarithmic
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
	DIST_QUANTILES,
};

#define DIST_MAX_QUANTILES 33

struct distribution {
	enum distribution_kind kind;
	double a, b;
	unsigned n; /* quantiles */
	double q[DIST_MAX_QUANTILES];
};

/* The member of a model's parameters as a distribution of values >= 0; *def when not given. */
struct distribution params_distribution(struct model_params *p, const char *key,
					const struct distribution *def);
/* What draws are on average. */
double distribution_mean(const struct distribution *d);
double distribution_draw(const struct distribution *d, gsl_rng *rng);

#endif
