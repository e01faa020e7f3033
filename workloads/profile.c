#include "workloads/profile.h"

#include "workloads/slabtrace-format.h"

/* Of a live object: how it began. */
struct birth {
	uint64_t event, time_ns;
	uint16_t cpu;
	bool known; /* else it is one from before the trace */
};

struct births {
	struct birth *birth; /* by object */
	uint32_t n;
};

static int no_memory(struct error *err)
{
	return error_memory(err, "the objects of a trace");
}

static struct birth *birth_of(struct births *b, uint32_t object)
{
	uint32_t n = b->n ? b->n : 64;
	struct birth *larger;

	if (object < b->n)
		return &b->birth[object];
	if (object >= UINT32_MAX / 4)
		return NULL;
	while (n <= object)
		n *= 2;
	larger = realloc(b->birth, n * sizeof(*larger));
	if (!larger)
		return NULL;
	memset(larger + b->n, 0, (n - b->n) * sizeof(*larger));
	b->birth = larger;
	b->n = n;
	return &b->birth[object];
}

static bool add_lifetime(struct histogram **h, uint64_t value)
{
	if (!*h)
		*h = calloc(1, sizeof(**h));
	if (*h)
		histogram_add(*h, value);
	return *h != NULL;
}

static bool end_life(struct profile *p, struct profile_cache *c, const struct birth *b,
		     const struct event *ev, uint64_t time_ns, bool times)
{
	c->frees++;
	c->live--;
	if (!b->known)
		return true;
	c->remote_frees += ev->cpu != b->cpu;
	if (!add_lifetime(&c->lifetime_events, p->events - b->event))
		return false;
	return !times ||
	       add_lifetime(&c->lifetime_ns, time_ns > b->time_ns ? time_ns - b->time_ns : 0);
}

static bool add_event(struct profile *p, struct births *births, const struct event *ev,
		      uint64_t time_ns, bool times)
{
	struct profile_cache *c = &p->caches[ev->cache];
	struct birth *b;

	p->of_cpu[ev->cpu]++;
	if (ev->op == EV_SHRINK) {
		c->shrinks++;
		return true;
	}
	b = birth_of(&births[ev->cache], ev->object);
	if (!b)
		return false;
	if (slabtrace_frees(ev->op))
		return end_life(p, c, b, ev, time_ns, times);
	*b = (struct birth){p->events, time_ns, ev->cpu, ev->op != EV_ADOPT};
	c->allocs += ev->op != EV_ADOPT;
	c->adopted += ev->op == EV_ADOPT;
	c->may_block += ev->op != EV_ADOPT && ev->flags & EVF_MAY_BLOCK;
	if (++c->live > c->peak)
		c->peak = c->live;
	return true;
}

static int read_all(struct profile *p, struct stream *st, struct births *births, struct error *err)
{
	struct stream_batch b;
	int more;

	if (st->ops->rewind(st, err))
		return -1;
	while ((more = st->ops->next(st, &b, err)) > 0) {
		for (size_t i = 0; i < b.n; i++, p->events++) {
			uint64_t time_ns = b.time_ns ? b.time_ns[i] : 0;

			if (!p->events || time_ns < p->first_ns)
				p->first_ns = time_ns;
			if (time_ns > p->last_ns)
				p->last_ns = time_ns;
			if (!add_event(p, births, &b.events[i], time_ns, b.time_ns != NULL))
				return no_memory(err);
		}
	}
	return more;
}

int profile_make(struct profile *p, struct stream *st, struct error *err)
{
	unsigned n = st->info.nr_caches;
	struct births *births = calloc((size_t)n + 1, sizeof(*births));
	int ret;

	*p = (struct profile){.nr_caches = n};
	p->caches = calloc((size_t)n + 1, sizeof(*p->caches));
	ret = p->caches && births ? read_all(p, st, births, err) : no_memory(err);
	for (unsigned i = 0; births && i < n; i++)
		free(births[i].birth);
	free(births);
	return ret;
}

void profile_free(struct profile *p)
{
	for (unsigned i = 0; i < p->nr_caches && p->caches; i++) {
		free(p->caches[i].lifetime_events);
		free(p->caches[i].lifetime_ns);
	}
	free(p->caches);
	p->caches = NULL;
}
