/*
 * The plain way in: comma-separated rows under a header that names the columns, in any order.
 *
 *   op,cpu,object[,time_ns][,node][,cache][,size][,bulk][,gfp]
 *
 * op      alloc, free, alloc_bulk, free_bulk, free_rcu, shrink
 * cpu     that does it; not for shrink
 * object  a number that names the object while it is allocated, whatever its cache
 * time_ns nanoseconds
 * node    the allocation asks for; empty: none
 * cache   name of the cache; needed on allocations only, and on shrink when there are several
 * size    bytes asked for: the object size of the cache, or without a cache, of a kmalloc
 * bulk    consecutive rows of one bulk number, op, cpu and cache are one call
 * gfp     kernel (the default) or atomic
 *
 * Whatever does not fit is an error: such files are written by programs, and a silently
 * dropped row would falsify the result. Empty lines and lines that begin with # are skipped, but
 * for those that csv-table.h tells of.
 */
#include "workloads/csv-field.h"
#include "workloads/csv-table.h"

enum column {
	COL_OP,
	COL_CPU,
	COL_OBJECT,
	COL_TIME_NS,
	COL_NODE,
	COL_CACHE,
	COL_SIZE,
	COL_BULK,
	COL_GFP,
	NR_COLUMNS
};

static const char *const column_names[NR_COLUMNS] = {"op",    "cpu",  "object", "time_ns", "node",
						     "cache", "size", "bulk",	"gfp"};
#define HEADER_HELP "op,cpu,object and optionally time_ns,node,cache,size,bulk,gfp"

/* clang-format off */
static const char *const op_names[NR_EVENT_OPS] = {
	[EV_ALLOC] = "alloc",
	[EV_FREE] = "free",
	[EV_ALLOC_BULK] = "alloc_bulk",
	[EV_FREE_BULK] = "free_bulk",
	[EV_FREE_RCU] = "free_rcu",
	[EV_SHRINK] = "shrink",
};
/* clang-format on */

#define OBJECT_SIZE_MAX (1u << 30)

struct csv {
	struct reader_ctx *ctx;
	enum column order[NR_COLUMNS]; /* of the file's columns */
	unsigned n;		       /* how many it has */
	bool has[NR_COLUMNS];
	uint64_t line, rows;
};

static int find_column(struct field f)
{
	for (int i = 0; i < NR_COLUMNS; i++)
		if (field_is(f, column_names[i]))
			return i;
	return -1;
}

/* "FILE:LINE: column COL: "VALUE" is not WHAT"; -1. */
static int bad_field(const struct csv *c, enum column col, struct field f, const char *what,
		     struct error *err)
{
	if (!f.len)
		return error_input(err, "%s:%llu: column %s is empty; it must be %s",
				   input_name(c->ctx->in), (unsigned long long)c->line,
				   column_names[col], what);
	return error_input(err, "%s:%llu: column %s: \"%.*s\" is not %s", input_name(c->ctx->in),
			   (unsigned long long)c->line, column_names[col],
			   (int)(f.len < 80 ? f.len : 80), f.s, what);
}

static int parse_header(struct csv *c, const struct line *line, struct error *err)
{
	const char *s = line->s, *end = s + line->len;

	while (s) {
		struct field f = field_next(&s, end);
		int col = find_column(f);

		if (col < 0)
			return error_input(err,
					   "%s:%llu: unknown column \"%.*s\"; the header is %s",
					   input_name(c->ctx->in), (unsigned long long)c->line,
					   (int)(f.len < 80 ? f.len : 80), f.s, HEADER_HELP);
		if (c->has[col])
			return error_input(err, "%s:%llu: column %s is there twice",
					   input_name(c->ctx->in), (unsigned long long)c->line,
					   column_names[col]);
		c->has[col] = true;
		c->order[c->n++] = (enum column)col;
	}
	for (int i = COL_OP; i <= COL_OBJECT; i++)
		if (!c->has[i])
			return error_input(err, "%s:%llu: column %s is missing; the header is %s",
					   input_name(c->ctx->in), (unsigned long long)c->line,
					   column_names[i], HEADER_HELP);
	return 0;
}

static int split_row(const struct csv *c, const struct line *line, struct field *f,
		     struct error *err)
{
	const char *s = line->s, *end = s + line->len;
	unsigned n = 0;

