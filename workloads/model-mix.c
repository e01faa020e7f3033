/*
 * model: mix
 *
 *	every CPU, for every cache: a stream of allocations of its own (births.h), as "caches" tells
 *	of each, or the keys beside it for all that it does not tell
 *	sessions: with "free_gap_ns" a CPU frees objects of a cache only so often, then all whose
 *	lifetime is over
 *	phases: one after another, then from the first on again; in each, bursts come "rate" times
 *	as often, and objects live "lifetime" times as long; "burst", "lifetime_ns" and
 *	"remote_lifetime_ns" as it tells; a cache may have phases of its own
 *	until "operations" objects have been allocated - of a cache, when it is told for that one,
 *	else in all - and all are freed
 *
 * What "slabsim trace fit" makes of a recorded workload.
 */
#include <cjson/cJSON.h>

#include "sim/cost.h"
#include "workloads/births.h"
#include "workloads/phases.h"

enum { TODO_BIRTH = 1, TODO_DUE, TODO_SESSION };

/* What is told of a cache. */
struct mix_cache {
	struct births births;
	const struct phases *phases;
	struct distribution free_gap; /* ns from one session of frees to the next */
	bool sessions, used;
	uint64_t begin;	       /* ps */
	uint64_t *births_left; /* its own, or what all share */
	uint64_t own;
};

/* A CPU's dealings with a cache. */
struct mix_stream {
	struct birth_stream births;
	uint32_t *ready; /* objects to free in the next session */
	size_t n, cap;
	uint64_t session; /* when the last one was, or the next is, ps */
	bool planned;
};

struct mix {
	struct agenda agenda;
	struct mix_cache *cache;
	struct mix_stream *stream; /* [cpus * caches] */
	uint64_t births_left;
	struct phases *phases; /* [1 + caches]: what all share, and by cache */
	double *rate;	       /* by CPU */
	uint16_t *nodes;
};

static struct mix_stream *stream_of(struct mix *m, unsigned cpu, unsigned cache)
{
	return &m->stream[(size_t)cpu * m->agenda.nr_caches + cache];
}

static int next_birth(struct mix *m, unsigned cpu, unsigned cache, uint64_t end, struct error *err)
{
	struct mix_cache *c = &m->cache[cache];
	struct birth_stream *s = &stream_of(m, cpu, cache)->births;
	struct todo t = {.kind = TODO_BIRTH, .cache = (uint16_t)cache};
	gsl_rng *rng = m->agenda.cpu[cpu].rng;
	const struct phase *p;
	bool goes_on;

	if (!*c->births_left || !(m->rate[cpu] > 0))
		return 0;
	--*c->births_left;
	goes_on = s->burst_left;
	t.time = births_next(&c->births, s, end, m->rate[cpu], rng);
	if (!goes_on) {
		t.time = phases_time(c->phases, (double)t.time);
		p = phases_at(c->phases, t.time);
		if (p->has_burst)
			births_set_burst(s, &p->burst, rng);
	}
	return agenda_add(&m->agenda, cpu, t, err);
}

static int begin(struct agenda *a, unsigned cpu, const struct todo *t, struct event *ev,
		 struct error *err)
{
	if (t->kind != TODO_BIRTH)
		return 0;
	return agenda_alloc(a, cpu, t->cache, ev, 1, err) ? -1 : 1;
}

static int born(struct mix *m, unsigned cpu, const struct event *ev, uint64_t end,
		struct error *err)
{
	struct agenda *a = &m->agenda;
	struct mix_cache *c = &m->cache[ev->cache];
	const struct phase *p = phases_at(c->phases, end);
	struct lifetimes lives = {p->has_lifetime ? &p->own : NULL, p->has_away ? &p->away : NULL};
	struct fate fate = births_fate(&c->births, &stream_of(m, cpu, ev->cache)->births, cpu,
				       a->cpus, m->nodes, end, p->lifetime, lives, a->cpu[cpu].rng);
	struct todo due = {.kind = c->sessions && !fate.at_once ? TODO_DUE : TODO_FREE,
			   .time = fate.time,
			   .cache = ev->cache,
			   .object = ev->object};

