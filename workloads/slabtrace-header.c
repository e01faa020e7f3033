#include <zlib.h>

#include "workloads/slabtrace-format.h"

enum header_flags {
	HEADER_TIMES = 1 << 0,
	HEADER_IN_ORDER = 1 << 1,
};

/*
 * Notes about lines of text, and about other events between them, are not the recording's: the
 * same recording read from another format has others.
 */
static bool is_kept(enum note n)
{
	switch (n) {
	case NOTE_COMMENT:
	case NOTE_BLANK:
	case NOTE_LOST_MARKER:
	case NOTE_OTHER_EVENT:
	case NOTE_STACK_TRACE:
	case NOTE_CUT_LINE:
	case NOTE_OTHER_LINE:
	case NOTE_DAMAGED:
		return false;
	default:
		return true;
	}
}

/* Caches and call sites that events have, numbered anew; UINT32_MAX: no event has it. */
struct numbers {
	uint32_t *cache, *site;
	uint32_t nr_caches, nr_sites;
};

static int number_used(struct numbers *n, const struct stream *st, const struct slabtrace_tables *t)
{
	*n = (struct numbers){
	    .cache = malloc(((size_t)st->info.nr_caches + 1) * sizeof(*n->cache)),
	    .site = malloc(((size_t)st->nr_sites + 1) * sizeof(*n->site)),
	};
	if (!n->cache || !n->site)
		return -1;
	memset(n->cache, 0xff, st->info.nr_caches * sizeof(*n->cache));
	memset(n->site, 0xff, st->nr_sites * sizeof(*n->site));
	for (uint32_t i = 0; i < t->nr_kinds; i++) {
		n->cache[t->kinds[i].cache] = 0;
		if (t->kinds[i].site < st->nr_sites)
			n->site[t->kinds[i].site] = 0;
	}
	/* "Not known" is always there, and the first. */
	if (st->nr_sites)
		n->site[0] = 0;
	for (unsigned i = 0; i < st->info.nr_caches; i++)
		if (!n->cache[i])
			n->cache[i] = n->nr_caches++;
	for (uint32_t i = 0; i < st->nr_sites; i++)
		if (!n->site[i])
			n->site[i] = n->nr_sites++;
	return 0;
}

static void put_caches(const struct stream *st, const struct slabtrace_tables *t,
		       const struct numbers *n, struct bytes_out *out)
{
	bytes_put_number(out, n->nr_caches);
	for (unsigned i = 0; i < st->info.nr_caches; i++) {
		const struct source_cache *sc = &st->info.caches[i];

		if (n->cache[i] == UINT32_MAX)
			continue;
		bytes_put_string(out, sc->name);
		bytes_put_number(out, sc->object_size);
		bytes_put_number(out, sc->size);
		bytes_put_number(out, t->counts[i].allocs);
		bytes_put_number(out, t->counts[i].frees);
		bytes_put_number(out, t->counts[i].adopted);
		bytes_put_number(out, t->counts[i].objects);
	}
}

static void put_sites(const struct stream *st, const struct numbers *n, struct bytes_out *out)
{
	bytes_put_number(out, n->nr_sites);
	for (uint32_t i = 0; i < st->nr_sites; i++)
		if (n->site[i] != UINT32_MAX)
			bytes_put_string(out, st->sites[i]);
}

static void put_kinds(const struct slabtrace_tables *t, const struct numbers *n,
		      struct bytes_out *out)
{
	bytes_put_number(out, t->nr_kinds);
	for (uint32_t i = 0; i < t->nr_kinds; i++) {
		const struct slabtrace_kind *k = &t->kinds[i];

		bytes_put_number(out, k->op);
		bytes_put_number(out, k->flags);
		bytes_put_number(out, n->cache[k->cache]);
		bytes_put_number(out, (uint64_t)(k->node + 1));
		bytes_put_number(out, n->nr_sites ? n->site[k->site] : 0);
		bytes_put_number(out, k->count);
	}
}

static void put_notes(const struct stream *st, struct bytes_out *out)
{
	unsigned n = 0;

	for (int i = 0; i < NR_NOTES; i++)
		n += st->notes[i] && is_kept(i);
	bytes_put_number(out, n);
	for (int i = 0; i < NR_NOTES; i++) {
		if (!st->notes[i] || !is_kept(i))
			continue;
		bytes_put_string(out, note_name(i));
		bytes_put_number(out, st->notes[i]);
	}
}

void slabtrace_put_header(const struct stream *st, const struct slabtrace_tables *t,
			  struct bytes_out *out)
{
	const struct source_info *info = &st->info;
	struct numbers n;

