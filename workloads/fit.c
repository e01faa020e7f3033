#include "workloads/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_WITHOUT_TIMES 1000
#define NO_BURST	 UINT32_MAX

struct fit_object {
	uint64_t born; /* ns */
	uint32_t burst, place;
	uint16_t cpu;
	uint8_t window; /* in which its burst began */
	bool live;
};

/* A CPU's dealings with a cache. */
struct fit_stream {
	uint64_t last;	/* its last allocation, ns */
	uint64_t begun; /* its last burst */
	uint32_t burst, length;
	uint32_t freed_burst, freed_place; /* what it freed last */
	bool any, freed;		   /* it has allocated; and freed since */
	uint64_t last_free;		   /* ns */
	uint64_t session;		   /* when its session of frees began */
	uint64_t before;		   /* when the session before that ended */
	bool any_free;
	uint8_t window; /* of its last burst */
};

struct reading {
	struct fit *fit;
	const uint16_t *node_of_cpu;
	struct fit_object **object; /* by cache */
	uint64_t *births;	    /* by cache, so far */
	size_t *nr_objects;
	struct fit_stream *stream; /* [cpus * caches] */
	uint32_t bursts;
	uint64_t events, first, now; /* ns */
};

static struct fit_stream *stream_of(const struct reading *r, const struct event *ev)
{
	return &r->stream[(size_t)ev->cpu * r->fit->nr_caches + ev->cache];
}

/* ---- the first time: counts, and what a short gap is ---- */

static void count_gap(struct reading *r, const struct event *ev)
{
	struct fit_cache *c = &r->fit->cache[ev->cache];
	struct fit_stream *s = stream_of(r, ev);

	if (s->any && !s->freed)
		histogram_add(&c->gap, r->now - s->last);
	s->any = true;
	s->freed = false;
	s->last = r->now;
	c->allocs++;
	r->fit->allocs[ev->cpu]++;
	r->fit->total++;
}

static void count_free_gap(struct reading *r, const struct event *ev)
{
	struct fit_stream *s = stream_of(r, ev);

	if (s->any_free)
		histogram_add(&r->fit->cache[ev->cache].free_short, r->now - s->last_free);
	s->any_free = s->freed = true;
	s->last_free = r->now;
}

/* ---- the second time ---- */

static struct fit_object *object_of(struct reading *r, const struct event *ev, struct error *err)
{
	size_t *n = &r->nr_objects[ev->cache];
	struct fit_object *larger;

	if (ev->object >= *n) {
		size_t want = ev->object + (size_t)ev->object / 2 + 256;

		larger = reallocarray(r->object[ev->cache], want, sizeof(*larger));
		if (!larger) {
			error_memory(err, "the objects of a trace");
			return NULL;
		}
		for (size_t i = *n; i < want; i++)
			larger[i].live = false;
		r->object[ev->cache] = larger;
		*n = want;
	}
	return &r->object[ev->cache][ev->object];
}

/* Above 1 for CPUs that allocate more than others. */
static double cpu_rate(const struct fit *f, unsigned cpu)
{
	return (double)f->allocs[cpu] * f->cpus / (double)f->total;
}

static void end_burst(struct fit_cache *c, const struct fit_stream *s)
{
	histogram_add(&c->burst, s->length);
	histogram_add(&c->window[s->window].burst, s->length);
}

static void begin_burst(struct reading *r, struct fit_cache *c, struct fit_stream *s, unsigned cpu,
			uint64_t births)
{
	uint8_t window = (uint8_t)(births * c->nr_windows / c->allocs);

	if (window >= FIT_WINDOWS)
		window = FIT_WINDOWS - 1;
	for (; c->last_window < window; c->last_window++)
		c->window[c->last_window + 1].begin = r->now - r->first;
	if (s->any) {
		end_burst(c, s);
		histogram_add(&c->think,
			      (uint64_t)((double)(r->now - s->begun) * cpu_rate(r->fit, cpu)));
	}
	s->begun = r->now;
	s->window = window;
	s->burst = r->bursts++;
	s->length = 0;
	s->freed_burst = NO_BURST;
}

static int see_alloc(struct reading *r, const struct event *ev, struct error *err)
{
	struct fit_cache *c = &r->fit->cache[ev->cache];
	struct fit_stream *s = stream_of(r, ev);
	struct fit_object *o = object_of(r, ev, err);

	if (!o)
		return -1;
	if (!c->seen) {
		c->seen = true;
		c->begin = r->now - r->first;
	}
	if (!s->any || s->freed || r->now - s->last > c->burst_gap)
		begin_burst(r, c, s, ev->cpu, r->births[ev->cache]);
	else
		c->followers++;
	s->any = true;
	s->freed = false;
	s->last = r->now;
	*o = (struct fit_object){r->now, s->burst, s->length++, ev->cpu, s->window, true};
	r->births[ev->cache]++;
	return 0;
}

