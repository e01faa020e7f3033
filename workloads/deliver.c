#include "workloads/deliver_internal.h"

static bool has_adopted(const struct stream *st)
{
	for (unsigned i = 0; i < st->info.nr_caches; i++)
		if (st->info.caches[i].adopted)
			return true;
	return false;
}

static bool can_reorder(const struct stream *st, const struct trace_options *opt)
{
	return st->info.has_times && !st->in_order && opt->reorder_ns >= 0;
}

static bool must_match(const struct stream *st, const struct trace_options *opt)
{
	return st->names_settled && st->nr_sites && opt->nr_match;
}

bool deliver_needed(const struct stream *st, const struct trace_options *opt)
{
	return can_reorder(st, opt) || must_match(st, opt) || (!opt->adopt && has_adopted(st));
}

/* ---- events ---- */

static inline void put(struct deliver *d, const struct event *ev, uint64_t time_ns, uint32_t site)
{
	if (d->keep_sites)
		d->sites[d->n] = site;
	d->out[d->n] = *ev;
	d->times[d->n++] = time_ns;
}

static void put_free(struct deliver *d, const struct event *ev, uint64_t time_ns)
{
	put(d, ev, time_ns, 0);
	id_pool_put(&d->pool[ev->cache], ev->object);
}

static void put_adopt(struct deliver *d, const struct event *free_event, uint64_t time_ns)
{
	struct event ev = *free_event;

	ev.op = EV_ADOPT;
	put(d, &ev, time_ns, 0);
}

static void let_go(void *arg, const struct held *held)
{
	struct deliver *d = arg;

	if (held->ev.object == ID_NONE)
		return;
	if (held->adopts)
		put_adopt(d, &held->ev, held->time_ns);
	put_free(d, &held->ev, held->time_ns);
}

static bool grow_lane(struct deliver *d, struct lane *lane, uint32_t id)
{
	uint32_t cap = lane->cap ? lane->cap : 64, *larger;
	uint16_t *in;

	if (id >= UINT32_MAX / 2)
		return false;
	while (cap <= id)
		cap *= 2;
	larger = realloc(lane->id_of, cap * sizeof(*larger));
	if (!larger)
		return false;
	lane->id_of = larger;
	if (d->nr_match) {
		in = realloc(lane->in, cap * sizeof(*in));
		if (!in)
			return false;
		lane->in = in;
	}
	lane->cap = cap;
	return true;
}

static uint16_t cache_of(const struct deliver *d, const struct event *ev, uint32_t site)
{
	int match = d->nr_match ? deliver_find_match(d, ev, site) : -1;

	return match < 0 ? d->lane[ev->cache].cache
			 : (uint16_t)deliver_find_cache(d, d->match[match].name);
}

static bool begin_object(struct deliver *d, struct event *ev, uint32_t site, bool left_out)
{
	struct lane *lane = &d->lane[ev->cache];
	uint16_t cache = left_out ? 0 : cache_of(d, ev, site);
	uint32_t old = ev->object;

	if (old >= lane->cap && !grow_lane(d, lane, old))
		return false;
	ev->object = ID_NONE;
	if (!left_out) {
		ev->object = id_pool_get(&d->pool[cache]);
		if (ev->object == ID_NONE)
			return false;
	}
	lane->id_of[old] = ev->object;
	if (lane->in)
		lane->in[old] = cache;
	ev->cache = cache;
	return true;
}

static void end_object(struct deliver *d, struct event *ev, uint64_t time_ns)
{
	struct lane *lane = &d->lane[ev->cache];
	uint32_t old = ev->object;
	bool adopts = d->adopting;

	d->adopting = false;
	ev->object = lane->id_of[old];
	ev->cache = lane->in ? lane->in[old] : lane->cache;
	/* One that is left out waits, too: what goes before it must not depend on that. */
	if (d->reorder && (ev->op == EV_FREE || ev->op == EV_FREE_RCU)) {
		struct held held = {
		    .ev = *ev, .adopts = adopts, .time_ns = time_ns, .number = d->number};

		reorder_hold(d->reorder, &held);
		return;
	}
	if (ev->object == ID_NONE)
		return;
	if (adopts)
		put_adopt(d, ev, time_ns);
	put_free(d, ev, time_ns);
}

