/* The script for gnuplot: what is drawn, as variables and data blocks; and the template. */
#include <inttypes.h>
#include <math.h>

#include "sim/escape.h"
#include "sim/plot.h"

/* Bars of counters below this share of the allocations would not be seen, per cent. */
#define LEAST_SHARE 0.1
/* Above this share, counters are drawn in a panel of their own, per cent. */
#define LARGE_SHARE 10.0

struct bars {
	const char *label, *prefix;
	double share[NR_STAT_ITEMS]; /* per cent of the objects allocated; NAN: not counted */
};

/*
 * A string as gnuplot reads it back: all but letters, digits and blanks as octal escapes. gnuplot
 * takes every octal digit behind a backslash as part of the escape, so a digit may not follow one.
 */
static void quoted(FILE *out, const char *s, size_t n)
{
	bool escaped = true;
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		bool digit = c >= '0' && c <= '9';
		bool plain = c == ' ' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');

		escaped = !(plain || (digit && !escaped));
		if (escaped)
			fprintf(out, "\\%03o", c);
		else
			putc(c, out);
	}
}

/* The code point of the valid UTF-8 character of n bytes at s. */
static unsigned code_point(const char *str, unsigned n)
{
	const unsigned char *s = (const unsigned char *)str;
	unsigned i, code = n == 1 ? s[0] : s[0] & (0x7fu >> n);

	for (i = 1; i < n; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

/*
 * Can the terminal draw it? XML has no U+FFFE and U+FFFF, and marks of writing direction would
 * turn what stands around a name. The cairo terminals draw a character that no font has as a box
 * as large as the picture, so they get only what every font has.
 */
static bool drawable(const struct plot *p, unsigned code)
{
	static const struct {
		unsigned first, last;
	} usual[] = {{0x20, 0x7e},     {0xa0, 0x17f},	 {0x391, 0x3a1},   {0x3a3, 0x3c9},
		     {0x400, 0x45f},   {0x2013, 0x2014}, {0x2018, 0x201e}, {0x2020, 0x2022},
		     {0x2026, 0x2026}, {0x20ac, 0x20ac}, {0x2190, 0x2193}, {0x2212, 0x2212},
		     {0x2248, 0x2248}, {0x2260, 0x2260}, {0x2264, 0x2265}};
	unsigned i;

	if (code == 0xfffe || code == 0xffff || (code >= 0x200e && code <= 0x200f) ||
	    (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
		return false;
	if (strcmp(p->terminal, "png") != 0 && strcmp(p->terminal, "pdf") != 0)
		return true;
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (code >= usual[i].first && code <= usual[i].last)
			return true;
	return false;
}

/* s on one line without control characters, its middle left out when it is long. */
static int label(FILE *out, const struct plot *p, const char *prefix, const char *s,
		 struct error *err)
{
	size_t size, width, i, n, cut_from = PLOT_MAX_LABEL / 2, cut_to;
	char *plain = NULL;
	FILE *mem = open_memstream(&plain, &size);

	if (!mem)
		return error_memory(err, "a label");
	write_plain(mem, s);
	if (fclose(mem)) {
		free(plain);
		return error_memory(err, "a label");
	}
	width = plain_width(plain);
	cut_to = width > PLOT_MAX_LABEL ? width - (PLOT_MAX_LABEL - cut_from - 1) : 0;
	putc('"', out);
	quoted(out, prefix, strlen(prefix));
	for (i = 0, n = 0; plain[i]; n++) {
		unsigned bytes = utf8_length(plain + i);

		if (n == cut_from && cut_to)
			quoted(out, "\xe2\x80\xa6", 3);
		if (cut_to && n >= cut_from && n < cut_to)
			;
		else if (drawable(p, code_point(plain + i, bytes)))
			quoted(out, plain + i, bytes);
		else
			quoted(out, "?", 1);
		i += bytes;
	}
	putc('"', out);
	free(plain);
	return 0;
}

/* A path that gnuplot takes for nothing but a file. */
static void path(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s = \"", name);
	if (*value && *value != '/')
		fputs("./", out);
	quoted(out, value, strlen(value));
	fputs("\"\n", out);
}

/* ---- counters ---- */

static void result_bars(struct bars *b, const struct loaded_result *r, const struct loaded_cache *c)
{
	double allocs = (double)loaded_allocations(c);
	unsigned item;

	*b = (struct bars){.label = r->label, .prefix = ""};
	for (item = 0; item < NR_STAT_ITEMS; item++)
		b->share[item] =
		    c->has[item] && allocs > 0 ? 100 * (double)c->c.stat[item] / allocs : NAN;
}

static void published_bars(struct bars *b, const struct published_column *col)
{
	unsigned item, i;

	*b = (struct bars){.label = col->name, .prefix = "published: "};
	for (item = 0; item < NR_STAT_ITEMS; item++) {
		b->share[item] = NAN;
		for (i = 0; i < col->nr_rows; i++)
			if (strcmp(col->rows[i].name, stat_name(item)) == 0)
				b->share[item] = col->rows[i].share;
	}
}

static double largest(const struct bars *b, unsigned n, unsigned item)
{
	double most = 0;
	unsigned i;

	for (i = 0; i < n; i++)
		if (b[i].share[item] > most)
			most = b[i].share[item];
	return most;
}

/* A block of the counters whose largest share is from least up to below limit. */
static unsigned bars_block(FILE *out, const char *name, const struct bars *b, unsigned n,
			   double least, double limit)
{
	unsigned item, i, rows = 0;

	fprintf(out, "$%s << END_OF_DATA\n", name);
	for (item = 0; item < NR_STAT_ITEMS; item++) {
		double most = largest(b, n, item);

		if (most < least || most >= limit)
			continue;
		rows++;
		fputs(stat_name(item), out);
		for (i = 0; i < n; i++)
			if (isfinite(b[i].share[item]))
				fprintf(out, " %.6f", b[i].share[item]);
			else
				fputs(" NaN", out);
		putc('\n', out);
	}
	fputs("END_OF_DATA\n", out);
	fprintf(out, "nr_%s = %u\n", name, rows);
	return rows;
}

static int counters(FILE *out, const struct bars *b, unsigned n, struct error *err)
{
	unsigned rows = bars_block(out, "large", b, n, LARGE_SHARE, INFINITY);

	rows += bars_block(out, "small", b, n, LEAST_SHARE, LARGE_SHARE);
	return rows ? 0 : error_input(err, "no result has an allocation; there is nothing to draw");
}

/* ---- series ---- */

struct scale {
	double by;
	const char *text;
};

/* The unit, of those given smallest first, in which most is a short number. */
static const struct scale *pick(const struct scale *units, unsigned n, double most)
{
	unsigned i;

	for (i = n - 1; i > 0; i--)
		if (most >= units[i].by * 1.5)
			break;
	return &units[i];
}

static void scales(FILE *out, bool times, double most_x, double most_bytes)
{
	static const struct scale time[] = {
	    {1, "time (ns)"}, {1e3, "time (us)"}, {1e6, "time (ms)"}, {1e9, "time (s)"}};
	static const struct scale events[] = {{1, "events"},
					      {1e3, "events (thousands)"},
					      {1e6, "events (millions)"},
					      {1e9, "events (billions)"}};
	static const struct scale bytes[] = {
	    {1, "bytes"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}};
	const struct scale *x = pick(times ? time : events, 4, most_x);
	const struct scale *m = pick(bytes, 4, most_bytes);

	fprintf(out, "x_label = \"%s\"\nx_scale = %.0f\n", x->text, x->by);
	fprintf(out, "m_unit = \"%s\"\nm_scale = %.0f\n", m->text, m->by);
}

static int series(FILE *out, const struct plot *p, const struct loaded_cache *caches,
		  struct error *err)
{
	double most_x = 0, most_bytes = 0;
	bool times = true;
	unsigned i, j;

	for (i = 0; i < p->nr_results; i++)
		times &= p->results[i].has_times;
	fputs("$series << END_OF_DATA\n", out);
	for (i = 0; i < p->nr_results; i++) {
		const struct result_cache *c = &caches[i].c;

		if (!c->nr_series)
			return error_input(err,
					   "%s: its caches have no series to draw, or not at the "
					   "same events; --cache NAME draws one",
					   p->results[i].label);
		for (j = 0; j < c->nr_series; j++) {
			const struct series_point *s = &c->series[j];
			uint64_t x = times ? s->time_ns : s->event;

			most_x = fmax(most_x, (double)x);
			most_bytes = fmax(most_bytes, (double)s->memory_total);
			fprintf(out, "%" PRIu64 " %" PRIu64 " %.0f %" PRIu64 "\n", x,
				s->memory_total, (double)s->objects * c->object_size, s->partial);
		}
		fputs("\n\n", out);
	}
	fputs("END_OF_DATA\n", out);
	scales(out, times, most_x, most_bytes);
	return 0;
}

/* ---- all ---- */

/* What of result i is drawn, in *one; *own says whether that is to be freed. */
static int cache_of(const struct plot *p, unsigned i, struct loaded_cache *one, bool *own,
		    struct error *err)
{
	const struct loaded_result *r = &p->results[i];
	const struct loaded_cache *found = NULL;

	*own = false;
	if (p->cache) {
		found = loaded_cache_find(r, p->cache);
		if (!found)
			return error_input(err, "%s: has no cache \"%s\"", r->label, p->cache);
	} else if (r->nr_caches == 1) {
		found = &r->caches[0];
	}
	if (found) {
		*one = *found;
		return 0;
	}
	*own = true;
	return loaded_cache_sum(r, one, err);
}

static int title(FILE *out, const struct plot *p, struct error *err)
{
	const char *only = p->results[0].nr_caches ? p->results[0].caches[0].c.name : "";
	unsigned i;

	fputs("cache = ", out);
	for (i = 0; i < p->nr_results; i++)
		if (p->results[i].nr_caches != 1 ||
		    strcmp(p->results[i].caches[0].c.name, only) != 0)
			only = "all caches";
	if (label(out, p, "", p->cache ? p->cache : only, err))
		return -1;
	putc('\n', out);
	return 0;
}

static int labels(FILE *out, const struct plot *p, const struct bars *b, unsigned n,
		  struct error *err)
{
	unsigned i;

	fprintf(out, "n = %u\narray label[%u] = [", n, n);
	for (i = 0; i < n; i++) {
		fputs(i ? ", " : "", out);
		if (label(out, p, b[i].prefix, b[i].label, err))
			return -1;
	}
	fputs("]\n", out);
	return 0;
}

static int blocks(FILE *out, const struct plot *p, struct bars *b,
		  const struct loaded_cache *caches, struct error *err)
{
	unsigned i, n = p->nr_results, more = 0;

	for (i = 0; i < n; i++)
		result_bars(&b[i], &p->results[i], &caches[i]);
	if (p->published && p->kind->counters)
		for (more = 0; more < p->published->nr_columns; more++)
			published_bars(&b[n + more], &p->published->columns[more]);
	fprintf(out, "nr_results = %u\n", n);
	if (title(out, p, err) || labels(out, p, b, n + more, err))
		return -1;
	if (p->kind->counters && counters(out, b, n + more, err))
		return -1;
	return p->kind->series ? series(out, p, caches, err) : 0;
}

static int all_data(FILE *out, const struct plot *p, struct error *err)
{
	unsigned i, n = p->nr_results, more = p->published ? p->published->nr_columns : 0, filled;
	struct loaded_cache *caches = calloc(n, sizeof(*caches));
	struct bars *b = calloc((size_t)n + more, sizeof(*b));
	bool *own = calloc(n, sizeof(*own));
	int ret = -1;

	if (!caches || !b || !own)
		error_memory(err, "a chart");
	else
		ret = 0;
	for (filled = 0; !ret && filled < n; filled++)
		ret = cache_of(p, filled, &caches[filled], &own[filled], err);
	if (!ret)
		ret = blocks(out, p, b, caches, err);
	for (i = 0; i < filled; i++)
		if (own[i])
			loaded_cache_free(&caches[i]);
	free(caches);
	free(b);
	free(own);
	return ret;
}

int plot_script(FILE *out, const struct plot *p, const char *plots, const char *output,
		struct error *err)
{
	fputs("# Drawn by gnuplot: gnuplot THIS_FILE\n", out);
	fprintf(out, "terminal = \"%s\"\n", p->terminal);
	path(out, "output", output);
	path(out, "plots", plots);
	if (all_data(out, p, err))
		return -1;
	fprintf(out, "load plots . \"/%s.gp\"\n", p->kind->name);
	return 0;
}
