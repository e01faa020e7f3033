#include "sim/sweep/sweep_compare.h"

#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>

#include "sim/suggest.h"
#include "sim/sweep/sweep_data.h"
#include "sim/table.h"

int sweep_find_figure(const char *option, const char *name, unsigned *figure, struct error *err)
{
	char hint[160];
	struct suggest s;

	*figure = figure_find(name);
	if (*figure < NR_FIGURES)
		return 0;
	suggest_init(&s, name);
	for (unsigned f = 0; f < NR_FIGURES; f++)
		suggest_offer(&s, figure_name(f));
	return error_input(err,
			   "%s: there is no figure \"%.80s\"%s (counters, and such as memory.total "
			   "or slow_path_percent)",
			   option, name, suggest_text(&s, hint, sizeof(hint)));
}

/* ---- the baseline ---- */

static int no_baseline(const struct sweep_data *d, const char *name, struct error *err)
{
	struct suggest s;
	char hint[200], best[160];

	suggest_init(&s, name);
	*best = 0;
	for (uint64_t point = 0; point < d->sweep->nr_points; point++) {
		char *label = sweep_label(d->sweep, point, err);

		if (!label)
			return -1;
		suggest_offer(&s, label);
		/* Labels go as soon as they were looked at. */
		if (s.best == label) {
			snprintf(best, sizeof(best), "%s", label);
			s.best = best;
		}
		free(label);
	}
	return error_input(err,
			   "--baseline: no point is called \"%.80s\"%s; a number from 1 to %" PRIu64
			   " does, too",
			   name, suggest_text(&s, hint, sizeof(hint)), d->sweep->nr_points);
}

static int find_baseline(const struct sweep_data *d, const char *name, uint64_t *baseline,
			 struct error *err)
{
	char *end;

	*baseline = 0;
	if (!name)
		return 0;
	for (uint64_t point = 0; point < d->sweep->nr_points; point++) {
		char *label = sweep_label(d->sweep, point, err);
		bool same;

		if (!label)
			return -1;
		same = !strcmp(label, name);
		free(label);
		*baseline = point;
		if (same)
			return 0;
	}
	*baseline = strtoull(name, &end, 10) - 1;
	if (*name >= '0' && *name <= '9' && !*end && *baseline < d->sweep->nr_points)
		return 0;
	return no_baseline(d, name, err);
}

/* ---- effects ---- */

/* A point's difference to the baseline in one figure. */
struct effect {
	uint64_t point;
	double difference, change; /* per cent */
	double ci;		   /* of the difference; NAN: not known */
};

/* Welch's interval: the two may scatter differently. */
static double welch(const struct sweep_data *d, uint64_t a, uint64_t b, unsigned f)
{
	double na = d->n[a], nb = d->n[b], va, vb, df;

	/* Squared standard errors, from the intervals' half widths. */
	va = pow(sweep_data_get(d, a, f)->ci / gsl_cdf_tdist_Pinv(0.975, na - 1), 2);
	vb = pow(sweep_data_get(d, b, f)->ci / gsl_cdf_tdist_Pinv(0.975, nb - 1), 2);
	if (!(va + vb > 0))
		return 0;
	df = pow(va + vb, 2) / (va * va / (na - 1) + vb * vb / (nb - 1));
	return gsl_cdf_tdist_Pinv(0.975, df) * sqrt(va + vb);
}

/* Points have the same seeds, so what a seed does to both cancels out in pairs. */
static double difference_ci(const struct sweep_data *d, uint64_t a, uint64_t b, unsigned f,
			    double *pairs)
{
	const double *va = sweep_data_values(d, a, f), *vb = sweep_data_values(d, b, f);

	if (d->n[a] < 2 || d->n[b] < 2)
		return NAN;
	if (d->n[a] < d->sweep->seeds || d->n[b] < d->sweep->seeds)
		return welch(d, a, b, f);
	for (unsigned i = 0; i < d->sweep->seeds; i++)
		pairs[i] = va[i] - vb[i];
	return estimate(pairs, d->sweep->seeds).ci;
}

static double change(double value, double base)
{
	/* nothing is so and so many per cent more than nothing */
	return value == base ? 0 : 100 * (value / base - 1);
}