	if (agenda_add(a, fate.cpu, due, err))
		return -1;
	return next_birth(m, cpu, ev->cache, end, err);
}

/* An object's lifetime is over: the next session frees it. */
static int due(struct mix *m, unsigned cpu, const struct todo *t, uint64_t now, struct error *err)
{
	struct mix_stream *s = stream_of(m, cpu, t->cache);
	struct todo session = {.kind = TODO_SESSION, .cache = t->cache};
	double gap;

	if (s->n == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 16;
		uint32_t *larger = reallocarray(s->ready, cap, sizeof(*larger));

		if (!larger)
			return error_memory(err, "the objects of a model");
		s->ready = larger;
		s->cap = cap;
	}
	s->ready[s->n++] = t->object;
	if (s->planned)
		return 0;
	gap = distribution_draw(&m->cache[t->cache].free_gap, m->agenda.cpu[cpu].rng);
	s->session += (uint64_t)(gap * PS_PER_NS);
	if (s->session < now)
		s->session = now;
	s->planned = true;
	session.time = s->session;
	return agenda_add(&m->agenda, cpu, session, err);
}

static int session(struct mix *m, unsigned cpu, unsigned cache, uint64_t now, struct error *err)
{
	struct mix_stream *s = stream_of(m, cpu, cache);

	for (size_t i = 0; i < s->n; i++)
		if (agenda_free(&m->agenda, cpu, now, (uint16_t)cache, s->ready[i], err))
			return -1;
	s->n = 0;
	s->planned = false;
	return 0;
}

static int ended(struct agenda *a, unsigned cpu, const struct todo *t, const struct event *ev,
		 unsigned n, uint64_t end, struct error *err)
{
	struct mix *m = (struct mix *)a;

	(void)n;
	switch (t->kind) {
	case TODO_BIRTH:
		return born(m, cpu, ev, end, err);
	case TODO_DUE:
		return due(m, cpu, t, end, err);
	case TODO_SESSION:
		return session(m, cpu, t->cache, end, err);
	default:
		return 0;
	}
}

static void close_model(struct agenda *a)
{
	struct mix *m = (struct mix *)a;

	for (size_t i = 0; m->stream && i < (size_t)a->cpus * a->nr_caches; i++)
		free(m->stream[i].ready);
	free(m->cache);
	free(m->stream);
	free(m->phases);
	free(m->rate);
	free(m->nodes);
	agenda_close(a);
	free(m);
}

static const struct agenda_ops agenda_ops = {
    .begin = begin,
    .ended = ended,
    .close = close_model,
};

/* ---- parameters ---- */

static int find_cache(const struct config *cfg, const cJSON *name)
{
	for (unsigned i = 0; cJSON_IsString(name) && i < cfg->nr_caches; i++)
		if (!strcmp(cfg->caches[i].name, name->valuestring))
			return (int)i;
	return -1;
}

static void read_stream(struct mix_cache *c, struct model_params *p, const struct mix_cache *def)
{
	births_read(&c->births, p, def ? &def->births : NULL);
	c->free_gap = params_distribution(p, "free_gap_ns", &c->free_gap);
	c->sessions = c->sessions || params_item(p, "free_gap_ns");
}

static int read_cache(struct mix *m, struct model_params *p, const cJSON *item, int i,
		      const struct config *cfg)
{
	struct model_params inner;
	struct mix_cache *c;
	char name[96];
	int cache;

	if (!params_inner(&inner, p, "caches", item, i, name, sizeof(name)))
		return -1;
	cache = find_cache(cfg, params_item(&inner, "name"));
	if (cache < 0)
		return params_error(&inner, "name",
				    "the name of one of the config's caches is wanted");
	c = &m->cache[cache];
	if (c->used)
		return params_error(&inner, "name", "this cache has been told of before");
	c->used = true;
	read_stream(c, &inner, c);
	if (params_item(&inner, "phases"))
		c->phases = &m->phases[1 + cache];
	if (phases_read(&m->phases[1 + cache], &inner))
		return -1;
	c->begin = (uint64_t)(params_number(&inner, "begin_ns", 0, 0, 1e15) * PS_PER_NS);
	c->own = (uint64_t)params_count(&inner, "operations", 0, 0, 1e12);
	if (c->own)
		c->births_left = &c->own;
	return params_finish(&inner);
}

