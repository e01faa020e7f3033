/* Which axis moves which figure; and the points worth choosing from. */
#include <inttypes.h>
#include <math.h>

#include "sim/sweep/pareto.h"
#include "sim/sweep/sensitivity.h"
#include "sim/sweep/sweep_compare.h"
#include "sim/sweep/sweep_data.h"
#include "sim/table.h"

/* ---- sensitivity ---- */

/* The runs that are there, as observations. */
struct observations {
	struct design design;
	unsigned *levels, *level;
	uint64_t *point;
	unsigned *seed; /* which of the point's values */
	double *y, *share;
	size_t n;
};

static void free_observations(struct observations *o)
{
	free(o->levels);
	free(o->level);
	free(o->point);
	free(o->seed);
	free(o->y);
	free(o->share);
}

/* An axis that leads its dimension; those zipped to it vary with it. */
static bool leads(const struct sweep *s, unsigned axis)
{
	for (unsigned a = 0; a < axis; a++)
		if (s->axes[a].dimension == s->axes[axis].dimension)
			return false;
	return true;
}

static int observe(struct observations *o, const struct sweep_data *d, struct error *err)
{
	const struct sweep *s = d->sweep;
	unsigned dims = s->nr_dimensions;

	*o = (struct observations){0};
	for (uint64_t point = 0; point < s->nr_points; point++)
		o->n += d->n[point];
	o->levels = calloc((size_t)dims + 1, sizeof(*o->levels));
	o->share = calloc((size_t)dims + 1, sizeof(*o->share));
	o->level = calloc(o->n * dims + 1, sizeof(*o->level));
	o->point = calloc(o->n, sizeof(*o->point));
	o->seed = calloc(o->n, sizeof(*o->seed));
	o->y = calloc(o->n, sizeof(*o->y));
	if (!o->levels || !o->share || !o->level || !o->point || !o->seed || !o->y)
		return error_memory(err, "a sweep's sensitivities");
	o->n = 0;
	for (uint64_t point = 0; point < s->nr_points; point++) {
		for (unsigned k = 0; k < d->n[point]; k++, o->n++) {
			o->point[o->n] = point;
			o->seed[o->n] = k;
			for (unsigned a = 0; a < s->nr_axes; a++)
				o->level[o->n * dims + s->axes[a].dimension] =
				    sweep_index(s, point, a);
		}
	}
	for (unsigned i = 0; i < dims; i++)
		o->levels[i] = s->steps[i];
	o->design = (struct design){dims, o->levels, o->n, o->level};
	return 0;
}

static void sensitivity_columns(struct table *t, const struct sweep *s)
{
	char key[300];

	table_column(t, "figure", "");
	table_column(t, "lowest", "lowest");
	table_column(t, "highest", "highest");
	for (unsigned a = 0; a < s->nr_axes; a++) {
		if (!leads(s, a))
			continue;
		snprintf(key, sizeof(key), "%.250s share_percent", s->axes[a].name);
		table_column(t, key, sweep_axis_title(s, a));
		for (unsigned b = a + 1; b < s->nr_axes; b++)
			if (s->axes[b].dimension == s->axes[a].dimension)
				table_note(t, "%s varies with %s and is counted there",
					   s->axes[b].name, s->axes[a].name);
	}
	table_column(t, "interaction share_percent", "together");
	if (s->seeds > 1)
		table_column(t, "chance share_percent", "chance");
	table_column(t, "most", "most");
}

/* What the seeds of a point differ by, of all variation. */
static double chance(const struct sweep_data *d, const struct observations *o, unsigned f)
{
	double within = 0, total = 0, mean = 0;

	for (size_t i = 0; i < o->n; i++)
		mean += o->y[i] / (double)o->n;
	for (size_t i = 0; i < o->n; i++) {
		within += pow(o->y[i] - sweep_data_get(d, o->point[i], f)->mean, 2);
		total += pow(o->y[i] - mean, 2);
	}
	return total > 0 ? within / total : 0;
}

/* One figure, over all runs. lowest and highest are of points. */
struct spread {
	unsigned figure;
	double lowest, highest, relative;
};

static bool measure(const struct sweep_data *d, unsigned f, struct spread *spread)
{
	double sum = 0;
	uint64_t n = 0;

	*spread = (struct spread){.figure = f, .lowest = INFINITY, .highest = -INFINITY};
	for (uint64_t point = 0; point < d->sweep->nr_points; point++) {
		double value = sweep_data_get(d, point, f)->mean;

		if (!d->n[point])
			continue;
		if (isnan(value))
			return false;
		spread->lowest = fmin(spread->lowest, value);
		spread->highest = fmax(spread->highest, value);
		sum += fabs(value);
		n++;
	}
	spread->relative = sum > 0 ? (spread->highest - spread->lowest) / (sum / (double)n) : 0;
	return n > 0;
}

static int by_spread(const void *a, const void *b)
{
	const struct spread *l = a, *r = b;

	if (l->relative != r->relative)
		return l->relative < r->relative ? 1 : -1;
	return (l->figure > r->figure) - (l->figure < r->figure);
}

static int sensitivity_row(struct table *t, const struct sweep_data *d, struct observations *o,
			   struct sensitivity *model, const struct spread *spread,
			   struct error *err)
{
	const struct sweep *s = d->sweep;
	double rest, noise, most = 0;
	const char *name = NULL;