	for (int i = 0; i < NR_COLUMNS; i++)
		f[i] = (struct field){"", 0};
	for (; s; n++) {
		struct field one = field_next(&s, end);

		if (n < c->n)
			f[c->order[n]] = one;
	}
	if (n != c->n)
		return error_input(err, "%s:%llu: %u fields, but the header has %u columns",
				   input_name(c->ctx->in), (unsigned long long)c->line, n, c->n);
	return 0;
}

static int parse_op(const struct csv *c, struct field f, struct record *rec, struct error *err)
{
	for (int op = 0; op < NR_EVENT_OPS; op++) {
		if (!op_names[op] || !field_is(f, op_names[op]))
			continue;
		rec->op = (uint8_t)op;
		return 0;
	}
	return bad_field(c, COL_OP, f, "alloc, free, alloc_bulk, free_bulk, free_rcu or shrink",
			 err);
}

/* cpu and object, which every operation but shrink needs. */
static int parse_who(const struct csv *c, const struct field *f, struct record *rec,
		     struct error *err)
{
	bool shrink = rec->op == EV_SHRINK;
	uint64_t x = 0;

	if (!(shrink && !f[COL_CPU].len) && !field_number(f[COL_CPU], MAX_CPUS - 1, &x))
		return bad_field(c, COL_CPU, f[COL_CPU], "a CPU number (0 to 4095)", err);
	rec->cpu = (unsigned)x;
	rec->ptr = 0;
	if (shrink && f[COL_OBJECT].len)
		return bad_field(c, COL_OBJECT, f[COL_OBJECT], "empty, as it must be for shrink",
				 err);
	if (!shrink && !field_number(f[COL_OBJECT], UINT64_MAX, &rec->ptr))
		return bad_field(c, COL_OBJECT, f[COL_OBJECT],
				 "an object number (digits, or 0x and hex digits)", err);
	return 0;
}

static int parse_bulk(const struct csv *c, struct field f, struct record *rec, struct error *err)
{
	bool bulk = rec->op == EV_ALLOC_BULK || rec->op == EV_FREE_BULK;
	uint64_t x;

	rec->bulk = 0;
	if (!f.len)
		return 0;
	if (!bulk)
		return bad_field(c, COL_BULK, f,
				 "empty, as it must be for any op but alloc_bulk "
				 "and free_bulk",
				 err);
	if (!field_number(f, UINT64_MAX - 1, &x))
		return bad_field(c, COL_BULK, f, "a number", err);
	rec->bulk = x + 1;
	return 0;
}

static int parse_optional(const struct csv *c, const struct field *f, struct record *rec,
			  struct error *err)
{
	uint64_t x;

	rec->time_ns = 0;
	if (c->has[COL_TIME_NS] && !field_number(f[COL_TIME_NS], UINT64_MAX, &rec->time_ns))
		return bad_field(c, COL_TIME_NS, f[COL_TIME_NS], "a time in nanoseconds", err);
	rec->node = NUMA_NO_NODE;
	if (f[COL_NODE].len && !field_is(f[COL_NODE], "-1")) {
		if (!field_number(f[COL_NODE], MAX_NODES - 1, &x))
			return bad_field(c, COL_NODE, f[COL_NODE],
					 "a node number (0 to 1023, -1 or empty: none asked for)",
					 err);
		rec->node = (int16_t)x;
	}
	rec->bytes_req = 0;
	if (f[COL_SIZE].len &&
	    (!field_number(f[COL_SIZE], OBJECT_SIZE_MAX, &rec->bytes_req) || rec->bytes_req == 0))
		return bad_field(c, COL_SIZE, f[COL_SIZE], "a size in bytes (1 to 2^30)", err);
	rec->bytes_alloc = rec->bytes_req;
	rec->gfp = GFP_BIT_MAY_BLOCK;
	if (field_is(f[COL_GFP], "atomic"))
		rec->gfp = 0;
	else if (f[COL_GFP].len && !field_is(f[COL_GFP], "kernel"))
		return bad_field(c, COL_GFP, f[COL_GFP], "kernel or atomic", err);
	if (f[COL_CACHE].len > CSV_CACHE_NAME_MAX)
		return bad_field(c, COL_CACHE, f[COL_CACHE], "a name of at most 128 bytes", err);
	rec->has_name = f[COL_CACHE].len > 0;
	rec->name = intern(c->ctx->strings, f[COL_CACHE].s, f[COL_CACHE].len);
	if (rec->name == INTERN_FAILED)
		return error_memory(err, "names of caches");
	return 0;
}

