/* Axes of charts: which values they have, where they stand, what they are called. */
#include <math.h>

#include "sim/chart/plot_part.h"

/* Numbers that grow this much from first to last, by factors, are set out logarithmically. */
#define LOG_SPAN 8

double plot_axis_at(const struct plot_axis *a, const struct plot_data *d, unsigned point,
		    unsigned run)
{
	const struct runs *runs = d->runs;
	unsigned value;

	if (!a->axis)
		return runs_config_number(&runs->r[run], "machine", "cpus");
	value = runs->points[point].value[a->number];
	return a->words ? value : a->axis->value[value];
}

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool has(const struct plot_axis *a, double at)
{
	for (unsigned i = 0; i < a->n; i++)
		if (a->at[i] == at)
			return true;
	return false;
}

/* More like 1, 2, 4, 8 than like 1, 2, 3, 4? */
static bool by_factors(const double *at, unsigned n)
{
	double span = at[n - 1] / at[0];

	return n > 2 && at[0] > 0 && span >= LOG_SPAN && at[n / 2] / at[0] < (1 + span) / 2 * 0.75;
}

/* Few numbers of which two would be drawn at the same place, such as 0, 100, 10000? */
static bool too_uneven(const double *at, unsigned n)
{
	for (unsigned i = 1; i < n && n <= 12; i++)
		if (at[i] - at[i - 1] < (at[n - 1] - at[0]) / 25)
			return true;
	return false;
}

double plot_axis_place(const struct plot_axis *a, unsigned i)
{
	return a->ranks ? i : a->at[i];
}

void plot_axis_text(const struct plot_axis *a, unsigned i, char *buf, size_t size)
{
	if (a->words)
		snprintf(buf, size, "%s", a->axis->text[(unsigned)a->at[i]]);
	else
		snprintf(buf, size, "%.10g", a->at[i]);
}

int plot_axis_init(struct plot_axis *a, const struct plot_data *d, unsigned number,
		   struct error *err)
{
	const struct runs *runs = d->runs;
	unsigned most = runs->nr + 1;

	*a = (struct plot_axis){.number = number};
	if (number < runs->nr_axes) {
		a->axis = &runs->axes[number];
		a->words = !a->axis->numeric;
		most = a->axis->n + 1;
	}
	a->at = calloc(most, sizeof(*a->at));
	if (!a->at)
		return error_memory(err, "an axis");
	for (unsigned i = 0; i < d->nr_points; i++) {
		const struct run_point *p = &runs->points[d->points[i]];
		double at = plot_axis_at(a, d, d->points[i], p->first);

		if (!has(a, at) && isfinite(at))
			a->at[a->n++] = at;
	}
	if (!a->n)
		return error_input(err, "the machine's CPUs are not in the results");
	qsort(a->at, a->n, sizeof(*a->at), by_number);
	a->logarithmic = !a->words && by_factors(a->at, a->n);
	a->ranks = a->words || (!a->logarithmic && too_uneven(a->at, a->n));
	return 0;
}

void plot_axis_free(struct plot_axis *a)
{
	free(a->at);
	a->at = NULL;
}

char *plot_axis_title(const struct plot_axis *a)
{
	char *text;

	if (!a->axis)
		return strdup("CPUs");
	if (strcmp(a->axis->path, "machine.cpus") == 0)
		return strdup("CPUs");
	if (!a->axis->of)
		return strdup(a->axis->title);
	return asprintf(&text, "%s, multiple of %s", a->axis->title, a->axis->of) < 0 ? NULL : text;
}

/* Words, and not names of numbers: nothing is between them. */
static bool only_words(const struct plot_axis *a)
{
	char *end;

	for (unsigned i = 0; a->words && i < a->n; i++) {
		const char *text = a->axis->text[(unsigned)a->at[i]];

		strtod(text, &end);
		if (*end || !*text)
			return true;
	}
	return false;
}

static int write_tics(FILE *out, const struct plot_data *d, const char *name,
		      const struct plot_axis *a, struct error *err)
{
	double *width = calloc(a->n, sizeof(*width));
	char text[1024];
	int ret = width ? 0 : error_memory(err, "an axis");

	fprintf(out, "array %s_tic[%u] = [", name, a->n);
	for (unsigned i = 0; !ret && i < a->n; i++) {
		plot_axis_text(a, i, text, sizeof(text));
		fputs(i ? ", " : "", out);
		ret = plot_write_tic(out, d->plot, text, &width[i], err);
	}
	fprintf(out, "]\narray %s_tic_width[%u] = [", name, a->n);
	for (unsigned i = 0; !ret && i < a->n; i++)
		fprintf(out, "%s%.0f", i ? ", " : "", width[i]);
	fputs("]\n", out);
	free(width);
	return ret;
}

int plot_axis_write(FILE *out, const struct plot_data *d, const char *name,
		    const struct plot_axis *a, struct error *err)
{
	char *title = plot_axis_title(a), array[40];
	int ret;

	if (!title)
		return error_memory(err, "an axis");
	snprintf(array, sizeof(array), "%s_title", name);
	ret = plot_write_heading(out, d->plot, array, title, err);
	free(title);
	fprintf(out, "%s_log = %d\n%s_ranks = %d\n%s_words = %d\n%s_n = %u\narray %s_at[%u] = [",
		name, a->logarithmic, name, a->ranks, name, only_words(a), name, a->n, name, a->n);
	for (unsigned i = 0; i < a->n; i++)
		fprintf(out, "%s%.10g", i ? ", " : "", plot_axis_place(a, i));
	fputs("]\n", out);
	return ret ? ret : write_tics(out, d, name, a, err);
}

char *plot_other_axes(const struct plot_data *d, unsigned a, unsigned b)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *comma = "";

	for (unsigned i = 0; out && i < d->runs->nr_axes; i++) {
		bool differs = false;

		for (unsigned p = 1; p < d->nr_points; p++)
			differs |= d->runs->points[d->points[p]].value[i] !=
				   d->runs->points[d->points[0]].value[i];
		if (!differs || i == a || i == b)
			continue;
		fprintf(out, "%s%s", comma, d->runs->axes[i].title);
		comma = ", ";
	}
	if (!out || fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
