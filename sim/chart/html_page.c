/* The page of a report, section by section. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>

#include "sim/file.h"
#include "sim/chart/html.h"
#include "sim/chart/html_report.h"
#include "sim/json_reader.h"
#include "sim/version.h"

#define MAX_ASSET ((size_t)1024 * 1024)

/* ---- what it is made from ---- */

/* A reference without a table of counters names policies, as slabsim order wants, or its set-up. */
static bool is_reference(const cJSON *json)
{
	if (cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(json, "policies")))
		return true;
	return cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "title")) &&
	       cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(json, "setup"));
}

static int load_published(struct report *r, struct error *err)
{
	unsigned n = r->opt->nr_published;

	r->published = calloc((size_t)n + 1, sizeof(*r->published));
	if (!r->published)
		return error_memory(err, "the published references");
	for (unsigned i = 0; i < n; i++) {
		struct report_published *p = &r->published[i];

		p->json = json_read_file(r->opt->published[i], err);
		if (!p->json)
			return -1;
		r->nr_published++;
		if (!cJSON_IsObject(p->json))
			return error_input(err, "%s: should be an object", r->opt->published[i]);
		if (cJSON_GetObjectItemCaseSensitive(p->json, "columns")) {
			if (published_load(&p->table, r->opt->published[i], NULL, err))
				return -1;
			p->has_table = true;
		} else if (!is_reference(p->json)) {
			return error_input(err,
					   "%s: is no published reference: it has neither "
					   "\"columns\" with counters, nor \"policies\", nor "
					   "\"title\" and \"setup\"",
					   r->opt->published[i]);
		}
	}
	return 0;
}

static void choose(struct report *r, unsigned point)
{
	const unsigned max = sizeof(r->points) / sizeof(r->points[0]);

	for (unsigned i = 0; i < r->nr_points; i++)
		if (r->points[i] == point)
			return;
	if (r->nr_points < max)
		r->points[r->nr_points++] = point;
}

static int by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

/* All points; of many the first, and those with the least and the most. */
static void choose_points(struct report *r)
{
	const unsigned metrics[] = {metrics_default(&r->metrics), FIGURE_MEMORY_PEAK, FIGURE_MEAN};
	unsigned n = r->runs->nr_points, least, most;

	for (unsigned p = 0; p < n && n <= 8; p++)
		choose(r, p);
	choose(r, 0);
	for (unsigned i = 0; n > 8 && i < 3; i++) {
		if (!metrics_range(&r->metrics, metrics[i], &least, &most))
			continue;
		choose(r, least);
		choose(r, most);
	}
	qsort(r->points, r->nr_points, sizeof(r->points[0]), by_number);
}

static int report_init(struct report *r, struct runs *runs, const struct report_options *opt,
		       struct error *err)
{
	*r = (struct report){.opt = opt, .runs = runs};
	r->plots = plot_folder(err);
	if (!r->plots || metrics_init(&r->metrics, runs, opt->cache, err) || load_published(r, err))
		return -1;
	choose_points(r);
	return runs_complete(runs, r->points, r->nr_points, err);
}

static void report_free(struct report *r)
{
	for (unsigned i = 0; i < r->nr_published; i++) {
		cJSON_Delete(r->published[i].json);
		if (r->published[i].has_table)
			published_free(&r->published[i].table);
	}
	free(r->published);
	metrics_free(&r->metrics);
	free(r->plots);
}

/* ---- head ---- */

static const cJSON *config_item(const struct report *r, const char *section, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->runs->r[0].config, section);

	return name ? cJSON_GetObjectItemCaseSensitive(item, name) : item;
}

static void title(FILE *out, const struct report *r)
{
	if (r->opt->title)
		html_short(out, r->opt->title, 200);
	else if (r->runs->name)
		html_short(out, r->runs->name, 200);
	else
		fprintf(out, "Comparison of %u results", r->runs->nr);
}

/* A file of the folder plots, into an element of that name. */
static int asset(FILE *out, const struct report *r, const char *name, const char *element,
		 struct error *err)
{
	char *path, *text, end[16];
	size_t n;

	if (asprintf(&path, "%s/%s", r->plots, name) < 0)
		return error_memory(err, "the page");
	text = file_read(path, MAX_ASSET, &n, err);
	snprintf(end, sizeof(end), "</%s", element);
	if (text && strcasestr(text, end)) {
		error_input(err, "%s: has \"%s\" in it, which would end it", path, end);
		free(text);
		text = NULL;
	}
	if (text)
		fprintf(out, "<%s>\n%s</%s>\n", element, text, element);
	free(text);
	free(path);
	return text ? 0 : -1;
}

