/* Results side by side, or beside a published table. */
#ifndef SLABSIM_COMPARE_H
#define SLABSIM_COMPARE_H

#include "sim/result/published.h"
#include "sim/result/result_file.h"
#include "sim/table.h"

struct compare_options {
	const char *cache; /* only this one; NULL: all */
	bool all;	   /* counters below COMPARE_NEGLIGIBLE too */
	bool by_effect;	   /* the counters that change most first, not in the kernel's order */
	const char *ours;  /* the name of what is held against published figures; or NULL */
};

/* Counters below one in so many allocations, in every column, are left out. */
#define COMPARE_NEGLIGIBLE 1000

/* What is held against a published column: results that differ in their seeds only. */
struct compare_point {
	const char *label;
	const struct loaded_result *r;
	unsigned n;
};

/*
 * Fill t, which table_init() and table_free() are the caller's to call for. The first of the n
 * results is the baseline. -1 and err.
 */
int compare_results(struct table *t, const struct loaded_result *r, unsigned n,
		    const struct compare_options *opt, struct error *err);
/* Each point beside the column of its policy; or, when there are as many, the one at its place. */
int compare_published(struct table *t, const struct published *p, const struct compare_point *point,
		      unsigned n, const struct compare_options *opt, struct error *err);
/* Does the published table have a column of the point's policy? */
bool compare_has_column(const struct published *p, const struct compare_point *point);

#endif
