/*
 * The results of a sweep as numbers: for every point and figure the values of its seeds, of one
 * cache or of all together.
 */
#ifndef SLABSIM_SWEEP_DATA_H
#define SLABSIM_SWEEP_DATA_H

#include "sim/sweep/journal.h"
#include "sim/sweep/sweep.h"
#include "sim/sweep/sweep_figures.h"

struct sweep_data {
	struct journal_head head;
	const struct sweep *sweep;  /* head's */
	char *cache;		    /* whose figures; "all caches" */
	double *values;		    /* [nr_points][NR_FIGURES][seeds]; NAN: missing */
	struct estimate *estimates; /* [nr_points][NR_FIGURES]; over the seeds that are there */
	unsigned *n;		    /* [nr_points]: how many those are */
	uint64_t missing, failed;   /* runs */
};

/* Read the sweep in the folder. cache NULL: all caches. 0, or -1 and err; sweep_data_free(). */
int sweep_data_load(struct sweep_data *d, const char *dir, const char *cache, struct error *err);
void sweep_data_free(struct sweep_data *d);

static inline const struct estimate *sweep_data_get(const struct sweep_data *d, uint64_t point,
						    enum figure f)
{
	return &d->estimates[point * NR_FIGURES + (unsigned)f];
}

static inline const double *sweep_data_values(const struct sweep_data *d, uint64_t point,
					      enum figure f)
{
	return &d->values[(point * NR_FIGURES + (unsigned)f) * d->sweep->seeds];
}

/* Is folder one with a sweep's journal in it? */
bool sweep_data_is_sweep(const char *folder);

/*
 * Is it worth showing: a counter that is at least 0.1 % of the allocations somewhere, or any
 * other figure; and not the same everywhere.
 */
bool sweep_data_negligible(const struct sweep_data *d, enum figure f);
bool sweep_data_constant(const struct sweep_data *d, enum figure f);

#endif
