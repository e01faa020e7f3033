/*
 * Of a published reference that compares two policies without counters, the pairs of figures, and
 * ours beside them: points that differ in nothing but that policy.
 */
#include <cjson/cJSON.h>
#include <math.h>

#include "sim/chart/html.h"
#include "sim/chart/html_report.h"

/* Pairs of ours for each figure. */
#define MAX_OURS 12

/* Which figure of ours a published one stands beside. */
static const struct {
	const char *key, *what;
	unsigned metric;
} figures[] = {
    {"wastage_kB", "wastage, kB", FIGURE_MEMORY_WASTE_TAIL},
    {"total_slub_memory_kB", "total slub memory, kB", FIGURE_MEMORY_TOTAL},
    {"hackbench_seconds_10_runs", "hackbench, s", FIGURE_END},
};

struct pair {
	const char *column[2]; /* what the two are called */
	const char *value[2];  /* of the policy's setting */
	char setting[80];      /* its path in a config */
};

static bool read_policies(struct pair *p, const cJSON *json)
{
	const cJSON *policy;
	unsigned n = 0;

	cJSON_ArrayForEach (policy, cJSON_GetObjectItemCaseSensitive(json, "policies")) {
		const cJSON *setting = cJSON_IsObject(policy) ? policy->child : NULL;

		if (n == 2 || !policy->string || !setting || !cJSON_IsString(setting))
			return false;
		snprintf(p->setting, sizeof(p->setting), "policy.%.60s", setting->string);
		p->column[n] = policy->string;
		p->value[n++] = setting->valuestring;
	}
	return n == 2;
}

/* A number; of a list of runs, or of [value, +-percent], the mean. NAN: neither. */
static double mean_of(const cJSON *item)
{
	double sum = 0;
	unsigned n = 0;
	const cJSON *run;

	if (cJSON_IsNumber(item))
		return item->valuedouble;
	cJSON_ArrayForEach (run, item) {
		const cJSON *number = cJSON_IsArray(run) ? run->child : run;

		if (!cJSON_IsNumber(number))
			return NAN;
		sum += number->valuedouble;
		n++;
	}
	return n ? sum / n : NAN;
}

static void begin_row(FILE *out, const char *what, bool theirs)
{
	fputs("<tr><th scope=\"row\">", out);
	html_short(out, what, 80);
	fprintf(out, "</th><td class=\"word%s\">", theirs ? " published" : "");
}

static void end_row(FILE *out, bool theirs, const char *was, const char *is, double change)
{
	const char *cell = theirs ? "<td class=\"published\">" : "<td>";

	fprintf(out, "</td>%s%s</td>%s%s</td>%s%+.1f %%</td></tr>\n", cell, was, cell, is, cell,
		change);
}

static unsigned published_row(FILE *out, const struct pair *p, unsigned figure, const cJSON *value,
			      const char *when)
{
	double was = mean_of(cJSON_GetObjectItemCaseSensitive(value, p->column[0]));
	double is = mean_of(cJSON_GetObjectItemCaseSensitive(value, p->column[1]));
	char text[2][32];

	if (!isfinite(was) || !isfinite(is) || was <= 0)
		return 0;
	begin_row(out, figures[figure].what, true);
	fputs("published", out);
	if (when) {
		fputs(", ", out);
		html_short(out, when, 80);
	}
	snprintf(text[0], sizeof(text[0]), "%.6g", was);
	snprintf(text[1], sizeof(text[1]), "%.6g", is);
	end_row(out, true, text[0], text[1], 100 * (is - was) / was);
	return 1;
}

/* "min-waste (see ...)" begins the names of two rules. */
static bool names(const char *published, const char *text)
{
	return strncmp(published, text, strcspn(published, " ")) == 0;
}

/* The point that is like this one but for axis, where it has the published value. */
static unsigned counterpart(const struct runs *runs, unsigned point, unsigned axis,
			    const char *published)
{
	unsigned q, a;

	for (q = 0; q < runs->nr_points; q++) {
		for (a = 0; a < runs->nr_axes; a++)
			if (a != axis && runs->points[q].value[a] != runs->points[point].value[a])
				break;
		if (a == runs->nr_axes &&
		    names(published, runs->axes[axis].text[runs->points[q].value[axis]]))
			break;
	}
	return q;
}

static void our_row(FILE *out, const struct report *r, unsigned metric, unsigned first,
		    unsigned second)
{
	struct estimate was = metrics_of_point(&r->metrics, first, metric);
	struct estimate is = metrics_of_point(&r->metrics, second, metric);
	char text[2][48];

	begin_row(out, metric_title(metric), false);
	fputs("slabsim, ", out);
	html_short(out, r->runs->points[second].label, 80);
	metric_text(metric, was.mean, text[0], sizeof(text[0]));
	metric_text(metric, is.mean, text[1], sizeof(text[1]));
	end_row(out, false, text[0], text[1], 100 * (is.mean - was.mean) / was.mean);
}

static unsigned our_rows(FILE *out, const struct report *r, const struct pair *p, unsigned metric)
{
	const struct runs *runs = r->runs;
	unsigned axis = runs_find_axis(runs, p->setting), rows = 0;

	for (unsigned q = 0; axis < runs->nr_axes && q < runs->nr_points && rows < MAX_OURS; q++) {
		unsigned first = counterpart(runs, q, axis, p->value[0]);

		if (first == runs->nr_points || first == q ||
		    !names(p->value[1], runs->axes[axis].text[runs->points[q].value[axis]]) ||
		    !(metrics_of_point(&r->metrics, first, metric).mean > 0) ||
		    !isfinite(metrics_of_point(&r->metrics, q, metric).mean))
			continue;
		our_row(out, r, metric, first, q);
		rows++;
	}
	return rows;
}

static unsigned rows(FILE *out, const struct report *r, const cJSON *json, const struct pair *p)
{
	unsigned ours = 0;

	for (unsigned f = 0; f < sizeof(figures) / sizeof(figures[0]); f++) {
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, figures[f].key), *when;
		unsigned theirs = published_row(out, p, f, value, NULL);

		cJSON_ArrayForEach (when, value)
			theirs += published_row(out, p, f, when, when->string);
		if (theirs)
			ours += our_rows(out, r, p, figures[f].metric);
	}
	return ours;
}

int report_published_pairs(FILE *out, const struct report *r, const cJSON *json, struct error *err)
{
	struct pair p = {0};
	char *text = NULL;
	unsigned ours;
	size_t size;
	FILE *mem;

	if (!read_policies(&p, json))
		return 0;
	mem = open_memstream(&text, &size);
	if (!mem)
		return error_memory(err, "a table");
	ours = rows(mem, r, json, &p);
	if (fclose(mem)) {
		free(text);
		return error_memory(err, "a table");
	}
	if (ours) {
		fputs("<h4>Beside ours</h4>\n<p>Directions and shares can be compared, the figures "
		      "cannot: the caches, objects and lengths of runs are not the same.</p>\n"
		      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Published "
		      "figures beside ours\"><table><thead><tr><th scope=\"col\" "
		      "class=\"word\">figure"
		      "</th><th scope=\"col\" class=\"word\">of</th><th scope=\"col\">",
		      out);
		html_short(out, p.column[0], 40);
		fputs("</th><th scope=\"col\">", out);
		html_short(out, p.column[1], 40);
		fprintf(out,
			"</th><th scope=\"col\">change</th></tr></thead><tbody>\n%s</tbody>"
			"</table></div>\n",
			text);
	}
	free(text);
	return 0;
}
