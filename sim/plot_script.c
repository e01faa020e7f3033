/* The script for gnuplot: what is drawn, as variables and data blocks; and the template. */
#include <inttypes.h>
#include <math.h>

#include "sim/plot_part.h"

/* A block of the counters whose largest share is from least up to below limit; its length. */
static unsigned bars_block(FILE *out, const char *name, const struct plot_data *d, double least,
			   double limit)
{
	unsigned item, i, rows = 0;

	fprintf(out, "$%s << END_OF_DATA\n", name);
	for (item = 0; item < NR_STAT_ITEMS; item++) {
		if (!plot_data_between(d, item, least, limit))
			continue;
		rows++;
		fputs(stat_name(item), out);
		for (i = 0; i < d->nr_bars; i++)
			if (isfinite(d->bars[i].share[item]))
				fprintf(out, " %.6f", d->bars[i].share[item]);
			else
				fputs(" NaN", out);
		putc('\n', out);
	}
	fputs("END_OF_DATA\n", out);
	fprintf(out, "nr_%s = %u\n", name, rows);
	return rows;
}

static int counters(FILE *out, const struct plot_data *d, struct error *err)
{
	unsigned rows = bars_block(out, "large", d, LARGE_SHARE, INFINITY);

	rows += bars_block(out, "small", d, LEAST_SHARE, LARGE_SHARE);
	return rows ? 0 : error_input(err, "no result has an allocation; there is nothing to draw");
}

struct scale {
	double by;
	const char *text;
};

/* The unit, of those given smallest first, in which most is a short number. */
static const struct scale *pick(const struct scale *units, unsigned n, double most)
{
	unsigned i;

	for (i = n - 1; i > 0; i--)
		if (most >= units[i].by * 1.5)
			break;
	return &units[i];
}

static void scales(FILE *out, bool times, double most_x, double most_bytes)
{
	static const struct scale time[] = {
	    {1, "time (ns)"}, {1e3, "time (us)"}, {1e6, "time (ms)"}, {1e9, "time (s)"}};
	static const struct scale events[] = {{1, "events"},
					      {1e3, "events (thousands)"},
					      {1e6, "events (millions)"},
					      {1e9, "events (billions)"}};
	static const struct scale bytes[] = {
	    {1, "bytes"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}};
	const struct scale *x = pick(times ? time : events, 4, most_x);
	const struct scale *m = pick(bytes, 4, most_bytes);

	fprintf(out, "x_label = \"%s\"\nx_scale = %.0f\n", x->text, x->by);
	fprintf(out, "m_unit = \"%s\"\nm_scale = %.0f\n", m->text, m->by);
}

static int series(FILE *out, const struct plot_data *d, struct error *err)
{
	const struct plot *p = d->plot;
	double most_x = 0, most_bytes = 0;
	uint64_t first = UINT64_MAX;
	bool times = true;
	unsigned i, j;

	for (i = 0; i < p->nr_results; i++) {
		times &= p->results[i].has_times;
		if (d->caches[i].c.nr_series && d->caches[i].c.series[0].time_ns < first)
			first = d->caches[i].c.series[0].time_ns;
	}
	fputs("$series << END_OF_DATA\n", out);
	for (i = 0; i < p->nr_results; i++) {
		const struct result_cache *c = &d->caches[i].c;

		if (!c->nr_series)
			return error_input(err,
					   "%s: its caches have no series to draw, or not at the "
					   "same events; --cache NAME draws one",
					   p->results[i].label);
		for (j = 0; j < c->nr_series; j++) {
			const struct series_point *s = &c->series[j];
			/* a trace's clock began with the machine, not with the trace */
			uint64_t x = s->event;

			if (times)
				x = s->time_ns > first ? s->time_ns - first : 0;

			most_x = fmax(most_x, (double)x);
			most_bytes = fmax(most_bytes, (double)s->memory_total);
			fprintf(out, "%" PRIu64 " %" PRIu64 " %.0f %" PRIu64 "\n", x,
				s->memory_total, (double)s->objects * c->object_size, s->partial);
		}
		fputs("\n\n", out);
	}
	fputs("END_OF_DATA\n", out);
	scales(out, times, most_x, most_bytes);
	return 0;
}

static int labels(FILE *out, const struct plot_data *d, struct error *err)
{
	unsigned i;

	fprintf(out, "n = %u\nnr_results = %u\n", d->nr_bars, d->plot->nr_results);
	fputs("cache = ", out);
	if (plot_write_label(out, d->plot, "", plot_data_title(d), err))
		return -1;
	fputs("\nrun = ", out);
	if (plot_write_label(out, d->plot, "", plot_data_run(d), err))
		return -1;
	fprintf(out, "\narray label[%u] = [", d->nr_bars);
	for (i = 0; i < d->nr_bars; i++) {
		fputs(i ? ", " : "", out);
		if (plot_write_label(out, d->plot, d->bars[i].prefix, d->bars[i].label, err))
			return -1;
	}
	fputs("]\n", out);
	return 0;
}

static int all_data(FILE *out, const struct plot_data *d, struct error *err)
{
	if (labels(out, d, err))
		return -1;
	if (d->plot->kind->counters && counters(out, d, err))
		return -1;
	return d->plot->kind->series ? series(out, d, err) : 0;
}

int plot_script(FILE *out, const struct plot *p, const char *plots, const char *output,
		struct error *err)
{
	struct plot_data d;
	int ret;

	fputs("# Drawn by gnuplot: gnuplot THIS_FILE\n", out);
	fprintf(out, "terminal = \"%s\"\n", p->terminal);
	plot_write_path(out, "output", output);
	plot_write_path(out, "plots", plots);
	ret = plot_data_init(&d, p, err);
	if (!ret)
		ret = all_data(out, &d, err);
	plot_data_free(&d);
	fprintf(out, "load plots . \"/%s.gp\"\n", p->kind->name);
	return ret;
}