/* All of one figure, and so of one baseline. */
static int by_effect(const void *a, const void *b)
{
	const struct effect *l = a, *r = b;
	double x = fabs(l->difference), y = fabs(r->difference);

	if (x != y)
		return x < y ? 1 : -1;
	return (l->point > r->point) - (l->point < r->point);
}

/* Room to work in. */
struct effects {
	struct effect *effect; /* [nr_points] */
	double *pairs;	       /* [seeds] */
};

/* The effects of all points that have the figure, sorted. How many. */
static uint64_t collect(const struct sweep_data *d, uint64_t base, unsigned f,
			const struct effects *room)
{
	struct effect *effect = room->effect;
	double from = sweep_data_get(d, base, f)->mean;
	uint64_t n = 0;

	for (uint64_t point = 0; point < d->sweep->nr_points; point++) {
		double value = sweep_data_get(d, point, f)->mean;

		if (point == base || isnan(value) || isnan(from))
			continue;
		effect[n++] = (struct effect){
		    .point = point,
		    .difference = value - from,
		    .change = change(value, from),
		    .ci = difference_ci(d, point, base, f, room->pairs),
		};
	}
	qsort(effect, n, sizeof(*effect), by_effect);
	return n;
}

/* Whole numbers as such; means and shares with as many decimals as they are worth. */
static void put_number(struct table *t, double value)
{
	if (value == floor(value))
		table_real(t, value, 0);
	else
		table_real(t, value, fabs(value) < 100 ? 4 : 1);
}

static void effect_columns(struct table *t, bool seeds)
{
	table_column(t, "point", "");
	table_column(t, "baseline", "baseline");
	table_column(t, "value", "value");
	if (seeds)
		table_column(t, "value_ci95", "+-95%");
	table_column(t, "difference", "difference");
	if (seeds)
		table_column(t, "difference_ci95", "+-95%");
	table_column(t, "change_percent", "change");
	if (seeds)
		table_column(t, "significant", "beyond chance");
}

static int effect_row(struct table *t, const struct sweep_data *d, uint64_t base, unsigned f,
		      const struct effect *e, struct error *err)
{
	char *label = sweep_label(d->sweep, e->point, err);
	bool seeds = d->sweep->seeds > 1;

	if (!label)
		return -1;
	table_row(t);
	table_string(t, label);
	free(label);
	put_number(t, sweep_data_get(d, base, f)->mean);
	put_number(t, sweep_data_get(d, e->point, f)->mean);
	if (seeds)
		put_number(t, sweep_data_get(d, e->point, f)->ci);
	put_number(t, e->difference);
	if (seeds)
		put_number(t, e->ci);
	table_change(t, sweep_data_get(d, e->point, f)->mean, sweep_data_get(d, base, f)->mean);
	if (seeds && !isnan(e->ci))
		table_string(t, fabs(e->difference) > e->ci ? "yes" : "no");
	else if (seeds)
		table_missing(t);
	return 0;
}

/* Figures in the order of their largest effect. */
struct ranked {
	unsigned figure;
	double effect; /* per cent; from nothing to something: 100 */
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *l = a, *r = b;

	if (l->effect != r->effect)
		return l->effect < r->effect ? 1 : -1;
	return (l->figure > r->figure) - (l->figure < r->figure);
}

static unsigned rank_figures(const struct sweep_data *d, uint64_t base, const struct effects *room,
			     const struct sweep_compare_options *opt, struct ranked *ranked)
{
	unsigned n = 0;

	for (unsigned f = 0; f < NR_FIGURES; f++) {
		double most;

		if (!opt->all && (sweep_data_constant(d, f) || sweep_data_negligible(d, f)))
			continue;
		if (!collect(d, base, f, room))
			continue;
		most = fabs(room->effect[0].change);
		ranked[n++] = (struct ranked){f, isfinite(most) ? most : 100};
	}
	qsort(ranked, n, sizeof(*ranked), by_rank);
	return n;
}

static int show_effects(struct table *t, const struct sweep_data *d, uint64_t base,
			const struct effects *room, const struct sweep_compare_options *opt,
			struct error *err)
{
	struct ranked ranked[NR_FIGURES];
	unsigned n = 1;

