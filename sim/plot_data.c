/* The figures behind a chart. */
#include <math.h>

#include "sim/plot_part.h"

static void result_bars(struct bars *b, const struct loaded_result *r, const struct loaded_cache *c)
{
	double allocs = (double)loaded_allocations(c);
	unsigned item;

	*b = (struct bars){.prefix = "", .label = r->label};
	for (item = 0; item < NR_STAT_ITEMS; item++)
		b->share[item] =
		    c->has[item] && allocs > 0 ? 100 * (double)c->c.stat[item] / allocs : NAN;
}

static void published_bars(struct bars *b, const struct published_column *col)
{
	unsigned item, i;

	*b = (struct bars){.prefix = "published: ", .label = col->name};
	for (item = 0; item < NR_STAT_ITEMS; item++) {
		b->share[item] = NAN;
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

/* What of result i is drawn. */
static int cache_of(struct plot_data *d, unsigned i, struct error *err)
{
	const struct loaded_result *r = &d->plot->results[i];
	const struct loaded_cache *found = NULL;

	if (d->plot->cache) {
		found = loaded_cache_find(r, d->plot->cache);
		if (!found)
			return error_input(err, "%s: has no cache \"%s\"", r->label,
					   d->plot->cache);
	} else if (r->nr_caches == 1) {
		found = &r->caches[0];
	}
	if (found) {
		d->caches[i] = *found;
		return 0;
	}
	if (loaded_cache_sum(r, &d->caches[i], err))
		return -1;
	d->own[i] = true;
	return 0;
}

int plot_data_init(struct plot_data *d, const struct plot *p, struct error *err)
{
	unsigned i, n = p->nr_results, more = 0;

	if (p->published && p->kind->counters)
		more = p->published->nr_columns;
	*d = (struct plot_data){
	    .plot = p,
	    .caches = calloc(n, sizeof(*d->caches)),
	    .own = calloc(n, sizeof(*d->own)),
	    .bars = calloc((size_t)n + more, sizeof(*d->bars)),
	    .nr_bars = n + more,
	};
	if (!d->caches || !d->own || !d->bars)
		return error_memory(err, "a chart");
	for (i = 0; i < n; i++) {
		if (cache_of(d, i, err))
			return -1;
		result_bars(&d->bars[i], &p->results[i], &d->caches[i]);
	}
	for (i = 0; i < more; i++)
		published_bars(&d->bars[n + i], &p->published->columns[i]);
	return 0;
}

void plot_data_free(struct plot_data *d)
{
	unsigned i;

	for (i = 0; d->own && i < d->plot->nr_results; i++)
		if (d->own[i])
			loaded_cache_free(&d->caches[i]);
	free(d->caches);
	free(d->own);
	free(d->bars);
}

const char *plot_data_title(const struct plot_data *d)
{
	const struct plot *p = d->plot;
	unsigned i;

	if (p->cache)
		return p->cache;
	for (i = 0; i < p->nr_results; i++)
		if (p->results[i].nr_caches != 1 ||
		    strcmp(p->results[i].caches[0].c.name, p->results[0].caches[0].c.name) != 0)
			return "all caches";
	return p->results[0].caches[0].c.name;
}

const char *plot_data_run(const struct plot_data *d)
{
	const char *name = results_shared_name(d->plot->results, d->plot->nr_results);

	return name ? name : "";
}
