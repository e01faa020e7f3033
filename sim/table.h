/*
 * A table of figures in groups, written as aligned text, Markdown, CSV or JSON. Cells are filled
 * row by row from left to right. Running out of memory is remembered and told by table_write().
 */
#ifndef SLABSIM_TABLE_H
#define SLABSIM_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/error.h"

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_MARKDOWN };

struct table_column {
	char *key;   /* its name for programs: CSV, JSON */
	char *title; /* its heading for people: text, Markdown */
};

struct table_cell {
	char *text;  /* for people */
	char *value; /* for programs: a number, or a string when is_string; NULL: nothing */
	bool is_string;
};

struct table_row {
	unsigned group;
	unsigned nr;
	struct table_cell *cells;
};

struct table {
	const char *group_key; /* borrowed */
	struct table_column *columns;
	unsigned nr_columns;
	char **groups;
	unsigned nr_groups;
	char **notes;
	unsigned nr_notes;
	struct table_row *rows;
	unsigned nr_rows, cap_rows;
	bool failed;
};

/* -1 and err (naming the formats) when there is none of that name. */
int table_format_find(const char *name, enum table_format *format, struct error *err);

/* group_key: the column that names the group of a row in CSV and JSON. */
void table_init(struct table *t, const char *group_key);
void table_free(struct table *t);
/* Columns come before rows. The first holds names and is aligned on the left. */
void table_column(struct table *t, const char *key, const char *title);
/* A line above the table, in text, Markdown and JSON. */
void table_note(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Rows from here on belong to a group of this name. */
void table_group(struct table *t, const char *name);
void table_row(struct table *t);

/* Cells. */
void table_string(struct table *t, const char *s);
void table_u64(struct table *t, uint64_t value);
/* value - base */
void table_difference(struct table *t, uint64_t value, uint64_t base);
/* A real number of so many decimals; not finite: nothing to say. */
void table_real(struct table *t, double value, int decimals);
/*
 * How many per cent more than from it is, with sign and % for people: "=" is no more and no less,
 * "new" is something where there was nothing, which is no number for programs.
 */
void table_change(struct table *t, double to, double from);
void table_missing(struct table *t);

/* Write the table. 0, or -1 and err. */
int table_write(const struct table *t, enum table_format format, FILE *out, struct error *err);

#endif
