/* Tables of a report: a row for every point; figures side by side. */
#include <limits.h>
#include <math.h>

#include "sim/result/compare.h"
#include "sim/chart/html.h"
#include "sim/chart/html_report.h"

/* Rows of a table that a browser sorts at once. */
#define MAX_ROWS 3000
/* Results that fit side by side. */
#define MAX_SIDES 6
/* Caches whose figures are set side by side, the busiest. */
#define MAX_GROUPS  12
#define MAX_COLUMNS 16

/* ---- a row for every point ---- */

struct columns {
	unsigned metric[MAX_COLUMNS], n;
	double most[MAX_COLUMNS];
};

static void add(struct columns *c, const struct metrics *m, unsigned metric)
{
	unsigned least, most;

	for (unsigned i = 0; i < c->n; i++)
		if (c->metric[i] == metric)
			return;
	if (c->n == MAX_COLUMNS || !metrics_range(m, metric, &least, &most))
		return;
	c->most[c->n] = metrics_of_point(m, most, metric).mean;
	c->metric[c->n++] = metric;
}

static void choose(struct columns *c, const struct metrics *m)
{
	static const unsigned wanted[] = {
	    FIGURE_MEMORY_PEAK, FIGURE_MEMORY_TOTAL, FIGURE_SLABS, FIGURE_MEAN,
	    FIGURE_P99,		METRIC_LIST_LOCK,    FIGURE_RATE,  METRIC_NODE_LISTS,
	    ALLOC_SLOWPATH,	ALLOC_FROM_PARTIAL,  ALLOC_SLAB,   FREE_FROZEN,
	    CPU_PARTIAL_DRAIN,	BARN_GET_FAIL,	     SHEAF_FLUSH,
	};

	*c = (struct columns){0};
	for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		add(c, m, wanted[i]);
}

/* A long name may be broken where its parts meet. */
static void breakable(FILE *out, const char *title)
{
	char *text = NULL;
	size_t size;
	FILE *mem = open_memstream(&text, &size);

	if (!mem)
		return;
	html_short(mem, title, 60);
	if (!fclose(mem))
		for (const char *c = text; *c; c++) {
			putc(*c, out);
			if (*c == '_')
				fputs("<wbr>", out);
		}
	free(text);
}

static void heading(FILE *out, const char *title, const char *unit, bool word)
{
	fprintf(out, "<th scope=\"col\"%s><button type=\"button\">", word ? " class=\"word\"" : "");
	breakable(out, title);
	if (*unit) {
		fputs(" <small>", out);
		html_text(out, unit);
		fputs("</small>", out);
	}
	fputs("</button></th>", out);
}

