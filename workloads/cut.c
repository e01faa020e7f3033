#include "workloads/cut.h"

#include "workloads/slabtrace-format.h"

#define BATCH 4096
/* Where the events of the last so many went: "after" reaches no further. */
#define TRAIL	 65536
#define LEFT_OUT UINT64_MAX

struct piece {
	struct stream st;
	struct stream *whole;
	struct cut cut;
	uint64_t first_time_ns;
	bool started;
	bool in_call;	  /* the event before, of the whole, has more of its bulk call behind it, */
	bool call_inside; /* which is inside as a whole, or not */
	uint16_t call_cache;
	uint64_t passed;  /* events that passed cut's filters */
	uint64_t number;  /* of the next event of the whole */
	uint64_t written; /* events of the piece */
	bool **live;	  /* by cache and object: allocated in the piece */
	uint32_t *nr_live;
	struct stream_batch in;
	size_t next;	    /* of in */
	size_t n;	    /* of the batch, */
	size_t n_delivered; /* and of those that were delivered */
	uint64_t trail[TRAIL];
	struct event events[BATCH + 1];
	uint64_t times[BATCH + 1];
	uint32_t sites[BATCH + 1];
	uint16_t after[BATCH + 1];
};

static bool is_inside(struct piece *p, const struct event *ev, uint64_t time_ns)
{
	const struct cut *cut = &p->cut;
	/* Times that go back a little behind the first event's count as that. */
	uint64_t since = time_ns > p->first_time_ns ? time_ns - p->first_time_ns : 0;

	if (p->st.info.has_times && (since < cut->from_ns || since >= cut->to_ns))
		return false;
	if ((cut->caches && !cut->caches[ev->cache]) || (cut->cpus && !cut->cpus[ev->cpu]))
		return false;
	p->passed++;
	return p->passed > cut->skip && p->passed - cut->skip <= cut->count;
}

/* A bulk call goes where its first object goes. */
static bool call_inside(struct piece *p, const struct event *ev, uint64_t time_ns)
{
	bool inside =
	    p->in_call && ev->cache == p->call_cache ? p->call_inside : is_inside(p, ev, time_ns);

	p->in_call = ev->flags & EVF_MORE;
	p->call_inside = inside;
	p->call_cache = ev->cache;
	return inside;
}

static bool *live_place(struct piece *p, const struct event *ev)
{
	uint32_t n = p->nr_live[ev->cache] ? p->nr_live[ev->cache] : 64;
	bool *larger;

	if (ev->object < p->nr_live[ev->cache])
		return &p->live[ev->cache][ev->object];
	if (ev->object >= UINT32_MAX / 4)
		return NULL;
	while (n <= ev->object)
		n *= 2;
	larger = realloc(p->live[ev->cache], n);
	if (!larger)
		return NULL;
	memset(larger + p->nr_live[ev->cache], 0, n - p->nr_live[ev->cache]);
	p->live[ev->cache] = larger;
	p->nr_live[ev->cache] = n;
	return &larger[ev->object];
}

static void put(struct piece *p, const struct event *ev, size_t i, uint8_t op, uint16_t after)
{
	struct event *last = p->n ? &p->events[p->n - 1] : NULL;

	/* A bulk call that something else has broken off. */
	if (last && last->flags & EVF_MORE && last->cache == ev->cache && last->op != op)
		last->flags &= (uint8_t)~EVF_MORE;
	p->events[p->n] = *ev;
	p->events[p->n].op = op;
	p->times[p->n] = p->in.time_ns ? p->in.time_ns[i] : 0;
	p->sites[p->n] = p->in.site ? p->in.site[i] : 0;
	p->after[p->n] = after;
	p->n++;
	p->written++;
}

/* The free of an object from outside: on its own, even if it was one of a bulk call's. */
static void put_adopted(struct piece *p, const struct event *ev, size_t i)
{
	struct event alone = *ev;

	alone.flags = 0;
	p->st.notes[NOTE_ADOPTED]++;
	put(p, &alone, i, EV_ADOPT, AFTER_NONE);
	put(p, &alone, i, ev->op == EV_FREE_BULK ? EV_FREE : ev->op, AFTER_NONE);
}

/* How far back the free is in the piece that is "after" back in the whole. */
static uint16_t new_after(const struct piece *p, uint16_t after)
{
	uint64_t to = after ? p->trail[(p->number - after) % TRAIL] : LEFT_OUT;

	return to == LEFT_OUT || p->written - to > AFTER_MAX ? AFTER_NONE
							     : (uint16_t)(p->written - to);
}

