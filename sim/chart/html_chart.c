/* The charts of a report: which there are, and how they come into the page. */
#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "sim/file.h"
#include "sim/chart/html.h"
#include "sim/chart/html_report.h"

/* Of a chart beside a page's text, and on a phone. */
#define WIDE   860
#define NARROW 400

/* gnuplot is not there, or does not do: leave what it would have read. */
static int leave_script(struct report *r, const struct plot *p, const char *name, struct error *err)
{
	char *output = NULL, *path = NULL;
	struct out_file out;
	int ret = -1;

	if (mkdir(r->opt->charts, 0777) && errno != EEXIST)
		return error_failed(err, "%s: %s", r->opt->charts, strerror(errno));
	if (asprintf(&output, "%s/%s.svg", r->opt->charts, name) < 0 ||
	    asprintf(&path, "%s.gp", output) < 0) {
		free(output);
		return error_memory(err, "a chart");
	}
	if (!file_create(&out, path, err)) {
		ret = plot_script(out.stream, p, r->plots, output, err);
		if (ret)
			file_abandon(&out);
		else
			ret = file_commit(&out, err);
	}
	r->nr_scripts += !ret;
	free(output);
	free(path);
	return ret;
}

/* ---- figures ---- */

struct figure_text {
	const char *name;  /* of its script, and in its parts' names */
	const char *title; /* text */
	const char *about; /* one sentence of text more, or NULL */
};

/* Bars side by side need room; all else is drawn for phones, too. */
static bool has_narrow(const struct plot *p)
{
	return strcmp(p->kind->name, "counters") != 0;
}

static int one_size(FILE *out, struct report *r, const struct plot *p, unsigned width,
		    const char *prefix, const char *label, struct error *err)
{
	struct plot sized = *p;
	char *svg;
	size_t n;
	int ret;

	sized.width = width;
	svg = plot_picture(&sized, r->plots, &n, err);
	if (!svg)
		return -1;
	fprintf(out, "<div class=\"chart %s\"%s>", width == WIDE ? "wide" : "narrow",
		/* on a phone it is moved sideways, by keyboard, too */
		has_narrow(p) ? "" : " tabindex=\"0\" role=\"group\" aria-label=\"Chart\"");
	ret = html_svg(out, svg, prefix, label, err);
	fputs("</div>\n", out);
	free(svg);
	return ret;
}

static int draw_both(FILE *out, struct report *r, const struct plot *p,
		     const struct figure_text *text, const char *label, struct error *err)
{
	char prefix[80];

	snprintf(prefix, sizeof(prefix), "%s-w-", text->name);
	if (one_size(out, r, p, WIDE, prefix, label, err))
		return -1;
	if (!has_narrow(p))
		return 0;
	snprintf(prefix, sizeof(prefix), "%s-n-", text->name);
	return one_size(out, r, p, NARROW, prefix, label, err);
}

static void begin(FILE *out, const struct plot *p, const struct figure_text *text)
{
	fprintf(out, "<figure id=\"chart-%s\"%s>\n<figcaption><h3>", text->name,
		has_narrow(p) ? "" : " class=\"scrolls\"");
	html_text(out, text->title);
	fputs("</h3>", out);
	if (text->about) {
		fputs("<p>", out);
		html_text(out, text->about);
		fputs("</p>", out);
	}
	fputs("</figcaption>\n", out);
}

static void end(FILE *out, const char *label)
{
	fputs("<details><summary>In words</summary><p>", out);
	html_short(out, label, 4000);
	fputs("</p></details>\n</figure>\n", out);
}

/*
 * A chart that the results do not have the figures for is left out: that is no error. Without
 * gnuplot its script is left.
 */
static int chart(FILE *out, struct report *r, const struct plot *p, const struct figure_text *text,
		 struct error *err)
{
	struct error no = {0};
	char *label, *html = NULL;
	size_t n;
	FILE *mem;
	int ret;

