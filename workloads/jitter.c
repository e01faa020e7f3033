#include "workloads/jitter.h"

#include <gsl/gsl_rng.h>

#include "workloads/renumber.h"

#define MOST_OUT 1024
/* Times that no clock shows are cut, so that later ones can be told. */
#define LATEST (UINT64_MAX >> 1)

/* Events wait in a heap, the earliest on top. */
struct waiting {
	uint64_t time_ns; /* the new one */
	uint64_t number;  /* in the stream: of equals the first comes first */
	struct event ev;
	uint32_t site;
	bool adopts; /* EV_ADOPT goes before it */
};

struct jitter {
	struct stream st;
	struct stream *inner;
	gsl_rng *rng;
	uint64_t window_ns, seed;

	struct stream_batch in;
	size_t next;	 /* of in */
	uint64_t number; /* of that event in the stream */
	uint64_t clock;	 /* the latest time seen: none that comes will be earlier */
	bool adopting, at_end;

	struct waiting *heap;
	size_t n, cap;
	uint64_t delivered_ns; /* the last event's that was delivered */

	/* New times of what an event must not overtake: */
	uint64_t *of_cpu;		    /* its CPU's last event, */
	uint64_t of_number[AFTER_MAX + 1u]; /* the free of its address, by number, */
	struct made {
		uint64_t *time_ns; /* and its object's allocation, by new id */
		uint32_t cap;
	} * made;	     /* by cache */
	struct renumber ids; /* an id is free again when its free was delivered */

	struct event out[MOST_OUT];
	uint64_t times[MOST_OUT];
	uint32_t sites[MOST_OUT];
	size_t nr_out;
};

/* ---- the heap ---- */

static inline bool earlier(const struct waiting *a, const struct waiting *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->number < b->number;
}

static bool heap_push(struct jitter *j, const struct waiting *w)
{
	size_t i = j->n;

	if (j->n == j->cap) {
		size_t cap = j->cap ? 2 * j->cap : 1024;
		struct waiting *larger = reallocarray(j->heap, cap, sizeof(*larger));

		if (!larger)
			return false;
		j->heap = larger;
		j->cap = cap;
	}
	for (j->n++; i && earlier(w, &j->heap[(i - 1) / 2]); i = (i - 1) / 2)
		j->heap[i] = j->heap[(i - 1) / 2];
	j->heap[i] = *w;
	return true;
}

static struct waiting heap_pop(struct jitter *j)
{
	struct waiting top = j->heap[0], last = j->heap[--j->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < j->n) {
		if (child + 1 < j->n && earlier(&j->heap[child + 1], &j->heap[child]))
			child++;
		if (!earlier(&j->heap[child], &last))
			break;
		j->heap[i] = j->heap[child];
		i = child;
	}
	j->heap[i] = last;
	return top;
}

/* ---- in ---- */

static inline void not_before(uint64_t *time_ns, uint64_t other)
{
	if (*time_ns < other)
		*time_ns = other;
}

static bool keep_time_made(struct made *m, uint32_t id, uint64_t time_ns)
{
	if (id >= m->cap) {
		uint32_t cap = m->cap ? m->cap : 64;
		uint64_t *larger;

		while (cap <= id)
			cap *= 2;
		larger = reallocarray(m->time_ns, cap, sizeof(*larger));
		if (!larger)
			return false;
		m->time_ns = larger;
		m->cap = cap;
	}
	m->time_ns[id] = time_ns;
	return true;
}

static uint64_t put_off(struct jitter *j, size_t i, uint64_t number)
{
	const struct event *ev = &j->in.events[i];
	uint16_t after = j->in.after ? j->in.after[i] : AFTER_NONE;
	uint64_t time_ns = j->in.time_ns[i] & LATEST;

	time_ns += gsl_rng_uniform_int(j->rng, j->window_ns);
	not_before(&time_ns, j->of_cpu[ev->cpu]);
	/* With the same time, an allocation would be taken as earlier than the free. */
	if (after != AFTER_NONE)
		not_before(&time_ns, j->of_number[(number - after) % (AFTER_MAX + 1u)] + 1);
	return time_ns;
}

/* False when out of memory. */
static bool begin_object(struct jitter *j, struct waiting *w)
{
	struct event *ev = &w->ev;

	ev->object = renumber_begin(&j->ids, ev->cache, ev->object);
	return ev->object != ID_NONE && keep_time_made(&j->made[ev->cache], ev->object, w->time_ns);
}

static void end_object(struct jitter *j, struct waiting *w)
{
	struct event *ev = &w->ev;
	uint32_t *id = &j->ids.lane[ev->cache].id_of[ev->object];

	ev->object = *id;
	*id = ID_NONE;
	not_before(&w->time_ns, j->made[ev->cache].time_ns[ev->object] + 1);
}

