/* Two figures of every point, and the front: points that none beats in both. */
#include <math.h>

#include "sim/sweep/pareto.h"
#include "sim/chart/plot_part.h"

/* Points of the front that are named. */
#define MAX_NAMED 12

struct cloud {
	unsigned metric[2];
	double *x, *y; /* [n]; more is worse */
	unsigned n;
	size_t *front, nr_front;
	bool *named; /* [nr_front]: has a number and a name */
	unsigned nr_named;
	double most[2];
};

static double measure(unsigned metric, double value)
{
	return metric_less_is_better(metric) ? value : -value;
}

static void choose(struct cloud *c, const struct plot_data *d)
{
	const struct plot *p = d->plot;
	bool timed = isfinite(metrics_of_point(p->metrics, d->points[0], FIGURE_MEAN).mean);

	c->metric[0] = p->metric_x;
	c->metric[1] = p->metric;
	if (c->metric[0] == PLOT_DEFAULT)
		c->metric[0] = FIGURE_MEMORY_PEAK;
	if (c->metric[1] == PLOT_DEFAULT)
		c->metric[1] = timed ? (unsigned)FIGURE_MEAN : metrics_default(p->metrics);
}

/* Of all points that are drawn. */
static double span(const double *v, unsigned n)
{
	double least = INFINITY, most = -INFINITY;

	for (unsigned i = 0; i < n; i++) {
		least = fmin(least, v[i]);
		most = fmax(most, v[i]);
	}
	return most - least;
}

/* How many points of the front, from i on, stand so close that their numbers would overlap? */
static size_t cluster(const struct cloud *c, size_t i)
{
	double near_x = span(c->x, c->n) * 0.03;
	double near_y = span(c->y, c->n) * 0.05;
	size_t j;

	for (j = i + 1; j < c->nr_front; j++)
		if (fabs(c->x[c->front[j]] - c->x[c->front[i]]) > near_x ||
		    fabs(c->y[c->front[j]] - c->y[c->front[i]]) > near_y)
			break;
	return j - i;
}

static void name_point(struct cloud *c, size_t i)
{
	if (c->named[i] || c->nr_named == MAX_NAMED)
		return;
	c->named[i] = true;
	c->nr_named++;
}

/* The ends of the front, then a point of every cluster, then whatever there is room for. */
static void name_points(struct cloud *c)
{
	name_point(c, 0);
	name_point(c, c->nr_front - 1);
	for (size_t i = 0; i < c->nr_front; i += cluster(c, i))
		name_point(c, i);
	for (size_t i = 0; i < c->nr_front; i++)
		name_point(c, i);
}

static int cloud_init(struct cloud *c, const struct plot_data *d, struct error *err)
{
	unsigned n = d->nr_points;

	*c = (struct cloud){
	    .n = n,
	    .x = calloc((size_t)n + 1, sizeof(*c->x)),
	    .y = calloc((size_t)n + 1, sizeof(*c->y)),
	    .front = calloc((size_t)n + 1, sizeof(*c->front)),
	    .named = calloc((size_t)n + 1, sizeof(*c->named)),
	};
	if (!c->x || !c->y || !c->front || !c->named)
		return error_memory(err, "a chart");
	choose(c, d);
	for (unsigned i = 0; i < n; i++) {
		c->x[i] = metrics_of_point(d->plot->metrics, d->points[i], c->metric[0]).mean;
		c->y[i] = metrics_of_point(d->plot->metrics, d->points[i], c->metric[1]).mean;
		if (isfinite(c->x[i]) && isfinite(c->y[i])) {
			c->most[0] = fmax(c->most[0], c->x[i]);
			c->most[1] = fmax(c->most[1], c->y[i]);
		}
		c->x[i] = measure(c->metric[0], c->x[i]);
		c->y[i] = measure(c->metric[1], c->y[i]);
	}
	c->nr_front = pareto_front(c->x, c->y, n, c->front);
	if (!c->nr_front)
		return error_input(err, "no point has both %s and %s; there is nothing to draw",
				   metric_name(c->metric[0]), metric_name(c->metric[1]));
	name_points(c);
	return 0;
}

