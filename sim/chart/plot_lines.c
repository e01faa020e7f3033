/* A figure along an axis, a line for each value of another. */
#include <math.h>

#include "sim/chart/plot_part.h"

struct lines {
	const struct plot_data *d;
	unsigned metric;
	struct plot_axis x;
	unsigned by;		     /* axis; runs->nr_axes: one line */
	unsigned line[MAX_LINES], n; /* values of by */
	char *others;		     /* axes over which is averaged; "" when there are none */
	double most;		     /* value, with its interval */
	double most_mean;
};

static int find_lines(struct lines *l, struct error *err)
{
	const struct runs *runs = l->d->runs;

	if (l->by >= runs->nr_axes) {
		l->n = 1;
		return 0;
	}
	for (unsigned v = 0; v < runs->axes[l->by].n; v++) {
		bool used = false;

		for (unsigned i = 0; i < l->d->nr_points; i++)
			used |= runs->points[l->d->points[i]].value[l->by] == v;
		if (!used)
			continue;
		if (l->n == MAX_LINES)
			return error_input(err,
					   "%s has more than %u values, whose lines could not be "
					   "told apart; --by chooses another axis, --where "
					   "AXIS=VALUE fewer values, and --kind heat has room",
					   runs->axes[l->by].path, MAX_LINES);
		l->line[l->n++] = v;
	}
	return 0;
}

/* What the runs of line i have at x. */
static struct estimate value_at(const struct lines *l, unsigned i, double at)
{
	const struct metrics *m = l->d->plot->metrics;
	const struct runs *runs = l->d->runs;
	double *values = calloc((size_t)runs->nr + 1, sizeof(*values));
	struct estimate e = {NAN, NAN};
	unsigned n = 0;

	for (unsigned j = 0; values && j < l->d->nr_points; j++) {
		unsigned point = l->d->points[j];
		const struct run_point *p = &runs->points[point];

		if (l->by < runs->nr_axes && p->value[l->by] != l->line[i])
			continue;
		for (unsigned run = p->first; run < p->first + p->nr; run++)
			if (plot_axis_at(&l->x, l->d, point, run) == at &&
			    isfinite(m->value[run][l->metric]))
				values[n++] = m->value[run][l->metric];
	}
	if (n)
		e = estimate(values, n);
	/* an interval over other settings would say nothing about chance */
	if (l->others && *l->others)
		e.ci = NAN;
	free(values);
	return e;
}

static int lines_init(struct lines *l, const struct plot_data *d, struct error *err)
{
	l->d = d;
	if (plot_axis_init(&l->x, d, l->x.number, err) || find_lines(l, err))
		return -1;
	l->others = plot_other_axes(d, l->x.number, l->by);
	return l->others ? 0 : error_memory(err, "a chart");
}

static void lines_free(struct lines *l)
{
	plot_axis_free(&l->x);
	free(l->others);
}

static unsigned write_block(FILE *out, struct lines *l)
{
	unsigned found = 0;

	fputs("$lines << END_OF_DATA\n", out);
	for (unsigned i = 0; i < l->n; i++) {
		for (unsigned j = 0; j < l->x.n; j++) {
			struct estimate e = value_at(l, i, l->x.at[j]);
			double ci = isfinite(e.ci) ? e.ci : 0;

			if (!isfinite(e.mean))
				continue;
			found++;
			l->most = fmax(l->most, e.mean + ci);
			l->most_mean = fmax(l->most_mean, e.mean);
			fprintf(out, "%.10g %.8g %.8g %.8g\n", plot_axis_place(&l->x, j), e.mean,
				e.mean - ci, e.mean + ci);
		}
		fputs("\n\n", out);
	}
	fputs("END_OF_DATA\n", out);
	return found;
}

/* Does any point have several seeds, so that there is a band? */
static bool has_band(const struct lines *l)
{
	for (unsigned i = 0; i < l->d->nr_points; i++)
		if (l->d->runs->points[l->d->points[i]].nr > 1 && !*l->others)
			return true;
	return false;
}

static const char *line_text(const struct lines *l, unsigned i)
{
	if (l->by >= l->d->runs->nr_axes)
		return "";
	return l->d->runs->axes[l->by].text[l->line[i]];
}

/* "groups 20", "count_partial: walk" */
static int write_names(FILE *out, const struct lines *l, struct error *err)
{
	char name[1024];

	fprintf(out, "array line[%u] = [", l->n);
	for (unsigned i = 0; i < l->n; i++) {
		const struct run_axis *by =
		    l->by < l->d->runs->nr_axes ? &l->d->runs->axes[l->by] : NULL;

		snprintf(name, sizeof(name), "%s%s%s", by ? by->title : "",
			 by && !by->numeric ? ": " : " ", line_text(l, i));
		fputs(i ? ", " : "", out);
		if (plot_write_label(out, l->d->plot, "", name, err))
			return -1;
	}
	fputs("]\n", out);
	return 0;
}

/*
 * A published counter whose policy has a value of the axis, and of the lines: where it stands
 * among the lines. False when the column says nothing of them.
 */