static int take(struct jitter *j, size_t i, struct error *err)
{
	struct waiting w = {.number = j->number++, .ev = j->in.events[i], .adopts = j->adopting};
	bool done = true;

	w.time_ns = put_off(j, i, w.number);
	w.site = j->in.site ? j->in.site[i] : 0;
	j->adopting = w.ev.op == EV_ADOPT;
	if (w.ev.op == EV_FREE)
		end_object(j, &w);
	else if (w.ev.op == EV_ALLOC || w.ev.op == EV_ADOPT)
		done = begin_object(j, &w);
	else
		return error_input(err, "workload.jitter_ns is for recorded traces, which have no "
					"bulk calls");
	not_before(&w.time_ns, j->delivered_ns);
	j->of_number[w.number % (AFTER_MAX + 1u)] = w.time_ns;
	/* It goes with its free, which is the next event. */
	if (done && !j->adopting) {
		j->of_cpu[w.ev.cpu] = w.time_ns;
		done = heap_push(j, &w);
	}
	return done ? 0 : error_memory(err, "the events of a trace");
}

static int refill(struct jitter *j, struct error *err)
{
	int more;

	j->next = 0;
	j->in.n = 0;
	more = j->inner->ops->next(j->inner, &j->in, err);
	if (more)
		return more < 0 ? -1 : 0;
	j->at_end = true;
	return 0;
}

/* ---- out ---- */

static void put(struct jitter *j, const struct waiting *w, uint8_t op)
{
	j->out[j->nr_out] = w->ev;
	j->out[j->nr_out].op = op;
	j->times[j->nr_out] = w->time_ns;
	j->sites[j->nr_out++] = w->site;
}

/* What no event to come can be before. */
static void deliver(struct jitter *j)
{
	while (j->n && j->nr_out + 2 <= MOST_OUT && (j->at_end || j->heap[0].time_ns < j->clock)) {
		struct waiting w = heap_pop(j);

		if (w.adopts)
			put(j, &w, EV_ADOPT);
		put(j, &w, w.ev.op);
		if (w.ev.op == EV_FREE)
			id_pool_put(&j->ids.pool[w.ev.cache], w.ev.object);
		j->delivered_ns = w.time_ns;
	}
}

static int jitter_next(struct stream *st, struct stream_batch *batch, struct error *err)
{
	struct jitter *j = (struct jitter *)st;

	j->nr_out = 0;
	for (;;) {
		deliver(j);
		if (j->nr_out || (j->at_end && !j->n))
			break;
		if (j->next == j->in.n && !j->at_end && refill(j, err))
			return -1;
		/* A portion at a time keeps the heap small. */
		for (unsigned i = 0; i < 64 && j->next < j->in.n; i++) {
			not_before(&j->clock, j->in.time_ns[j->next] & LATEST);
			if (take(j, j->next++, err))
				return -1;
		}
	}
	*batch = (struct stream_batch){
	    .events = j->out, .time_ns = j->times, .site = j->sites, .n = j->nr_out};
	return j->nr_out > 0;
}

static void reset(struct jitter *j)
{
	gsl_rng_set(j->rng, j->seed);
	renumber_reset(&j->ids);
	memset(j->of_cpu, 0, j->inner->info.cpus * sizeof(*j->of_cpu));
	j->in = (struct stream_batch){0};
	j->next = j->n = 0;
	j->number = j->clock = j->delivered_ns = 0;
	j->adopting = j->at_end = false;
}

static int jitter_rewind(struct stream *st, struct error *err)
{
	struct jitter *j = (struct jitter *)st;

	reset(j);
	return j->inner->ops->rewind(j->inner, err);
}

static void jitter_close(struct stream *st)
{
	struct jitter *j = (struct jitter *)st;

	for (unsigned i = 0; j->made && i < j->inner->info.nr_caches; i++)
		free(j->made[i].time_ns);
	free(j->made);
	free(j->of_cpu);
	free(j->heap);
	renumber_free(&j->ids);
	if (j->rng)
		gsl_rng_free(j->rng);
	stream_close(j->inner);
	free(j);
}

static const struct stream_ops jitter_ops = {
    .next = jitter_next,
    .rewind = jitter_rewind,
    .close = jitter_close,
};

struct stream *stream_jitter(struct stream *st, uint64_t window_ns, uint64_t seed,
			     struct error *err)
{
	struct jitter *j;

	if (!st->info.has_times || st->in_order) {
		error_input(err,
			    "workload.jitter_ns moves events by their times, but this trace %s: "
			    "leave it out",
			    st->in_order ? "is a list of operations in order" : "has none");
		stream_close(st);
		return NULL;
	}
	j = calloc(1, sizeof(*j));
	if (!j) {
		stream_close(st);
		error_memory(err, "a trace");
		return NULL;
	}
	j->inner = st;
	j->window_ns = window_ns;
	j->seed = seed;
	j->rng = gsl_rng_alloc(gsl_rng_taus2);
	j->of_cpu = calloc(st->info.cpus, sizeof(*j->of_cpu));
	j->made = calloc((size_t)st->info.nr_caches + 1, sizeof(*j->made));
	if (!j->rng || !j->of_cpu || !j->made ||
	    renumber_init(&j->ids, st->info.nr_caches, false)) {
		jitter_close(&j->st);
		error_memory(err, "a trace");
		return NULL;
	}
	st->wants |= STREAM_SITES | STREAM_AFTER;
	/* All but the events is the inner stream's, and stays it. */
	j->st = *st;
	j->st.ops = &jitter_ops;
	j->st.ids_settled = false;
	reset(j);
	return &j->st;
}
