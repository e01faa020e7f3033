/* What slabsim compare tells of a sweep's folder. */
#ifndef SLABSIM_SWEEP_COMPARE_H
#define SLABSIM_SWEEP_COMPARE_H

#include <stdbool.h>

#include "sim/error.h"

struct table;

enum sweep_view {
	SWEEP_EFFECTS,	   /* every point against a baseline, the largest effect first */
	SWEEP_SENSITIVITY, /* which axis moves which figure, and how much */
	SWEEP_PARETO,	   /* points that are best in one of two figures without being worse in the
			      other */
};

struct sweep_compare_options {
	enum sweep_view view;
	const char *cache;    /* only this one; NULL: all together */
	const char *baseline; /* a point's label, or its number from 1; NULL: the first */
	const char *figure;   /* only this one; NULL: all */
	const char *pareto;   /* "FIGURE,FIGURE"; NULL: memory and slow-path share */
	bool all;	      /* negligible counters, and points off the front, too */
};

/* Fill t, which is freed by the caller, initialised by this. 0, or -1 and err. */
int sweep_compare(struct table *t, const char *dir, const struct sweep_compare_options *opt,
		  struct error *err);

/* Between the files. */
struct sweep_data;

int sweep_view_effects(struct table *t, const struct sweep_data *d,
		       const struct sweep_compare_options *opt, struct error *err);
int sweep_view_sensitivity(struct table *t, const struct sweep_data *d,
			   const struct sweep_compare_options *opt, struct error *err);
int sweep_view_pareto(struct table *t, const struct sweep_data *d,
		      const struct sweep_compare_options *opt, struct error *err);
/* The figure of that name; -1 and err, with a suggestion. */
int sweep_find_figure(const char *option, const char *name, unsigned *figure, struct error *err);

#endif
