/* Opening a .slabtrace file: its header, its blocks one by one, and what of it is sound. */
#include <errno.h>
#include <unistd.h>
#include <zstd.h>

#include "workloads/reader.h"
#include "workloads/slabtrace-read.h"

static int no_memory(struct error *err)
{
	return error_memory(err, "reading a trace");
}

static int bad_header(const struct slabtrace *s, struct error *err)
{
	return error_input(err,
			   "%s: this .slabtrace file is damaged in its header: nothing of it "
			   "can be read",
			   s->name);
}

/* size and raw_size are within bounds. */
static int unpack_header(struct slabtrace *s, uint32_t size, uint32_t raw_size, struct error *err)
{
	uint8_t *packed = malloc(size), *raw = malloc(raw_size);
	struct bytes_in in;
	int ret = -1, got;

	if (!packed || !raw) {
		no_memory(err);
		goto out;
	}
	got = slabtrace_read_at(s, packed, size, SLABTRACE_START_SIZE, err);
	if (got < 0)
		goto out;
	in = (struct bytes_in){raw, raw + raw_size, false};
	if (!got || ZSTD_decompress(raw, raw_size, packed, size) != raw_size ||
	    slabtrace_get_header(&in, &s->st, &s->tables))
		bad_header(s, err);
	else
		ret = 0;
out:
	free(packed);
	free(raw);
	return ret;
}

static int read_header(struct slabtrace *s, struct error *err)
{
	uint8_t start[SLABTRACE_START_SIZE];
	uint32_t size, raw_size;
	int got = slabtrace_read_at(s, start, sizeof(start), 0, err);

	if (got <= 0)
		return got < 0 ? -1 : bad_header(s, err);
	if (get_u16(start + 8) != SLABTRACE_VERSION)
		return error_input(err,
				   "%s: version %u of the .slabtrace format, but this slabsim "
				   "reads version %u alone",
				   s->name, get_u16(start + 8), SLABTRACE_VERSION);
	size = get_u32(start + 12);
	raw_size = get_u32(start + 16);
	if (get_u32(start + 20) != slabtrace_checksum(start, 20) || !size || !raw_size ||
	    size > SLABTRACE_HEADER_MAX || raw_size > SLABTRACE_HEADER_MAX)
		return bad_header(s, err);
	s->data = SLABTRACE_START_SIZE + (uint64_t)size;
	return unpack_header(s, size, raw_size, err);
}

static enum slabtrace_action action_of(uint8_t op)
{
	return slabtrace_allocates(op) ? ACTION_ALLOCATES
	       : slabtrace_frees(op)   ? ACTION_FREES
				       : ACTION_RARE;
}

/* kinds of them, and behind those the one for kinds that are not in the table. */
static void make_templates(struct slabtrace *s, size_t kinds, int may_block)
{
	uint32_t i;

	for (i = 0; i < s->tables.nr_kinds; i++) {
		const struct slabtrace_kind *k = &s->tables.kinds[i];
		uint8_t flags = k->flags;

		s->st.has_shrinks |= k->op == EV_SHRINK;
		if (may_block >= 0 && slabtrace_allocates(k->op))
			flags =
			    (uint8_t)((flags & ~EVF_MAY_BLOCK) | (may_block ? EVF_MAY_BLOCK : 0));
		s->kind[i] = (struct slabtrace_template){
		    .ev = {.cache = k->cache, .node = k->node, .op = k->op, .flags = flags},
		    .site = k->site,
		    .pool = &s->pool[k->cache],
		    .action = action_of(k->op),
		};
	}
	s->no_kind = &s->kind[kinds];
	for (; i <= kinds; i++)
		s->kind[i] = (struct slabtrace_template){
		    .ev.op = NR_EVENT_OPS, .pool = s->pool, .action = ACTION_RARE};
}

