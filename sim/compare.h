/* Results side by side, or beside a published table. */
#ifndef SLABSIM_COMPARE_H
#define SLABSIM_COMPARE_H

#include "sim/published.h"
#include "sim/result_file.h"
#include "sim/table.h"

struct compare_options {
	const char *cache; /* only this one; NULL: all */
	bool all;	   /* counters below COMPARE_NEGLIGIBLE too */
	bool by_effect;	   /* the counters that change most first, not in the kernel's order */
};

/* Counters below one in so many allocations, in every column, are left out. */
#define COMPARE_NEGLIGIBLE 1000

/*
 * Fill t, which table_init() and table_free() are the caller's to call for. The first of the n
 * results is the baseline. -1 and err.
 */
int compare_results(struct table *t, const struct loaded_result *r, unsigned n,
		    const struct compare_options *opt, struct error *err);
int compare_published(struct table *t, const struct published *p, const struct loaded_result *r,
		      unsigned n, const struct compare_options *opt, struct error *err);

#endif
