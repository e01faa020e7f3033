/*
 * A stream is read twice: once for what the header tells, once for the events.
 */
#include "workloads/slabtrace.h"

#include <errno.h>
#include <zstd.h>

#include "sim/file.h"
#include "workloads/kinds.h"
#include "workloads/renumber.h"

/* Of zstd: smaller files take much longer to write. */
#define LEVEL 3

struct column {
	uint8_t *p;
	size_t n; /* bytes used */
};

struct writer {
	struct stream *st;
	struct kinds kinds;
	struct slabtrace_tables tables;
	struct renumber ids;
	uint64_t last_time;
	ZSTD_CCtx *zstd;
	uint8_t *packed; /* a block's columns */
	size_t packed_cap;
	FILE *out;
	const char *name; /* of out, for messages */
	uint64_t bytes;

	/* The block being filled, and its columns. */
	struct slabtrace_block block;
	uint32_t largest_id;
	struct column kind, wide, cpu, time, late, after;
	uint32_t *freed; /* ids, of its frees */
	uint8_t *planes; /* the same, byte by byte */
	uint8_t *time_high;
};

static int no_memory(struct error *err)
{
	return error_memory(err, "writing a trace");
}

/* The object's id in the file, of an object that begins or ends; ID_NONE: out of memory. */
static uint32_t next_id(struct writer *w, const struct event *ev)
{
	if (w->st->ids_settled) {
		uint32_t *objects = &w->tables.counts[ev->cache].objects;

		*objects = ev->object >= *objects ? ev->object + 1 : *objects;
		return ev->object;
	}
	if (slabtrace_frees(ev->op))
		return renumber_end(&w->ids, ev->cache, ev->object);
	return renumber_begin(&w->ids, ev->cache, ev->object);
}

static int bad_object(const struct writer *w, const struct event *ev, struct error *err)
{
	if (slabtrace_frees(ev->op))
		return error_failed(err, "cache %s: object %u is freed, but does not live",
				    w->st->info.caches[ev->cache].name, ev->object);
	return no_memory(err);
}

/* ---- the first reading ---- */

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void count_event(struct writer *w, const struct event *ev)
{
	struct slabtrace_tables *t = &w->tables;
	struct slabtrace_counts *c = &t->counts[ev->cache];

	c->allocs += slabtrace_allocates(ev->op);
	c->frees += slabtrace_frees(ev->op);
	c->adopted += ev->op == EV_ADOPT;
	if (ev->cpu >= t->cpus_used)
		t->cpus_used = ev->cpu + 1u;
	if (ev->node >= (int)t->nodes)
		t->nodes = (unsigned)ev->node + 1;
}

static int survey_batch(struct writer *w, const struct stream_batch *b, struct error *err)
{
	struct slabtrace_tables *t = &w->tables;

	for (size_t i = 0; i < b->n; i++) {
		const struct event *ev = &b->events[i];
		uint32_t kind = kinds_of(&w->kinds, ev, b->site ? b->site[i] : 0);

		if (kind == UINT32_MAX)
			return no_memory(err);
		w->kinds.kind[kind].count++;
		count_event(w, ev);
		if (ev->op != EV_SHRINK && next_id(w, ev) == ID_NONE)
			return bad_object(w, ev, err);
		if (!b->time_ns)
			continue;
		if (t->events == 0 && i == 0)
			t->first_time_ns = w->last_time = b->time_ns[0];
		/* Of nanoseconds the unit is soon 1. */
		if (t->time_unit != 1)
			t->time_unit =
			    greatest_divisor(t->time_unit, distance(b->time_ns[i], w->last_time));
		w->last_time = b->time_ns[i];
	}
	t->events += b->n;
	return 0;
}