static bool published_at(const struct lines *l, const struct published_column *col, double *x,
			 double *y)
{
	const struct runs *runs = l->d->runs;
	const struct metrics *m = l->d->plot->metrics;

	if (l->metric >= NR_STAT_ITEMS || !l->x.axis)
		return false;
	*y = NAN;
	for (unsigned i = 0; i < col->nr_rows; i++)
		if (strcmp(col->rows[i].name, stat_name(l->metric)) == 0)
			*y = col->rows[i].share;
	for (unsigned i = 0; isfinite(*y) && i < l->d->nr_points; i++) {
		const struct run_point *p = &runs->points[l->d->points[i]];
		const struct loaded_result *r = &runs->r[p->first];
		const struct loaded_cache *c =
		    m->cache ? loaded_cache_find(r, m->cache) : &r->caches[0];

		if (!c || !r->nr_caches || !published_matches(col, r, c))
			continue;
		for (unsigned j = 0; j < l->x.n; j++)
			if (l->x.at[j] == plot_axis_at(&l->x, l->d, l->d->points[i], p->first))
				*x = plot_axis_place(&l->x, j);
		return true;
	}
	return false;
}

static void write_published(FILE *out, const struct lines *l)
{
	const struct published *p = l->d->plot->published;
	double x = 0, y = 0;
	unsigned n = 0;

	fputs("$published << END_OF_DATA\n", out);
	for (unsigned i = 0; p && i < p->nr_columns; i++)
		if (published_at(l, &p->columns[i], &x, &y)) {
			fprintf(out, "%.10g %.8g\n", x, y);
			n++;
		}
	fprintf(out, "END_OF_DATA\nnr_published = %u\n", n);
}

static int write_lines(FILE *out, struct lines *l, struct error *err)
{
	const struct plot *p = l->d->plot;
	const struct runs *runs = l->d->runs;

	if (!write_block(out, l))
		return error_input(
		    err, "no result has %s; there is nothing to draw%s", metric_name(l->metric),
		    l->metric >= FIGURE_END ? " (replay.mode timed measures time)" : "");
	write_published(out, l);
	/* a band that is much wider, as of two seeds, may leave the picture */
	fprintf(out, "nr_lines = %u\nband = %d\ny_top = %.8g\n", l->n, has_band(l),
		fmin(l->most, 2.5 * l->most_mean));
	plot_write_metric(out, "y", l->metric, l->most);
	if (plot_axis_write(out, l->d, "x", &l->x, err) ||
	    plot_write_text(out, p, "by_title",
			    l->by < runs->nr_axes ? runs->axes[l->by].title : "", err) ||
	    plot_write_text(out, p, "mean_over", l->others, err) || write_names(out, l, err))
		return -1;
	fputs("published_title = ", out);
	if (plot_write_label(out, p, "published: ", p->published ? p->published->title : "", err))
		return -1;
	putc('\n', out);
	return 0;
}

static void choose(struct lines *l, const struct plot_data *d)
{
	const struct plot *p = d->plot;

	l->metric = p->metric == PLOT_DEFAULT ? metrics_default(p->metrics) : p->metric;
	l->x.number = p->x == PLOT_DEFAULT ? runs_longest_axis(d->runs, p->by) : p->x;
	l->by = p->by == PLOT_DEFAULT ? runs_lines_axis(d->runs, l->x.number) : p->by;
}

int plot_lines_data(FILE *out, const struct plot_data *d, struct error *err)
{
	struct lines l = {0};
	int ret;

	choose(&l, d);
	if (l.x.number >= d->runs->nr_axes)
		return error_input(err, "the results do not differ in any setting, so there is no "
					"axis to draw along; --kind counters shows them");
	ret = lines_init(&l, d, err);
	if (!ret)
		ret = write_lines(out, &l, err);
	lines_free(&l);
	return ret;
}

/* Against the machine's CPUs, which an axis may set under whatever name. */
int plot_lock_data(FILE *out, const struct plot_data *d, struct error *err)
{
	const struct plot *p = d->plot;
	struct lines l = {.metric = METRIC_LIST_LOCK};
	int ret;

	l.x.number = runs_find_axis(d->runs, "machine.cpus");
	l.by = p->by == PLOT_DEFAULT ? runs_lines_axis(d->runs, l.x.number) : p->by;
	ret = lines_init(&l, d, err);
	if (!ret)
		ret = write_lines(out, &l, err);
	lines_free(&l);
	return ret;
}

void plot_lines_describe(FILE *out, const struct plot_data *d)
{
	bool lock = strcmp(d->plot->kind->name, "lock") == 0;
	struct lines l = {.metric = METRIC_LIST_LOCK};
	struct error err = {0};
	char text[48];

	choose(&l, d);
	if (lock) {
		l.metric = METRIC_LIST_LOCK;
		l.x.number = runs_find_axis(d->runs, "machine.cpus");
	}
	if (!lines_init(&l, d, &err)) {
		fprintf(out, "Along %s, %s.", l.x.axis ? l.x.axis->title : "CPUs",
			metric_title(l.metric));
		for (unsigned i = 0; i < l.n; i++) {
			struct estimate first = value_at(&l, i, l.x.at[0]);
			struct estimate last = value_at(&l, i, l.x.at[l.x.n - 1]);

			metric_text(l.metric, first.mean, text, sizeof(text));
			fprintf(out, " %s%sfrom %s", line_text(&l, i),
				*line_text(&l, i) ? ": " : "", text);
			metric_text(l.metric, last.mean, text, sizeof(text));
			fprintf(out, " to %s.", text);
		}
	}
	lines_free(&l);
}
