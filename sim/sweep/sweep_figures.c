#include "sim/sweep/sweep_figures.h"

#include <cjson/cJSON.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static const char *const names[NR_FIGURES] = {
#define X(id, name) [id] = name,
    FIGURE_ITEMS(X)
#undef X
};

const char *figure_name(enum figure figure)
{
	return names[figure] ? names[figure] : stat_name((enum stat_item)figure);
}

enum figure figure_find(const char *name)
{
	static const char prefix[] = "counters.";
	enum figure f;

	if (!strncmp(name, prefix, sizeof(prefix) - 1))
		name += sizeof(prefix) - 1;
	for (f = 0; f < NR_FIGURES; f++)
		if (!strcmp(figure_name(f), name))
			break;
	return f;
}

/*
 * Operations that did not find what they needed at their CPU, of all: what the slow paths of
 * the cpu slab, or with sheaves those behind the sheaf, had to do.
 */
static double slow_path(const struct loaded_cache *lc)
{
	const uint64_t *stat = lc->c.stat;
	double slow = (double)stat[ALLOC_SLOWPATH] + (double)stat[FREE_SLOWPATH];
	double all = slow + (double)stat[ALLOC_FASTPATH] + (double)stat[FREE_FASTPATH];

	/* 6.18's sheaves have counters of their own, before those of the cpu slab. */
	if (lc->has[ALLOC_PCS])
		all += (double)stat[ALLOC_PCS] + (double)stat[FREE_PCS];
	return all > 0 ? 100 * slow / all : NAN;
}

void figures_of_cache(const struct loaded_cache *lc, double value[NR_FIGURES])
{
	const struct cache_state *st = &lc->c.state;

	for (unsigned i = 0; i < NR_FIGURES; i++)
		value[i] = i < NR_STAT_ITEMS && lc->has[i] ? (double)lc->c.stat[i] : NAN;
	value[FIGURE_ALLOCATIONS] = (double)loaded_allocations(lc);
	value[FIGURE_SLOW_PATH] = slow_path(lc);
	value[FIGURE_SLABS] = (double)st->slabs;
	value[FIGURE_PARTIAL] = (double)st->partial;
	value[FIGURE_CPU_SLABS] = (double)st->cpu_slabs;
	value[FIGURE_MEMORY_TOTAL] = (double)st->memory_total;
	value[FIGURE_MEMORY_PEAK] = (double)st->peak_total;
	value[FIGURE_MEMORY_WASTE_TAIL] = (double)st->waste_tail;
	value[FIGURE_MEMORY_WASTE_ALIGN] = (double)st->waste_align;
	value[FIGURE_MEMORY_FREE] = (double)st->memory_free;
}

int figures_read(const struct loaded_result *r, const struct loaded_cache *cache,
		 double value[NR_FIGURES], struct error *err)
{
	struct loaded_cache sum;

	if (cache) {
		figures_of_cache(cache, value);
		return 0;
	}
	if (loaded_cache_sum(r, &sum, err))
		return -1;
	figures_of_cache(&sum, value);
	loaded_cache_free(&sum);
	/* Time is the whole machine's. */
	for (unsigned i = FIGURE_END; i <= FIGURE_READ_ERROR; i++)
		value[i] = result_number(r->tree, figure_name(i));
	return 0;
}

struct estimate estimate(const double *values, unsigned n)
{
	struct estimate e = {.mean = gsl_stats_mean(values, 1, n), .ci = NAN};

	if (n > 1)
		e.ci = gsl_cdf_tdist_Pinv(0.975, n - 1) * gsl_stats_sd_m(values, 1, n, e.mean) /
		       sqrt((double)n);
	return e;
}
