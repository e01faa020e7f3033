/* Counters of every point as bars. */
#include <math.h>

#include "sim/escape.h"
#include "sim/chart/plot_part.h"

#define BAR_WIDTH 60

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
		for (i = 0; i < 2 * d->nr_bars; i++) {
			double value = i < d->nr_bars ? d->bars[i].share[item]
						      : d->bars[i - d->nr_bars].ci[item];

			/* without an interval the bar still has its number */
			if (isfinite(value) || i >= d->nr_bars)
				fprintf(out, " %.6f", isfinite(value) ? value : 0);
			else
				fputs(" NaN", out);
		}
		putc('\n', out);
	}
	fputs("END_OF_DATA\n", out);
	fprintf(out, "nr_%s = %u\n", name, rows);
	return rows;
}

static bool has_interval(const struct plot_data *d)
{
	for (unsigned i = 0; i < d->nr_points; i++)
		if (d->runs->points[d->points[i]].nr > 1)
			return true;
	return false;
}

int plot_counters_data(FILE *out, const struct plot_data *d, struct error *err)
{
	unsigned rows = bars_block(out, "large", d, LARGE_SHARE, INFINITY);

	rows += bars_block(out, "small", d, LEAST_SHARE, LARGE_SHARE);
	fprintf(out, "has_ci = %d\n", has_interval(d));
	return rows ? 0 : error_input(err, "no result has an allocation; there is nothing to draw");
}

static void bar(FILE *out, const char *name, unsigned i, double share, double scale)
{
	int letters, width;

	fprintf(out, "%-24s [%u] ", name, i + 1);
	if (!isfinite(share)) {
		fputs("-\n", out);
		return;
	}
	letters = (int)lround(share / scale * BAR_WIDTH);
	for (width = 0; width < letters; width++)
		putc('#', out);
	fprintf(out, "%s%.2f\n", letters ? " " : "", share);
}

static double largest(const struct plot_data *d, double least, double limit)
{
	double most = 0;
	unsigned item, i;

	for (item = 0; item < NR_STAT_ITEMS; item++)
		for (i = 0; i < d->nr_bars && plot_data_between(d, item, least, limit); i++)
			if (d->bars[i].share[item] > most)
				most = d->bars[i].share[item];
	return most;
}

static void panel(FILE *out, const struct plot_data *d, double least, double limit)
{
	double scale = largest(d, least, limit);
	unsigned item, i;

	if (scale <= 0)
		return;
	fprintf(out, "\nper cent of objects allocated, %.2f at the most\n", scale);
	for (item = 0; item < NR_STAT_ITEMS; item++) {
		if (!plot_data_between(d, item, least, limit))
			continue;
		for (i = 0; i < d->nr_bars; i++)
			bar(out, i ? "" : stat_name(item), i, d->bars[i].share[item], scale);
	}
}

int plot_counters_text(FILE *out, const struct plot_data *d, struct error *err)
{
	unsigned i;

	(void)err;
	fputs("Counters of ", out);
	write_plain(out, d->plot->metrics->title);
	if (*plot_data_run(d)) {
		fputs(" (", out);
		write_plain(out, plot_data_run(d));
		putc(')', out);
	}
	putc('\n', out);
	for (i = 0; i < d->nr_bars; i++) {
		fprintf(out, "[%u] %s", i + 1, d->bars[i].prefix);
		write_plain(out, d->bars[i].label);
		putc('\n', out);
	}
	if (d->nr_bars > d->nr_points) {
		fputs("published: ", out);
		write_plain(out, d->plot->published->title);
		putc('\n', out);
	}
	panel(out, d, LARGE_SHARE, INFINITY);
	panel(out, d, LEAST_SHARE, LARGE_SHARE);
	return 0;
}

void plot_counters_describe(FILE *out, const struct plot_data *d)
{
	const char *comma = "";
	char low[32], high[32];

	for (unsigned item = 0; item < NR_STAT_ITEMS; item++) {
		double least = INFINITY, most = -INFINITY;

		if (!plot_data_between(d, item, LEAST_SHARE, INFINITY))
			continue;
		for (unsigned i = 0; i < d->nr_bars; i++) {
			least = fmin(least, d->bars[i].share[item]);
			most = fmax(most, d->bars[i].share[item]);
		}
		number_text(least, low, sizeof(low));
		number_text(most, high, sizeof(high));
		fprintf(out, "%s%s %s to %s", comma, stat_name(item), low, high);
		comma = ", ";
	}
	fputs(" per cent.", out);
}