static int prepare(struct slabtrace *s, const struct trace_options *opt, struct error *err)
{
	unsigned caches = s->st.info.nr_caches;

	size_t kinds = s->tables.nr_kinds > SLABTRACE_WIDE ? s->tables.nr_kinds : SLABTRACE_WIDE;

	s->kind = calloc(kinds + 1, sizeof(*s->kind));
	s->pool = calloc((size_t)caches + 1, sizeof(*s->pool));
	s->adopted = calloc((size_t)caches + 1, sizeof(*s->adopted));
	if (!s->kind || !s->pool || !s->adopted || slabtrace_columns_init(&s->c, s->st.cpus_used))
		return no_memory(err);
	for (unsigned i = 0; i < caches; i++)
		id_pool_init(&s->pool[i]);
	make_templates(s, kinds, opt->may_block);
	return 0;
}

/* From header to header: 0 when they lead to the end; else -1 and err. */
static int walk(struct slabtrace *s, struct error *err)
{
	int ret;

	s->headers_only = true;
	do {
		ret = slabtrace_next_header(s, err);
		slabtrace_skip_block(s);
	} while (!ret && s->block.size);
	s->headers_only = false;
	return ret;
}

static void count(struct slabtrace *s, const struct stream_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct source_cache *sc = &s->st.info.caches[b->events[i].cache];

		sc->allocs += slabtrace_allocates(b->events[i].op);
		sc->frees += slabtrace_frees(b->events[i].op);
	}
}

/* Read all there is; what is behind the first damage is left out, and told. */
static int salvage(struct slabtrace *s, struct error *err)
{
	struct source_info *info = &s->st.info;
	struct error why = {0};
	struct stream_batch b;
	int more;

	while ((more = slabtrace_ops.next(&s->st, &b, &why)) > 0)
		;
	if (more == 0 && s->delivered == info->events)
		return slabtrace_ops.rewind(&s->st, err);
	if (why.kind == ERROR_FAILED) {
		*err = why;
		return -1;
	}
	/* Events of a block that turned out to be damaged in its middle do not count. */
	s->limit = s->block.first;
	s->salvaged = true;
	s->st.notes[NOTE_DAMAGED] = info->events - s->limit;
	if (!s->limit)
		return error_input(err, "%s: its first block is damaged: nothing of it can be used",
				   s->name);
	info->events = s->limit;
	for (unsigned i = 0; i < info->nr_caches; i++)
		info->caches[i].allocs = info->caches[i].frees = 0;
	if (slabtrace_ops.rewind(&s->st, err))
		return -1;
	while ((more = slabtrace_ops.next(&s->st, &b, err)) > 0)
		count(s, &b);
	if (more < 0)
		return -1;
	for (unsigned i = 0; i < info->nr_caches; i++)
		info->caches[i].adopted = s->adopted[i];
	return slabtrace_ops.rewind(&s->st, err);
}

static int open_file(struct slabtrace *s, struct input *in, const struct trace_options *opt,
		     struct error *err)
{
	s->name = strdup(input_name(in));
	if (!s->name)
		return no_memory(err);
	s->fd = input_file(in, err);
	if (s->fd < 0 || read_header(s, err) || prepare(s, opt, err))
		return -1;
	s->limit = s->st.info.events;
	if (slabtrace_ops.rewind(&s->st, err))
		return -1;
	if (opt->salvage)
		return salvage(s, err);
	return walk(s, err) ? -1 : slabtrace_ops.rewind(&s->st, err);
}

static struct stream *slabtrace_open(struct input *in, const struct trace_options *opt,
				     struct error *err)
{
	struct slabtrace *s = calloc(1, sizeof(*s));

	if (!s) {
		no_memory(err);
		return NULL;
	}
	s->st.ops = &slabtrace_ops;
	s->st.names_settled = s->st.ids_settled = true;
	s->fd = -1;
	if (open_file(s, in, opt, err)) {
		slabtrace_ops.close(&s->st);
		return NULL;
	}
	return &s->st;
}

static int slabtrace_probe(const char *head, size_t len)
{
	const size_t n = sizeof(SLABTRACE_MAGIC) - 1;

	return len >= n && !memcmp(head, SLABTRACE_MAGIC, n) ? 100 : 0;
}

static const struct reader_ops slabtrace_reader = {
    .name = "slabtrace",
    .summary = ".slabtrace, slabsim's own format, which slabsim trace convert writes",
    .probe = slabtrace_probe,
    .open_stream = slabtrace_open,
};
READER(slabtrace_reader);