static int head(FILE *out, const struct report *r, struct error *err)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      /* the page loads nothing, whatever may be in it */
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
	      "form-action 'none'\">\n"
	      "<meta name=\"generator\" content=\"slabsim " SLABSIM_VERSION "\">\n<title>",
	      out);
	title(out, r);
	fputs("</title>\n", out);
	if (asset(out, r, "report.css", "style", err))
		return -1;
	fputs(
	    "</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the content</a>\n<header>\n<h1>",
	    out);
	title(out, r);
	fprintf(out,
		"</h1>\n<p class=\"by\">slabsim " SLABSIM_VERSION ", %s of %u %s. "
		"<button type=\"button\" id=\"theme\" hidden>Light or dark</button></p>\n",
		r->runs->is_sweep ? "a sweep" : "a comparison", r->runs->nr,
		r->runs->nr == 1 ? "run" : "runs");
	return 0;
}

static void question(FILE *out, const struct report *r)
{
	const char *text = r->opt->question;

	if (!text)
		text = cJSON_GetStringValue(config_item(r, "description", NULL));
	if (text && *text) {
		fputs("<p class=\"question\">", out);
		html_short(out, text, 4000);
		fputs("</p>\n", out);
	}
	fputs("</header>\n<nav aria-label=\"Sections\"><ul>", out);
	fputs("<li><a href=\"#machine\">Machine</a></li><li><a href=\"#summary\">What "
	      "differs</a></li>"
	      "<li><a href=\"#charts\">Charts</a></li><li><a href=\"#runs\">All points</a></li>",
	      out);
	if (r->runs->nr_points >= 2 && r->runs->nr_points <= 6)
		fputs("<li><a href=\"#figures\">Side by side</a></li>", out);
	if (r->nr_published)
		fputs("<li><a href=\"#published\">Published</a></li>", out);
	fputs("<li><a href=\"#run\">Reports and configurations</a></li>"
	      "<li><a href=\"#how\">How to reproduce</a></li></ul></nav>\n<main id=\"main\">\n",
	      out);
}

/* ---- the machine ---- */

/* The same in every run? Else the axes tell. */
static bool same_everywhere(const struct report *r, const char *section, const char *name)
{
	const cJSON *first = config_item(r, section, name), *item;

	for (unsigned i = 1; i < r->runs->nr; i++) {
		item = cJSON_GetObjectItemCaseSensitive(r->runs->r[i].config, section);
		item = cJSON_GetObjectItemCaseSensitive(item, name);
		if (!first || !item || !cJSON_Compare(first, item, true))
			return first == item;
	}
	return true;
}

static void term(FILE *out, const struct report *r, const char *section, const char *name,
		 const char *title)
{
	const cJSON *item = config_item(r, section, name);
	char *text;

	if (!item || cJSON_IsNull(item) || (cJSON_IsArray(item) && !item->child))
		return;
	fprintf(out, "<dt>%s</dt><dd>", title);
	if (!same_everywhere(r, section, name)) {
		fputs("differs between runs</dd>\n", out);
		return;
	}
	text = cJSON_IsString(item) ? NULL : cJSON_PrintUnformatted(item);
	html_short(out, text ? text : item->valuestring, 600);
	cJSON_free(text);
	fputs("</dd>\n", out);
}