/* Not every stream knows all counts beforehand: they are made anew. */
static int survey(struct writer *w, struct error *err)
{
	const struct source_info *info = &w->st->info;
	struct slabtrace_tables *t = &w->tables;
	struct stream_batch b;
	int more;

	t->nodes = info->nodes;
	if (w->st->ops->rewind(w->st, err))
		return -1;
	while ((more = w->st->ops->next(w->st, &b, err)) > 0)
		if (survey_batch(w, &b, err))
			return -1;
	if (more < 0)
		return -1;
	if (!t->events)
		return error_input(err, "there are no events to write");
	t->cpus = info->cpus > t->cpus_used ? info->cpus : t->cpus_used;
	if (!t->time_unit || t->time_unit > UINT32_MAX)
		t->time_unit = 1;
	for (unsigned i = 0; i < info->nr_caches && !w->st->ids_settled; i++)
		t->counts[i].objects = renumber_ids(&w->ids, i);
	renumber_reset(&w->ids);
	return kinds_sort(&w->kinds) ? no_memory(err) : 0;
}

/* ---- output ---- */

static int put(struct writer *w, const void *p, size_t n, struct error *err)
{
	w->bytes += n;
	errno = 0;
	if (n && fwrite(p, n, 1, w->out) != 1)
		return file_write_failed(w->out, w->name, err);
	return 0;
}

/* A frame of zstd with its checksum: bytes written, or 0 and err. */
static size_t compress(struct writer *w, void *dst, size_t cap, const void *p, size_t n,
		       struct error *err)
{
	size_t size = ZSTD_compress2(w->zstd, dst, cap, p, n);

	if (!ZSTD_isError(size))
		return size;
	error_failed(err, "zstd: %s", ZSTD_getErrorName(size));
	return 0;
}

static int put_header(struct writer *w, struct error *err)
{
	struct slabtrace_tables *t = &w->tables;
	struct bytes_out raw = {0};
	uint8_t start[SLABTRACE_START_SIZE] = SLABTRACE_MAGIC, *packed;
	size_t size = 0;
	int ret = -1;

	t->nr_kinds = w->kinds.n;
	t->kinds = calloc((size_t)t->nr_kinds + 1, sizeof(*t->kinds));
	for (uint32_t i = 0; t->kinds && i < t->nr_kinds; i++)
		t->kinds[w->kinds.rank[i]] = w->kinds.kind[i];
	if (t->kinds)
		slabtrace_put_header(w->st, t, &raw);
	packed = malloc(ZSTD_compressBound(raw.n));
	if (!t->kinds || raw.failed || !packed)
		no_memory(err);
	else if (raw.n > SLABTRACE_HEADER_MAX)
		error_input(err, "the tables of caches and call sites are too large");
	else
		size = compress(w, packed, ZSTD_compressBound(raw.n), raw.p, raw.n, err);
	if (size) {
		put_u16(start + 8, SLABTRACE_VERSION);
		put_u32(start + 12, (uint32_t)size);
		put_u32(start + 16, (uint32_t)raw.n);
		put_u32(start + 20, slabtrace_checksum(start, 20));
		ret = put(w, start, sizeof(start), err) || put(w, packed, size, err) ? -1 : 0;
	}
	free(raw.p);
	free(packed);
	return ret;
}

/* ---- blocks ---- */

static int put_column(struct writer *w, const void *p, size_t n, struct error *err)
{
	size_t at = w->block.size, size;

	if (!n)
		return 0;
	size = compress(w, w->packed + at + 4, w->packed_cap - at - 4, p, n, err);
	if (!size)
		return -1;
	put_u32(w->packed + at, (uint32_t)size);
	w->block.size += (uint32_t)(4 + size);
	return 0;
}

static int put_ids(struct writer *w, struct error *err)
{
	uint32_t n = w->block.frees;

	for (unsigned byte = 0; byte < w->block.id_bytes; byte++) {
		for (uint32_t i = 0; i < n; i++)
			w->planes[i] = (uint8_t)(w->freed[i] >> 8 * byte);
		if (put_column(w, w->planes, n, err))
			return -1;
	}
	return 0;
}

