/*
 * results.csv: the parameters of a run, then what slabsim run --format csv writes of each of its
 * caches. Allocators have counters of their own, so the columns are those of all runs.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>

#include "sim/escape.h"
#include "sim/result/result_file.h"
#include "sim/sweep/sweep_results.h"

struct columns {
	char **names;
	unsigned n;
	unsigned last; /* behind which a new one goes */
};

/* The value of a column in the row being written. */
struct row {
	struct columns *columns;
	char **values; /* NULL: columns are collected, not values */
};

static unsigned find(const struct columns *c, const char *name)
{
	unsigned i;

	/* Rows are mostly alike: the next column is where the last one was. */
	for (i = c->last; i < c->n; i++)
		if (!strcmp(c->names[i], name))
			return i;
	for (i = 0; i < c->last; i++)
		if (!strcmp(c->names[i], name))
			return i;
	return c->n;
}

static int add(struct columns *c, const char *name)
{
	char **more = reallocarray(c->names, (size_t)c->n + 1, sizeof(*more)), *copy;

	if (!more)
		return -1;
	c->names = more;
	copy = strdup(name);
	if (!copy)
		return -1;
	memmove(more + c->last + 1, more + c->last, (c->n - c->last) * sizeof(*more));
	more[c->last++] = copy;
	c->n++;
	return 0;
}

static char *value_text(const cJSON *item)
{
	char text[32], *copy;

	if (cJSON_IsString(item))
		return strdup(item->valuestring);
	if (item->valuedouble >= 0 && item->valuedouble <= 9007199254740992.0 &&
	    item->valuedouble == (double)(uint64_t)item->valuedouble)
		snprintf(text, sizeof(text), "%" PRIu64, (uint64_t)item->valuedouble);
	else
		snprintf(text, sizeof(text), "%.17g", item->valuedouble);
	copy = strdup(text);
	return copy;
}

/* -1 when out of memory. */
static int put(struct row *row, const char *name, const cJSON *item)
{
	struct columns *c = row->columns;
	unsigned i = find(c, name);

	if (!row->values && i == c->n)
		return add(c, name);
	c->last = i + 1 < c->n ? i + 1 : c->n;
	if (!row->values || i == c->n)
		return 0;
	free(row->values[i]);
	row->values[i] = value_text(item);
	return row->values[i] ? 0 : -1;
}

/* Numbers and names, nested ones joined by a dot; no lists, and nothing by CPU. */
static int flatten(struct row *row, const char *prefix, const cJSON *object)
{
	const cJSON *item;
	char name[160];

	cJSON_ArrayForEach (item, object) {
		int ret = 0;

		if (!strcmp(item->string, "per_cpu") || !strcmp(item->string, "series"))
			continue;
		snprintf(name, sizeof(name), "%s%s%s", prefix, *prefix ? "." : "", item->string);
		if (cJSON_IsNumber(item) || cJSON_IsString(item))
			ret = put(row, name, item);
		else if (cJSON_IsObject(item))
			ret = flatten(row, name, item);
		if (ret)
			return -1;
	}
	return 0;
}

static void write_values(FILE *out, const struct row *row)
{
	for (unsigned i = 0; i < row->columns->n; i++) {
		putc(',', out);
		if (row->values[i])
			write_csv_field(out, row->values[i]);
		free(row->values[i]);
		row->values[i] = NULL;
	}
	fputs("\r\n", out);
}

static int write_parameters(FILE *out, const struct sweep *s, uint64_t run)
{
	for (unsigned a = 0; a < s->nr_axes; a++) {
		char *text = sweep_value_text(sweep_value(s, sweep_point_of(s, run), a));

		if (!text)
			return -1;
		write_csv_field(out, text);
		putc(',', out);
		free(text);
	}
	fprintf(out, "%" PRIu64, sweep_seed(s, run));
	return 0;
}

static int write_caches(FILE *out, const struct sweep *s, uint64_t run, const cJSON *result,
			struct row *row)
{
	const cJSON *cache;

	cJSON_ArrayForEach (cache, cJSON_GetObjectItemCaseSensitive(result, "caches")) {
		row->columns->last = 0;
		if (row->values && write_parameters(out, s, run))
			return -1;
		if (flatten(row, "", cache))
			return -1;
		if (row->values)
			write_values(out, row);
	}
	return 0;
}

/* Once to find the columns, once to write. */
static int go_through(FILE *out, const struct sweep *s, const struct journal *j, struct row *row,
		      struct error *err)
{
	for (uint64_t run = 0; run < s->nr_runs; run++) {
		cJSON *result;
		char *line;
		int ret = 0;

		if (!j->entries[run].length)
			continue;
		line = journal_read(j, run, err);
		if (!line)
			return -1;
		if (!sweep_record_error(line)) {
			result = sweep_record_parse(line);
			ret = result ? write_caches(out, s, run, result, row) : -1;
			cJSON_Delete(result);
		}
		free(line);
		if (ret)
			return error_memory(err, "results.csv");
	}
	return 0;
}

static void write_header(FILE *out, const struct sweep *s, const struct columns *c)
{
	for (unsigned a = 0; a < s->nr_axes; a++) {
		write_csv_field(out, s->axes[a].name);
		putc(',', out);
	}
	fputs("seed", out);
	for (unsigned i = 0; i < c->n; i++) {
		putc(',', out);
		write_csv_field(out, c->names[i]);
	}
	fputs("\r\n", out);
}

int sweep_results_csv(FILE *out, const struct sweep *s, const struct journal *j, struct error *err)
{
	struct columns columns = {0};
	struct row row = {.columns = &columns};
	int ret = go_through(out, s, j, &row, err);

	if (!ret) {
		row.values = calloc((size_t)columns.n + 1, sizeof(*row.values));
		if (!row.values)
			ret = error_memory(err, "results.csv");
	}
	if (!ret) {
		write_header(out, s, &columns);
		ret = go_through(out, s, j, &row, err);
	}
	for (unsigned i = 0; i < columns.n; i++) {
		free(columns.names[i]);
		if (row.values)
			free(row.values[i]);
	}
	free(columns.names);
	free(row.values);
	return ret;
}