static void head(FILE *out, const struct report *r, const struct columns *c)
{
	fputs("<thead><tr>", out);
	heading(out, "Point", "", true);
	for (unsigned a = 0; a < r->runs->nr_axes; a++)
		heading(out, r->runs->axes[a].title, "", !r->runs->axes[a].numeric);
	if (r->runs->seeds > 1)
		heading(out, "seeds", "", false);
	for (unsigned i = 0; i < c->n; i++) {
		enum metric_unit unit = metric_unit(c->metric[i]);

		heading(out, metric_title(c->metric[i]),
			unit == UNIT_ALLOCS  ? "%"
			: unit == UNIT_COUNT ? ""
					     : metric_scale(unit, c->most[i])->text,
			false);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

static void cell(FILE *out, struct estimate e, double by)
{
	char text[32];

	if (!isfinite(e.mean)) {
		fputs("<td>", out);
		return;
	}
	snprintf(text, sizeof(text), "%.4g", e.mean / by);
	/* no powers of ten: sorting and reading are by digits */
	if (strchr(text, 'e'))
		snprintf(text, sizeof(text), "%.0f", e.mean / by);
	fprintf(out, "<td>%s", text);
	if (isfinite(e.ci) && e.ci > 0) {
		number_text(e.ci / by, text, sizeof(text));
		fprintf(out, "<i>\xc2\xb1%s</i>", text);
	}
}

static void row(FILE *out, const struct report *r, const struct columns *c, unsigned point)
{
	const struct run_point *p = &r->runs->points[point];

	fprintf(out, "<tr><th scope=\"row\"><button type=\"button\" data-run=\"%u\"", p->first);
	if (r->runs->is_sweep && r->runs->nr_axes) {
		/* the columns that follow tell what it is */
		fputs(" aria-label=\"", out);
		html_short(out, p->label, 200);
		fprintf(out, "\">%u", point + 1);
	} else {
		putc('>', out);
		html_short(out, p->label, 80);
	}
	fputs("</button></th>", out);
	for (unsigned a = 0; a < r->runs->nr_axes; a++) {
		fputs(r->runs->axes[a].numeric ? "<td>" : "<td class=\"word\">", out);
		if (r->runs->axes[a].of)
			fprintf(out, "%.10g", r->runs->axes[a].value[p->value[a]]);
		else
			html_short(out, r->runs->axes[a].text[p->value[a]], 60);
	}
	if (r->runs->seeds > 1)
		fprintf(out, "<td>%u", p->nr);
	for (unsigned i = 0; i < c->n; i++) {
		enum metric_unit unit = metric_unit(c->metric[i]);

		cell(out, metrics_of_point(&r->metrics, point, c->metric[i]),
		     unit == UNIT_COUNT ? 1 : metric_scale(unit, c->most[i])->by);
	}
	fputs("</tr>\n", out);
}

static void failed(FILE *out, const struct runs *runs)
{
	if (!runs->nr_failed)
		return;
	fputs("<h3>Runs that failed</h3>\n<ul>\n", out);
	for (unsigned i = 0; i < runs->nr_failed && i < 100; i++) {
		fputs("<li>", out);
		html_short(out, runs->failed[i].label, 120);
		fputs(": ", out);
		html_short(out, runs->failed[i].error, 1000);
		fputs("</li>\n", out);
	}
	if (runs->nr_failed > 100)
		fprintf(out, "<li>and %u more.</li>\n", runs->nr_failed - 100);
	fputs("</ul>\n", out);
}

int report_points(FILE *out, const struct report *r, struct error *err)
{
	unsigned n = r->runs->nr_points;
	struct columns c;

	(void)err;
	choose(&c, &r->metrics);
	fputs(
	    "<section id=\"runs\" aria-labelledby=\"h-runs\">\n<h2 id=\"h-runs\">All points</h2>\n"
	    "<p>A heading sorts; the name of a point opens its report and configuration.",
	    out);
	if (r->runs->seeds > 1)
		fputs(" Means over the seeds, \xc2\xb1 half of the 95 % confidence interval.", out);
	if (n > MAX_ROWS)
		fprintf(out, " The first %u of %u; all are in results.csv.", MAX_ROWS, n);
	fputs("</p>\n", out);
	if (n > 12)
		fputs("<p><label>Only rows with <input type=\"search\" id=\"filter\"></label> "
		      "<output id=\"filtered\"></output></p>\n",
		      out);
	fputs("<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"All points\">"
	      "<table class=\"sortable",
	      out);
	/* a sweep's points have numbers, results have names */
	fputs(r->runs->is_sweep && r->runs->nr_axes ? "" : " named", out);
	fputs("\" id=\"points\">\n", out);
	head(out, r, &c);
	for (unsigned p = 0; p < n && p < MAX_ROWS; p++)
		row(out, r, &c, p);
	fputs("</tbody></table></div>\n", out);
	failed(out, r->runs);
	fputs("</section>\n", out);
	return 0;
}

/* ---- figures side by side ---- */

struct loaded_result *report_results(const struct report *r, struct error *err)
{
	struct loaded_result *list = calloc((size_t)r->nr_points + 1, sizeof(*list));

	if (!list) {
		error_memory(err, "the results");
		return NULL;
	}
	for (unsigned i = 0; i < r->nr_points; i++) {
		const struct run_point *p = &r->runs->points[r->points[i]];

		list[i] = r->runs->r[p->first];
		list[i].label = p->label;
	}
	return list;
}

static void table_head(FILE *out, const struct table *t)
{
	fputs("<thead><tr>", out);
	for (unsigned c = 0; c < t->nr_columns; c++)
		heading(out, c ? t->columns[c].title : "figure", "", !c);
	fputs("</tr></thead>\n<tbody>\n", out);
}

/* group: the only one to be written. */
static void table_rows(FILE *out, const struct table *t, unsigned group)
{
	for (unsigned i = 0; i < t->nr_rows; i++) {
		const struct table_row *row = &t->rows[i];

		if (row->group != group)
			continue;
		fputs("<tr>", out);
		for (unsigned c = 0; c < row->nr; c++) {
			fputs(c ? "<td>" : "<th scope=\"row\">", out);
			html_text(out, row->cells[c].text ? row->cells[c].text : "");
			fputs(c ? "" : "</th>", out);
		}
		fputs("</tr>\n", out);
	}
}

static void group(FILE *out, const struct table *t, unsigned g, bool open)
{
	fprintf(out, "<details%s><summary>", open ? " open" : "");
	html_short(out, t->groups[g], 160);
	fputs("</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"",
	      out);
	html_short(out, t->groups[g], 160);
	fputs("\"><table class=\"sortable\">\n", out);
	table_head(out, t);
	table_rows(out, t, g);
	fputs("</tbody></table></div></details>\n", out);
}

/* How many caches have more allocations in the result; UINT_MAX: it does not have this one. */
static unsigned rank(const struct loaded_result *r, const char *name)
{
	const struct loaded_cache *c = loaded_cache_find(r, name);
	unsigned busier = 0;

	for (unsigned i = 0; c && i < r->nr_caches; i++)
		busier += loaded_allocations(&r->caches[i]) > loaded_allocations(c);
	return c ? busier : UINT_MAX;
}

static void notes(FILE *out, const struct table *t)
{
	fputs("<ul class=\"notes\">\n", out);
	for (unsigned i = 0; i < t->nr_notes; i++) {
		fputs("<li>", out);
		html_short(out, t->notes[i], 400);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static void write_figures(FILE *out, const struct report *r, const struct table *t,
			  const struct loaded_result *list)
{
	unsigned shown = 0;

	fputs("<section id=\"figures\" aria-labelledby=\"h-figures\">\n"
	      "<h2 id=\"h-figures\">Side by side</h2>\n",
	      out);
	if (r->runs->seeds > 1)
		fputs("<p>Of every point, its first seed.</p>\n", out);
	notes(out, t);
	for (unsigned g = 0; g < t->nr_groups; g++) {
		unsigned busier = rank(&list[0], t->groups[g]);

		if (busier >= MAX_GROUPS)
			continue;
		group(out, t, g, busier == 0 || t->nr_groups <= 2);
		shown++;
	}
	if (shown < t->nr_groups)
		fprintf(out, "<p>The %u busiest of %u caches; slabsim compare shows all.</p>\n",
			shown, t->nr_groups);
	fputs("</section>\n", out);
}

int report_figures(FILE *out, const struct report *r, struct error *err)
{
	const struct compare_options opt = {.cache = r->opt->cache};
	struct loaded_result *list;
	struct table t;
	int ret;

	if (r->runs->nr_points > MAX_SIDES || r->runs->nr_points < 2)
		return 0;
	list = report_results(r, err);
	if (!list)
		return -1;
	table_init(&t, "cache");
	ret = compare_results(&t, list, r->nr_points, &opt, err);
	if (!ret && t.failed)
		ret = error_memory(err, "a table");
	if (!ret)
		write_figures(out, r, &t, list);
	table_free(&t);
	free(list);
	return ret;
}