	if (!opt->figure)
		n = rank_figures(d, base, room, opt, ranked);
	else if (sweep_find_figure("--figure", opt->figure, &ranked[0].figure, err))
		return -1;
	for (unsigned i = 0; i < n; i++) {
		uint64_t effects = collect(d, base, ranked[i].figure, room);

		table_group(t, figure_name(ranked[i].figure));
		for (uint64_t k = 0; k < effects; k++)
			if (effect_row(t, d, base, ranked[i].figure, &room->effect[k], err))
				return -1;
	}
	return 0;
}

int sweep_view_effects(struct table *t, const struct sweep_data *d,
		       const struct sweep_compare_options *opt, struct error *err)
{
	struct effects room = {0};
	uint64_t base;
	char *label;
	int ret;

	if (find_baseline(d, opt->baseline, &base, err))
		return -1;
	if (!d->n[base])
		return error_input(err, "--baseline: that point has no result");
	label = sweep_label(d->sweep, base, err);
	room.effect = calloc(d->sweep->nr_points, sizeof(*room.effect));
	room.pairs = calloc(d->sweep->seeds, sizeof(*room.pairs));
	ret = label && room.effect && room.pairs ? 0 : error_memory(err, "a comparison");
	if (!ret) {
		table_note(t, "baseline: %s", label);
		effect_columns(t, d->sweep->seeds > 1);
		ret = show_effects(t, d, base, &room, opt, err);
	}
	free(label);
	free(room.effect);
	free(room.pairs);
	return ret;
}

/* ---- a sweep of one point, which has nothing to be compared with ---- */

static int view_point(struct table *t, const struct sweep_data *d,
		      const struct sweep_compare_options *opt, struct error *err)
{
	bool seeds = d->sweep->seeds > 1;
	unsigned f = 0, end = NR_FIGURES;
	char *label;

	if (opt->figure) {
		if (sweep_find_figure("--figure", opt->figure, &f, err))
			return -1;
		end = f + 1;
	}
	label = sweep_label(d->sweep, 0, err);
	if (!label)
		return -1;
	t->group_key = "point";
	table_column(t, "figure", "");
	table_column(t, "value", "value");
	if (seeds)
		table_column(t, "value_ci95", "+-95%");
	table_group(t, label);
	free(label);
	for (; f < end; f++) {
		const struct estimate *e = sweep_data_get(d, 0, f);

		if (isnan(e->mean) || (!opt->all && !opt->figure && sweep_data_negligible(d, f)))
			continue;
		table_row(t);
		table_string(t, figure_name(f));
		put_number(t, e->mean);
		if (seeds)
			put_number(t, e->ci);
	}
	return 0;
}

/* ---- all views ---- */

/* Have all points the same figures, each with every seed? */
static bool all_equal(const struct sweep_data *d)
{
	size_t size = NR_FIGURES * d->sweep->seeds;

	if (d->missing || d->failed || d->sweep->nr_points < 2)
		return false;
	for (size_t i = size; i < d->sweep->nr_points * size; i++) {
		double value = d->values[i], first = d->values[i % size];

		if (value != first && !(isnan(value) && isnan(first)))
			return false;
	}
	return true;
}

int sweep_compare(struct table *t, const char *dir, const struct sweep_compare_options *opt,
		  struct error *err)
{
	struct sweep_data d;
	int ret = sweep_data_load(&d, dir, opt->cache, err);

	table_init(t, opt->view == SWEEP_EFFECTS ? "figure" : "cache");
	if (!ret) {
		table_note(t, "%s: %" PRIu64 " point%s, %u seed%s each; figures of %s",
			   d.sweep->name, d.sweep->nr_points, d.sweep->nr_points == 1 ? "" : "s",
			   d.sweep->seeds, d.sweep->seeds == 1 ? "" : "s", d.cache);
		if (d.missing || d.failed)
			table_note(t, "%" PRIu64 " runs are missing, %" PRIu64 " failed", d.missing,
				   d.failed);
		if (all_equal(&d))
			table_note(t, "no figure differs: all points are equal");
		if (opt->view == SWEEP_EFFECTS && d.sweep->nr_points == 1)
			ret = view_point(t, &d, opt, err);
		else if (opt->view == SWEEP_EFFECTS)
			ret = sweep_view_effects(t, &d, opt, err);
		else if (opt->view == SWEEP_SENSITIVITY)
			ret = sweep_view_sensitivity(t, &d, opt, err);
		else
			ret = sweep_view_pareto(t, &d, opt, err);
	}
	sweep_data_free(&d);
	return ret;
}
