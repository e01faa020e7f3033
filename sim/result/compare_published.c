/* A published table row by row, with what the simulator has for each. */
#include <math.h>

#include "sim/result/compare.h"

/* The seeds of a point: their mean, and the range of their shares. */
struct ours {
	double value, share, min, max;
};

/* Which columns there are. */
struct ranges {
	bool published, ours;
};

static void columns(struct table *t, struct ranges has)
{
	table_column(t, "figure", "");
	table_column(t, "published", "published");
	table_column(t, "published_share_percent", "% of allocs");
	if (has.published) {
		table_column(t, "published_share_min_percent", "lowest");
		table_column(t, "published_share_max_percent", "highest");
	}
	table_column(t, "slabsim", "slabsim");
	table_column(t, "slabsim_share_percent", "% of allocs");
	if (has.ours) {
		table_column(t, "slabsim_share_min_percent", "lowest");
		table_column(t, "slabsim_share_max_percent", "highest");
	}
	table_column(t, "relative_error_percent", "rel. error");
}

static void missing(struct table *t, unsigned n)
{
	while (n--)
		table_missing(t);
}

/* Whole, or a mean. */
static void number(struct table *t, double value)
{
	table_real(t, value, value == floor(value) ? 0 : 1);
}

static void share(struct table *t, double mean, double min, double max, bool range)
{
	table_real(t, mean, 4);
	if (range) {
		table_real(t, min, 4);
		table_real(t, max, 4);
	}
}

/* The published cache in a result, or the only cache of a result that has one. */
static const struct loaded_cache *cache_of(const struct published *p, const struct loaded_result *r)
{
	const struct loaded_cache *c = p->cache ? loaded_cache_find(r, p->cache) : NULL;

	return c || r->nr_caches != 1 ? c : &r->caches[0];
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

/* False when the results do not have it. */
static bool ours_of(const struct published *p, const struct published_row *row,
		    const struct compare_point *point, struct ours *o)
{
	double values = 0, allocs = 0;

	*o = (struct ours){.min = INFINITY, .max = -INFINITY};
	for (unsigned i = 0; i < point->n; i++) {
		const struct loaded_cache *c = cache_of(p, &point->r[i]);
		double all = (double)loaded_allocations(c);
		uint64_t value;

		if (!published_ours(row, c, &value))
			return false;
		values += (double)value;
		allocs += all;
		o->min = fmin(o->min, percent((double)value, all));
		o->max = fmax(o->max, percent((double)value, all));
	}
	o->value = values / point->n;
	o->share = percent(values, allocs);
	return true;
}

/* The error of the share for a counter, of the figure itself for memory. */
static void figure(struct table *t, const struct published *p, const struct published_row *row,
		   const struct compare_point *point, struct ranges has, bool all)
{
	double least = 100.0 / COMPARE_NEGLIGIBLE;
	struct ours o;
	bool have = ours_of(p, row, point, &o);

	if (!all && row->counter && row->max_share < least && !(have && o.share >= least))
		return;
	table_row(t);
	table_string(t, row->name);
	number(t, row->value);
	if (row->counter)
		share(t, row->share, row->min_share, row->max_share, has.published);
	else
		missing(t, has.published ? 3 : 1);
	if (!have) {
		missing(t, has.ours ? 5 : 3);
		return;
	}
	number(t, o.value);
	if (row->counter)
		share(t, o.share, o.min, o.max, has.ours);
	else
		missing(t, has.ours ? 3 : 1);
	table_change(t, row->counter ? o.share : o.value, row->counter ? row->share : row->value);
}

static void allocations(struct table *t, const struct published *p,
			const struct published_column *col, const struct compare_point *point,
			struct ranges has)
{
	double sum = 0;

	for (unsigned i = 0; i < point->n; i++)
		sum += (double)loaded_allocations(cache_of(p, &point->r[i]));
	table_row(t);
	table_string(t, "objects allocated");
	table_real(t, col->allocations, 0);
	missing(t, has.published ? 3 : 1);
	number(t, sum / point->n);
	/* a longer run is not a wrong one */
	missing(t, has.ours ? 4 : 2);
}

static const struct published_column *column_of_policy(const struct published *p,
						       const struct compare_point *point)
{
	const struct loaded_cache *c = cache_of(p, &point->r[0]);

	for (unsigned i = 0; c && i < p->nr_columns; i++)
		if (published_matches(&p->columns[i], &point->r[0], c))
			return &p->columns[i];
	return NULL;
}

bool compare_has_column(const struct published *p, const struct compare_point *point)
{
	return column_of_policy(p, point) != NULL;
}

static void against(struct table *t, const struct published *p, const struct published_column *col,
		    const struct compare_point *point, struct ranges has, bool all)
{
	const struct loaded_cache *c = cache_of(p, &point->r[0]);
	char *name;

	if (asprintf(&name, "%s (published) against %s", col->name, point->label) < 0) {
		t->failed = true;
		return;
	}
	table_group(t, name);
	free(name);
	if (p->cache && strcmp(c->c.name, p->cache) != 0)
		table_note(t, "%s: its only cache, \"%s\", stands for \"%s\"", point->label,
			   c->c.name, p->cache);
	if (point->n > 1)
		table_note(t, "%s: %u seeds, their mean and range", point->label, point->n);
	allocations(t, p, col, point, has);
	for (unsigned i = 0; i < col->nr_rows; i++)
		figure(t, p, &col->rows[i], point, has, all);
}

int compare_published(struct table *t, const struct published *p, const struct compare_point *point,
		      unsigned n, const struct compare_options *opt, struct error *err)
{
	struct ranges has = {false, false};

	for (unsigned i = 0; i < p->nr_columns; i++)
		has.published |= p->columns[i].nr_runs > 1;
	for (unsigned i = 0; i < n; i++)
		has.ours |= point[i].n > 1;
	columns(t, has);
	table_note(t, "Published: %s", p->title);
	if (opt->ours)
		table_note(t, "Ours: %s", opt->ours);
	if (p->cache)
		table_note(t,
			   "Cache: %s. Errors are those of the shares of allocations; of memory, "
			   "of the figures.",
			   p->cache);
	for (unsigned i = 0; i < n; i++) {
		const struct published_column *col = column_of_policy(p, &point[i]);

		for (unsigned k = 0; k < point[i].n; k++)
			if (!cache_of(p, &point[i].r[k]))
				return error_input(
				    err, "%s: has no cache \"%s\", which the table is about",
				    point[i].label, p->cache ? p->cache : "");
		if (!col && n != p->nr_columns)
			return error_input(err,
					   "%s: no column of \"%s\" has its policy; with as many "
					   "results as columns (%u), they go by their places",
					   point[i].label, p->title, p->nr_columns);
		if (!col) {
			table_note(t, "%s: no column has its policy; column %u by its place",
				   point[i].label, i + 1);
			col = &p->columns[i];
		}
		against(t, p, col, &point[i], has, opt->all);
	}
	return 0;
}
