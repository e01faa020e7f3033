/* What the timed machine measured: the distribution of latencies, time by cause. */
#include <cjson/cJSON.h>
#include <math.h>

#include "sim/escape.h"
#include "sim/chart/plot_part.h"

static const cJSON *timing_of(const struct loaded_result *r, const char *key)
{
	const cJSON *timing = cJSON_GetObjectItemCaseSensitive(r->tree, "timing");

	return key ? cJSON_GetObjectItemCaseSensitive(timing, key) : timing;
}

static int not_timed(const char *label, struct error *err)
{
	return error_input(err, "%s: has no times; replay.mode timed measures them", label);
}

/* ---- latencies ---- */

struct bin {
	double up_to, operations;
};

static int by_time(const void *a, const void *b)
{
	double x = ((const struct bin *)a)->up_to, y = ((const struct bin *)b)->up_to;

	return (x > y) - (x < y);
}

/* Add the bins of a run; -1 and err when it has none. */
static int take_bins(struct bin **bins, size_t *n, const struct loaded_result *r, struct error *err)
{
	const cJSON *distribution = timing_of(r, "distribution");
	const cJSON *up_to = cJSON_GetObjectItemCaseSensitive(distribution, "up_to");
	const cJSON *operations = cJSON_GetObjectItemCaseSensitive(distribution, "operations");
	size_t more = (size_t)cJSON_GetArraySize(up_to);
	const cJSON *count = cJSON_IsArray(operations) ? operations->child : NULL, *end;
	struct bin *grown;

	if (!cJSON_IsArray(up_to) || !more || (size_t)cJSON_GetArraySize(operations) != more)
		return not_timed(r->name, err);
	grown = reallocarray(*bins, *n + more, sizeof(**bins));
	if (!grown)
		return error_memory(err, "a chart");
	*bins = grown;
	cJSON_ArrayForEach (end, up_to) {
		if (!cJSON_IsNumber(end) || !cJSON_IsNumber(count) || count->valuedouble < 0)
			return error_input(err, "%s: timing.distribution: not numbers", r->name);
		grown[(*n)++] = (struct bin){end->valuedouble, count->valuedouble};
		count = count->next;
	}
	return 0;
}

/* Per line: a time, and the share of operations that take longer. */
static void write_tail(FILE *out, const struct bin *bins, size_t n, double *least, double *most)
{
	double total = 0, longer;

	for (size_t i = 0; i < n; i++)
		total += bins[i].operations;
	longer = total;
	for (size_t i = 0; i < n; i++) {
		longer -= bins[i].operations;
		if (i + 1 < n && bins[i + 1].up_to == bins[i].up_to)
			continue;
		*most = fmax(*most, bins[i].up_to);
		if (bins[i].up_to > 0)
			*least = fmin(*least, bins[i].up_to);
		/* the last bin has nothing beyond it: half an operation, to be drawn at all */
		fprintf(out, "%.8g %.8g\n", bins[i].up_to, fmax(longer, 0.5) / total);
	}
}

int plot_cdf_data(FILE *out, const struct plot_data *d, struct error *err)
{
	double least = INFINITY, most = 0;
	int ret = 0;

	fputs("$tail << END_OF_DATA\n", out);
	for (unsigned i = 0; !ret && i < d->nr_points; i++) {
		const struct run_point *p = &d->runs->points[d->points[i]];
		struct bin *bins = NULL;
		size_t n = 0;

		for (unsigned run = p->first; !ret && run < p->first + p->nr; run++)
			ret = take_bins(&bins, &n, &d->runs->r[run], err);
		if (!ret) {
			if (n)
				qsort(bins, n, sizeof(*bins), by_time);
			write_tail(out, bins, n, &least, &most);
		}
		fputs("\n\n", out);
		free(bins);
	}
	fprintf(out, "END_OF_DATA\nx_least = %.8g\nx_most = %.8g\n", isfinite(least) ? least : 1,
		most > 0 ? most : 10);
	return ret;
}

/* ---- causes ---- */

#define MAX_CAUSES 32

struct causes {
	const struct plot_data *d;
	const char *name[MAX_CAUSES];
	unsigned n;
};