	if (number_used(&n, st, t)) {
		out->failed = true;
		goto out;
	}
	bytes_put_number(out, (info->has_times ? HEADER_TIMES : 0) |
				  (st->in_order ? HEADER_IN_ORDER : 0));
	bytes_put_number(out, t->events);
	bytes_put_number(out, t->cpus);
	bytes_put_number(out, t->cpus_used);
	bytes_put_number(out, t->nodes);
	bytes_put_number(out, st->page_size);
	if (info->has_times) {
		bytes_put_number(out, t->first_time_ns);
		bytes_put_number(out, t->time_unit);
	}
	/* A map of other CPUs than there are would be of no use. */
	bytes_put_number(out, st->node_of_cpu && info->cpus == t->cpus ? t->cpus : 0);
	for (unsigned i = 0; st->node_of_cpu && info->cpus == t->cpus && i < t->cpus; i++)
		bytes_put_number(out, st->node_of_cpu[i]);
	put_caches(st, t, &n, out);
	put_sites(st, &n, out);
	put_kinds(t, &n, out);
	put_notes(st, out);
	bytes_put_string(out, st->slabinfo_before);
	bytes_put_string(out, st->slabinfo_after);
out:
	free(n.cache);
	free(n.site);
}

/* ---- reading ---- */

/* Is there no memory, that is bad, too. */
static void *get_array(struct bytes_in *in, uint64_t n, size_t size)
{
	void *p = in->bad ? NULL : calloc(n + 1, size);

	if (!p)
		in->bad = true;
	return p;
}

static void get_node_map(struct bytes_in *in, struct stream *st)
{
	uint64_t n = bytes_get_count(in, MAX_CPUS, 1);

	if (!n)
		return;
	st->node_of_cpu = get_array(in, n, sizeof(*st->node_of_cpu));
	in->bad |= n != st->info.cpus;
	for (uint64_t i = 0; i < n && !in->bad; i++)
		st->node_of_cpu[i] =
		    (uint16_t)bytes_get_number(in, st->info.nodes ? st->info.nodes - 1 : 0);
}

static void get_caches(struct bytes_in *in, struct stream *st, struct slabtrace_tables *t)
{
	uint64_t n = bytes_get_count(in, MAX_CACHES, 7);

	st->info.caches = get_array(in, n, sizeof(*st->info.caches));
	t->counts = get_array(in, n, sizeof(*t->counts));
	for (uint64_t i = 0; i < n && !in->bad; i++) {
		struct source_cache *sc = &st->info.caches[i];

		sc->name = bytes_get_string(in);
		st->info.nr_caches++;
		sc->object_size = (unsigned)bytes_get_number(in, 1u << 30);
		sc->size = (unsigned)bytes_get_number(in, 1u << 30);
		sc->allocs = bytes_get_number(in, st->info.events);
		sc->frees = bytes_get_number(in, st->info.events);
		sc->adopted = bytes_get_number(in, sc->frees);
		/* Each id has been given out at least once. */
		t->counts[i].objects = (uint32_t)bytes_get_number(in, UINT32_MAX / 4);
		in->bad |= t->counts[i].objects > sc->allocs + sc->adopted;
	}
}

static void get_sites(struct bytes_in *in, struct stream *st)
{
	uint64_t n = bytes_get_count(in, UINT32_MAX, 1);

	st->sites = get_array(in, n, sizeof(*st->sites));
	for (uint64_t i = 0; i < n && !in->bad; i++) {
		st->sites[i] = bytes_get_string(in);
		st->nr_sites += st->sites[i] != NULL;
	}
	if (!in->bad && n && st->sites[0] && *st->sites[0])
		in->bad = true;
}

static void get_kinds(struct bytes_in *in, struct stream *st, struct slabtrace_tables *t)
{
	uint64_t n = bytes_get_count(in, SLABTRACE_KINDS_MAX, 6);

	t->kinds = get_array(in, n, sizeof(*t->kinds));
	for (uint64_t i = 0; i < n && !in->bad; i++) {
		struct slabtrace_kind *k = &t->kinds[i];

		k->op = (uint8_t)bytes_get_number(in, NR_EVENT_OPS - 1);
		k->flags = (uint8_t)bytes_get_number(in, EVF_MAY_BLOCK | EVF_MORE);
		k->cache = (uint16_t)bytes_get_number(in, MAX_CACHES);
		k->node = (int16_t)((int)bytes_get_number(in, st->info.nodes) - 1);
		k->site = (uint32_t)bytes_get_number(in, st->nr_sites ? st->nr_sites - 1 : 0);
		k->count = bytes_get_number(in, st->info.events);
		in->bad |= k->cache >= st->info.nr_caches;
		/* Nothing may come between an adoption and its free. */
		in->bad |= k->op == EV_ADOPT && k->flags;
	}
	t->nr_kinds = (uint32_t)n;
}

