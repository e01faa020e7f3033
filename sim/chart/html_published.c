/* Published references in a report, as what they are. */
#include <cjson/cJSON.h>

#include "sim/result/compare.h"
#include "sim/chart/html.h"
#include "sim/chart/html_report.h"

/* Of tables in tables. */
#define MAX_DEPTH 4

static void scalar(FILE *out, const cJSON *item)
{
	char *text;

	if (cJSON_IsString(item)) {
		html_short(out, item->valuestring, 2000);
		return;
	}
	text = cJSON_PrintUnformatted(item);
	if (text)
		html_short(out, text, 2000);
	cJSON_free(text);
}

/* "after_boot" reads better as "after boot". */
static void key(FILE *out, const char *name)
{
	char text[120];

	snprintf(text, sizeof(text), "%s", name ? name : "");
	for (char *c = text; *c; c++)
		if (*c == '_')
			*c = ' ';
	html_short(out, text, 100);
}

static bool is_scalar(const cJSON *item)
{
	return !cJSON_IsObject(item) && !cJSON_IsArray(item);
}

static bool all_scalars(const cJSON *list)
{
	const cJSON *item;

	cJSON_ArrayForEach (item, list)
		if (!is_scalar(item))
			return false;
	return true;
}

static void value(FILE *out, const cJSON *item, unsigned depth);

/* A list of plain values on one line; anything else one below the other. */
static void list(FILE *out, const cJSON *array, unsigned depth)
{
	const cJSON *item;
	bool plain = all_scalars(array);

	if (!plain)
		fputs("<ul>", out);
	cJSON_ArrayForEach (item, array) {
		fputs(plain ? (item == array->child ? "" : ", ") : "<li>", out);
		value(out, item, depth + 1);
	}
	if (!plain)
		fputs("</ul>", out);
}

/* Objects that all have plain values: a row for each, a column for each key. */
static bool is_grid(const cJSON *object)
{
	const cJSON *item;

	cJSON_ArrayForEach (item, object)
		if (!cJSON_IsObject(item) || !item->child || !all_scalars(item))
			return false;
	return object->child != NULL;
}

static void grid(FILE *out, const cJSON *object)
{
	const cJSON *row, *column;

	fputs("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><td></td>", out);
	cJSON_ArrayForEach (column, object->child) {
		fputs("<th scope=\"col\">", out);
		key(out, column->string);
		fputs("</th>", out);
	}
	fputs("</tr></thead><tbody>", out);
	cJSON_ArrayForEach (row, object) {
		fputs("<tr><th scope=\"row\">", out);
		key(out, row->string);
		fputs("</th>", out);
		cJSON_ArrayForEach (column, object->child) {
			const cJSON *cell = cJSON_GetObjectItemCaseSensitive(row, column->string);

			fputs("<td>", out);
			if (cell)
				scalar(out, cell);
			fputs("</td>", out);
		}
		fputs("</tr>", out);
	}
	fputs("</tbody></table></div>", out);
}

static void terms(FILE *out, const cJSON *object, unsigned depth)
{
	const cJSON *item;

	fputs(depth ? "<dl>" : "<dl class=\"terms\">", out);
	cJSON_ArrayForEach (item, object) {
		fputs("<dt>", out);
		key(out, item->string);
		fputs("</dt><dd>", out);
		value(out, item, depth + 1);
		fputs("</dd>", out);
	}
	fputs("</dl>\n", out);
}

static void value(FILE *out, const cJSON *item, unsigned depth)
{
	if (is_scalar(item) || depth >= MAX_DEPTH)
		scalar(out, item);
	else if (cJSON_IsArray(item))
		list(out, item, depth);
	else if (is_grid(item))
		grid(out, item);
	else
		terms(out, item, depth);
}

/* ---- beside ours ---- */