static void see_session(struct reading *r, struct fit_cache *c, struct fit_stream *s)
{
	bool goes_on = s->any_free && r->now - s->last_free <= c->free_gap_limit;

	if (!goes_on) {
		if (s->any_free)
			histogram_add(&c->free_gap, r->now - s->session);
		s->before = s->any_free ? s->last_free : r->first;
		s->session = r->now;
	}
	s->any_free = s->freed = true;
	s->last_free = r->now;
}

/* When the object's lifetime was over, for all that is known: between two sessions. */
static uint64_t lifetime(const struct reading *r, const struct fit_stream *s,
			 const struct fit_object *o)
{
	uint64_t half = s->before + (s->session - s->before) / 2;

	if (o->born >= s->session)
		return r->now - o->born;
	return half > o->born ? half - o->born : 0;
}

static void see_lifetime(struct fit_cache *c, const struct fit_object *o, bool away, uint64_t ns)
{
	struct fit_window *w = &c->window[o->window];

	histogram_add(away ? &c->away : &c->lifetime, ns);
	histogram_add(away ? &w->away : &w->lifetime, ns);
}

static int see_free(struct reading *r, const struct event *ev, struct error *err)
{
	struct fit_cache *c = &r->fit->cache[ev->cache];
	struct fit_stream *s = stream_of(r, ev);
	struct fit_object *o = object_of(r, ev, err);

	if (!o)
		return -1;
	if (o->live && ev->cpu == o->cpu && o->burst == s->burst && o->place + 1 == s->length) {
		o->live = false;
		c->frees++;
		/* The burst goes on: the model frees such objects within it, too. */
		c->at_once++;
		return 0;
	}
	see_session(r, c, s);
	if (!o->live)
		return 0;
	o->live = false;
	c->frees++;
	see_lifetime(c, o, ev->cpu != o->cpu, lifetime(r, s, o));
	if (ev->cpu != o->cpu) {
		c->remote++;
		if (r->node_of_cpu && r->node_of_cpu[ev->cpu] != r->node_of_cpu[o->cpu])
			c->remote_node++;
	}
	/* Next to each other in the burst, one way or the other. */
	if (s->freed_burst == o->burst &&
	    (s->freed_place + 1 == o->place || s->freed_place == o->place + 1))
		c->together++;
	s->freed_burst = o->burst;
	s->freed_place = o->place;
	return 0;
}

/* What has not ended ends with the trace. */
static void see_end(struct reading *r)
{
	struct fit *f = r->fit;

	for (unsigned cache = 0; cache < f->nr_caches; cache++) {
		for (size_t i = 0; i < r->nr_objects[cache]; i++)
			if (r->object[cache][i].live)
				see_lifetime(&f->cache[cache], &r->object[cache][i], false,
					     r->now - r->object[cache][i].born);
		for (unsigned cpu = 0; cpu < f->cpus; cpu++) {
			const struct fit_stream *s = &r->stream[(size_t)cpu * f->nr_caches + cache];

			if (s->any)
				end_burst(&f->cache[cache], s);
		}
	}
}

/* ---- both ---- */

static int see_event(struct reading *r, const struct event *ev, bool second, struct error *err)
{
	if (ev->cpu >= r->fit->cpus || ev->cache >= r->fit->nr_caches)
		return error_input(err, "the trace has an event of CPU %u", ev->cpu);
	switch (ev->op) {
	case EV_ALLOC:
	case EV_ALLOC_BULK:
		if (second)
			return see_alloc(r, ev, err);
		count_gap(r, ev);
		return 0;
	case EV_FREE:
	case EV_FREE_BULK:
	case EV_FREE_RCU:
		if (second)
			return see_free(r, ev, err);
		count_free_gap(r, ev);
		return 0;
	default:
		return 0;
	}
}

static int read_once(struct reading *r, struct source *src, bool second, struct error *err)
{
	struct batch b;
	int more;

	r->events = 0;
	memset(r->stream, 0, (size_t)r->fit->cpus * r->fit->nr_caches * sizeof(*r->stream));
	while ((more = src->ops->next(src, &b, err)) > 0) {
		for (size_t i = 0; i < b.n; i++) {
			uint64_t time =
			    r->fit->has_times ? b.time_ns[i] : r->events * NS_WITHOUT_TIMES;

			if (!r->events++)
				r->first = r->now = time;
			/* Simultaneous events may have been put into another order. */
			if (time > r->now)
				r->now = time;
			if (see_event(r, &b.events[i], second, err))
				return -1;
		}
	}
	r->fit->ns = r->now - r->first;
	return more;
}