/* The kinds' counts must add up to those of the caches, and of the file. */
static bool counts_agree(const struct stream *st, const struct slabtrace_tables *t)
{
	struct slabtrace_counts *sum = calloc((size_t)st->info.nr_caches + 1, sizeof(*sum));
	uint64_t events = 0;
	bool agree = sum != NULL;

	for (uint32_t i = 0; i < t->nr_kinds && agree; i++) {
		const struct slabtrace_kind *k = &t->kinds[i];

		/* None is more than all events, so no sum overflows before it is noticed. */
		events += k->count;
		agree = events <= st->info.events;
		sum[k->cache].allocs += slabtrace_allocates(k->op) ? k->count : 0;
		sum[k->cache].frees += slabtrace_frees(k->op) ? k->count : 0;
		sum[k->cache].adopted += k->op == EV_ADOPT ? k->count : 0;
	}
	for (unsigned i = 0; i < st->info.nr_caches && agree; i++) {
		const struct source_cache *sc = &st->info.caches[i];

		agree = sum[i].allocs == sc->allocs && sum[i].frees == sc->frees &&
			sum[i].adopted == sc->adopted;
	}
	free(sum);
	return agree && events == st->info.events;
}

static void get_notes(struct bytes_in *in, struct stream *st)
{
	uint64_t n = bytes_get_count(in, 1000, 2);

	for (uint64_t i = 0; i < n && !in->bad; i++) {
		char *name = bytes_get_string(in);
		int note = name ? note_find(name) : -1;
		uint64_t count = bytes_get_number(in, UINT64_MAX);

		/* A later version may know others. */
		if (note >= 0)
			st->notes[note] = count;
		free(name);
	}
}

static char *get_text(struct bytes_in *in)
{
	char *s = bytes_get_string(in);

	if (s && *s)
		return s;
	free(s);
	return NULL;
}

int slabtrace_get_header(struct bytes_in *in, struct stream *st, struct slabtrace_tables *t)
{
	struct source_info *info = &st->info;
	uint64_t flags = bytes_get_number(in, HEADER_TIMES | HEADER_IN_ORDER);

	info->has_times = flags & HEADER_TIMES;
	st->in_order = flags & HEADER_IN_ORDER;
	info->events = bytes_get_number(in, UINT64_MAX / 4096);
	info->cpus = (unsigned)bytes_get_number(in, MAX_CPUS);
	st->cpus_used = (unsigned)bytes_get_number(in, info->cpus);
	info->nodes = (unsigned)bytes_get_number(in, MAX_NODES);
	st->page_size = (unsigned)bytes_get_number(in, 1u << 24);
	t->time_unit = 1;
	if (info->has_times) {
		t->first_time_ns = bytes_get_number(in, UINT64_MAX);
		t->time_unit = bytes_get_number(in, UINT32_MAX);
	}
	in->bad |= !info->events || !info->cpus || !st->cpus_used || !t->time_unit;
	get_node_map(in, st);
	get_caches(in, st, t);
	get_sites(in, st);
	get_kinds(in, st, t);
	in->bad |= !in->bad && !counts_agree(st, t);
	get_notes(in, st);
	st->slabinfo_before = get_text(in);
	st->slabinfo_after = get_text(in);
	return in->bad ? -1 : 0;
}

/* ---- blocks ---- */

uint32_t slabtrace_checksum(const uint8_t *p, size_t n)
{
	return (uint32_t)crc32(crc32(0, NULL, 0), p, (uInt)n);
}

void slabtrace_put_block(uint8_t bytes[SLABTRACE_BLOCK_HEADER_SIZE],
			 const struct slabtrace_block *b)
{
	memset(bytes, 0, SLABTRACE_BLOCK_HEADER_SIZE);
	put_u32(bytes, b->size);
	put_u32(bytes + 4, b->events);
	put_u32(bytes + 8, b->frees);
	put_u32(bytes + 12, b->wide);
	put_u32(bytes + 16, b->late);
	put_u32(bytes + 20, b->after);
	bytes[24] = b->id_bytes;
	put_u64(bytes + 28, b->first);
	put_u32(bytes + 36, slabtrace_checksum(bytes, 36));
}

bool slabtrace_get_block(const uint8_t bytes[SLABTRACE_BLOCK_HEADER_SIZE],
			 struct slabtrace_block *b)
{
	*b = (struct slabtrace_block){
	    .size = get_u32(bytes),
	    .events = get_u32(bytes + 4),
	    .frees = get_u32(bytes + 8),
	    .wide = get_u32(bytes + 12),
	    .late = get_u32(bytes + 16),
	    .after = get_u32(bytes + 20),
	    .id_bytes = bytes[24],
	    .first = get_u64(bytes + 28),
	};
	if (get_u32(bytes + 36) != slabtrace_checksum(bytes, 36))
		return false;
	if (!b->size)
		return !b->events;
	return b->size <= SLABTRACE_BLOCK_MAX && b->events && b->events <= SLABTRACE_BLOCK_EVENTS &&
	       b->frees <= b->events && b->wide <= b->events && b->late <= b->events &&
	       b->after <= b->events && b->id_bytes <= 4 && !b->frees == !b->id_bytes;
}
