/*
 * Where objects come from and go to, as shares that add up to all of them (facts 3.1, 3.4, 3.7
 * and 5.10). Kernels before 6.8 count a slab taken from the CPU's partial list as a refill, too.
 */
#include <math.h>

#include "sim/escape.h"
#include "sim/chart/plot_part.h"

enum {
	FROM_SHEAF,
	FROM_FREELIST,
	FROM_REFILL,
	FROM_CPU_PARTIAL,
	FROM_NODE_PARTIAL,
	FROM_NEW_SLAB,
	FROM_SLABS,
	TO_SHEAF,
	TO_RCU_SHEAF,
	TO_CPU_SLAB,
	TO_FROZEN,
	TO_CPU_PARTIAL,
	TO_OTHER,
	NR_SHARES
};

#define FIRST_TO TO_SHEAF
/* Shares below it in every row would not be seen, per cent. */
#define LEAST 0.05

static const char *const names[NR_SHARES] = {
    [FROM_SHEAF] = "CPU's sheaf",
    [FROM_FREELIST] = "CPU's slab",
    [FROM_REFILL] = "CPU's slab, freed elsewhere",
    [FROM_CPU_PARTIAL] = "CPU's partial list",
    [FROM_NODE_PARTIAL] = "node's partial list",
    [FROM_NEW_SLAB] = "new slab",
    [FROM_SLABS] = "slabs, past the sheaf",
    [TO_SHEAF] = "CPU's sheaf",
    [TO_RCU_SHEAF] = "sheaf of kfree_rcu",
    [TO_CPU_SLAB] = "CPU's slab",
    [TO_FROZEN] = "slab that a CPU holds",
    [TO_CPU_PARTIAL] = "full slab, to CPU's partial list",
    [TO_OTHER] = "other slab",
};

/* Which box of the template: the same way, the same one, in both panels. */
static const unsigned boxes[NR_SHARES] = {
    [FROM_SHEAF] = 1,	     [FROM_FREELIST] = 2, [FROM_REFILL] = 3, [FROM_CPU_PARTIAL] = 4,
    [FROM_NODE_PARTIAL] = 5, [FROM_NEW_SLAB] = 6, [FROM_SLABS] = 7,  [TO_SHEAF] = 1,
    [TO_RCU_SHEAF] = 8,	     [TO_CPU_SLAB] = 2,	  [TO_FROZEN] = 3,   [TO_CPU_PARTIAL] = 4,
    [TO_OTHER] = 5,
};

static double count(const double *share, unsigned item)
{
	return isfinite(share[item]) ? share[item] : 0;
}

static double positive(double x)
{
	return x > 0 ? x : 0;
}

static void from(const double *s, double *out)
{
	bool cpu_slabs = isfinite(s[ALLOC_REFILL]);
	double refill = count(s, ALLOC_REFILL), cpu = count(s, CPU_PARTIAL_ALLOC);
	double node = count(s, ALLOC_FROM_PARTIAL), fresh = count(s, ALLOC_SLAB);
	double slow = count(s, ALLOC_SLOWPATH);

	if (!cpu_slabs) {
		out[FROM_SHEAF] = count(s, ALLOC_FASTPATH);
		out[FROM_SLABS] = slow;
		return;
	}
	out[FROM_SHEAF] = count(s, ALLOC_PCS);
	if (count(s, SHEAF_REFILL) > 0) {
		/* the refills passed through the cpu slab and are in its counters */
		out[FROM_SLABS] =
		    positive(count(s, ALLOC_FASTPATH) + slow - count(s, SHEAF_REFILL));
		return;
	}
	if (refill + cpu + node + fresh > slow * 1.0001)
		refill = positive(refill - cpu);
	out[FROM_FREELIST] = count(s, ALLOC_FASTPATH);
	out[FROM_REFILL] = refill;
	out[FROM_CPU_PARTIAL] = cpu;
	out[FROM_NODE_PARTIAL] = node;
	out[FROM_NEW_SLAB] = fresh;
}

static void to(const double *s, double *out)
{
	out[TO_RCU_SHEAF] = count(s, FREE_RCU_SHEAF);
	if (!isfinite(s[FREE_FROZEN])) {
		out[TO_SHEAF] = count(s, FREE_FASTPATH);
		out[TO_OTHER] = count(s, FREE_SLOWPATH);
		return;
	}
	out[TO_SHEAF] = count(s, FREE_PCS);
	out[TO_CPU_SLAB] = count(s, FREE_FASTPATH);
	out[TO_FROZEN] = count(s, FREE_FROZEN);
	out[TO_CPU_PARTIAL] = count(s, CPU_PARTIAL_FREE);
	out[TO_OTHER] = positive(count(s, FREE_SLOWPATH) - out[TO_FROZEN] - out[TO_CPU_PARTIAL]);
}

