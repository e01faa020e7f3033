#include "workloads/csv-table.h"

#include "sim/cache.h"
#include "sim/event.h"
#include "sim/machine.h"

#define SIZE_MAX_BYTES (1u << 30)
#define PAGE_SIZE_MAX  (1u << 20)

void csv_put_name(FILE *out, const char *name)
{
	for (size_t i = 0; name[i] && i < CSV_CACHE_NAME_MAX; i++)
		putc(strchr(",\n\r", name[i]) ? '_' : name[i], out);
}

void csv_put_table(FILE *out, const struct stream *st)
{
	const struct source_info *info = &st->info;

	fprintf(out, CSV_TABLE "machine cpus=%u nodes=%u page_size=%u\n", info->cpus, info->nodes,
		st->page_size);
	for (unsigned i = 0; i < info->nr_caches; i++) {
		const struct source_cache *c = &info->caches[i];

		fprintf(out, CSV_TABLE "cache object_size=%u size=%u name=", c->object_size,
			c->size);
		csv_put_name(out, c->name);
		putc('\n', out);
	}
}

bool csv_is_table(const struct line *line)
{
	return line->len >= strlen(CSV_TABLE) && !memcmp(line->s, CSV_TABLE, strlen(CSV_TABLE));
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

/* 1: it is one; 0: it is not; -1 and err. */
static int take_cache(struct reader_ctx *ctx, const char *s, const struct line *line,
		      struct error *err)
{
	struct told_cache c, *more;

	if (!take_word(&s, "cache ") ||
	    !take_number(&s, "object_size", SIZE_MAX_BYTES, &c.object_size) ||
	    !take_number(&s, "size", SIZE_MAX_BYTES, &c.size) || !take_word(&s, "name=") ||
	    strlen(s) > CSV_CACHE_NAME_MAX)
		return 0;
	c.name = intern(ctx->strings, s, strlen(s));
	more = reallocarray(ctx->caches, (size_t)ctx->nr_caches + 1, sizeof(*more));
	if (!more || c.name == INTERN_FAILED)
		return error_memory(err, "the table of caches");
	ctx->caches = more;
	for (unsigned i = 0; i < ctx->nr_caches; i++)
		if (more[i].name == c.name)
			return error_input(err, "%s:%llu: cache \"%s\" is there twice",
					   input_name(ctx->in), (unsigned long long)line->number,
					   s);
	if (ctx->nr_caches == MAX_CACHES)
		return error_input(err, "%s:%llu: more than %d caches", input_name(ctx->in),
				   (unsigned long long)line->number, MAX_CACHES);
	more[ctx->nr_caches++] = c;
	return 1;
}

static bool take_machine(struct reader_ctx *ctx, const char *s)
{
	return take_word(&s, "machine ") && take_number(&s, "cpus", MAX_CPUS, &ctx->cpus) &&
	       take_number(&s, "nodes", MAX_NODES, &ctx->nodes) &&
	       take_number(&s, "page_size", PAGE_SIZE_MAX, &ctx->page_size) && !*s &&
	       !(ctx->page_size & (ctx->page_size - 1));
}

int csv_read_table(struct reader_ctx *ctx, const struct line *line, struct error *err)
{
	char text[CSV_CACHE_NAME_MAX + 100] = "";
	size_t len = line->len - strlen(CSV_TABLE);
	int ret = 0;

	if (len < sizeof(text) && !memchr(line->s, 0, line->len)) {
		memcpy(text, line->s + strlen(CSV_TABLE), len);
		text[len] = 0;
		ret = take_cache(ctx, text, line, err);
		if (ret < 0)
			return -1;
	}
	if (!ret)
		ret = take_machine(ctx, text);
	if (ret)
		return 0;
	return error_input(err,
			   "%s:%llu: \"" CSV_TABLE "machine cpus=N nodes=N page_size=N\" or "
			   "\"" CSV_TABLE "cache object_size=N size=N name=NAME\" is wanted here",
			   input_name(ctx->in), (unsigned long long)line->number);
}