static void side_by_side(FILE *out, const struct table *t)
{
	for (unsigned g = 0; g < t->nr_groups; g++) {
		fputs("<details open><summary>", out);
		html_short(out, t->groups[g], 200);
		fputs("</summary><div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\">"
		      "<thead><tr>",
		      out);
		for (unsigned c = 0; c < t->nr_columns; c++) {
			fprintf(out, "<th scope=\"col\"%s><button type=\"button\">",
				c ? "" : " class=\"word\"");
			html_text(out, c ? t->columns[c].title : "figure");
			fputs("</button></th>", out);
		}
		fputs("</tr></thead><tbody>\n", out);
		for (unsigned i = 0; i < t->nr_rows; i++) {
			const struct table_row *row = &t->rows[i];

			if (row->group != g)
				continue;
			fputs("<tr>", out);
			for (unsigned c = 0; c < row->nr; c++) {
				/* the columns before ours are the published ones */
				bool theirs =
				    c > 0 && strncmp(t->columns[c].key, "published", 9) == 0;

				fputs(!c       ? "<th scope=\"row\">"
				      : theirs ? "<td class=\"published\">"
					       : "<td>",
				      out);
				html_text(out, row->cells[c].text ? row->cells[c].text : "");
				fputs(c ? "</td>" : "</th>", out);
			}
			fputs("</tr>\n", out);
		}
		fputs("</tbody></table></div></details>\n", out);
	}
}

/* The points that have a column's policy: a sweep has others, too. */
static int compare(FILE *out, const struct report *r, const struct published *p, struct error *err)
{
	struct compare_point *fit = calloc((size_t)r->nr_points + 1, sizeof(*fit));
	const struct compare_options opt = {0};
	struct error no = {0};
	unsigned n = 0;
	struct table t;

	if (!fit)
		return error_memory(err, "a table");
	for (unsigned i = 0; i < r->nr_points; i++) {
		const struct run_point *point = &r->runs->points[r->points[i]];

		fit[n] = (struct compare_point){point->label, &r->runs->r[point->first], point->nr};
		n += compare_has_column(p, &fit[n]);
	}
	table_init(&t, "column");
	if (!n)
		fputs("<p>No point has the policy of one of its columns.</p>\n", out);
	else if (!compare_published(&t, p, fit, n, &opt, &no))
		side_by_side(out, &t);
	table_free(&t);
	free(fit);
	return 0;
}

static void head(FILE *out, const cJSON *json)
{
	const char *title = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "title"));
	const cJSON *setup = cJSON_GetObjectItemCaseSensitive(json, "setup");
	const char *note = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "note"));

	fputs("<h3>", out);
	html_short(out, title ? title : "(no title)", 300);
	fputs("</h3>\n<p class=\"source\">Measured elsewhere, on a real kernel; slabsim only "
	      "compares "
	      "with it.</p>\n",
	      out);
	if (cJSON_IsObject(setup))
		terms(out, setup, 0);
	if (note) {
		fputs("<p>", out);
		html_short(out, note, 2000);
		fputs("</p>\n", out);
	}
}

/* What a file without a table of counters has. */
static void rest(FILE *out, const cJSON *json)
{
	const cJSON *item;

	cJSON_ArrayForEach (item, json) {
		const char *name = item->string;

		if (!strcmp(name, "id") || !strcmp(name, "title") || !strcmp(name, "setup") ||
		    !strcmp(name, "note"))
			continue;
		fputs("<h4>", out);
		key(out, name);
		fputs("</h4>\n", out);
		if (is_scalar(item))
			fputs("<p>", out);
		value(out, item, 0);
		if (is_scalar(item))
			fputs("</p>", out);
		putc('\n', out);
	}
}

int report_published(FILE *out, const struct report *r, struct error *err)
{
	if (!r->nr_published)
		return 0;
	fputs("<section id=\"published\" aria-labelledby=\"h-published\">\n"
	      "<h2 id=\"h-published\">Published references</h2>\n",
	      out);
	for (unsigned i = 0; i < r->nr_published; i++) {
		fputs("<article class=\"published\">\n", out);
		head(out, r->published[i].json);
		if (!r->published[i].has_table) {
			if (report_published_pairs(out, r, r->published[i].json, err))
				return -1;
			rest(out, r->published[i].json);
		} else if (compare(out, r, &r->published[i].table, err)) {
			return -1;
		}
		fputs("</article>\n", out);
	}
	fputs("</section>\n", out);
	return 0;
}
