#include "sim/sweep/sweep_data.h"

#include <math.h>
#include <unistd.h>

#include "sim/result/compare.h"
#include "sim/sweep/sweep_results.h"

bool sweep_data_is_sweep(const char *folder)
{
	char *path;
	bool is;

	if (asprintf(&path, "%s/" JOURNAL_NAME, folder) < 0)
		return false;
	is = !access(path, F_OK);
	free(path);
	return is;
}

static int allocate(struct sweep_data *d, struct error *err)
{
	const struct sweep *s = d->sweep;
	size_t n = (size_t)s->nr_points * NR_FIGURES;

	d->values = calloc(n * s->seeds, sizeof(*d->values));
	d->estimates = calloc(n, sizeof(*d->estimates));
	d->n = calloc(s->nr_points, sizeof(*d->n));
	if (!d->values || !d->estimates || !d->n)
		return error_memory(err, "a sweep's figures");
	for (size_t i = 0; i < n * s->seeds; i++)
		d->values[i] = NAN;
	return 0;
}

static int take_run(struct sweep_data *d, uint64_t run, const struct loaded_result *r,
		    const char *cache, bool *found, struct error *err)
{
	const struct loaded_cache *lc = cache ? loaded_cache_find(r, cache) : NULL;
	uint64_t point = sweep_point_of(d->sweep, run);
	double figures[NR_FIGURES];

	if (cache && !lc)
		return 0;
	*found = true;
	if (figures_read(r, lc, figures, err))
		return -1;
	for (unsigned f = 0; f < NR_FIGURES; f++)
		d->values[(point * NR_FIGURES + f) * d->sweep->seeds + d->n[point]] = figures[f];
	d->n[point]++;
	if (d->cache)
		return 0;
	d->cache = strdup(cache ? cache : r->nr_caches == 1 ? r->caches[0].c.name : "all caches");
	return d->cache ? 0 : error_memory(err, "a sweep's figures");
}

static int take_runs(struct sweep_data *d, const struct journal *j, const char *cache,
		     struct error *err)
{
	bool found = false;

	for (uint64_t run = 0; run < d->sweep->nr_runs; run++) {
		struct loaded_result r;
		int is = sweep_record_load(j, run, false, &r, err);

		if (is < 0)
			return -1;
		if (!is) {
			if (j->entries[run].length)
				d->failed++;
			else
				d->missing++;
			continue;
		}
		is = take_run(d, run, &r, cache, &found, err);
		loaded_result_free(&r);
		if (is)
			return -1;
	}
	if (found)
		return 0;
	if (cache)
		return error_input(err, "%s: no run has a cache named \"%s\"", j->path, cache);
	return error_input(err, "%s: no run has a result", j->path);
}

static void estimate_all(struct sweep_data *d)
{
	for (uint64_t point = 0; point < d->sweep->nr_points; point++) {
		for (unsigned f = 0; f < NR_FIGURES; f++) {
			struct estimate *e = &d->estimates[point * NR_FIGURES + f];

			*e = (struct estimate){NAN, NAN};
			if (d->n[point])
				*e = estimate(sweep_data_values(d, point, f), d->n[point]);
		}
	}
}

int sweep_data_load(struct sweep_data *d, const char *dir, const char *cache, struct error *err)
{
	struct journal j;
	int ret;

	*d = (struct sweep_data){0};
	ret = journal_open(&j, &d->head, dir, err);
	d->sweep = d->head.sweep;
	if (!ret)
		ret = allocate(d, err);
	if (!ret)
		ret = take_runs(d, &j, cache, err);
	if (!ret)
		estimate_all(d);
	journal_close(&j);
	return ret;
}

void sweep_data_free(struct sweep_data *d)
{
	free(d->values);
	free(d->estimates);
	free(d->n);
	free(d->cache);
	journal_head_free(&d->head);
	*d = (struct sweep_data){0};
}

bool sweep_data_negligible(const struct sweep_data *d, enum figure f)
{
	if ((unsigned)f >= NR_STAT_ITEMS)
		return false;
	for (uint64_t point = 0; point < d->sweep->nr_points; point++) {
		double value = sweep_data_get(d, point, f)->mean;

		if (value > 0 && value * COMPARE_NEGLIGIBLE >=
				     sweep_data_get(d, point, FIGURE_ALLOCATIONS)->mean)
			return false;
	}
	return true;
}

bool sweep_data_constant(const struct sweep_data *d, enum figure f)
{
	const struct estimate *first = NULL;

	for (uint64_t point = 0; point < d->sweep->nr_points; point++) {
		const struct estimate *e = sweep_data_get(d, point, f);

		if (isnan(e->mean))
			continue;
		if (first && (e->mean != first->mean || e->ci > 0))
			return false;
		first = e;
	}
	return true;
}