	label = plot_description(p, &no);
	if (!label)
		return no.kind == ERROR_INPUT ? 0 : error_failed(err, "%s", no.text);
	mem = open_memstream(&html, &n);
	ret = mem ? draw_both(mem, r, p, text, label, &no) : error_memory(&no, "a chart");
	if (mem && fclose(mem) && !ret)
		ret = error_memory(&no, "a chart");
	if (!ret) {
		begin(out, p, text);
		fputs(html, out);
		end(out, label);
		r->nr_charts++;
	} else if (no.kind == ERROR_INPUT) {
		ret = 0;
	} else {
		if (!r->first.kind)
			r->first = no;
		ret = leave_script(r, p, text->name, err);
	}
	free(html);
	free(label);
	return ret;
}

/* ---- which ---- */

static struct plot new_plot(const struct report *r, const char *kind)
{
	struct plot p = plot_new(plot_kind_find(kind), "svg", &r->metrics);

	p.untitled = true;
	if (p.kind->max_points) {
		p.points = r->points;
		p.nr_points = r->nr_points;
	}
	return p;
}

/* Does the metric differ between points by more than a hundredth? */
static bool varies(const struct report *r, unsigned metric)
{
	unsigned least, most;
	double low, high;

	if (!metrics_range(&r->metrics, metric, &least, &most))
		return false;
	low = metrics_of_point(&r->metrics, least, metric).mean;
	high = metrics_of_point(&r->metrics, most, metric).mean;
	return fabs(high - low) > 0.01 * fabs(high);
}

static int simple(FILE *out, struct report *r, const char *kind, const char *title,
		  const char *about, struct error *err)
{
	struct figure_text text = {kind, title, about};
	struct plot p = new_plot(r, kind);

	return chart(out, r, &p, &text, err);
}

static int counters(FILE *out, struct report *r, struct error *err)
{
	struct figure_text text = {"counters", "Counters", "Per cent of the objects allocated."};
	struct plot p = new_plot(r, "counters");

	return chart(out, r, &p, &text, err);
}

static int published(FILE *out, struct report *r, struct error *err)
{
	for (unsigned i = 0; i < r->nr_published; i++) {
		struct plot p = new_plot(r, "counters");
		char name[32];
		struct figure_text text = {name, "Counters, with published ones in grey",
					   r->published[i].table.title};

		if (!r->published[i].has_table)
			continue;
		snprintf(name, sizeof(name), "published-%u", i + 1);
		p.published = &r->published[i].table;
		if (chart(out, r, &p, &text, err))
			return -1;
	}
	return 0;
}

static const struct published *first_table(const struct report *r)
{
	for (unsigned i = 0; i < r->nr_published; i++)
		if (r->published[i].has_table)
			return &r->published[i].table;
	return NULL;
}

static int along(FILE *out, struct report *r, const char *kind, unsigned metric, struct error *err)
{
	struct plot p = new_plot(r, kind);
	char name[64], title[160];
	struct figure_text text = {name, title, NULL};

	if (!varies(r, metric))
		return 0;
	p.metric = metric;
	p.published = strcmp(kind, "lines") == 0 ? first_table(r) : NULL;
	snprintf(name, sizeof(name), "%s-%s", kind, metric_name(metric));
	for (char *c = name; *c; c++)
		if (*c == '.')
			*c = '-';
	snprintf(title, sizeof(title), "%s", metric_title(metric));
	if (metric >= NR_STAT_ITEMS && *title >= 'a' && *title <= 'z')
		*title = (char)(*title - 'a' + 'A');
	if (strcmp(kind, "heat") == 0)
		text.about = "Over two settings; dark is little.";
	return chart(out, r, &p, &text, err);
}

