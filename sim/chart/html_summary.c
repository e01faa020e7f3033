/* What differs and by how much, in words. */
#include <ctype.h>
#include <math.h>

#include "sim/chart/html.h"
#include "sim/chart/html_report.h"
#include "sim/sweep/sensitivity.h"

/* So many points are compared with the first one by one. */
#define MAX_PAIRS 5
/* So many counters are told of. */
#define MAX_COUNTERS 4
/* Differences below it are none, relative to the larger. */
#define LEAST_CHANGE 0.01
/* Settings that explain less are not told of. */
#define LEAST_SHARE_OF_VARIATION 0.25
/* Counters below this share of the allocations are left out, per cent. */
#define LEAST_SHARE 0.1

/* ---- which figures ---- */

struct difference {
	unsigned metric;
	double weight; /* of the difference: how much it is, in per cent of the allocations */
};

/* Keep the weightiest, in order. */
static void insert(struct difference *list, unsigned *n, unsigned metric, double weight)
{
	unsigned i;

	if (*n == MAX_COUNTERS && list[*n - 1].weight >= weight)
		return;
	i = *n < MAX_COUNTERS ? (*n)++ : *n - 1;
	for (; i > 0 && list[i - 1].weight < weight; i--)
		list[i] = list[i - 1];
	list[i] = (struct difference){metric, weight};
}

/* The counters that differ most between points a and b; how many. */
static unsigned counters(const struct metrics *m, unsigned a, unsigned b, struct difference *list)
{
	unsigned n = 0;

	for (unsigned item = 0; item < NR_STAT_ITEMS; item++) {
		double x = metrics_of_point(m, a, item).mean, y = metrics_of_point(m, b, item).mean;
		double more = fmax(x, y);

		if (!isfinite(x) || !isfinite(y) || more < LEAST_SHARE ||
		    fabs(x - y) < LEAST_CHANGE * more)
			continue;
		insert(list, &n, item, fabs(x - y));
	}
	return n;
}

/* ---- words ---- */

static void value(FILE *out, unsigned metric, double v)
{
	char text[48];

	metric_text(metric, v, text, sizeof(text));
	/* a number stays with its unit */
	for (const char *c = text; *c; c++)
		if (*c == ' ')
			fputs("&nbsp;", out);
		else
			putc(*c, out);
}

/* "less than half", "12 % more" */
static void change(FILE *out, double from, double to)
{
	double ratio = to / from;
	char number[32];

	if (from == 0 || !isfinite(ratio))
		fprintf(out, to > from ? "more" : "less");
	else if (ratio >= 2) {
		number_text(ratio, number, sizeof(number));
		fprintf(out, "%s times as much", number);
	} else {
		number_text(fabs(100 * (ratio - 1)), number, sizeof(number));
		fprintf(out, "%s&nbsp;%% %s", number, ratio > 1 ? "more" : "less");
	}
}

/* Could the difference be chance? Only with several seeds can anything be said of it. */
static bool by_chance(struct estimate a, struct estimate b)
{
	return isfinite(a.ci) && isfinite(b.ci) && fabs(a.mean - b.mean) <= a.ci + b.ci;
}

static void strong(FILE *out, const char *label)
{
	fputs("<b>", out);
	html_short(out, label, 120);
	fputs("</b>", out);
}

/* ---- every point against the first ---- */

/* True when it has been told of; a figure that is the same is not. */
static bool pair(FILE *out, const struct metrics *m, unsigned point, unsigned metric, bool first)
{
	struct estimate a = metrics_of_point(m, 0, metric), b = metrics_of_point(m, point, metric);

	if (!isfinite(a.mean) || !isfinite(b.mean) ||
	    fabs(a.mean - b.mean) < LEAST_CHANGE * fmax(fabs(a.mean), fabs(b.mean)))
		return false;
	if (metric < NR_STAT_ITEMS)
		fprintf(out, "%s<code>%s</code> ", first ? "" : "; ", metric_title(metric));
	else
		fprintf(out, "%s%s ", first ? "" : "; ", metric_title(metric));
	change(out, a.mean, b.mean);
	fputs(" (", out);
	value(out, metric, a.mean);
	fputs(" \xe2\x86\x92 ", out);
	value(out, metric, b.mean);
	fputs(by_chance(a, b) ? ", which may be chance)" : ")", out);
	return true;
}

