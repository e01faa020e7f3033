/*
 * What a chart can show of a run as one number: the figures of sweep_figures.h, counters as
 * shares of the objects allocated, so that runs of different lengths can be compared.
 */
#ifndef SLABSIM_PLOT_METRIC_H
#define SLABSIM_PLOT_METRIC_H

#include "sim/chart/plot_runs.h"
#include "sim/sweep/sweep_figures.h"

enum {
	METRIC_LIST_LOCK = NR_FIGURES, /* waiting for list_locks, ns per operation */
	METRIC_NODE_LISTS, /* slabs put on and taken off node partial lists, per cent of allocations
			    */
	NR_METRICS
};

enum metric_unit { UNIT_ALLOCS, UNIT_PERCENT, UNIT_COUNT, UNIT_BYTES, UNIT_NS, UNIT_RATE };

/* "counters.alloc_slowpath", "memory.peak_total", "list_lock.wait" */
const char *metric_name(unsigned metric);
/* NR_METRICS when there is none of that name. */
unsigned metric_find(const char *name, struct error *err);
/* For an axis or a heading, without the unit: "peak memory of slabs". */
const char *metric_title(unsigned metric);
enum metric_unit metric_unit(unsigned metric);
/* Is less better? */
bool metric_less_is_better(unsigned metric);

/* A unit that suits values up to most: what to divide by, and what it is called. */
struct scale {
	double by;
	const char *text;
};
const struct scale *metric_scale(enum metric_unit unit, double most);
/* A value for people, in a unit that suits it: "12.4 KiB", "3.27 %". */
void metric_text(unsigned metric, double value, char *buf, size_t size);
/* A number with three significant digits. */
void number_text(double value, char *buf, size_t size);

/* The metrics of all runs, of one cache or of all together. */
struct metrics {
	const struct runs *runs;
	const char *cache;	     /* NULL: all together */
	char *title;		     /* the cache's name, or "all caches" */
	double (*value)[NR_METRICS]; /* [runs->nr]; NAN where there is none */
};

/* cache: borrowed; NULL: all. -1 and err: a run does not have it. */
int metrics_init(struct metrics *m, const struct runs *runs, const char *cache, struct error *err);
void metrics_free(struct metrics *m);
/* Over the runs of a point. */
struct estimate metrics_of_point(const struct metrics *m, unsigned point, unsigned metric);
/* What tells of the cost of a policy, for charts that are not told what to show. */
unsigned metrics_default(const struct metrics *m);
/* The smallest and the largest mean of all points; false when there is none. */
bool metrics_range(const struct metrics *m, unsigned metric, unsigned *least, unsigned *most);

#endif