static const char *plain_name(const char *key)
{
	static const char *const names[][2] = {
	    {"lock_wait", "waiting for locks"},
	    {"alloc_fastpath", "fast path, allocation"},
	    {"free_fastpath", "fast path, free"},
	    {"sheaf", "sheaf"},
	    {"sheaf_object", "objects between sheaf and slab"},
	    {"slowpath", "slow path, allocation"},
	    {"free_slowpath", "slow path, free"},
	    {"cmpxchg", "atomic change of a slab"},
	    {"lock", "taking free locks"},
	    {"list", "slabs on and off lists"},
	    {"walk", "walking lists to count"},
	    {"counter", "keeping counts"},
	    {"page_alloc", "page allocator, getting"},
	    {"page_free", "page allocator, giving back"},
	    {"page_order", "page allocator, higher orders"},
	    {"new_object", "setting up new slabs"},
	    {"ipi", "interrupts to CPUs"},
	    {"line_complex", "cache lines, shared cache"},
	    {"line_node", "cache lines, same node"},
	    {"line_remote", "cache lines, other node"},
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i][0], key) == 0)
			return names[i][1];
	return key;
}

/* ns of a cause per operation, over the runs of a shown point. */
static double cause_of(const struct plot_data *d, unsigned i, const char *name)
{
	const struct run_point *p = &d->runs->points[d->points[i]];
	double sum = 0, operations = 0;

	for (unsigned run = p->first; run < p->first + p->nr; run++) {
		const cJSON *ns =
		    cJSON_GetObjectItemCaseSensitive(timing_of(&d->runs->r[run], "causes"), name);
		const cJSON *n = timing_of(&d->runs->r[run], "operations");

		sum += cJSON_IsNumber(ns) ? ns->valuedouble : 0;
		operations += cJSON_IsNumber(n) ? n->valuedouble : 0;
	}
	return operations > 0 ? sum / operations : NAN;
}

static double total_of(const struct plot_data *d, unsigned i)
{
	const cJSON *cause;
	double sum = 0;

	cJSON_ArrayForEach (cause, timing_of(plot_data_result(d, i), "causes"))
		sum += cause_of(d, i, cause->string);
	return sum;
}

static bool listed(const struct causes *c, const char *name)
{
	for (unsigned i = 0; i < c->n; i++)
		if (strcmp(c->name[i], name) == 0)
			return true;
	return false;
}

/* Those that are a hundredth of the time somewhere; the rest is one more. */
static int find_causes(struct causes *c, const struct plot_data *d, struct error *err)
{
	*c = (struct causes){.d = d};
	for (unsigned i = 0; i < d->nr_points; i++) {
		double total = total_of(d, i);
		const cJSON *cause, *causes = timing_of(plot_data_result(d, i), "causes");

		if (!cJSON_IsObject(causes))
			return not_timed(d->bars[i].label, err);
		cJSON_ArrayForEach (cause, causes)
			if (cause_of(d, i, cause->string) > total / 100 &&
			    !listed(c, cause->string) && c->n < MAX_CAUSES - 1)
				c->name[c->n++] = cause->string;
	}
	c->name[c->n++] = NULL;
	return c->n > 1 ? 0
			: error_input(err, "no operation took any time; machine.costs says what "
					   "things cost");
}

static double value_of(const struct causes *c, unsigned i, unsigned cause)
{
	double rest;

	if (c->name[cause])
		return cause_of(c->d, i, c->name[cause]);
	rest = total_of(c->d, i);
	for (unsigned j = 0; j + 1 < c->n; j++)
		rest -= cause_of(c->d, i, c->name[j]);
	return rest > 0 ? rest : 0;
}

static const char *cause_name(const void *arg, unsigned i)
{
	const struct causes *c = arg;

	return c->name[i] ? plain_name(c->name[i]) : "other";
}

int plot_causes_data(FILE *out, const struct plot_data *d, struct error *err)
{
	struct causes c;

	if (find_causes(&c, d, err))
		return -1;
	fprintf(out, "nr_causes = %u\n$causes << END_OF_DATA\n", c.n);
	for (unsigned i = 0; i < d->nr_points; i++) {
		fprintf(out, "%u", i);
		for (unsigned j = 0; j < c.n; j++)
			fprintf(out, " %.6g", value_of(&c, i, j));
		putc('\n', out);
	}
	fputs("END_OF_DATA\n", out);
	return plot_write_array(out, d->plot, "cause", c.n, cause_name, &c, err);
}

static const char *column_name(const void *arg, unsigned i)
{
	return ((const struct causes *)arg)->d->bars[i].label;
}

static double cell(const void *arg, unsigned row, unsigned column)
{
	return value_of(arg, column, row);
}

int plot_causes_text(FILE *out, const struct plot_data *d, struct error *err)
{
	struct causes c;
	struct plot_table t = {cause_name, column_name, cell, &c, 0, d->nr_points};

	if (find_causes(&c, d, err))
		return -1;
	t.rows = c.n;
	fputs("Time by cause, ns per operation\n", out);
	plot_table_text(out, &t);
	return 0;
}
