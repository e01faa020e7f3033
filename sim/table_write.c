/* The four ways a table is written. */
#include "sim/escape.h"
#include "sim/json_writer.h"
#include "sim/table.h"

static const char *const formats[] = {
    [TABLE_TEXT] = "text",
    [TABLE_CSV] = "csv",
    [TABLE_JSON] = "json",
    [TABLE_MARKDOWN] = "markdown",
};

int table_format_find(const char *name, enum table_format *format, struct error *err)
{
	unsigned i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(formats[i], name) == 0) {
			*format = i;
			return 0;
		}
	}
	return error_input(err, "unknown format \"%s\"; there are text, csv, json, markdown", name);
}

static void blanks(FILE *out, size_t n)
{
	while (n--)
		putc(' ', out);
}

/* The width of a column over the rows of one group and its heading. */
static size_t column_width(const struct table *t, unsigned column)
{
	size_t w, width = plain_width(t->columns[column].title);
	unsigned i;

	for (i = 0; i < t->nr_rows; i++) {
		w = column < t->rows[i].nr ? plain_width(t->rows[i].cells[column].text) : 0;
		if (w > width)
			width = w;
	}
	return width;
}

static void right(FILE *out, const char *s, size_t width)
{
	size_t w = plain_width(s);

	if (w < width)
		blanks(out, width - w);
	write_plain(out, s);
}

static void text_group(const struct table *t, unsigned group, const size_t *width, FILE *out)
{
	unsigned i, j;

	putc('\n', out);
	write_plain(out, t->groups[group]);
	putc('\n', out);
	write_padded(out, t->columns[0].title, width[0]);
	for (j = 1; j < t->nr_columns; j++) {
		blanks(out, 2);
		right(out, t->columns[j].title, width[j]);
	}
	putc('\n', out);
	for (i = 0; i < t->nr_rows; i++) {
		const struct table_row *row = &t->rows[i];

		if (row->group != group)
			continue;
		write_padded(out, row->cells[0].text, width[0]);
		for (j = 1; j < row->nr; j++) {
			blanks(out, 2);
			right(out, row->cells[j].text, width[j]);
		}
		putc('\n', out);
	}
}

static int write_text(const struct table *t, FILE *out, struct error *err)
{
	size_t *width = calloc(t->nr_columns, sizeof(*width));
	unsigned i;

	if (!width)
		return error_memory(err, "a table");
	for (i = 0; i < t->nr_columns; i++)
		width[i] = column_width(t, i);
	for (i = 0; i < t->nr_notes; i++) {
		write_plain(out, t->notes[i]);
		putc('\n', out);
	}
	for (i = 0; i < t->nr_groups; i++)
		text_group(t, i, width, out);
	free(width);
	return 0;
}

/* Text that Markdown shows as it is, on one line. */
static void markdown(FILE *out, const char *s)
{
	char *plain = NULL, *p;
	size_t n;
	FILE *mem = open_memstream(&plain, &n);

	if (!mem)
		return;
	write_plain(mem, s);
	fclose(mem);
	for (p = plain; p && *p; p++) {
		if (*p == '<')
			fputs("&lt;", out);
		else if (*p == '&')
			fputs("&amp;", out);
		else if (strchr("\\|`*[]", *p))
			fprintf(out, "\\%c", *p);
		else
			putc(*p, out);
	}
	free(plain);
}

static void write_markdown(const struct table *t, FILE *out)
{
	unsigned group, i, j;

	for (i = 0; i < t->nr_notes; i++) {
		fputs("- ", out);
		markdown(out, t->notes[i]);
		putc('\n', out);
	}
	for (group = 0; group < t->nr_groups; group++) {
		fputs("\n### ", out);
		markdown(out, t->groups[group]);
		fputs("\n\n|", out);
		for (j = 0; j < t->nr_columns; j++) {
			putc(' ', out);
			markdown(out, t->columns[j].title);
			fputs(" |", out);
		}
		fputs("\n|", out);
		for (j = 0; j < t->nr_columns; j++)
			fputs(j ? " ---: |" : " --- |", out);
		putc('\n', out);
		for (i = 0; i < t->nr_rows; i++) {
			if (t->rows[i].group != group)
				continue;
			putc('|', out);
			for (j = 0; j < t->rows[i].nr; j++) {
				putc(' ', out);
				markdown(out, t->rows[i].cells[j].text);
				fputs(" |", out);
			}
			putc('\n', out);
		}
	}
}

static void write_csv(const struct table *t, FILE *out)
{
	unsigned i, j;

	write_csv_field(out, t->group_key);
	for (j = 0; j < t->nr_columns; j++) {
		putc(',', out);
		write_csv_field(out, t->columns[j].key);
	}
	fputs("\r\n", out);
	for (i = 0; i < t->nr_rows; i++) {
		const struct table_row *row = &t->rows[i];

		write_csv_field(out, t->groups[row->group]);
		for (j = 0; j < row->nr; j++) {
			putc(',', out);
			if (row->cells[j].value)
				write_csv_field(out, row->cells[j].value);
		}
		fputs("\r\n", out);
	}
}

static void json_row(struct json_writer *w, const struct table *t, const struct table_row *row)
{
	unsigned j;

	json_object_inline(w, NULL);
	json_string(w, t->group_key, t->groups[row->group]);
	for (j = 0; j < row->nr; j++) {
		const struct table_cell *c = &row->cells[j];
		const char *key = t->columns[j].key;

		if (!c->value)
			json_null(w, key);
		else if (c->is_string)
			json_string(w, key, c->value);
		else
			json_raw(w, key, c->value);
	}
	json_end_object(w);
}

static void write_json(const struct table *t, FILE *out)
{
	struct json_writer w;
	unsigned i;

	json_init(&w, out);
	json_object(&w, NULL);
	json_array(&w, "notes");
	for (i = 0; i < t->nr_notes; i++)
		json_string(&w, NULL, t->notes[i]);
	json_end_array(&w);
	json_array(&w, "rows");
	for (i = 0; i < t->nr_rows; i++)
		json_row(&w, t, &t->rows[i]);
	json_end_array(&w);
	json_end_object(&w);
}

int table_write(const struct table *t, enum table_format format, FILE *out, struct error *err)
{
	if (t->failed)
		return error_memory(err, "a table");
	switch (format) {
	case TABLE_TEXT:
		if (write_text(t, out, err))
			return -1;
		break;
	case TABLE_MARKDOWN:
		write_markdown(t, out);
		break;
	case TABLE_CSV:
		write_csv(t, out);
		break;
	case TABLE_JSON:
		write_json(t, out);
		break;
	}
	return 0;
}