static int put_block(struct writer *w, struct error *err)
{
	struct slabtrace_block *b = &w->block;
	uint8_t header[SLABTRACE_BLOCK_HEADER_SIZE];
	uint64_t first = b->first + b->events;

	for (b->id_bytes = b->frees > 0; b->id_bytes < 4 && w->largest_id >> 8 * b->id_bytes;)
		b->id_bytes++;
	if (put_column(w, w->kind.p, w->kind.n, err) || put_column(w, w->wide.p, w->wide.n, err) ||
	    put_column(w, w->cpu.p, w->cpu.n, err) || put_ids(w, err) ||
	    put_column(w, w->time.p, w->time.n, err) ||
	    put_column(w, w->time_high, w->time.n, err) ||
	    put_column(w, w->late.p, w->late.n, err) || put_column(w, w->after.p, w->after.n, err))
		return -1;
	slabtrace_put_block(header, b);
	if (put(w, header, sizeof(header), err) || put(w, w->packed, b->size, err))
		return -1;
	w->block = (struct slabtrace_block){.first = first};
	w->largest_id = 0;
	w->kind.n = w->wide.n = w->cpu.n = w->time.n = w->late.n = w->after.n = 0;
	return 0;
}

static int put_end(struct writer *w, struct error *err)
{
	uint8_t header[SLABTRACE_BLOCK_HEADER_SIZE];

	if (w->block.events && put_block(w, err))
		return -1;
	slabtrace_put_block(header, &w->block);
	return put(w, header, sizeof(header), err);
}

static void add_kind(struct writer *w, uint32_t kind)
{
	if (kind < SLABTRACE_WIDE) {
		w->kind.p[w->kind.n++] = (uint8_t)kind;
		return;
	}
	w->kind.p[w->kind.n++] = SLABTRACE_WIDE;
	put_u32(w->wide.p + w->wide.n, kind - SLABTRACE_WIDE);
	w->wide.n += 4;
	w->block.wide++;
}

static void add_cpu(struct writer *w, uint16_t cpu)
{
	w->cpu.p[w->cpu.n++] = (uint8_t)cpu;
	if (w->tables.cpus_used > 256)
		w->cpu.p[w->cpu.n++] = (uint8_t)(cpu >> 8);
}

/* In steps from the event before, backwards ones odd. Every block begins at the first time. */
static void add_time(struct writer *w, uint64_t time_ns)
{
	uint64_t last = w->block.events ? w->last_time : w->tables.first_time_ns;
	int64_t step = (int64_t)(time_ns - last) / (int64_t)w->tables.time_unit;
	uint64_t code = (uint64_t)step << 1 ^ (uint64_t)(step >> 63);

	w->last_time = time_ns;
	if (code >= SLABTRACE_LATE) {
		put_u64(w->late.p + w->late.n, code);
		w->late.n += 8;
		w->block.late++;
		code = SLABTRACE_LATE;
	}
	w->time_high[w->time.n] = (uint8_t)(code >> 8);
	w->time.p[w->time.n++] = (uint8_t)code;
}

static void add_after(struct writer *w, uint16_t after)
{
	put_u16(w->after.p + w->after.n, (uint16_t)w->block.events);
	put_u16(w->after.p + w->after.n + 2, after);
	w->after.n += 4;
	w->block.after++;
}

static int add_event(struct writer *w, const struct stream_batch *b, size_t i, struct error *err)
{
	const struct event *ev = &b->events[i];
	uint32_t kind = kinds_of(&w->kinds, ev, b->site ? b->site[i] : 0);
	uint32_t id = 0;

	/* The survey has seen them all. */
	if (kind == UINT32_MAX || !w->kinds.rank || kind >= w->tables.nr_kinds)
		return error_failed(err, "the trace has changed while it was read");
	/* An adoption and its free are in one block. */
	if (ev->op == EV_ADOPT && w->block.events == SLABTRACE_BLOCK_EVENTS - 1 &&
	    put_block(w, err))
		return -1;
	add_kind(w, w->kinds.rank[kind]);
	add_cpu(w, ev->cpu);
	if (ev->op != EV_SHRINK)
		id = next_id(w, ev);
	if (id == ID_NONE)
		return bad_object(w, ev, err);
	if (slabtrace_frees(ev->op)) {
		w->freed[w->block.frees++] = id;
		w->largest_id |= id;
	}
	if (b->time_ns && w->st->info.has_times) {
		add_time(w, b->time_ns[i]);
		if (b->after && b->after[i])
			add_after(w, b->after[i]);
	}
	return ++w->block.events == SLABTRACE_BLOCK_EVENTS ? put_block(w, err) : 0;
}

