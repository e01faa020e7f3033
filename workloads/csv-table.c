#include "workloads/csv-table.h"

#include "sim/cache.h"
#include "sim/event.h"
#include "sim/geometry.h"
#include "sim/machine.h"
#include "sim/order.h"

#define SIZE_MAX_BYTES	  (1u << 30)
#define PAGE_SIZE_MIN	  1024u
#define PAGE_SIZE_MAX	  (1u << 20)
#define DEFAULT_PAGE_SIZE 4096u

void csv_put_name(FILE *out, const char *name)
{
	for (size_t i = 0; name[i] && i < CSV_CACHE_NAME_MAX; i++)
		putc(strchr(i ? ",\n\r" : "\",\n\r", name[i]) ? '_' : name[i], out);
}

void csv_put_table(FILE *out, const struct stream *st)
{
	const struct source_info *info = &st->info;
	/* More nodes than CPUs are those that some CPU asks for, as the rows tell. */
	unsigned nodes = info->nodes <= info->cpus ? info->nodes : 0;
	/* Not every source has one; this is what a reader takes for it. */
	unsigned page_size = st->page_size ? st->page_size : DEFAULT_PAGE_SIZE;

	fprintf(out, CSV_TABLE " machine cpus=%u nodes=%u page_size=%u\n", info->cpus, nodes,
		page_size);
	for (unsigned i = 0; i < info->nr_caches; i++) {
		const struct source_cache *c = &info->caches[i];

		fprintf(out, CSV_TABLE " cache object_size=%u size=%u name=",
			*c->name ? c->object_size : 0, *c->name ? c->size : 0);
		csv_put_name(out, c->name);
		putc('\n', out);
	}
}

bool csv_is_table(const struct line *line)
{
	size_t len = strlen(CSV_TABLE);

	return line->len >= len && !memcmp(line->s, CSV_TABLE, len) &&
	       (line->len == len || strchr(" \t\r\n", line->s[len]));
}

/* "KEY=NUMBER" and what ends it, at *s, which is moved behind. */
static bool take_number(const char **s, const char *key, uint64_t max, unsigned *number)
{
	size_t len = strlen(key);
	uint64_t x = 0;
	const char *p;

	if (strncmp(*s, key, len) || (*s)[len] != '=')
		return false;
	p = *s + len + 1;
	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		x = 10 * x + (uint64_t)(*p - '0');
		if (x > max)
			return false;
	}
	if (*p && *p != ' ')
		return false;
	*s = *p ? p + 1 : p;
	*number = (unsigned)x;
	return true;
}

static bool take_word(const char **s, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*s, word, len))
		return false;
	*s += len;
	return true;
}

/* "FILE:LINE: " before the message in err; -1. */
static int at_line(const struct reader_ctx *ctx, const struct line *line, struct error *err)
{
	return error_prefix(err, "%s:%llu", input_name(ctx->in), (unsigned long long)line->number);
}

/*
 * Was the name, of which intern() has just made a number, told before? Only told names are
 * interned above the header: a number that was there, known of them being in use, is one of
 * theirs, unless it is that of the empty string, which always is.
 */
static bool is_told(const struct reader_ctx *ctx, uint32_t name, uint32_t known)
{
	if (name != INTERN_EMPTY)
		return name < known;
	for (unsigned i = 0; i < ctx->nr_caches; i++)
		if (ctx->caches[i].name == INTERN_EMPTY)
			return true;
	return false;
}

/* Can a cache be like this? A replay would say the same, but without the line. */
static int check_cache(const struct reader_ctx *ctx, const struct told_cache *c, const char *name,
		       struct error *err)
{
	unsigned page_size = ctx->page_size ? ctx->page_size : DEFAULT_PAGE_SIZE;
	unsigned size = c->size ? c->size : c->object_size;

	if (*name == '"')
		return error_input(err, "cache %s: a name does not begin with a quote", name);
	if (!size)
		return 0;
	if (!*name)
		return error_input(err, "a cache of a known size has a name; name= is empty");
	if (c->size && geometry_check(name, c->object_size, c->size, err))
		return -1;
	if (order_last_resort(size, page_size) < 0)
		return error_input(err,
				   "cache %s: no slab of order 0..%d holds an object of %u bytes "
				   "with pages of %u",
				   name, MAX_PAGE_ORDER, size, page_size);
	return 0;
}