	for (size_t i = 0; i < o->n; i++)
		o->y[i] = sweep_data_values(d, o->point[i], spread->figure)[o->seed[i]];
	if (sensitivity_shares(model, o->y, o->share, &rest, err))
		return -1;
	noise = s->seeds > 1 ? chance(d, o, spread->figure) : 0;
	table_row(t);
	table_string(t, figure_name(spread->figure));
	table_real(t, spread->lowest, spread->lowest == floor(spread->lowest) ? 0 : 4);
	table_real(t, spread->highest, spread->highest == floor(spread->highest) ? 0 : 4);
	for (unsigned a = 0; a < s->nr_axes; a++) {
		double share = o->share[s->axes[a].dimension];

		if (!leads(s, a))
			continue;
		table_real(t, 100 * share, 1);
		if (share > most) {
			most = share;
			name = sweep_axis_title(s, a);
		}
	}
	table_real(t, 100 * fmax(rest - noise, 0), 1);
	if (s->seeds > 1)
		table_real(t, 100 * noise, 1);
	if (name)
		table_string(t, most < noise ? "chance" : name);
	else
		table_missing(t);
	return 0;
}

static int sensitivity_rows(struct table *t, const struct sweep_data *d, struct observations *o,
			    const struct sweep_compare_options *opt, struct error *err)
{
	struct sensitivity *model = sensitivity_new(&o->design, err);
	struct spread spread[NR_FIGURES];
	unsigned n = 0, only = NR_FIGURES;
	int ret = model ? 0 : -1;

	if (!ret && opt->figure)
		ret = sweep_find_figure("--figure", opt->figure, &only, err);
	for (unsigned f = 0; !ret && f < NR_FIGURES; f++) {
		if (opt->figure ? f != only : !opt->all && sweep_data_negligible(d, f))
			continue;
		if (measure(d, f, &spread[n]) &&
		    (spread[n].highest > spread[n].lowest || opt->figure))
			n++;
	}
	if (!ret)
		qsort(spread, n, sizeof(*spread), by_spread);
	for (unsigned i = 0; !ret && i < n; i++)
		ret = sensitivity_row(t, d, o, model, &spread[i], err);
	sensitivity_free(model);
	return ret;
}

int sweep_view_sensitivity(struct table *t, const struct sweep_data *d,
			   const struct sweep_compare_options *opt, struct error *err)
{
	struct observations o;
	int ret = observe(&o, d, err);

	if (!ret && !d->sweep->nr_axes)
		ret = error_input(err, "--sensitivity: the sweep has no axes");
	if (!ret) {
		table_note(t, "share of the variation that each axis accounts for, in per cent; "
			      "the figure that varies most comes first");
		sensitivity_columns(t, d->sweep);
		table_group(t, d->cache);
		ret = sensitivity_rows(t, d, &o, opt, err);
	}
	free_observations(&o);
	return ret;
}

/* ---- the Pareto front ---- */

static int read_measures(const char *text, unsigned measure[2], struct error *err)
{
	char name[100];
	size_t n;

	measure[0] = FIGURE_MEMORY_PEAK;
	measure[1] = FIGURE_SLOW_PATH;
	if (!text)
		return 0;
	n = strcspn(text, ",");
	if (!text[n] || n >= sizeof(name))
		return error_input(err, "--pareto: FIGURE,FIGURE is wanted, not \"%.80s\"", text);
	snprintf(name, sizeof(name), "%.*s", (int)n, text);
	return sweep_find_figure("--pareto", name, &measure[0], err) ||
		       sweep_find_figure("--pareto", text + n + 1, &measure[1], err)
		   ? -1
		   : 0;
}

static int pareto_row(struct table *t, const struct sweep_data *d, uint64_t point, double x,
		      double y, const char *on_front, struct error *err)
{
	char *label = sweep_label(d->sweep, point, err);

	if (!label)
		return -1;
	table_row(t);
	table_string(t, label);
	free(label);
	table_real(t, x, x == floor(x) ? 0 : 4);
	table_real(t, y, y == floor(y) ? 0 : 4);
	if (on_front)
		table_string(t, on_front);
	return 0;
}

static int pareto_rows(struct table *t, const struct sweep_data *d, const double *x,
		       const double *y, size_t *front, bool all, struct error *err)
{
	size_t n = d->sweep->nr_points, kept = pareto_front(x, y, n, front);

	for (size_t i = 0; i < kept; i++)
		if (pareto_row(t, d, front[i], x[front[i]], y[front[i]], all ? "yes" : NULL, err))
			return -1;
	for (size_t point = 0; all && point < n; point++) {
		bool on = isnan(x[point]) || isnan(y[point]);

		for (size_t i = 0; i < kept; i++)
			on |= front[i] == point;
		if (!on && pareto_row(t, d, point, x[point], y[point], "no", err))
			return -1;
	}
	return 0;
}

int sweep_view_pareto(struct table *t, const struct sweep_data *d,
		      const struct sweep_compare_options *opt, struct error *err)
{
	size_t n = d->sweep->nr_points;
	double *x = calloc(n, sizeof(*x)), *y = calloc(n, sizeof(*y));
	size_t *front = calloc(n, sizeof(*front));
	unsigned measure[2];
	int ret = x && y && front ? 0 : error_memory(err, "a Pareto front");

	if (!ret)
		ret = read_measures(opt->pareto, measure, err);
	if (!ret) {
		table_note(t, "points that no other beats in %s without losing in %s",
			   figure_name(measure[0]), figure_name(measure[1]));
		table_column(t, "point", "");
		table_column(t, figure_name(measure[0]), figure_name(measure[0]));
		table_column(t, figure_name(measure[1]), figure_name(measure[1]));
		if (opt->all)
			table_column(t, "on_front", "on front");
		table_group(t, d->cache);
		for (size_t i = 0; i < n; i++) {
			x[i] = sweep_data_get(d, i, measure[0])->mean;
			y[i] = sweep_data_get(d, i, measure[1])->mean;
		}
		ret = pareto_rows(t, d, x, y, front, opt->all, err);
	}
	free(x);
	free(y);
	free(front);
	return ret;
}