static const unsigned always[] = {FIGURE_MEMORY_PEAK, FIGURE_MEMORY_TOTAL, METRIC_NODE_LISTS,
				  FIGURE_MEAN,	      FIGURE_P99,	   METRIC_LIST_LOCK,
				  FIGURE_RATE};
#define NR_ALWAYS (sizeof(always) / sizeof(always[0]))

static void against_first(FILE *out, const struct metrics *m, unsigned point)
{
	struct difference list[MAX_COUNTERS];
	unsigned n = counters(m, 0, point, list);
	bool any = false;

	fputs("<li>", out);
	strong(out, m->runs->points[point].label);
	fputs(": ", out);
	for (unsigned i = 0; i < NR_ALWAYS; i++)
		any |= pair(out, m, point, always[i], !any);
	for (unsigned i = 0; i < n; i++)
		any |= pair(out, m, point, list[i].metric, !any);
	fputs(any ? ".</li>\n" : "no difference worth telling.</li>\n", out);
}

static void pairs(FILE *out, const struct metrics *m)
{
	fputs("<p>Against ", out);
	strong(out, m->runs->points[0].label);
	fputs(", the first:</p>\n<ul>\n", out);
	for (unsigned p = 1; p < m->runs->nr_points; p++)
		against_first(out, m, p);
	fputs("</ul>\n", out);
}

/* ---- many points ---- */

struct design_of_runs {
	struct design d;
	unsigned *levels, *level;
	double *y;
};

static void design_free(struct design_of_runs *d)
{
	free(d->levels);
	free(d->level);
	free(d->y);
}

static int design_init(struct design_of_runs *d, const struct runs *runs, struct error *err)
{
	unsigned n = runs->nr_axes;

	*d = (struct design_of_runs){
	    .levels = calloc((size_t)n + 1, sizeof(*d->levels)),
	    .level = calloc((size_t)runs->nr * n + 1, sizeof(*d->level)),
	    .y = calloc((size_t)runs->nr + 1, sizeof(*d->y)),
	};
	if (!d->levels || !d->level || !d->y)
		return error_memory(err, "the summary");
	for (unsigned a = 0; a < n; a++)
		d->levels[a] = runs->axes[a].n;
	for (unsigned p = 0; p < runs->nr_points; p++)
		for (unsigned i = runs->points[p].first;
		     i < runs->points[p].first + runs->points[p].nr; i++)
			for (unsigned a = 0; a < n; a++)
				d->level[(size_t)i * n + a] = runs->points[p].value[a];
	d->d = (struct design){.nr_axes = n, .levels = d->levels, .n = runs->nr, .level = d->level};
	return 0;
}

/* "It depends most on cpu_partial (87 % of the variation), then ..." */
static void depends(FILE *out, const struct metrics *m, struct sensitivity *s,
		    struct design_of_runs *d, unsigned metric)
{
	const struct runs *runs = m->runs;
	double *share = calloc((size_t)runs->nr_axes + 1, sizeof(*share)), rest;
	struct error no = {0};
	unsigned told = 0;
	double most = 0;

	for (unsigned i = 0; i < runs->nr; i++) {
		d->y[i] = m->value[i][metric];
		if (!isfinite(d->y[i])) {
			free(share);
			return;
		}
	}
	if (share && !sensitivity_shares(s, d->y, share, &rest, &no)) {
		for (unsigned a = 0; a < runs->nr_axes; a++)
			most = fmax(most, share[a]);
		if (most < LEAST_SHARE_OF_VARIATION)
			fputs(" No setting alone explains much of the variation.", out);
		for (; most >= LEAST_SHARE_OF_VARIATION && told < 2; told++) {
			unsigned best = 0;

			for (unsigned a = 1; a < runs->nr_axes; a++)
				if (share[a] > share[best])
					best = a;
			if (share[best] < 0.05)
				break;
			fputs(told ? ", then on " : " It depends most on ", out);
			html_short(out, runs->axes[best].title, 80);
			fprintf(out, " (%.0f %% of the variation)", 100 * share[best]);
			share[best] = -1;
		}
		fputs(told ? "." : "", out);
	}
	free(share);
}

static void range(FILE *out, const struct metrics *m, struct sensitivity *s,
		  struct design_of_runs *d, unsigned metric)
{
	unsigned least, most;
	double low, high;

