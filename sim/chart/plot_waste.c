/* Waste at the ends of slabs against the size of an object, a panel for each point. */
#include <math.h>

#include "sim/chart/plot_part.h"

static double page_size(const struct loaded_result *r)
{
	double size = runs_config_number(r, "machine", "page_size");

	return isfinite(size) ? size : 4096;
}

/* Per cent of a slab. */
static double waste_of(const struct loaded_result *r, const struct result_cache *c)
{
	double slab = ldexp(page_size(r), (int)c->order);

	return 100 * (slab - (double)c->objects_per_slab * c->size) / slab;
}

/* The cache's line; none when a point does not have it. */
static unsigned write_cache(FILE *out, const struct plot_data *d, const char *name)
{
	const struct loaded_cache *c = NULL;

	for (unsigned i = 0; i < d->nr_points; i++) {
		c = loaded_cache_find(plot_data_result(d, i), name);
		if (!c || !c->c.size || c->c.order > 20)
			return 0;
	}
	if (!c)
		return 0;
	fprintf(out, "%u", c->c.size);
	for (unsigned i = 0; i < d->nr_points; i++) {
		const struct loaded_result *r = plot_data_result(d, i);

		c = loaded_cache_find(r, name);
		fprintf(out, " %.4f %u", waste_of(r, &c->c), c->c.order);
	}
	putc('\n', out);
	return 1;
}

static const char *rule(const void *arg, unsigned i)
{
	return ((const struct plot_data *)arg)->bars[i].label;
}

int plot_waste_data(FILE *out, const struct plot_data *d, struct error *err)
{
	const struct loaded_result *first = plot_data_result(d, 0);
	unsigned rows = 0;

	fputs("$waste << END_OF_DATA\n", out);
	for (unsigned i = 0; i < first->nr_caches; i++)
		rows += write_cache(out, d, first->caches[i].c.name);
	fputs("END_OF_DATA\n", out);
	if (!rows)
		return error_input(err, "no cache is in all results; there is nothing to draw");
	fputs("chart_title = \"Waste at the end of a slab\"\n", out);
	return plot_write_array(out, d->plot, "rule", d->nr_points, rule, d, err);
}
