/* Values over the run: memory, slabs on the nodes' partial lists. */
#include <inttypes.h>
#include <math.h>

#include "sim/chart/plot_part.h"

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
	const struct scale *x = pick(times ? time : events, 4, most_x);
	const struct scale *m = metric_scale(UNIT_BYTES, most_bytes);

	fprintf(out, "x_label = \"%s\"\nx_scale = %.1f\n", x->text, x->by);
	fprintf(out, "m_unit = \"%s\"\nm_scale = %.1f\n", m->text, m->by);
}

/* Have all a clock? Then *first is when the earliest began. */
static bool clocks(const struct plot_data *d, uint64_t *first)
{
	bool times = true;

	*first = UINT64_MAX;
	for (unsigned i = 0; i < d->nr_points; i++) {
		const struct result_cache *c = &d->caches[i].c;

		times &= plot_data_result(d, i)->has_times;
		if (c->nr_series && c->series[0].time_ns < *first)
			*first = c->series[0].time_ns;
	}
	return times;
}

int plot_series_data(FILE *out, const struct plot_data *d, struct error *err)
{
	double most_x = 0, most_bytes = 0;
	uint64_t first;
	bool times = clocks(d, &first);

	fputs("$series << END_OF_DATA\n", out);
	for (unsigned i = 0; i < d->nr_points; i++) {
		const struct result_cache *c = &d->caches[i].c;

		if (!c->nr_series)
			return error_input(err,
					   "%s: its caches have no series to draw, or not at the "
					   "same events; --cache NAME draws one, and a sweep keeps "
					   "series with --series",
					   d->bars[i].label);
		for (unsigned j = 0; j < c->nr_series; j++) {
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

void plot_series_describe(FILE *out, const struct plot_data *d)
{
	char text[48];

	for (unsigned i = 0; i < d->nr_points; i++) {
		uint64_t most = 0, partial = 0;

		for (unsigned j = 0; j < d->caches[i].c.nr_series; j++) {
			const struct series_point *s = &d->caches[i].c.series[j];

			most = s->memory_total > most ? s->memory_total : most;
			partial = s->partial > partial ? s->partial : partial;
		}
		metric_text(FIGURE_MEMORY_PEAK, (double)most, text, sizeof(text));
		if (strcmp(d->plot->kind->name, "partial") == 0)
			snprintf(text, sizeof(text), "%" PRIu64 " slabs", partial);
		fprintf(out, "%s%s: at most %s", i ? "; " : "", d->bars[i].label, text);
	}
	putc('.', out);
}
