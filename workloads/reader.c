#include "workloads/reader.h"

#include "sim/escape.h"

extern const struct reader_ops *const __start_slabsim_readers[];
extern const struct reader_ops *const __stop_slabsim_readers[];

const struct reader_ops *reader_nth(size_t n)
{
	const struct reader_ops *best = NULL, *last = NULL;

	/* The n-th smallest name: there are few readers, and this needs no storage. */
	for (size_t i = 0; i <= n; i++) {
		best = NULL;
		for (const struct reader_ops *const *p = __start_slabsim_readers;
		     p < __stop_slabsim_readers; p++) {
			/* Sanitizers put gaps between them. */
			if (!*p || (last && strcmp((*p)->name, last->name) <= 0))
				continue;
			if (!best || strcmp((*p)->name, best->name) < 0)
				best = *p;
		}
		if (!best)
			return NULL;
		last = best;
	}
	return best;
}

static int unknown_format(struct input *in, const char *head, size_t len, struct error *err)
{
	char list[768] = "";
	size_t n = 0;
	const struct reader_ops *ops;

	for (size_t i = 0; (ops = reader_nth(i)) && n < sizeof(list); i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s (%s)", i ? "; " : "",
				      ops->name, ops->summary);
	if (utf16_mark(head, len))
		return error_input(err, "%s: this is UTF-16; UTF-8 is wanted", input_name(in));
	if (memchr(head, '\0', len))
		return error_input(err, "%s: binary data of no format known here. Known are: %s",
				   input_name(in), list);
	return error_input(err, "%s: no trace format recognised. Known are: %s", input_name(in),
			   list);
}

const struct reader_ops *reader_choose(struct input *in, struct error *err)
{
	const struct reader_ops *best = NULL, *ops;
	const char *head;
	int64_t len = input_peek_text(in, &head, PROBE_SIZE, err);
	int sure = 0;

	if (len < 0)
		return NULL;
	if (len == 0) {
		error_input(err, "%s: nothing is in this %s file", input_name(in),
			    input_compression(in));
		return NULL;
	}
	for (size_t i = 0; (ops = reader_nth(i)); i++) {
		int p = ops->probe(head, (size_t)len);

		if (p > sure) {
			sure = p;
			best = ops;
		}
	}
	if (!best)
		unknown_format(in, head, (size_t)len, err);
	return best;
}

int64_t reader_next_lines(struct reader_ctx *ctx, parse_line_fn parse, struct record *rec,
			  size_t cap, struct error *err)
{
	struct line line;
	size_t n = 0;
	int ret = 1;

	while (n < cap && (ret = input_line(ctx->in, &line, err)) > 0) {
		if (line.len && line.s[line.len - 1] == '\r')
			line.len--;
		if (line.cut) {
			ctx->notes[NOTE_CUT_LINE]++;
			continue;
		}
		if (line.len == 0) {
			ctx->notes[NOTE_BLANK]++;
			continue;
		}
		ret = parse(ctx, &line, &rec[n], err);
		if (ret < 0)
			return -1;
		n += (size_t)ret;
	}
	return ret < 0 ? -1 : (int64_t)n;
}

void *reader_open_lines(struct reader_ctx *ctx, struct error *err)
{
	(void)err;
	return ctx;
}

void reader_close_lines(void *state)
{
	(void)state;
}

void census_add(struct census *c, const char *name, size_t len)
{
	const size_t max = sizeof(c->event[0].name) - 1;

	len = len < max ? len : max;
	for (unsigned i = 0, at = c->last; i < c->n; i++, at = at + 1 < c->n ? at + 1 : 0) {
		if (!memcmp(c->event[at].name, name, len) && !c->event[at].name[len]) {
			c->event[at].count++;
			c->last = at;
			return;
		}
	}
	if (c->n == CENSUS_SIZE) {
		c->others++;
		return;
	}
	memcpy(c->event[c->n].name, name, len);
	c->event[c->n++].count = 1;
}

void census_put(struct census *c, const char *name, uint64_t count)
{
	if (c->n == CENSUS_SIZE) {
		c->others += count;
	} else if (count) {
		snprintf(c->event[c->n].name, sizeof(c->event[0].name), "%s", name);
		c->event[c->n++].count = count;
	}
}

void census_text(const struct census *c, char *buf, size_t size)
{
	size_t n = 0;

	snprintf(buf, size, "none at all");
	for (unsigned i = 0; i < c->n && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s %llu", i ? ", " : "",
				      c->event[i].name, (unsigned long long)c->event[i].count);
	if (c->others && n < size)
		snprintf(buf + n, size - n, ", others %llu", (unsigned long long)c->others);
}