static int parse_row(struct csv *c, const struct line *line, struct record *rec, struct error *err)
{
	struct field f[NR_COLUMNS];

	c->line = line->number;
	if (split_row(c, line, f, err) || parse_op(c, f[COL_OP], rec, err) ||
	    parse_who(c, f, rec, err) || parse_bulk(c, f[COL_BULK], rec, err) ||
	    parse_optional(c, f, rec, err) || csv_check_row(c->ctx, rec, line, err))
		return -1;
	rec->kind = RECORD_CSV;
	rec->line = line->number;
	rec->call_site = INTERN_EMPTY;
	rec->accounted = rec->has_accounted = false;
	return 0;
}

/* Above the header a comment may tell of the machine, or a cache. */
static int csv_comment(const struct csv *c, const struct line *line, struct error *err)
{
	if (!csv_is_table(line))
		return 0;
	if (!c->n)
		return csv_read_table(c->ctx, line, err);
	return error_input(err,
			   "%s:%llu: lines that begin with \"#slabsim\" belong above the header, "
			   "which names the columns",
			   input_name(c->ctx->in), (unsigned long long)line->number);
}

/* The next line that says something: 1, 0 at the end, -1 and err. */
static int next_row(struct csv *c, struct line *line, struct error *err)
{
	int ret;

	while ((ret = input_line(c->ctx->in, line, err)) > 0) {
		if (line->len && line->s[line->len - 1] == '\r')
			line->len--;
		if (line->len == 0)
			c->ctx->notes[NOTE_BLANK]++;
		else if (line->s[0] == '#' && csv_comment(c, line, err))
			return -1;
		else if (line->s[0] == '#')
			c->ctx->notes[NOTE_COMMENT]++;
		else
			break;
	}
	return ret > 0 && field_check_line(c->ctx->in, line, err) ? -1 : ret;
}

/* The header: the first line that is neither empty nor a comment, with a column "op". */
static int csv_probe(const char *head, size_t len)
{
	const char *end = head + len, *s = head, *stop;

	/* Of many caches the lines may be longer than what is looked at. */
	if (csv_is_table(&(struct line){.s = head, .len = len}))
		return 100;
	for (;;) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));

		stop = nl ? nl : end;
		if (stop > s && stop[-1] == '\r')
			stop--;
		if (stop > s && *s != '#')
			break;
		if (!nl)
			return 0;
		s = nl + 1;
	}
	while (s) {
		struct field f = field_next(&s, stop);

		/* Quotes are refused later, and told so. */
		if (field_is(f, "op") || field_is(f, "\"op\""))
			return 100;
	}
	return 0;
}

static void *csv_open(struct reader_ctx *ctx, struct error *err)
{
	struct csv *c = calloc(1, sizeof(*c));
	struct line line;
	int ret;

	if (!c) {
		error_memory(err, "reading CSV");
		return NULL;
	}
	c->ctx = ctx;
	ctx->notes[NOTE_COMMENT]++;
	ret = next_row(c, &line, err);
	if (ret < 0)
		goto fail;
	if (!ret) {
		error_input(err, "%s: the header is missing: %s", input_name(ctx->in), HEADER_HELP);
		goto fail;
	}
	c->line = line.number;
	if (parse_header(c, &line, err))
		goto fail;
	ctx->missing_time = !c->has[COL_TIME_NS];
	return c;
fail:
	free(c);
	return NULL;
}

static int64_t csv_next(void *state, struct record *rec, size_t cap, struct error *err)
{
	struct csv *c = state;
	struct line line;
	size_t n;
	int ret = 1;

	for (n = 0; n < cap && (ret = next_row(c, &line, err)) > 0; n++)
		if (parse_row(c, &line, &rec[n], err))
			return -1;
	c->rows += n;
	if (ret == 0 && c->rows == 0)
		return error_input(err, "%s: there are no rows below the header",
				   input_name(c->ctx->in));
	return ret < 0 ? -1 : (int64_t)n;
}

static void csv_close(void *state)
{
	free(state);
}

static const struct reader_ops csv = {
    .name = "csv",
    .summary = "comma-separated, header " HEADER_HELP,
    .probe = csv_probe,
    .open = csv_open,
    .next = csv_next,
    .close = csv_close,
};
READER(csv);