/* The standard deviation over the mean; 1 for events at random times. */
static double variation(const struct histogram *h)
{
	double mean, squares = 0;

	if (!h->sum)
		return 0;
	mean = (double)h->sum / (double)h->count;
	for (unsigned i = 0; i < HIST_BINS; i++) {
		double d = (double)histogram_bin_end(i) - mean;

		if (h->bin[i])
			squares += (double)h->bin[i] * d * d;
	}
	return sqrt(squares / (double)h->count) / mean;
}

/* What still counts as in a row; without bursts, only what is at the same time. */
static uint64_t short_gap(const struct histogram *gaps)
{
	uint64_t median = histogram_quantile(gaps, 0.5);

	if (variation(gaps) < 1.5)
		return 0;
	return median > 125 ? 8 * median : 1000;
}

static int read_twice(struct reading *r, struct source *src, struct error *err)
{
	struct fit *f = r->fit;
	uint64_t windows;

	if (read_once(r, src, false, err))
		return -1;
	for (unsigned i = 0; i < f->nr_caches; i++) {
		f->cache[i].burst_gap = short_gap(&f->cache[i].gap);
		f->cache[i].free_gap_limit = short_gap(&f->cache[i].free_short);
		windows = f->cache[i].allocs / FIT_WINDOW_MIN;
		f->cache[i].nr_windows = windows < FIT_WINDOWS ? (unsigned)windows : FIT_WINDOWS;
	}
	if (src->ops->rewind(src, err) || read_once(r, src, true, err))
		return -1;
	see_end(r);
	return 0;
}

static int make(struct reading *r, struct fit *f, const struct source_info *info, struct error *err)
{
	*f = (struct fit){
	    .nr_caches = info->nr_caches, .cpus = info->cpus, .has_times = info->has_times};
	if (!f->cpus)
		return error_input(err, "the trace does not tell how many CPUs there are");
	f->cache = calloc((size_t)f->nr_caches + 1, sizeof(*f->cache));
	f->allocs = calloc(f->cpus, sizeof(*f->allocs));
	r->object = calloc((size_t)f->nr_caches + 1, sizeof(*r->object));
	r->nr_objects = calloc((size_t)f->nr_caches + 1, sizeof(*r->nr_objects));
	r->stream = calloc((size_t)f->cpus * f->nr_caches + 1, sizeof(*r->stream));
	r->births = calloc((size_t)f->nr_caches + 1, sizeof(*r->births));
	if (!f->cache || !f->allocs || !r->object || !r->nr_objects || !r->stream || !r->births)
		return error_memory(err, "what is learned of a trace");
	return 0;
}

int fit_source(struct fit *f, struct source *src, const uint16_t *node_of_cpu, struct error *err)
{
	struct reading r = {.fit = f, .node_of_cpu = node_of_cpu};
	int ret = make(&r, f, &src->info, err) || read_twice(&r, src, err) ? -1 : 0;

	for (unsigned i = 0; r.object && i < f->nr_caches; i++)
		free(r.object[i]);
	free(r.object);
	free(r.nr_objects);
	free(r.stream);
	free(r.births);
	if (ret)
		fit_free(f);
	return ret;
}

void fit_free(struct fit *f)
{
	free(f->cache);
	free(f->allocs);
	f->cache = NULL;
	f->allocs = NULL;
}

struct distribution fit_distribution(const struct histogram *h, unsigned quantiles)
{
	struct distribution d = {.kind = DIST_QUANTILES, .n = quantiles};
	double *last = &d.q[d.n - 1], mean, low, high;

	if (!h->count)
		return (struct distribution){.kind = DIST_CONSTANT};
	mean = (double)h->sum / (double)h->count;
	for (unsigned i = 0; i < d.n; i++)
		d.q[i] = (double)histogram_quantile(h, (double)i / (d.n - 1));
	*last = fmax(d.q[d.n - 2], (double)h->max);
	low = d.q[d.n - 2];
	high = fmax(1, *last) * 1000;
	/* The mean grows with the last quantile: halve where it is. */
	for (int i = 0; i < 100 && high - low > 1e-6 * high; i++) {
		*last = (low + high) / 2;
		if (distribution_mean(&d) < mean)
			low = *last;
		else
			high = *last;
	}
	return d;
}