	if (!metrics_range(m, metric, &least, &most))
		return;
	low = metrics_of_point(m, least, metric).mean;
	high = metrics_of_point(m, most, metric).mean;
	if (fabs(high - low) < LEAST_CHANGE * fabs(high))
		return;
	fputs("<li>", out);
	if (metric < NR_STAT_ITEMS)
		fprintf(out, "<b><code>%s</code></b>", metric_title(metric));
	else
		fprintf(out, "<b>%c%s</b>", toupper((unsigned char)*metric_title(metric)),
			metric_title(metric) + 1);
	fputs(" goes from ", out);
	value(out, metric, low);
	fputs(" (", out);
	html_short(out, m->runs->points[least].label, 120);
	fputs(") to ", out);
	value(out, metric, high);
	fputs(" (", out);
	html_short(out, m->runs->points[most].label, 120);
	fputs(")", out);
	if (low > 0) {
		fputs(", ", out);
		change(out, low, high);
	}
	if (by_chance(metrics_of_point(m, least, metric), metrics_of_point(m, most, metric)))
		fputs(", which may be chance", out);
	fputs(".", out);
	if (s)
		depends(out, m, s, d, metric);
	fputs("</li>\n", out);
}

/* The counters that vary most over all points. */
static unsigned widest(const struct metrics *m, struct difference *list)
{
	unsigned n = 0, least, most;

	for (unsigned item = 0; item < NR_STAT_ITEMS; item++) {
		double low, high;

		if (!metrics_range(m, item, &least, &most))
			continue;
		low = metrics_of_point(m, least, item).mean;
		high = metrics_of_point(m, most, item).mean;
		if (high >= LEAST_SHARE && high - low >= LEAST_CHANGE * high)
			insert(list, &n, item, high - low);
	}
	return n;
}

static int ranges(FILE *out, const struct metrics *m, struct error *err)
{
	struct difference list[MAX_COUNTERS];
	struct design_of_runs d;
	struct sensitivity *s = NULL;
	struct error no = {0};
	unsigned n = widest(m, list);

	if (design_init(&d, m->runs, err)) {
		design_free(&d);
		return -1;
	}
	if (m->runs->nr_axes > 1)
		s = sensitivity_new(&d.d, &no);
	fputs("<ul>\n", out);
	for (unsigned i = 0; i < NR_ALWAYS; i++)
		range(out, m, s, &d, always[i]);
	for (unsigned i = 0; i < n; i++)
		range(out, m, s, &d, list[i].metric);
	fputs("</ul>\n", out);
	sensitivity_free(s);
	design_free(&d);
	return 0;
}

/* ---- the section ---- */

static void counts(FILE *out, const struct metrics *m)
{
	const struct runs *runs = m->runs;

	fprintf(out, "<p>%u %s", runs->nr, runs->nr == 1 ? "run" : "runs");
	if (runs->nr_points != runs->nr)
		fprintf(out, " of %u points with up to %u seeds", runs->nr_points, runs->seeds);
	fputs(".", out);
	if (runs->nr_failed)
		fprintf(out, " <strong>%u %s failed</strong>; they are listed below.",
			runs->nr_failed, runs->nr_failed == 1 ? "run" : "runs");
	if (runs->missing)
		fprintf(out, " <strong>%llu %s missing</strong>: slabsim sweep --resume does them.",
			(unsigned long long)runs->missing,
			runs->missing == 1 ? "run is" : "runs are");
	fputs(" Figures are those of ", out);
	html_short(out, m->title, 120);
	fputs(m->cache || strcmp(m->title, "all caches") != 0 ? "" : " together", out);
	fputs("; counters are in per cent of the objects allocated.</p>\n", out);
}

static void alone(FILE *out, const struct metrics *m)
{
	fputs("<ul>\n", out);
	for (unsigned i = 0; i < NR_ALWAYS; i++) {
		double v = metrics_of_point(m, 0, always[i]).mean;

		if (!isfinite(v))
			continue;
		fprintf(out, "<li>%s: ", metric_title(always[i]));
		value(out, always[i], v);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

int report_summary(FILE *out, const struct report *r, struct error *err)
{
	const struct metrics *m = &r->metrics;
	int ret = 0;

	fputs("<section id=\"summary\" aria-labelledby=\"h-summary\">\n"
	      "<h2 id=\"h-summary\">What differs</h2>\n",
	      out);
	counts(out, m);
	if (m->runs->nr_points == 1)
		alone(out, m);
	else if (m->runs->nr_points <= MAX_PAIRS + 1)
		pairs(out, m);
	else
		ret = ranges(out, m, err);
	fputs("</section>\n", out);
	return ret;
}
