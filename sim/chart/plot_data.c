/* The figures behind a chart. */
#include <math.h>

#include "sim/chart/plot_part.h"

static void point_bars(struct bars *b, const struct metrics *m, unsigned point)
{
	*b = (struct bars){.prefix = "", .label = m->runs->points[point].label};
	for (unsigned item = 0; item < NR_STAT_ITEMS; item++) {
		struct estimate e = metrics_of_point(m, point, item);

		b->share[item] = e.mean;
		b->ci[item] = e.ci;
	}
}

static void published_bars(struct bars *b, const struct published_column *col)
{
	unsigned item, i;

	*b = (struct bars){.prefix = "published: ", .label = col->name};
	for (item = 0; item < NR_STAT_ITEMS; item++) {
		b->share[item] = b->ci[item] = NAN;
		for (i = 0; i < col->nr_rows; i++)
			if (strcmp(col->rows[i].name, stat_name(item)) == 0)
				b->share[item] = col->rows[i].share;
	}
}

bool plot_data_between(const struct plot_data *d, unsigned item, double least, double limit)
{
	double most = 0;
	unsigned i;

	for (i = 0; i < d->nr_bars; i++)
		if (d->bars[i].share[item] > most)
			most = d->bars[i].share[item];
	return most >= least && most < limit;
}

const struct loaded_result *plot_data_result(const struct plot_data *d, unsigned i)
{
	return &d->runs->r[d->runs->points[d->points[i]].first];
}

/* What of shown point i is drawn. */
static int cache_of(struct plot_data *d, unsigned i, struct error *err)
{
	const struct loaded_result *r = plot_data_result(d, i);
	const char *name = d->plot->metrics->cache;
	const struct loaded_cache *found = NULL;

	if (name)
		found = loaded_cache_find(r, name);
	else if (r->nr_caches == 1)
		found = &r->caches[0];
	if (found) {
		d->caches[i] = *found;
		return 0;
	}
	if (loaded_cache_sum(r, &d->caches[i], err))
		return -1;
	d->own[i] = true;
	return 0;
}

static int choose_points(struct plot_data *d, struct error *err)
{
	const struct plot *p = d->plot;
	unsigned n = p->points ? p->nr_points : d->runs->nr_points, i;

	if (p->kind->max_points && n > p->kind->max_points)
		return error_input(err,
				   "%u points, and more than %u cannot be told apart in one "
				   "chart of %s; --where AXIS=VALUE chooses some, and --kind "
				   "lines, heat and pareto show many",
				   n, p->kind->max_points, p->kind->name);
	d->points = calloc((size_t)n + 1, sizeof(*d->points));
	if (!d->points)
		return error_memory(err, "a chart");
	for (i = 0; i < n; i++)
		d->points[i] = p->points ? p->points[i] : i;
	d->nr_points = n;
	return 0;
}

int plot_data_init(struct plot_data *d, const struct plot *p, struct error *err)
{
	unsigned i, n, more = 0;

	*d = (struct plot_data){.plot = p, .runs = p->metrics->runs};
	if (choose_points(d, err))
		return -1;
	n = d->nr_points;
	if (p->published && p->kind->published)
		more = p->published->nr_columns;
	if (p->kind->max_points) {
		d->caches = calloc((size_t)n + 1, sizeof(*d->caches));
		d->own = calloc((size_t)n + 1, sizeof(*d->own));
		if (!d->caches || !d->own)
			return error_memory(err, "a chart");
	}
	d->bars = calloc((size_t)n + more + 1, sizeof(*d->bars));
	if (!d->bars)
		return error_memory(err, "a chart");
	d->nr_bars = n + more;
	for (i = 0; i < n; i++) {
		if (d->caches && cache_of(d, i, err))
			return -1;
		point_bars(&d->bars[i], p->metrics, d->points[i]);
	}
	for (i = 0; i < more; i++)
		published_bars(&d->bars[n + i], &p->published->columns[i]);
	return 0;
}

void plot_data_free(struct plot_data *d)
{
	unsigned i;

	for (i = 0; d->own && i < d->nr_points; i++)
		if (d->own[i])
			loaded_cache_free(&d->caches[i]);
	free(d->caches);
	free(d->own);
	free(d->bars);
	free(d->points);
}

const char *plot_data_run(const struct plot_data *d)
{
	return d->runs->name ? d->runs->name : "";
}
