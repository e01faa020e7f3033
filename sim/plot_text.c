/* Bars of letters, for a terminal. gnuplot's own are too coarse to be read. */
#include <math.h>

#include "sim/escape.h"
#include "sim/exporter.h"
#include "sim/plot_part.h"

#define BAR_WIDTH 60

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

int plot_text_bars(FILE *out, const struct plot_data *d, struct error *err)
{
	unsigned i;

	fputs("Counters of ", out);
	write_plain(out, plot_data_title(d));
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
	panel(out, d, LARGE_SHARE, INFINITY);
	panel(out, d, LEAST_SHARE, LARGE_SHARE);
	return exporter_finish(out, err);
}