/* Without "caches" all of them are alike; with it only those it names are used. */
static int read_caches(struct mix *m, struct model_params *p, const struct config *cfg)
{
	const cJSON *list = params_item(p, "caches"), *item;
	struct mix_cache all = {
	    .used = !list, .births_left = &m->births_left, .phases = &m->phases[0]};
	int i = 0;

	read_stream(&all, p, NULL);
	m->phases[0] = phases_none;
	if (phases_read(&m->phases[0], p))
		return -1;
	for (unsigned c = 0; c < cfg->nr_caches; c++)
		m->cache[c] = all;
	if (list && (!cJSON_IsArray(list) || !list->child))
		return params_error(p, "caches", "a list of objects is wanted");
	cJSON_ArrayForEach (item, list)
		if (read_cache(m, p, item, i++, cfg))
			return -1;
	return 0;
}

static int make(struct mix *m, const struct config *cfg, struct error *err)
{
	unsigned caches = cfg->nr_caches;

	if (agenda_init(&m->agenda, &agenda_ops, cfg, 1, err))
		return -1;
	m->nodes = model_nodes(cfg, err);
	if (!m->nodes)
		return -1;
	m->cache = calloc(caches, sizeof(*m->cache));
	m->stream = calloc((size_t)caches * m->agenda.cpus, sizeof(*m->stream));
	m->phases = calloc(1 + (size_t)caches, sizeof(*m->phases));
	return m->cache && m->stream && m->phases ? 0 : error_memory(err, "a model");
}

/* How many there will be, for those who wait. */
static void count_events(struct mix *m)
{
	uint64_t *events = &m->agenda.load.info.events;
	bool shared = false;

	for (unsigned i = 0; i < m->agenda.nr_caches; i++) {
		*events += 2 * m->cache[i].own;
		shared = shared || (m->cache[i].used && !m->cache[i].own);
	}
	if (shared)
		*events += 2 * m->births_left;
}

static int first_birth(struct mix *m, unsigned cpu, unsigned cache, struct error *err)
{
	stream_of(m, cpu, cache)->births.next =
	    (uint64_t)phases_clock(m->cache[cache].phases, m->cache[cache].begin);
	return next_birth(m, cpu, cache, m->cache[cache].begin, err);
}

static int set_up(struct mix *m, const cJSON *params, const struct config *cfg, struct error *err)
{
	struct model_params p;
	double operations;

	params_init(&p, "mix", params, err);
	if (make(m, cfg, err) || read_caches(m, &p, cfg))
		return -1;
	operations = params_count(&p, "operations", 1e6, 1, 1e12);
	m->rate = births_cpu_rates(&p, m->agenda.cpus, m->nodes);
	if (!m->rate || params_finish(&p))
		return -1;
	m->births_left = (uint64_t)operations;
	count_events(m);
	for (unsigned cpu = 0; cpu < m->agenda.cpus; cpu++)
		for (unsigned cache = 0; cache < cfg->nr_caches; cache++)
			if (m->cache[cache].used && first_birth(m, cpu, cache, err))
				return -1;
	return 0;
}

static struct load *open_model(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct mix *m = calloc(1, sizeof(*m));

	if (!m) {
		error_memory(err, "a model");
		return NULL;
	}
	if (!set_up(m, params, cfg, err))
		return &m->agenda.load;
	close_model(&m->agenda);
	return NULL;
}

static const struct model_ops mix = {
    .name = "mix",
    .summary = "every cache with its own rates and lifetimes, in phases; what trace fit makes",
    .help = "operations           objects to allocate in all (1e6)\n"
	    "caches               [{\"name\": CACHE, and of the keys below those that "
	    "differ}]\n" BIRTHS_HELP "phases               [{\"duration_ns\", \"rate\", \"burst\", "
	    "\"lifetime\"}]: factors, in turn\n" SKEW_HELP,
    .open = open_model,
};
MODEL(mix);