static bool take(struct piece *p, size_t i)
{
	const struct event *ev = &p->in.events[i];
	uint64_t *trail = &p->trail[p->number % TRAIL];
	bool *live, inside;

	*trail = LEFT_OUT;
	/* Its free says whether it is inside. */
	if (ev->op == EV_ADOPT)
		return true;
	inside = call_inside(p, ev, p->in.time_ns ? p->in.time_ns[i] : 0);
	if (ev->op == EV_SHRINK) {
		if (inside)
			put(p, ev, i, ev->op, AFTER_NONE);
		return true;
	}
	live = live_place(p, ev);
	if (!live)
		return false;
	if (slabtrace_allocates(ev->op)) {
		*live = inside;
		if (inside)
			put(p, ev, i, ev->op, new_after(p, p->in.after ? p->in.after[i] : 0));
		return true;
	}
	if (inside && !*live)
		put_adopted(p, ev, i);
	if (inside && *live)
		put(p, ev, i, ev->op, AFTER_NONE);
	if (inside)
		*trail = p->written - 1;
	*live = false;
	return true;
}

/* More of the whole: 1; 0 at its end; -1 and err. */
static int refill(struct piece *p, struct error *err)
{
	int more = p->whole->ops->next(p->whole, &p->in, err);

	p->next = 0;
	if (more <= 0)
		p->in.n = 0;
	if (more > 0 && !p->started && p->in.time_ns)
		p->first_time_ns = p->in.time_ns[0];
	p->started |= more > 0;
	return more;
}

/* The last event waits for the next batch when it may have to be changed still. */
static void begin_batch(struct piece *p)
{
	size_t last = p->n_delivered;

	p->n = p->n > last;
	if (!p->n)
		return;
	p->events[0] = p->events[last];
	p->times[0] = p->times[last];
	p->sites[0] = p->sites[last];
	p->after[0] = p->after[last];
}

static int piece_next(struct stream *st, struct stream_batch *batch, struct error *err)
{
	struct piece *p = (struct piece *)st;
	int more = 1;

	begin_batch(p);
	while (p->n < BATCH - 1) {
		if (p->next == p->in.n) {
			more = refill(p, err);
			if (more < 0)
				return -1;
			if (!more)
				break;
		}
		if (!take(p, p->next))
			return error_memory(err, "the objects of a trace");
		p->next++;
		p->number++;
	}
	if (!more && p->n)
		p->events[p->n - 1].flags &= (uint8_t)~EVF_MORE;
	p->n_delivered = p->n;
	if (p->n && p->events[p->n - 1].flags & EVF_MORE)
		p->n_delivered--;
	*batch = (struct stream_batch){.events = p->events,
				       .time_ns = st->info.has_times ? p->times : NULL,
				       .site = p->sites,
				       .after = p->after,
				       .n = p->n_delivered};
	return p->n_delivered > 0;
}

static int piece_rewind(struct stream *st, struct error *err)
{
	struct piece *p = (struct piece *)st;

	for (unsigned i = 0; i < st->info.nr_caches; i++)
		if (p->nr_live[i])
			memset(p->live[i], 0, p->nr_live[i]);
	st->notes[NOTE_ADOPTED] = 0;
	p->in = (struct stream_batch){0};
	p->next = p->n = p->n_delivered = 0;
	p->in_call = false;
	p->passed = p->number = p->written = 0;
	p->whole->wants |= STREAM_SITES | STREAM_AFTER;
	return p->whole->ops->rewind(p->whole, err);
}

static void piece_close(struct stream *st)
{
	struct piece *p = (struct piece *)st;

	for (unsigned i = 0; i < st->info.nr_caches && p->live; i++)
		free(p->live[i]);
	free(p->live);
	free(p->nr_live);
	free(p);
}

static const struct stream_ops piece_ops = {
    .next = piece_next,
    .rewind = piece_rewind,
    .close = piece_close,
};

struct stream *stream_cut(struct stream *st, const struct cut *cut, struct error *err)
{
	struct piece *p = calloc(1, sizeof(*p));

	if (p) {
		/* All but the events is the whole's, and stays it. */
		p->st = *st;
		p->st.ops = &piece_ops;
		p->st.ids_settled = false;
		p->whole = st;
		p->cut = *cut;
		p->live = calloc((size_t)st->info.nr_caches + 1, sizeof(*p->live));
		p->nr_live = calloc((size_t)st->info.nr_caches + 1, sizeof(*p->nr_live));
	}
	if (!p || !p->live || !p->nr_live) {
		if (p)
			piece_close(&p->st);
		error_memory(err, "a trace");
		return NULL;
	}
	/* What befell the whole need not have befallen the piece, but for what is missing. */
	memset(p->st.notes, 0, sizeof(p->st.notes));
	p->st.notes[NOTE_LOST_EVENTS] = st->notes[NOTE_LOST_EVENTS];
	p->st.notes[NOTE_OVERWRITTEN] = st->notes[NOTE_OVERWRITTEN];
	if (piece_rewind(&p->st, err)) {
		piece_close(&p->st);
		return NULL;
	}
	return &p->st;
}
