/*
 * The figures of a run by which sweeps are compared: counters, memory, and what is derived from
 * them. All are numbers of one cache, or of all caches together.
 */
#ifndef SLABSIM_SWEEP_FIGURES_H
#define SLABSIM_SWEEP_FIGURES_H

#include "sim/result/result_file.h"

/* X(id, name in the result) of figures that are not counters. */
#define FIGURE_ITEMS(X)                                                                            \
	X(FIGURE_ALLOCATIONS, "allocations")                                                       \
	X(FIGURE_SLOW_PATH, "slow_path_percent")                                                   \
	X(FIGURE_SLABS, "slabs")                                                                   \
	X(FIGURE_PARTIAL, "partial")                                                               \
	X(FIGURE_CPU_SLABS, "cpu_slabs")                                                           \
	X(FIGURE_MEMORY_TOTAL, "memory.total")                                                     \
	X(FIGURE_MEMORY_PEAK, "memory.peak_total")                                                 \
	X(FIGURE_MEMORY_WASTE_TAIL, "memory.waste_tail")                                           \
	X(FIGURE_MEMORY_WASTE_ALIGN, "memory.waste_align")                                         \
	X(FIGURE_MEMORY_FREE, "memory.free")                                                       \
	X(FIGURE_END, "timing.end")                                                                \
	X(FIGURE_RATE, "timing.operations_per_s")                                                  \
	X(FIGURE_MEAN, "timing.all.mean")                                                          \
	X(FIGURE_P99, "timing.all.p99")                                                            \
	X(FIGURE_LOCK_WAIT, "timing.causes.lock_wait")                                             \
	X(FIGURE_READ_ERROR, "timing.readers.error_mean")

/* The counters come first, by their enum stat_item. */
enum figure {
	FIGURE_FIRST = NR_STAT_ITEMS - 1,
#define X(id, name) id,
	FIGURE_ITEMS(X)
#undef X
	    NR_FIGURES
};

/* "counters.alloc_slowpath", "memory.total" */
const char *figure_name(enum figure figure);
/* NR_FIGURES when there is none of that name; a counter need not say "counters.". */
enum figure figure_find(const char *name);

/* What a result has; NAN for what it does not have. cache NULL: all caches together. */
int figures_read(const struct loaded_result *r, const struct loaded_cache *cache,
		 double value[NR_FIGURES], struct error *err);
void figures_of_cache(const struct loaded_cache *cache, double value[NR_FIGURES]);

/* Mean of n values and the half width of its 95 % confidence interval, NAN for n < 2 (GSL). */
struct estimate {
	double mean, ci;
};
struct estimate estimate(const double *values, unsigned n);

#endif