static void cloud_free(struct cloud *c)
{
	free(c->x);
	free(c->y);
	free(c->front);
	free(c->named);
}

static void write_point(FILE *out, const struct cloud *c, size_t i)
{
	fprintf(out, "%.8g %.8g\n", measure(c->metric[0], c->x[i]), measure(c->metric[1], c->y[i]));
}

/* Per line: x, y, and its number or, at the first of a cluster, those of all in it, in quotes. */
static void write_front(FILE *out, const struct cloud *c)
{
	size_t together, before = 0, here;

	for (size_t i = 0; i < c->nr_front; i += together, before += here) {
		together = cluster(c, i);
		here = 0;
		for (size_t j = i; j < i + together; j++)
			here += c->named[j];
		for (size_t j = i; j < i + together; j++) {
			fprintf(out, "%.8g %.8g", measure(c->metric[0], c->x[c->front[j]]),
				measure(c->metric[1], c->y[c->front[j]]));
			if (j > i || !here)
				fputs(" \"\"\n", out);
			else if (here == 1)
				fprintf(out, " \"%zu\"\n", before + 1);
			else
				fprintf(out, " \"%zu-%zu\"\n", before + 1, before + here);
		}
	}
}

static int write_names(FILE *out, const struct plot_data *d, const struct cloud *c,
		       struct error *err)
{
	const char *comma = "";

	fprintf(out, "array front_name[%u] = [", c->nr_named);
	for (size_t i = 0; i < c->nr_front; i++) {
		char *text;
		int ret;

		if (!c->named[i])
			continue;
		text = plot_point_label(d->plot, d->points[c->front[i]], err);
		ret = text ? 0 : -1;
		fputs(comma, out);
		comma = ", ";
		if (text)
			ret = plot_write_label(out, d->plot, "", text, err);
		free(text);
		if (ret)
			return -1;
	}
	fputs("]\n", out);
	return 0;
}

static int write_cloud(FILE *out, const struct plot_data *d, const struct cloud *c,
		       struct error *err)
{
	fputs("$cloud << END_OF_DATA\n", out);
	for (unsigned i = 0; i < d->nr_points; i++)
		if (isfinite(c->x[i]) && isfinite(c->y[i]))
			write_point(out, c, i);
	fputs("END_OF_DATA\n$front << END_OF_DATA\n", out);
	write_front(out, c);
	fprintf(out, "END_OF_DATA\nnr_front = %zu\nnr_named = %u\nx_less = %d\ny_less = %d\n",
		c->nr_front, c->nr_named, metric_less_is_better(c->metric[0]),
		metric_less_is_better(c->metric[1]));
	plot_write_metric(out, "x", c->metric[0], c->most[0]);
	plot_write_metric(out, "y", c->metric[1], c->most[1]);
	return write_names(out, d, c, err);
}

int plot_pareto_data(FILE *out, const struct plot_data *d, struct error *err)
{
	struct cloud c;
	int ret = cloud_init(&c, d, err);

	if (!ret)
		ret = write_cloud(out, d, &c, err);
	cloud_free(&c);
	return ret;
}

void plot_pareto_describe(FILE *out, const struct plot_data *d)
{
	struct error err = {0};
	struct cloud c;
	const char *semicolon = "";
	char text[48];

	if (!cloud_init(&c, d, &err)) {
		fprintf(out, "%u points, %zu of them on the front:", d->nr_points, c.nr_front);
		for (size_t i = 0; i < c.nr_front; i++) {
			if (!c.named[i])
				continue;
			metric_text(c.metric[0], measure(c.metric[0], c.x[c.front[i]]), text,
				    sizeof(text));
			fprintf(out, "%s %s, %s and", semicolon,
				d->runs->points[d->points[c.front[i]]].label, text);
			metric_text(c.metric[1], measure(c.metric[1], c.y[c.front[i]]), text,
				    sizeof(text));
			fprintf(out, " %s", text);
			semicolon = ";";
		}
		putc('.', out);
	}
	cloud_free(&c);
}