/* Held frees that must not come after an event of this CPU. */
static void free_first(struct deliver *d, const struct event *ev, uint16_t after)
{
	if (reorder_is_empty(d->reorder))
		return;
	reorder_cpu(d->reorder, ev->cpu, let_go, d);
	if (after)
		reorder_after(d->reorder, d->number - after, let_go, d);
}

static bool take(struct deliver *d, size_t i)
{
	struct event ev = d->in.events[i];
	uint64_t time_ns = d->in.time_ns ? d->in.time_ns[i] : 0;
	uint32_t site;

	if (d->reorder)
		reorder_clock(d->reorder, time_ns, let_go, d);
	switch (ev.op) {
	case EV_ALLOC:
	case EV_ALLOC_BULK:
		if (d->reorder)
			free_first(d, &ev, d->in.after ? d->in.after[i] : AFTER_NONE);
		site = d->in.site ? d->in.site[i] : 0;
		if (!begin_object(d, &ev, site, false))
			return false;
		put(d, &ev, time_ns, site);
		return true;
	case EV_ADOPT:
		d->adopting = !d->leave_out;
		return begin_object(d, &ev, 0, d->leave_out);
	case EV_SHRINK:
		if (d->reorder)
			free_first(d, &ev, AFTER_NONE);
		ev.cache = d->lane[ev.cache].cache;
		put(d, &ev, time_ns, 0);
		return true;
	default:
		end_object(d, &ev, time_ns);
		return true;
	}
}

/* How far a free looks ahead for what lets it go. */
#define LOOK_AHEAD 16

/*
 * Nothing is held: would this free be let go before anything else is delivered? So it is when the
 * frees that follow it are its own CPU's, up to an event that comes after all of them.
 */
static inline bool goes_at_once(const struct deliver *d, size_t i)
{
	const struct event *ev = d->in.events;
	const uint64_t *time_ns = d->in.time_ns, window = d->reorder->window_ns;
	size_t end = d->in.n - i > LOOK_AHEAD ? i + LOOK_AHEAD : d->in.n;
	uint64_t latest;

	if (!time_ns)
		return false;
	latest = time_ns[i];
	for (size_t j = i + 1; j < end; j++) {
		if (latest + window < time_ns[j])
			return true;
		if (ev[j].cpu != ev[i].cpu)
			return false;
		if (ev[j].op != EV_FREE)
			return ev[j].op == EV_ALLOC;
		latest = time_ns[j] > latest ? time_ns[j] : latest;
	}
	return false;
}

/*
 * Plain allocations and frees that need not wait, from number i of the batch on: the first event
 * that take() must look at. It gives what take() would give.
 */
static size_t take_plain(struct deliver *d, size_t i, size_t end)
{
	size_t n = d->n;

	for (; i < end; i++) {
		const struct event *ev = &d->in.events[i];
		struct lane *lane = &d->lane[ev->cache];
		uint32_t id;

		if (ev->object >= lane->cap)
			break;
		if (ev->op == EV_ALLOC) {
			id = id_pool_get(lane->pool);
			if (id == ID_NONE)
				break;
			lane->id_of[ev->object] = id;
		} else if (ev->op == EV_FREE && (!d->reorder || goes_at_once(d, i))) {
			id = lane->id_of[ev->object];
			if (id == ID_NONE)
				continue;
			id_pool_put(lane->pool, id);
		} else {
			break;
		}
		d->out[n] = *ev;
		d->out[n].object = id;
		d->out[n].cache = lane->cache;
		d->times[n++] = d->in.time_ns ? d->in.time_ns[i] : 0;
	}
	d->n = n;
	return i;
}

static inline bool may_take_plain(const struct deliver *d)
{
	return !d->nr_match && !d->keep_sites && !d->adopting &&
	       (!d->reorder || reorder_is_empty(d->reorder));
}

/* The events of the batch up to number end. */
static bool take_all(struct deliver *d, size_t end)
{
	size_t i = d->next;

	while (i < end) {
		if (may_take_plain(d)) {
			i = take_plain(d, i, end);
			d->number += i - d->next;
			d->next = i;
			if (i == end)
				break;
		}
		if (!take(d, i))
			return false;
		d->next = ++i;
		d->number++;
	}
	return true;
}

/* Get more events of the stream, or let go what is still held. */
static int refill(struct deliver *d, struct error *err)
{
	int more = d->st->ops->next(d->st, &d->in, err);

	d->next = 0;
	if (more > 0)
		return 0;
	d->in = (struct stream_batch){0};
	d->at_end = true;
	if (d->reorder && !more)
		reorder_finish(d->reorder, let_go, d);
	return more;
}