static int write_events(struct writer *w, struct error *err)
{
	struct stream_batch b;
	int more;

	if (w->st->ops->rewind(w->st, err))
		return -1;
	while ((more = w->st->ops->next(w->st, &b, err)) > 0)
		for (size_t i = 0; i < b.n; i++)
			if (add_event(w, &b, i, err))
				return -1;
	return more < 0 ? -1 : put_end(w, err);
}

/* ---- the whole ---- */

static int set_up(struct writer *w, struct error *err)
{
	size_t n = SLABTRACE_BLOCK_EVENTS, caches = (size_t)w->st->info.nr_caches + 1;

	w->tables.counts = calloc(caches, sizeof(*w->tables.counts));
	w->kind.p = malloc(n);
	w->wide.p = malloc(4 * n);
	w->cpu.p = malloc(2 * n);
	w->freed = malloc(4 * n);
	w->planes = malloc(n);
	w->time.p = malloc(n);
	w->time_high = malloc(n);
	w->late.p = malloc(8 * n);
	w->after.p = malloc(4 * n);
	w->packed_cap = SLABTRACE_BLOCK_MAX;
	w->packed = malloc(w->packed_cap);
	w->zstd = ZSTD_createCCtx();
	if (renumber_init(&w->ids, w->st->info.nr_caches, false) || !w->tables.counts ||
	    !w->kind.p || !w->wide.p || !w->cpu.p || !w->freed || !w->planes || !w->time.p ||
	    !w->time_high || !w->late.p || !w->after.p || !w->packed || !w->zstd ||
	    kinds_init(&w->kinds, w->st->info.nr_caches, w->st->nr_sites))
		return no_memory(err);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
	return 0;
}

static void tear_down(struct writer *w)
{
	renumber_free(&w->ids);
	kinds_free(&w->kinds);
	free(w->tables.kinds);
	free(w->tables.counts);
	free(w->kind.p);
	free(w->wide.p);
	free(w->cpu.p);
	free(w->freed);
	free(w->planes);
	free(w->time.p);
	free(w->time_high);
	free(w->late.p);
	free(w->after.p);
	free(w->packed);
	ZSTD_freeCCtx(w->zstd);
}

static int write_file(struct writer *w, const char *path, struct error *err)
{
	struct out_file out;

	if (file_create(&out, path, err))
		return -1;
	w->out = out.stream;
	if (put_header(w, err) || write_events(w, err)) {
		file_abandon(&out);
		return -1;
	}
	return file_commit(&out, err);
}

/* To the file at path, or to out. */
static int write_anywhere(struct stream *st, const char *path, FILE *out,
			  const struct slabtrace_options *opt, uint64_t *bytes, struct error *err)
{
	struct writer w = {.st = st, .out = out, .name = path ? path : "a trace"};
	int ret;

	st->wants |= STREAM_SITES | STREAM_AFTER;
	if (!opt->times)
		st->info.has_times = false;
	ret = set_up(&w, err);
	if (!ret)
		ret = survey(&w, err);
	if (!ret && path)
		ret = write_file(&w, path, err);
	else if (!ret)
		ret = put_header(&w, err) || write_events(&w, err) ? -1 : 0;
	if (bytes)
		*bytes = w.bytes;
	tear_down(&w);
	return ret;
}

int slabtrace_write(struct stream *st, const char *path, const struct slabtrace_options *opt,
		    uint64_t *bytes, struct error *err)
{
	return write_anywhere(st, path, NULL, opt, bytes, err);
}

int slabtrace_write_to(struct stream *st, FILE *out, const struct slabtrace_options *opt,
		       struct error *err)
{
	return write_anywhere(st, NULL, out, opt, NULL, err);
}
