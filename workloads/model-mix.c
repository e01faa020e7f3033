/*
 * model: mix
 *
 *	every CPU, for every cache: a stream of allocations of its own (births.h), as "caches" tells
 *	of each, or the keys beside it for all that it does not tell
 *	phases: one after another, then from the first on again; in each, everything happens
 *	"rate" times as often, and objects live "lifetime" times as long
 *	until "operations" objects have been allocated in all, and all are freed
 *
 * What "slabsim trace fit" makes of a recorded workload.
 */
#include <cjson/cJSON.h>

#include "sim/cost.h"
#include "workloads/births.h"

#define TODO_BIRTH 1
#define MAX_PHASES 64

struct phase {
	uint64_t end; /* from the first phase's begin, ps */
	double rate, lifetime;
};

struct mix {
	struct agenda agenda;
	struct births *births;	     /* by cache */
	struct birth_stream *stream; /* [cpus * caches] */
	bool *used;		     /* by cache */
	uint64_t births_left;
	struct phase phase[MAX_PHASES];
	unsigned nr_phases;
	double *rate; /* by CPU */
	uint16_t *nodes;
};

static const struct phase *phase_at(const struct mix *m, uint64_t now)
{
	const struct phase *p = m->phase;
	uint64_t t = now % m->phase[m->nr_phases - 1].end;

	while (t >= p->end)
		p++;
	return p;
}

static int next_birth(struct mix *m, unsigned cpu, unsigned cache, uint64_t end, struct error *err)
{
	struct todo t = {.kind = TODO_BIRTH, .cache = (uint16_t)cache};

	if (!m->births_left || !(m->rate[cpu] > 0))
		return 0;
	m->births_left--;
	t.time = births_next(&m->births[cache], &m->stream[cpu * m->agenda.nr_caches + cache], end,
			     m->rate[cpu] * phase_at(m, end)->rate, m->agenda.cpu[cpu].rng);
	return agenda_add(&m->agenda, cpu, t, err);
}

static int begin(struct agenda *a, unsigned cpu, const struct todo *t, struct event *ev,
		 struct error *err)
{
	return agenda_alloc(a, cpu, t->cache, ev, 1, err) ? -1 : 1;
}

static int ended(struct agenda *a, unsigned cpu, const struct todo *t, const struct event *ev,
		 unsigned n, uint64_t end, struct error *err)
{
	struct mix *m = (struct mix *)a;
	struct fate fate;

	(void)n;
	if (t->kind == TODO_FREE)
		return 0;
	fate = births_fate(&m->births[t->cache], &m->stream[cpu * a->nr_caches + t->cache], cpu,
			   a->cpus, m->nodes, end, phase_at(m, end)->lifetime, a->cpu[cpu].rng);
	if (agenda_free(a, fate.cpu, fate.time, ev->cache, ev->object, err))
		return -1;
	return next_birth(m, cpu, t->cache, end, err);
}

static void close_model(struct agenda *a)
{
	struct mix *m = (struct mix *)a;

	free(m->births);
	free(m->stream);
	free(m->used);
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

static int read_cache(struct mix *m, struct model_params *p, const cJSON *item, int i,
		      const struct config *cfg, struct error *err)
{
	struct model_params inner;
	char name[96];
	int cache;

	if (!params_inner(&inner, p, "caches", item, i, name, sizeof(name)))
		return -1;
	cache = find_cache(cfg, params_item(&inner, "name"));
	if (cache < 0)
		return params_error(&inner, "name",
				    "the name of one of the config's caches is wanted");
	if (m->used[cache])
		return params_error(&inner, "name", "this cache has been told of before");
	m->used[cache] = true;
	births_read(&m->births[cache], &inner, &m->births[cache]);
	(void)err;
	return params_finish(&inner);
}

/* Without "caches" all of them are alike; with it only those it names are used. */
static int read_caches(struct mix *m, struct model_params *p, const struct config *cfg,
		       struct error *err)
{
	const cJSON *list = params_item(p, "caches"), *item;
	struct births all;
	int i = 0;

	births_read(&all, p, NULL);
	for (unsigned c = 0; c < cfg->nr_caches; c++) {
		m->births[c] = all;
		m->used[c] = !list;
	}
	if (list && (!cJSON_IsArray(list) || !list->child))
		return params_error(p, "caches", "a list of objects is wanted");
	cJSON_ArrayForEach (item, list)
		if (read_cache(m, p, item, i++, cfg, err))
			return -1;
	return 0;
}

static int read_phases(struct mix *m, struct model_params *p)
{
	const cJSON *list = params_item(p, "phases"), *item;
	uint64_t end = 0;

	m->nr_phases = 1;
	m->phase[0] = (struct phase){UINT64_MAX, 1, 1};
	if (!list)
		return 0;
	if (!cJSON_IsArray(list) || !list->child || cJSON_GetArraySize(list) > MAX_PHASES)
		return params_error(p, "phases", "a list of 1 to %d objects is wanted", MAX_PHASES);
	m->nr_phases = 0;
	cJSON_ArrayForEach (item, list) {
		struct phase *phase = &m->phase[m->nr_phases];
		struct model_params inner;
		char name[96];

		if (!params_inner(&inner, p, "phases", item, (int)m->nr_phases, name, sizeof(name)))
			return -1;
		end += (uint64_t)(params_number(&inner, "duration_ns", 1e6, 1, 1e12) * PS_PER_NS);
		phase->end = end;
		phase->rate = params_number(&inner, "rate", 1, 1e-6, 1e6);
		phase->lifetime = params_number(&inner, "lifetime", 1, 0, 1e6);
		if (params_finish(&inner))
			return -1;
		m->nr_phases++;
	}
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
	m->births = calloc(caches, sizeof(*m->births));
	m->used = calloc(caches, sizeof(*m->used));
	m->stream = calloc((size_t)caches * m->agenda.cpus, sizeof(*m->stream));
	return m->births && m->used && m->stream ? 0 : error_memory(err, "a model");
}

static int set_up(struct mix *m, const cJSON *params, const struct config *cfg, struct error *err)
{
	struct model_params p;
	double operations;

	params_init(&p, "mix", params, err);
	if (make(m, cfg, err) || read_caches(m, &p, cfg, err) || read_phases(m, &p))
		return -1;
	operations = params_number(&p, "operations", 1e6, 1, 1e12);
	m->rate = births_cpu_rates(&p, m->agenda.cpus, m->nodes);
	if (!m->rate || params_finish(&p))
		return -1;
	m->births_left = (uint64_t)operations;
	m->agenda.load.info.events = 2 * (uint64_t)operations;
	for (unsigned cpu = 0; cpu < m->agenda.cpus; cpu++)
		for (unsigned cache = 0; cache < cfg->nr_caches; cache++)
			if (m->used[cache] && next_birth(m, cpu, cache, 0, err))
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
	    "differ}]\n" BIRTHS_HELP "phases               [{\"duration_ns\", \"rate\", "
	    "\"lifetime\"}]: factors, in turn\n" SKEW_HELP,
    .open = open_model,
};
MODEL(mix);
