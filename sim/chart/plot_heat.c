/* A figure over two axes, as a map. */
#include <math.h>

#include "sim/escape.h"
#include "sim/chart/plot_part.h"

/* A cell of such a map would be smaller than what is seen. */
#define MAX_SIDE 64

struct heat {
	const struct plot_data *d;
	unsigned metric;
	struct plot_axis x, y;
	char *others;
	double *value; /* [y.n * x.n] */
	double least, most;
};

static unsigned position(const struct plot_axis *a, double at)
{
	unsigned i;

	for (i = 0; i + 1 < a->n; i++)
		if (a->at[i] == at)
			break;
	return i;
}

static int fill(struct heat *h, struct error *err)
{
	const struct metrics *m = h->d->plot->metrics;
	size_t cells = (size_t)h->x.n * h->y.n;
	unsigned *n = calloc(cells, sizeof(*n));

	h->value = calloc(cells, sizeof(*h->value));
	if (!n || !h->value) {
		free(n);
		return error_memory(err, "a chart");
	}
	for (unsigned i = 0; i < h->d->nr_points; i++) {
		unsigned point = h->d->points[i];
		const struct run_point *p = &h->d->runs->points[point];
		unsigned x = position(&h->x, plot_axis_at(&h->x, h->d, point, p->first));
		unsigned y = position(&h->y, plot_axis_at(&h->y, h->d, point, p->first));

		for (unsigned run = p->first; run < p->first + p->nr; run++) {
			if (!isfinite(m->value[run][h->metric]))
				continue;
			h->value[(size_t)y * h->x.n + x] += m->value[run][h->metric];
			n[(size_t)y * h->x.n + x]++;
		}
	}
	h->least = INFINITY;
	h->most = -INFINITY;
	for (size_t i = 0; i < cells; i++) {
		h->value[i] = n[i] ? h->value[i] / n[i] : NAN;
		h->least = fmin(h->least, h->value[i]);
		h->most = fmax(h->most, h->value[i]);
	}
	free(n);
	return isfinite(h->least) ? 0
				  : error_input(err, "no result has %s; there is nothing to draw",
						metric_name(h->metric));
}

static int heat_init(struct heat *h, const struct plot_data *d, struct error *err)
{
	const struct plot *p = d->plot;
	unsigned x = p->x == PLOT_DEFAULT ? runs_longest_axis(d->runs, p->by) : p->x;
	unsigned y = p->by == PLOT_DEFAULT ? runs_longest_axis(d->runs, x) : p->by;

	*h = (struct heat){.d = d, .metric = p->metric};
	if (h->metric == PLOT_DEFAULT)
		h->metric = metrics_default(p->metrics);
	if (x == y && x < d->runs->nr_axes)
		return error_input(err, "--x and --by are both %s; a heat map needs two settings",
				   d->runs->axes[x].path);
	if (x >= d->runs->nr_axes || y >= d->runs->nr_axes)
		return error_input(err,
				   "a heat map needs results that differ in two settings, and "
				   "these differ in %u; --kind lines draws along one",
				   d->runs->nr_axes);
	if (plot_axis_init(&h->x, d, x, err) || plot_axis_init(&h->y, d, y, err))
		return -1;
	if (h->x.n > MAX_SIDE || h->y.n > MAX_SIDE)
		return error_input(err,
				   "a heat map of %u by %u values; more than %u a side would not "
				   "be seen; --where AXIS=VALUE chooses some",
				   h->x.n, h->y.n, MAX_SIDE);
	h->others = plot_other_axes(d, x, y);
	if (!h->others)
		return error_memory(err, "a chart");
	return fill(h, err);
}

static void heat_free(struct heat *h)
{
	plot_axis_free(&h->x);
	plot_axis_free(&h->y);
	free(h->others);
	free(h->value);
}

static int write_heat(FILE *out, const struct heat *h, struct error *err)
{
	const struct plot *p = h->d->plot;
	char text[32];

	fputs("$heat << END_OF_DATA\n", out);
	for (unsigned y = 0; y < h->y.n; y++)
		for (unsigned x = 0; x < h->x.n; x++) {
			double value = h->value[(size_t)y * h->x.n + x];
			const struct scale *s = metric_scale(metric_unit(h->metric), h->most);

			number_text(value / s->by, text, sizeof(text));
			if (isfinite(value))
				fprintf(out, "%u %u %.8g %s\n", x, y, value, text);
		}
	fprintf(out, "END_OF_DATA\nz_least = %.8g\nz_most = %.8g\n", h->least, h->most);
	if (plot_axis_write(out, h->d, "x", &h->x, err) ||
	    plot_axis_write(out, h->d, "y", &h->y, err))
		return -1;
	plot_write_metric(out, "z", h->metric, h->most);
	return plot_write_text(out, p, "mean_over", h->others, err);
}

int plot_heat_data(FILE *out, const struct plot_data *d, struct error *err)
{
	struct heat h;
	int ret = heat_init(&h, d, err);

	if (!ret)
		ret = write_heat(out, &h, err);
	heat_free(&h);
	return ret;
}

/* The table's names, made when its kind is known to fit. */
struct heat_table {
	const struct heat *h;
	char (*row)[80], (*column)[80];
};

static const char *row(const void *arg, unsigned i)
{
	return ((const struct heat_table *)arg)->row[i];
}

static const char *column(const void *arg, unsigned i)
{
	return ((const struct heat_table *)arg)->column[i];
}

static double cell(const void *arg, unsigned y, unsigned x)
{
	const struct heat *h = ((const struct heat_table *)arg)->h;

	return h->value[(size_t)y * h->x.n + x] / metric_scale(metric_unit(h->metric), h->most)->by;
}

static int write_table(FILE *out, const struct heat *h, struct error *err)
{
	struct heat_table names = {h, calloc(h->y.n, sizeof(*names.row)),
				   calloc(h->x.n, sizeof(*names.column))};
	struct plot_table t = {row, column, cell, &names, h->y.n, h->x.n};

	if (names.row && names.column) {
		for (unsigned i = 0; i < h->y.n; i++)
			plot_axis_text(&h->y, i, names.row[i], sizeof(*names.row));
		for (unsigned i = 0; i < h->x.n; i++)
			plot_axis_text(&h->x, i, names.column[i], sizeof(*names.column));
		plot_table_text(out, &t);
	} else {
		error_memory(err, "a table");
	}
	free(names.row);
	free(names.column);
	return err->kind ? -1 : 0;
}

int plot_heat_text(FILE *out, const struct plot_data *d, struct error *err)
{
	struct heat h;
	int ret = heat_init(&h, d, err);

	if (!ret) {
		fprintf(out, "%s (%s) of ", metric_title(h.metric),
			metric_scale(metric_unit(h.metric), h.most)->text);
		write_plain(out, d->plot->metrics->title);
		fputs(": columns ", out);
		write_plain(out, h.x.axis->title);
		fputs(", rows ", out);
		write_plain(out, h.y.axis->title);
		putc('\n', out);
		ret = write_table(out, &h, err);
	}
	heat_free(&h);
	return ret;
}