static double number_in(const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

	return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static void costs(FILE *out, const struct report *r)
{
	const cJSON *costs = config_item(r, "machine", "costs"), *item;

	if (!cJSON_IsObject(costs) || !costs->child)
		return;
	fputs(
	    "<details><summary>What things cost, ns</summary><div class=\"scroll\" tabindex=\"0\">"
	    "<table><thead><tr><th scope=\"col\">step</th><th scope=\"col\">ns</th>"
	    "<th scope=\"col\">source</th></tr></thead><tbody>\n",
	    out);
	cJSON_ArrayForEach (item, costs) {
		const cJSON *source = cJSON_GetObjectItemCaseSensitive(item, "source");
		double ns = cJSON_IsNumber(item) ? item->valuedouble : number_in(item, "ns");

		fputs("<tr><th scope=\"row\">", out);
		html_short(out, item->string, 60);
		fprintf(out, "</th><td>%.6g</td><td class=\"word\">", ns);
		html_short(out, cJSON_IsString(source) ? source->valuestring : "", 300);
		fputs("</td></tr>\n", out);
	}
	fputs("</tbody></table></div></details>\n", out);
}

static void policy(FILE *out, const struct report *r)
{
	const cJSON *item;

	fputs("<h3>Policy</h3>\n<dl class=\"terms\">\n", out);
	cJSON_ArrayForEach (item, config_item(r, "policy", NULL))
		term(out, r, "policy", item->string, item->string);
	fputs("</dl>\n", out);
}

void report_machine(FILE *out, const struct report *r)
{
	const cJSON *events = cJSON_GetObjectItemCaseSensitive(r->runs->r[0].tree, "events");
	double replayed = number_in(events, "replayed"), skipped = number_in(events, "skipped");

	fputs("<section id=\"machine\" aria-labelledby=\"h-machine\">\n"
	      "<h2 id=\"h-machine\">Machine, workload, policy</h2>\n<dl class=\"terms\">\n",
	      out);
	term(out, r, "machine", "description", "machine");
	term(out, r, "machine", "cpus", "CPUs");
	term(out, r, "machine", "nodes", "NUMA nodes");
	term(out, r, "machine", "page_size", "page size, bytes");
	term(out, r, "machine", "cpus_of_node", "CPUs of each node");
	term(out, r, "machine", "distances", "distances");
	term(out, r, "workload", "trace", "trace");
	term(out, r, "workload", "model", "workload model");
	term(out, r, "replay", "mode", "mode");
	term(out, r, "replay", "initial", "starts from");
	term(out, r, "replay", "only", "only the caches");
	fputs("<dt>figures of</dt><dd>", out);
	html_short(out, r->metrics.title, 120);
	fputs("</dd>\n", out);
	if (isfinite(replayed))
		fprintf(out, "<dt>events</dt><dd>%.0f replayed%s", replayed,
			r->runs->nr > 1 ? " in the first run" : "");
	if (isfinite(replayed) && skipped > 0)
		fprintf(out, ", %.0f skipped", skipped);
	fputs("</dd>\n</dl>\n", out);
	costs(out, r);
	fputs("<details><summary>Policy, as it was in force</summary>\n", out);
	policy(out, r);
	fputs("</details>\n</section>\n", out);
}

/* ---- runs, how to reproduce ---- */

static void run_section(FILE *out)
{
	fputs(
	    "<section id=\"run\" aria-labelledby=\"h-run\">\n"
	    "<h2 id=\"h-run\" tabindex=\"-1\">Reports and configurations</h2>\n"
	    "<noscript><p>The reports and configurations are made from the page's data by a "
	    "script, "
	    "which is switched off. slabsim run and slabsim list tell them, too.</p></noscript>\n"
	    "<div id=\"runview\" hidden>\n"
	    "<p class=\"choose\"><label>Run <select id=\"which\"></select></label> "
	    "<label>Cache <select id=\"cache\"></select></label></p>\n"
	    "<p id=\"settings\"></p>\n"
	    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Report of the run\">"
	    "<pre id=\"slabinfo\"></pre></div>\n"
	    "<h3>Configuration in force</h3>\n"
	    "<p><button type=\"button\" id=\"save\">Save as a file</button> "
	    "<label><input type=\"checkbox\" id=\"differences\"> only what differs from the first "
	    "run</label></p>\n"
	    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Configuration of "
	    "the "
	    "run\"><pre id=\"config\"></pre></div>\n</div>\n</section>\n",
	    out);
}

void report_how(FILE *out, const struct report *r)
{
	fputs("<section id=\"how\" aria-labelledby=\"h-how\">\n"
	      "<h2 id=\"h-how\">How to reproduce</h2>\n"
	      "<p>With slabsim " SLABSIM_VERSION ". File names in the configurations are as they "
	      "were written, seen from where the configuration was: put the file there, or change "
	      "them.</p>\n<ol>\n"
	      "<li>Save <button type=\"button\" id=\"saveall\" disabled>all runs as one "
	      "configuration</button>, sweep.json.</li>\n"
	      "<li><code>slabsim sweep sweep.json -o out --series</code></li>\n"
	      "<li><code>slabsim report out -o report.html</code></li>\n</ol>\n"
	      "<p>The same configuration and the same trace give the same figures, to the last "
	      "digit. One run alone: save its configuration above, then <code>slabsim run "
	      "FILE.json</code>.</p>\n",
	      out);
	if (r->runs->is_sweep)
		fputs("<p>The sweep\xe2\x80\x99s own configuration does the same; "
		      "results.json and results.csv are beside its journal.</p>\n",
		      out);
	fputs("</section>\n", out);
}

static int body(FILE *out, struct report *r, struct error *err)
{
	question(out, r);
	report_machine(out, r);
	if (report_summary(out, r, err) || report_charts(out, r, err) ||
	    report_points(out, r, err) || report_figures(out, r, err) ||
	    report_published(out, r, err))
		return -1;
	run_section(out);
	report_how(out, r);
	fputs("</main>\n", out);
	if (report_data(out, r, err) || asset(out, r, "report.js", "script", err))
		return -1;
	fputs("</body>\n</html>\n", out);
	return 0;
}

int report_write(FILE *out, struct runs *runs, const struct report_options *opt, struct error *note,
		 struct error *err)
{
	struct report r;
	int ret = report_init(&r, runs, opt, err);

	if (!ret)
		ret = head(out, &r, err);
	if (!ret)
		ret = body(out, &r, err);
	if (!ret && r.nr_scripts)
		error_failed(note,
			     "no charts: %s; the page is without them, their data and scripts for "
			     "gnuplot are in %.200s",
			     r.first.text, opt->charts);
	report_free(&r);
	return ret;
}