static int add_cache(struct reader_ctx *ctx, struct told_cache *c, const char *name,
		     struct error *err)
{
	uint32_t known = intern_count(ctx->strings);
	struct told_cache *more;

	if (ctx->nr_caches == MAX_CACHES)
		return error_input(err, "more than %d caches", MAX_CACHES);
	c->name = intern(ctx->strings, name, strlen(name));
	more = reallocarray(ctx->caches, (size_t)ctx->nr_caches + 1, sizeof(*more));
	if (more)
		ctx->caches = more;
	if (!more || c->name == INTERN_FAILED)
		return error_memory(err, "the table of caches");
	if (is_told(ctx, c->name, known))
		return error_input(err, "cache \"%s\" is there twice", name);
	more[ctx->nr_caches++] = *c;
	return 0;
}

/* 1: it is one; 0: it is not; -1 and err. */
static int take_cache(struct reader_ctx *ctx, const char *s, struct error *err)
{
	struct told_cache c;

	if (!take_word(&s, " cache ") ||
	    !take_number(&s, "object_size", SIZE_MAX_BYTES, &c.object_size) ||
	    !take_number(&s, "size", SIZE_MAX_BYTES, &c.size) || !take_word(&s, "name=") ||
	    strlen(s) > CSV_CACHE_NAME_MAX)
		return 0;
	return check_cache(ctx, &c, s, err) || add_cache(ctx, &c, s, err) ? -1 : 1;
}

/* The same. The numbers are those that "trace convert" takes. */
static int take_machine(struct reader_ctx *ctx, const char *s, struct error *err)
{
	unsigned cpus, nodes, page_size;

	if (!take_word(&s, " machine ") || !take_number(&s, "cpus", MAX_CPUS, &cpus) ||
	    !take_number(&s, "nodes", MAX_NODES, &nodes) ||
	    !take_number(&s, "page_size", PAGE_SIZE_MAX, &page_size) || *s)
		return 0;
	if (ctx->cpus)
		return error_input(err, "the machine is there twice");
	if (!cpus)
		return error_input(err, "cpus=0: a machine has 1 to %d CPUs", MAX_CPUS);
	if (nodes > cpus)
		return error_input(err, "nodes=%u: a node has a CPU at least, and there are %u",
				   nodes, cpus);
	if (page_size < PAGE_SIZE_MIN || page_size & (page_size - 1))
		return error_input(err, "page_size=%u: a power of two from %u to %u is wanted",
				   page_size, PAGE_SIZE_MIN, PAGE_SIZE_MAX);
	ctx->cpus = cpus;
	ctx->nodes = nodes;
	ctx->page_size = page_size;
	return 1;
}

int csv_read_table(struct reader_ctx *ctx, const struct line *line, struct error *err)
{
	char text[CSV_CACHE_NAME_MAX + 100] = "";
	size_t len = line->len - strlen(CSV_TABLE);
	int ret = 0;

	if (len < sizeof(text) && !memchr(line->s, 0, line->len)) {
		memcpy(text, line->s + strlen(CSV_TABLE), len);
		text[len] = 0;
		ret = take_cache(ctx, text, err);
		if (!ret)
			ret = take_machine(ctx, text, err);
	}
	if (ret)
		return ret < 0 ? at_line(ctx, line, err) : 0;
	return error_input(err,
			   "%s:%llu: \"" CSV_TABLE " machine cpus=N nodes=N page_size=N\" or "
			   "\"" CSV_TABLE " cache object_size=N size=N name=NAME\" is wanted here",
			   input_name(ctx->in), (unsigned long long)line->number);
}

int csv_check_row(const struct reader_ctx *ctx, const struct record *rec, const struct line *line,
		  struct error *err)
{
	if (ctx->cpus && rec->cpu >= ctx->cpus)
		error_input(err, "column cpu: CPU %u, but the machine above the header has cpus=%u",
			    rec->cpu, ctx->cpus);
	else if (ctx->nodes && rec->node >= (int)ctx->nodes)
		error_input(err,
			    "column node: node %d, but the machine above the header has "
			    "nodes=%u",
			    rec->node, ctx->nodes);
	else
		return 0;
	return at_line(ctx, line, err);
}
