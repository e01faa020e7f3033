/* A published table row by row, with what the simulator has for each. */
#include <math.h>

#include "sim/compare.h"

static void columns(struct table *t, bool runs)
{
	table_column(t, "figure", "");
	table_column(t, "published", "published");
	table_column(t, "published_share_percent", "% of allocs");
	if (runs) {
		table_column(t, "published_share_min_percent", "lowest");
		table_column(t, "published_share_max_percent", "highest");
	}
	table_column(t, "slabsim", "slabsim");
	table_column(t, "slabsim_share_percent", "% of allocs");
	table_column(t, "relative_error_percent", "rel. error");
}

static void shares(struct table *t, const struct published_row *row, bool runs)
{
	if (!row->counter) {
		table_missing(t);
		if (runs) {
			table_missing(t);
			table_missing(t);
		}
		return;
	}
	table_real(t, row->share, 4);
	if (runs) {
		table_real(t, row->min_share, 4);
		table_real(t, row->max_share, 4);
	}
}

/* The error of the share for a counter, of the figure itself for memory. */
static void figure(struct table *t, const struct published_row *row, const struct loaded_cache *c,
		   bool runs, bool all)
{
	double allocs = (double)loaded_allocations(c), share, least = 100.0 / COMPARE_NEGLIGIBLE;
	uint64_t ours = 0;
	bool have = published_ours(row, c, &ours);

	share = allocs > 0 ? 100 * (double)ours / allocs : NAN;
	if (!all && row->counter && row->max_share < least && !(have && share >= least))
		return;
	table_row(t);
	table_string(t, row->name);
	/* a mean of runs */
	table_real(t, row->value, row->value == floor(row->value) ? 0 : 1);
	shares(t, row, runs);
	if (!have) {
		table_missing(t);
		table_missing(t);
		table_missing(t);
		return;
	}
	table_u64(t, ours);
	if (row->counter) {
		table_real(t, share, 4);
		table_change(t, 100 * (share / row->share - 1));
	} else {
		table_missing(t);
		table_change(t, 100 * ((double)ours / row->value - 1));
	}
}

static void allocations(struct table *t, const struct published_column *col,
			const struct loaded_cache *c, bool runs)
{
	uint64_t ours = loaded_allocations(c);

	table_row(t);
	table_string(t, "objects allocated");
	table_real(t, col->allocations, 0);
	table_missing(t);
	if (runs) {
		table_missing(t);
		table_missing(t);
	}
	table_u64(t, ours);
	table_missing(t);
	/* a longer run is not a wrong one */
	table_missing(t);
}

/* The published cache in a result, or the only cache of a result that has one. */
static const struct loaded_cache *cache_of(const struct published *p, const struct loaded_result *r)
{
	const struct loaded_cache *c = p->cache ? loaded_cache_find(r, p->cache) : NULL;

	return c || r->nr_caches != 1 ? c : &r->caches[0];
}

/* The column a result is to be held against: of its policy; else, if as many, at its place. */
static const struct published_column *column_of(const struct published *p,
						const struct loaded_result *r, unsigned n,
						unsigned i, const struct loaded_cache *c,
						bool *by_policy)
{
	unsigned j;

	*by_policy = true;
	for (j = 0; j < p->nr_columns; j++)
		if (published_matches(&p->columns[j], &r[i], c))
			return &p->columns[j];
	*by_policy = false;
	return n == p->nr_columns ? &p->columns[i] : NULL;
}

static void against(struct table *t, const struct published *p, const struct published_column *col,
		    const struct loaded_result *r, const struct loaded_cache *c, bool runs,
		    bool all)
{
	unsigned j;
	char *name;

	if (asprintf(&name, "%s (published) against %s", col->name, r->label) < 0) {
		t->failed = true;
		return;
	}
	table_group(t, name);
	free(name);
	if (p->cache && strcmp(c->c.name, p->cache) != 0)
		table_note(t, "%s: its only cache, \"%s\", stands for \"%s\"", r->label, c->c.name,
			   p->cache);
	allocations(t, col, c, runs);
	for (j = 0; j < col->nr_rows; j++)
		figure(t, &col->rows[j], c, runs, all);
}

int compare_published(struct table *t, const struct published *p, const struct loaded_result *r,
		      unsigned n, const struct compare_options *opt, struct error *err)
{
	bool runs = false, by_policy;
	unsigned i;

	for (i = 0; i < p->nr_columns; i++)
		runs |= p->columns[i].nr_runs > 1;
	columns(t, runs);
	table_note(t, "Published: %s", p->title);
	if (results_shared_name(r, n))
		table_note(t, "Ours: %s", results_shared_name(r, n));
	if (p->cache)
		table_note(t,
			   "Cache: %s. Errors are those of the shares of allocations; of memory, "
			   "of the figures.",
			   p->cache);
	for (i = 0; i < n; i++) {
		const struct loaded_cache *c = cache_of(p, &r[i]);
		const struct published_column *col;

		if (!c)
			return error_input(err, "%s: has no cache \"%s\", which the table is about",
					   r[i].label, p->cache ? p->cache : "");
		col = column_of(p, r, n, i, c, &by_policy);
		if (!col)
			return error_input(err,
					   "%s: no column of \"%s\" has its policy; with as many "
					   "results as columns (%u), they go by their places",
					   r[i].label, p->title, p->nr_columns);
		if (!by_policy)
			table_note(t, "%s: no column has its policy; column %u by its place",
				   r[i].label, i + 1);
		against(t, p, col, &r[i], c, runs, opt->all);
	}
	return 0;
}
