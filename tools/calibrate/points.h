/*
 * What is calibrated, and the runs that tell what settings lead to: every row's logarithm of its
 * share of the allocations, in percent, at points of the settings.
 */
#ifndef SLABSIM_POINTS_H
#define SLABSIM_POINTS_H

#include "sim/result/published.h"
#include "surface.h"

#define MAX_ROWS 32

/* A setting and its range, in natural logarithms. */
struct vary {
	char *path;
	double from, to;  /* natural logarithms */
	double low, high; /* of this round */
};

struct calibration {
	const char *config, *published, *cache;
	struct published pub;
	const struct published_column *col;
	char *policy[16];
	unsigned nr_policy;
	struct vary vary[SURFACE_MAX_DIM];
	unsigned nr_vary;
	const struct published_row *row[MAX_ROWS];
	unsigned nr_rows;
	unsigned column, samples, rounds, seeds, jobs;
	double least;
};

/*
 * mean[point * nr_rows + row]: the mean over k->seeds runs with the seeds from first_seed on, at
 * each of the points x[point * nr_vary + setting] (logarithms); k->jobs runs at a time. 0, or -1
 * and err.
 */
int run_points(const struct calibration *k, const double *x, size_t points, unsigned first_seed,
	       double *mean, struct error *err);

#endif