/* Per cent of what is allocated, and of what is freed. */
static void shares(const struct bars *b, double out[NR_SHARES])
{
	double sum[2] = {0};

	memset(out, 0, NR_SHARES * sizeof(*out));
	from(b->share, out);
	to(b->share, out);
	for (unsigned i = 0; i < NR_SHARES; i++)
		sum[i >= FIRST_TO] += out[i];
	for (unsigned i = 0; i < NR_SHARES; i++)
		out[i] = sum[i >= FIRST_TO] > 0 ? 100 * out[i] / sum[i >= FIRST_TO] : NAN;
}

static bool shown(const struct plot_data *d, unsigned share)
{
	double out[NR_SHARES];

	for (unsigned i = 0; i < d->nr_bars; i++) {
		shares(&d->bars[i], out);
		if (out[share] >= LEAST)
			return true;
	}
	return false;
}

static const char *name_of(const void *arg, unsigned i)
{
	const unsigned *list = arg;

	return names[list[i]];
}

static int side(FILE *out, const struct plot_data *d, const char *name, unsigned first,
		unsigned end, struct error *err)
{
	unsigned list[NR_SHARES], n = 0;
	double value[NR_SHARES];
	char array[40];

	for (unsigned i = first; i < end; i++)
		if (shown(d, i))
			list[n++] = i;
	if (!n)
		return error_input(err, "no result has an allocation; there is nothing to draw");
	fprintf(out, "nr_%s = %u\n$%s << END_OF_DATA\n", name, n, name);
	for (unsigned i = 0; i < d->nr_bars; i++) {
		shares(&d->bars[i], value);
		fprintf(out, "%u", i);
		for (unsigned j = 0; j < n; j++)
			fprintf(out, " %.4f", isfinite(value[list[j]]) ? value[list[j]] : 0);
		putc('\n', out);
	}
	fputs("END_OF_DATA\n", out);
	fprintf(out, "array %s_colour[%u] = [", name, n);
	for (unsigned j = 0; j < n; j++)
		fprintf(out, "%s%u", j ? ", " : "", boxes[list[j]]);
	fputs("]\n", out);
	snprintf(array, sizeof(array), "%s_name", name);
	return plot_write_array(out, d->plot, array, n, name_of, list, err);
}

int plot_paths_data(FILE *out, const struct plot_data *d, struct error *err)
{
	if (side(out, d, "from", 0, FIRST_TO, err))
		return -1;
	return side(out, d, "to", FIRST_TO, NR_SHARES, err);
}

struct rows {
	const struct plot_data *d;
	unsigned list[NR_SHARES], n;
};

static const char *row_name(const void *arg, unsigned i)
{
	static const char *const prefixed[NR_SHARES] = {
	    [FROM_SHEAF] = "from CPU's sheaf",
	    [FROM_FREELIST] = "from CPU's slab",
	    [FROM_REFILL] = "from CPU's slab, freed elsewhere",
	    [FROM_CPU_PARTIAL] = "from CPU's partial list",
	    [FROM_NODE_PARTIAL] = "from node's partial list",
	    [FROM_NEW_SLAB] = "from a new slab",
	    [FROM_SLABS] = "from slabs, past the sheaf",
	    [TO_SHEAF] = "to CPU's sheaf",
	    [TO_RCU_SHEAF] = "to the sheaf of kfree_rcu",
	    [TO_CPU_SLAB] = "to CPU's slab",
	    [TO_FROZEN] = "to a slab that a CPU holds",
	    [TO_CPU_PARTIAL] = "to a full slab",
	    [TO_OTHER] = "to another slab",
	};

	return prefixed[((const struct rows *)arg)->list[i]];
}

static const char *column_name(const void *arg, unsigned i)
{
	return ((const struct rows *)arg)->d->bars[i].label;
}

static double cell(const void *arg, unsigned row, unsigned column)
{
	const struct rows *r = arg;
	double out[NR_SHARES];

	shares(&r->d->bars[column], out);
	return out[r->list[row]];
}

int plot_paths_text(FILE *out, const struct plot_data *d, struct error *err)
{
	struct rows r = {.d = d};
	struct plot_table t = {row_name, column_name, cell, &r, 0, d->nr_bars};

	(void)err;
	for (unsigned i = 0; i < NR_SHARES; i++)
		if (shown(d, i))
			r.list[r.n++] = i;
	t.rows = r.n;
	fputs("Where objects come from and go to, per cent: ", out);
	write_plain(out, d->plot->metrics->title);
	putc('\n', out);
	plot_table_text(out, &t);
	return 0;
}

void plot_paths_describe(FILE *out, const struct plot_data *d)
{
	double value[NR_SHARES];

	for (unsigned i = 0; i < d->nr_bars; i++) {
		shares(&d->bars[i], value);
		fprintf(out, "%s%s:", i ? "; " : "", d->bars[i].label);
		for (unsigned j = 0; j < NR_SHARES; j++)
			if (value[j] >= LEAST)
				fprintf(out, " %s %s %.2f", j < FIRST_TO ? "from" : "to", names[j],
					value[j]);
	}
	putc('.', out);
}