static int of_sweep(FILE *out, struct report *r, struct error *err)
{
	const unsigned metrics[] = {metrics_default(&r->metrics), FIGURE_MEMORY_PEAK, FIGURE_MEAN,
				    FIGURE_P99};
	const struct runs *runs = r->runs;
	unsigned x = runs_longest_axis(runs, UINT32_MAX);
	bool two =
	    runs->nr_axes > 1 && runs_longest_axis(runs, x) < runs->nr_axes && runs->nr_points >= 6;

	if (x >= runs->nr_axes || runs->nr_points < 4)
		return 0;
	for (unsigned i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		if (along(out, r, "lines", metrics[i], err))
			return -1;
	for (unsigned i = 0; two && i < 2; i++)
		if (along(out, r, "heat", metrics[i], err))
			return -1;
	if (!varies(r, FIGURE_MEMORY_PEAK))
		return 0;
	return simple(out, r, "pareto", "Memory against cost",
		      "The line joins the points that no other beats in both; those are named.",
		      err);
}

/* Has a cache slabs of another order at another point? */
static bool orders_differ(const struct report *r)
{
	const struct runs *runs = r->runs;
	const struct loaded_result *first = &runs->r[runs->points[r->points[0]].first];

	for (unsigned i = 1; i < r->nr_points; i++) {
		const struct loaded_result *other = &runs->r[runs->points[r->points[i]].first];

		for (unsigned j = 0; j < first->nr_caches; j++) {
			const struct loaded_cache *c =
			    loaded_cache_find(other, first->caches[j].c.name);

			if (c && c->c.order != first->caches[j].c.order)
				return true;
		}
	}
	return false;
}

static bool cpus_differ(const struct report *r)
{
	const struct runs *runs = r->runs;
	double first = runs_config_number(&runs->r[0], "machine", "cpus");

	for (unsigned i = 1; i < runs->nr; i++)
		if (runs_config_number(&runs->r[i], "machine", "cpus") != first)
			return true;
	return false;
}

static int all_charts(FILE *out, struct report *r, struct error *err)
{
	/* beside published ones they need not stand alone, too */
	if (first_table(r) ? published(out, r, err) : counters(out, r, err))
		return -1;
	if (simple(out, r, "paths", "Where objects come from and go to", "Shares, in per cent.",
		   err) ||
	    simple(out, r, "memory", "Memory over the run", NULL, err) ||
	    simple(out, r, "partial", "Slabs on the nodes\xe2\x80\x99 partial lists over the run",
		   NULL, err))
		return -1;
	if (orders_differ(r) && simple(out, r, "waste", "Waste at the ends of slabs",
				       "A line for every cache, by the size of its objects; the "
				       "colour is the slab\xe2\x80\x99s "
				       "order.",
				       err))
		return -1;
	if (of_sweep(out, r, err))
		return -1;
	if (cpus_differ(r) && along(out, r, "lock", METRIC_LIST_LOCK, err))
		return -1;
	if (simple(out, r, "cdf", "Latency of operations",
		   "The share that takes longer than so much; the tail is at the bottom.", err))
		return -1;
	return simple(out, r, "causes", "What operations spend their time on", NULL, err);
}

int report_charts(FILE *out, struct report *r, struct error *err)
{
	char *html = NULL;
	size_t n;
	FILE *mem = open_memstream(&html, &n);
	int ret = mem ? all_charts(mem, r, err) : error_memory(err, "the charts");

	if (mem && fclose(mem) && !ret)
		ret = error_memory(err, "the charts");
	if (!ret) {
		fputs("<section id=\"charts\" aria-labelledby=\"h-charts\">\n"
		      "<h2 id=\"h-charts\">Charts</h2>\n",
		      out);
		if (r->runs->nr_points > r->nr_points) {
			fprintf(out,
				"<p>Where points are drawn one by one, %u of %u are: the first, "
				"and those with the least and the most.</p>\n",
				r->nr_points, r->runs->nr_points);
		}
		if (r->nr_scripts) {
			fputs("<p class=\"missing\">The charts are missing: ", out);
			html_text(out, r->first.text);
			fputs(". Their data and scripts for gnuplot are in the folder ", out);
			html_text(out, r->opt->charts);
			fputs(".</p>\n", out);
		}
		fputs(html, out);
		fputs("</section>\n", out);
	}
	free(html);
	return ret;
}
