/*
 * .slabtrace files as a stream: block by block, each checked before its events are used, and
 * every free checked against what lives.
 */
#include <errno.h>
#include <unistd.h>

#include "workloads/slabtrace-read.h"

/* ---- the file ---- */

static const char no_memory[] = "there is no memory for its objects";
static const char *const bad_free = "it frees an object that does not live";
static const char *const bad_adoption = "an object from before the trace is not freed at once";

int slabtrace_read_at(const struct slabtrace *s, void *buf, size_t n, uint64_t at,
		      struct error *err)
{
	char *p = buf;
	ssize_t got;

	while (n) {
		got = pread(s->fd, p, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_failed(err, "%s: cannot read: %s", s->name, strerror(errno));
		if (got == 0)
			return 0;
		p += got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	return 1;
}

/* How much of it is sound is known when what was before has been read, too. */
static int damaged(const struct slabtrace *s, const char *what, struct error *err)
{
	char sound[64] = "What is sound before it is";

	if (!s->headers_only)
		snprintf(sound, sizeof(sound), "The %llu events before it are sound, and",
			 (unsigned long long)s->block.first);
	if (!s->block.first)
		return error_input(err,
				   "%s: its first block is damaged: %s. Nothing of it can be used",
				   s->name, what);
	return error_input(err,
			   "%s: block %llu is damaged: %s. %s taken with replay.salvage: true, "
			   "or with slabsim trace convert --salvage",
			   s->name, (unsigned long long)s->blocks + 1, what, sound);
}

int slabtrace_next_header(struct slabtrace *s, struct error *err)
{
	uint64_t expected = s->block.first + s->block.events;
	uint8_t bytes[SLABTRACE_BLOCK_HEADER_SIZE];
	struct slabtrace_block b = {0};
	int got = slabtrace_read_at(s, bytes, sizeof(bytes), s->at, err);
	const char *what = NULL;

	if (got < 0)
		return -1;
	s->block = (struct slabtrace_block){.first = expected};
	if (!got)
		what = "the file ends before it does";
	else if (!slabtrace_get_block(bytes, &b))
		what = "its own header is wrong";
	else if (b.first != expected)
		what = "it does not follow the block before";
	else if (b.events > s->st.info.events - expected ||
		 (!b.size && expected != s->st.info.events))
		what = "there are not as many events as the file's header says";
	if (what)
		return damaged(s, what, err);
	s->block = b;
	return 0;
}

void slabtrace_skip_block(struct slabtrace *s)
{
	s->at += SLABTRACE_BLOCK_HEADER_SIZE + (uint64_t)s->block.size;
	s->blocks++;
}

/* The next block, unpacked: 1; 0 at the end; -1 and err. */
static int next_block(struct slabtrace *s, struct error *err)
{
	const char *what;
	int got;

	if (slabtrace_next_header(s, err))
		return -1;
	if (!s->block.size)
		return 0;
	got = slabtrace_read_at(s, s->c.packed, s->block.size, s->at + SLABTRACE_BLOCK_HEADER_SIZE,
				err);
	if (got < 0)
		return -1;
	what = got ? slabtrace_unpack(&s->c, &s->block, s->st.info.has_times)
		   : "the file ends before it does";
	if (what)
		return damaged(s, what, err);
	slabtrace_skip_block(s);
	s->next = s->next_wide = s->next_free = s->next_late = s->next_after = 0;
	s->time_ns = s->tables.first_time_ns;
	return 1;
}

/* ---- events ---- */

/* Shrinks, adoptions, and what should not be: NULL, or what is wrong. */
static const char *rare_event(struct slabtrace *s, struct event *ev)
{
	if (ev->op == EV_SHRINK)
		return NULL;
	if (ev->op != EV_ADOPT)
		return "it has events of a kind that is not in the table";
	if (++s->adopted[ev->cache] > s->st.info.caches[ev->cache].adopted)
		return "it has more objects from before the trace than the file's header says";
	ev->object = id_pool_get(&s->pool[ev->cache]);
	s->adoption = *ev;
	return ev->object == ID_NONE ? no_memory : NULL;
}

/* An adoption's free must come next, of the same cache, CPU and object. */
static bool is_its_free(const struct event *adoption, const struct event *ev)
{
	return slabtrace_frees(ev->op) && ev->cache == adoption->cache &&
	       ev->cpu == adoption->cpu && ev->object == adoption->object;
}

static const struct slabtrace_template *wide_kind(struct slabtrace *s)
{
	uint32_t kind = UINT32_MAX;

	if (s->next_wide < s->block.wide)
		kind = get_u32(s->c.wide + 4 * s->next_wide++);
	return kind < s->tables.nr_kinds && SLABTRACE_WIDE + kind < s->tables.nr_kinds
		   ? &s->kind[SLABTRACE_WIDE + kind]
		   : s->no_kind;
}

/* The id of the freed object, behind next of the block's others. */
static inline uint32_t decode_id(const struct slabtrace *s, uint32_t next)
{
	uint32_t id = s->c.id[0][next] | (uint32_t)s->c.id[1][next] << 8;

	if (s->block.id_bytes > 2)
		id |= (uint32_t)s->c.id[2][next] << 16 | (uint32_t)s->c.id[3][next] << 24;
	return id;
}

/* n events of the block at hand. NULL, or what is wrong with them. */
static const char *decode_events(struct slabtrace *s, size_t n)
{
	const uint8_t *kinds = s->c.kind + s->next, *cpus = s->c.cpu + s->next * s->c.cpu_bytes;
	const struct slabtrace_template *t;
	uint32_t next_free = s->next_free;
	bool wide_cpus = s->c.cpu_bytes == 2, adopting = s->adopting;
	unsigned most = 0;
	const char *wrong;

	for (size_t i = 0; i < n; i++) {
		struct event *ev = &s->events[i];

		t = kinds[i] == SLABTRACE_WIDE ? wide_kind(s) : &s->kind[kinds[i]];
		*ev = t->ev;
		ev->cpu = wide_cpus ? get_u16(cpus + 2 * i) : cpus[i];
		most = ev->cpu > most ? ev->cpu : most;
		if (t->action == ACTION_ALLOCATES) {
			if (adopting)
				return bad_adoption;
			ev->object = id_pool_get(t->pool);
			if (ev->object == ID_NONE)
				return no_memory;
		} else if (t->action == ACTION_FREES) {
			ev->object = decode_id(s, next_free++);
			if (!id_pool_is_live(t->pool, ev->object))
				return bad_free;
			id_pool_put(t->pool, ev->object);
			if (adopting && !is_its_free(&s->adoption, ev))
				return bad_adoption;
			adopting = false;
		} else {
			wrong = adopting ? bad_adoption : rare_event(s, ev);
			if (wrong)
				return wrong;
			adopting = ev->op == EV_ADOPT;
		}
	}
	s->next_free = next_free;
	s->adopting = adopting;
	return most < s->st.cpus_used ? NULL : "it has events of a CPU that does not exist";
}

static const char *decode_times(struct slabtrace *s, size_t n)
{
	const uint8_t *low = s->c.time_low + s->next, *high = s->c.time_high + s->next;
	uint64_t time_ns = s->time_ns, unit = s->tables.time_unit;

	for (size_t i = 0; i < n; i++) {
		uint64_t code = low[i] | (uint64_t)high[i] << 8;

		if (code >= SLABTRACE_LATE) {
			if (s->next_late == s->block.late)
				return "its times do not fit its events";
			code = get_u64(s->c.late + 8 * (size_t)s->next_late++);
		}
		/* An odd one goes back. */
		time_ns += ((code >> 1) ^ -(code & 1)) * unit;
		s->times[i] = time_ns;
	}
	s->time_ns = time_ns;
	return NULL;
}

/* The block's end: everything in it must have been used. */
static const char *check_end(const struct slabtrace *s)
{
	if (s->next_free != s->block.frees)
		return "it has not as many frees as it says";
	if (s->next_wide != s->block.wide || s->next_late != s->block.late)
		return "it has not as many events as it says";
	return s->adopting ? bad_adoption : NULL;
}

/* The file's end: the header must have told the truth about what a replay relies on. */
static const char *check_adopted(const struct slabtrace *s)
{
	for (unsigned i = 0; i < s->st.info.nr_caches; i++)
		if (s->adopted[i] != s->st.info.caches[i].adopted)
			return "there are fewer objects from before the trace than the file's "
			       "header says";
	return NULL;
}

static const char *decode(struct slabtrace *s, size_t n)
{
	const char *wrong = decode_events(s, n);

	if (!wrong && s->st.info.has_times)
		wrong = decode_times(s, n);
	if (!wrong && s->next + n == s->block.events)
		wrong = check_end(s);
	if (!wrong && !s->salvaged && s->delivered + n == s->limit)
		wrong = check_adopted(s);
	return wrong;
}

static void decode_sites(struct slabtrace *s, size_t n)
{
	const uint8_t *kinds = s->c.kind + s->next;
	uint32_t wide = s->next_wide;

	/* From the end: next_wide is behind the portion already, and all kinds are known. */
	for (size_t i = n; i-- > 0;) {
		uint32_t kind = kinds[i];

		if (kind == SLABTRACE_WIDE)
			kind += get_u32(s->c.wide + 4 * --wide);
		s->sites[i] = s->kind[kind].site;
	}
}

/* True: the portion has some. */
static bool decode_after(struct slabtrace *s, size_t n)
{
	uint32_t end = s->next + (uint32_t)n, i = s->next_after;
	const uint8_t *after = s->c.after;

	if (i == s->block.after || get_u16(after + 4 * i) >= end)
		return false;
	memset(s->after, 0, n * sizeof(*s->after));
	for (; i < s->block.after && get_u16(after + 4 * i) < end; i++)
		s->after[get_u16(after + 4 * i) - s->next] = get_u16(after + 4 * i + 2);
	s->next_after = i;
	return true;
}

static int slabtrace_next(struct stream *st, struct stream_batch *batch, struct error *err)
{
	struct slabtrace *s = (struct slabtrace *)st;
	const char *wrong;
	size_t n;
	int more;

	if (s->delivered == s->limit)
		return 0;
	if (s->next == s->block.events) {
		more = next_block(s, err);
		if (more <= 0)
			return more;
	}
	n = s->block.events - s->next < SLABTRACE_BATCH ? s->block.events - s->next
							: SLABTRACE_BATCH;
	wrong = decode(s, n);
	if (wrong) {
		s->blocks--;
		return damaged(s, wrong, err);
	}
	*batch = (struct stream_batch){.events = s->events, .n = n};
	if (st->info.has_times)
		batch->time_ns = s->times;
	if (st->wants & STREAM_SITES) {
		decode_sites(s, n);
		batch->site = s->sites;
	}
	if (st->wants & STREAM_AFTER && s->block.after && decode_after(s, n))
		batch->after = s->after;
	s->next += (uint32_t)n;
	s->delivered += n;
	return 1;
}

static int slabtrace_rewind(struct stream *st, struct error *err)
{
	struct slabtrace *s = (struct slabtrace *)st;

	(void)err;
	s->block = (struct slabtrace_block){0};
	s->at = s->data;
	s->blocks = s->delivered = 0;
	s->next = 0;
	s->adopting = false;
	for (unsigned i = 0; i < st->info.nr_caches; i++) {
		id_pool_reset(&s->pool[i]);
		s->adopted[i] = 0;
	}
	return 0;
}

static void slabtrace_close(struct stream *st)
{
	struct slabtrace *s = (struct slabtrace *)st;

	for (unsigned i = 0; i < st->info.nr_caches && s->pool; i++)
		id_pool_free(&s->pool[i]);
	slabtrace_columns_free(&s->c);
	free(s->tables.kinds);
	free(s->tables.counts);
	free(s->kind);
	free(s->pool);
	free(s->adopted);
	free(s->name);
	if (s->fd >= 0)
		close(s->fd);
	stream_release(st);
	free(s);
}

const struct stream_ops slabtrace_ops = {
    .next = slabtrace_next,
    .rewind = slabtrace_rewind,
    .close = slabtrace_close,
};