int deliver_next(struct deliver *d, struct batch *batch, struct error *err)
{
	size_t end;

	d->n = 0;
	while (!d->n && !d->at_end) {
		if (d->next == d->in.n && refill(d, err))
			return -1;
		end = d->in.n - d->next > PORTION ? d->next + PORTION : d->in.n;
		if (!take_all(d, end))
			return error_memory(err, "the objects of a trace");
	}
	if (!d->n)
		return 0;
	d->delivered += d->n;
	if (d->delivered > d->info.events)
		return error_input(err, "the trace has more events than its header says");
	*batch = (struct batch){d->out, d->info.has_times ? d->times : NULL, d->n};
	return 1;
}

int deliver_rewind(struct deliver *d, struct error *err)
{
	for (unsigned i = 0; i < d->info.nr_caches; i++)
		id_pool_reset(&d->pool[i]);
	if (d->reorder)
		reorder_reset(d->reorder);
	d->in = (struct stream_batch){0};
	d->next = 0;
	d->number = d->delivered = 0;
	d->at_end = d->adopting = false;
	return d->st->ops->rewind(d->st, err);
}

void deliver_want_sites(struct deliver *d)
{
	d->keep_sites = true;
	d->st->wants |= STREAM_SITES;
}

const uint32_t *deliver_sites(const struct deliver *d)
{
	return d->sites;
}

const struct source_info *deliver_info(const struct deliver *d)
{
	return &d->info;
}

static int make_pools(struct deliver *d)
{
	d->pool = calloc((size_t)d->info.nr_caches + 1, sizeof(*d->pool));
	if (!d->pool)
		return -1;
	for (unsigned i = 0; i < d->info.nr_caches; i++)
		id_pool_init(&d->pool[i]);
	for (unsigned i = 0; i < d->st->info.nr_caches; i++)
		d->lane[i].pool = &d->pool[d->lane[i].cache];
	return 0;
}

static int set_up(struct deliver *d, const struct trace_options *opt, struct error *err)
{
	struct stream *st = d->st;

	d->leave_out = !opt->adopt && has_adopted(st);
	d->nr_match = must_match(st, opt) ? opt->nr_match : 0;
	if (can_reorder(st, opt)) {
		d->reorder = malloc(sizeof(*d->reorder));
		if (!d->reorder ||
		    reorder_init(d->reorder, st->info.cpus, (uint64_t)opt->reorder_ns))
			return error_memory(err, "a trace");
	}
	st->wants |= (d->reorder ? STREAM_AFTER : 0) | (d->nr_match ? STREAM_SITES : 0);
	if (deliver_take_caches(d))
		return error_memory(err, "the caches of a trace");
	if (d->nr_match && deliver_add_matches(d, opt, err))
		return -1;
	if (make_pools(d))
		return error_memory(err, "the caches of a trace");
	if (d->leave_out) {
		st->notes[NOTE_FREE_OF_EARLIER_OBJECT] = st->notes[NOTE_ADOPTED];
		st->notes[NOTE_ADOPTED] = 0;
	}
	return d->nr_match ? deliver_count_matches(d, err) : 0;
}

void deliver_free(struct deliver *d)
{
	if (!d)
		return;
	for (unsigned i = 0; i < d->info.nr_caches; i++) {
		free(d->info.caches[i].name);
		if (d->pool)
			id_pool_free(&d->pool[i]);
	}
	for (unsigned i = 0; i < d->st->info.nr_caches && d->lane; i++) {
		free(d->lane[i].id_of);
		free(d->lane[i].in);
	}
	if (d->reorder)
		reorder_free(d->reorder);
	free(d->reorder);
	for (unsigned i = 0; i < d->nr_match && d->match; i++) {
		free((char *)d->match[i].call_site);
		free((char *)d->match[i].name);
	}
	free(d->match);
	free(d->site_matches);
	free(d->info.caches);
	free(d->lane);
	free(d->pool);
	free(d);
}

struct deliver *deliver_new(struct stream *st, const struct trace_options *opt, struct error *err)
{
	struct deliver *d = calloc(1, sizeof(*d));

	if (!d) {
		error_memory(err, "a trace");
		return NULL;
	}
	d->st = st;
	if (set_up(d, opt, err)) {
		deliver_free(d);
		return NULL;
	}
	return d;
}
