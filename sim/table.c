#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "sim/table.h"

void table_init(struct table *t, const char *group_key)
{
	*t = (struct table){.group_key = group_key};
}

void table_free(struct table *t)
{
	unsigned i, j;

	for (i = 0; i < t->nr_rows; i++) {
		for (j = 0; j < t->rows[i].nr; j++) {
			free(t->rows[i].cells[j].text);
			free(t->rows[i].cells[j].value);
		}
		free(t->rows[i].cells);
	}
	for (i = 0; i < t->nr_columns; i++) {
		free(t->columns[i].key);
		free(t->columns[i].title);
	}
	for (i = 0; i < t->nr_groups; i++)
		free(t->groups[i]);
	for (i = 0; i < t->nr_notes; i++)
		free(t->notes[i]);
	free(t->rows);
	free(t->columns);
	free(t->groups);
	free(t->notes);
	table_init(t, NULL);
}

/* One more element at the end of an array. */
static void *grown(struct table *t, void *array, size_t n, size_t size)
{
	void *p = t->failed ? NULL : reallocarray(array, n + 1, size);

	if (!p)
		t->failed = true;
	return p;
}

static char *copy(struct table *t, const char *s)
{
	char *p = strdup(s);

	if (!p)
		t->failed = true;
	return p;
}

void table_column(struct table *t, const char *key, const char *title)
{
	struct table_column *p = grown(t, t->columns, t->nr_columns, sizeof(*p));

	if (!p)
		return;
	t->columns = p;
	p[t->nr_columns++] = (struct table_column){.key = copy(t, key), .title = copy(t, title)};
}

void table_note(struct table *t, const char *fmt, ...)
{
	char **p = grown(t, t->notes, t->nr_notes, sizeof(*p));
	char *text;
	va_list ap;

	if (!p)
		return;
	t->notes = p;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		t->failed = true;
	else
		p[t->nr_notes++] = text;
	va_end(ap);
}

void table_group(struct table *t, const char *name)
{
	char **p = grown(t, t->groups, t->nr_groups, sizeof(*p));

	if (!p)
		return;
	t->groups = p;
	p[t->nr_groups++] = copy(t, name);
}

void table_row(struct table *t)
{
	unsigned cap = t->cap_rows ? t->cap_rows * 2 : 64;
	struct table_row *p;

	if (t->failed)
		return;
	if (t->nr_rows == t->cap_rows) {
		p = reallocarray(t->rows, cap, sizeof(*p));
		if (!p) {
			t->failed = true;
			return;
		}
		t->rows = p;
		t->cap_rows = cap;
	}
	p = &t->rows[t->nr_rows++];
	*p = (struct table_row){.group = t->nr_groups - 1};
	p->cells = calloc(t->nr_columns, sizeof(*p->cells));
	if (!p->cells)
		t->failed = true;
}

static void cell(struct table *t, const char *text, const char *value, bool is_string)
{
	struct table_row *row;

	if (t->failed)
		return;
	row = &t->rows[t->nr_rows - 1];
	if (row->nr == t->nr_columns)
		return;
	row->cells[row->nr].text = copy(t, text);
	row->cells[row->nr].value = value ? copy(t, value) : NULL;
	row->cells[row->nr].is_string = is_string;
	row->nr++;
}

void table_string(struct table *t, const char *s)
{
	cell(t, s, s, true);
}

void table_missing(struct table *t)
{
	cell(t, "-", NULL, false);
}

void table_u64(struct table *t, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	cell(t, text, text, false);
}

void table_difference(struct table *t, uint64_t value, uint64_t base)
{
	char text[32];

	if (value > base)
		snprintf(text, sizeof(text), "+%" PRIu64, value - base);
	else if (value < base)
		snprintf(text, sizeof(text), "-%" PRIu64, base - value);
	else
		snprintf(text, sizeof(text), "0");
	cell(t, text, text[0] == '+' ? text + 1 : text, false);
}

void table_real(struct table *t, double value, int decimals)
{
	char text[400];

	if (!isfinite(value)) {
		table_missing(t);
		return;
	}
	snprintf(text, sizeof(text), "%.*f", decimals, value);
	cell(t, text, text, false);
}

void table_change(struct table *t, double to, double from)
{
	double percent = 100 * (to / from - 1);
	char text[400], value[400];

	if (to == from) {
		cell(t, "=", "0.0000", false);
		return;
	}
	/* Something is not so and so many per cent more than nothing. */
	if (!isfinite(percent)) {
		cell(t, isnan(to) || isnan(from) ? "-" : "new", NULL, false);
		return;
	}
	/* No sign where nothing is left of it. */
	snprintf(text, sizeof(text), fabs(percent) < 0.05 ? "%.1f%%" : "%+.1f%%",
		 fabs(percent) < 0.05 ? 0 : percent);
	snprintf(value, sizeof(value), "%.4f", percent);
	cell(t, text, value, false);
}
