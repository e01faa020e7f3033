#include "sim/engine_timed.h"

#include <fnmatch.h>
#include <inttypes.h>

#include "sim/layout.h"
#include "sim/load_trace.h"

static int make_machine(struct engine *e, struct error *err)
{
	const struct machine_config *want = &e->cfg->machine;
	const struct source_info *info = &e->src->info;
	struct machine *m = &e->machine;

	m->cpus = want->cpus ? want->cpus : info->cpus ? info->cpus : 1;
	m->nodes = want->nodes ? want->nodes : info->nodes ? info->nodes : 1;
	m->page_size = want->page_size;
	m->cache_line_size = want->cache_line_size;
	if (info->cpus > m->cpus)
		return error_input(
		    err,
		    "machine.cpus: the workload uses CPU %u, but the machine has CPUs "
		    "0..%u: set it to %u or more",
		    info->cpus - 1, m->cpus - 1, info->cpus);
	if (info->nodes > m->nodes)
		return error_input(
		    err,
		    "machine.nodes: the workload asks for node %u, but the machine has "
		    "nodes 0..%u: set it to %u or more",
		    info->nodes - 1, m->nodes - 1, info->nodes);
	return machine_init(m, want->node_of_cpu, want->distances, err);
}

static const struct cache_config *find_wanted(const struct config *cfg, const char *name)
{
	for (unsigned i = 0; i < cfg->nr_caches; i++)
		if (!strcmp(cfg->caches[i].name, name))
			return &cfg->caches[i];
	/* A trace without cache names goes to the only cache given. */
	return !*name && cfg->nr_caches == 1 ? &cfg->caches[0] : NULL;
}

static bool is_kept(const struct config *cfg, const char *name)
{
	for (unsigned i = 0; i < cfg->nr_only; i++)
		if (!fnmatch(cfg->only[i], name, 0))
			return true;
	return cfg->nr_only == 0;
}

/* A cache that cannot be: as the config wants it, or as the trace has it. Returns -1. */
static int blame(const struct config *cfg, const struct cache_config *want, struct error *err)
{
	if (!want && cfg->trace)
		return error_prefix(err, "%s", cfg->trace);
	if (want)
		error_prefix(err, "caches[%td]", want - cfg->caches);
	return config_blame(cfg, err);
}

/* Which caches are replayed, and how they are laid out. */
static int bind_caches(struct engine *e, struct error *err)
{
	const struct source_info *info = &e->src->info;
	unsigned kept = 0;

	for (unsigned i = 0; i < info->nr_caches; i++) {
		const struct source_cache *sc = &info->caches[i];
		struct binding *b = &e->binding[i];
		struct cache *c = &e->caches[i];

		b->want = find_wanted(e->cfg, sc->name);
		b->used = is_kept(e->cfg, b->want ? b->want->name : sc->name);
		if (!b->used) {
			e->filtering = true;
			continue;
		}
		/* Nothing but old objects, freed: their size is not told. */
		if (!sc->allocs && sc->adopted && !sc->size && !b->want) {
			b->used = false;
			e->filtering = true;
			continue;
		}
		kept++;
		if (layout_cache(c, e->cfg, b->want, sc, &e->machine, err))
			return blame(e->cfg, b->want, err);
		if (b->want)
			c->name = b->want->name;
	}
	if (kept)
		return 0;
	error_input(err, "replay.only: no cache of the workload matches; slabsim trace info shows "
			 "the caches of a trace");
	return config_blame(e->cfg, err);
}

static int make_pages(struct engine *e, struct error *err)
{
	struct pages_config want;

	config_pages(e->cfg, &want);
	return pages_new(&e->pages, &e->machine, &want, err);
}

static int start_caches(struct engine *e, struct error *err)
{
	for (unsigned i = 0; i < e->nr_caches; i++) {
		struct cache *c = &e->caches[i];
		const struct initial_cache *in;
		struct initial_cache sum;
		uint64_t adopted;

		if (!e->binding[i].used)
			continue;
		if (e->timed && timing_init_cache(c, &e->timed->timing, err))
			return -1;
		c->pages = e->pages;
		if (cache_init(c, &e->machine, e->cfg->seed + i, err))
			return -1;
		in = engine_merged_initial(e, i, &sum, &adopted);
		if (e->cfg->initial && initial_place(c, in, adopted, err))
			return -1;
		series_init(&e->series[i]);
	}
	return 0;
}

/* The arrays, one of each per cache of the source. */
static int allocate(struct engine *e, struct error *err)
{
	unsigned n = e->src->info.nr_caches, room = n ? n : 1;

	e->caches = aligned_alloc(_Alignof(struct cache), room * sizeof(*e->caches));
	if (e->caches)
		memset(e->caches, 0, room * sizeof(*e->caches));
	e->binding = calloc(room, sizeof(*e->binding));
	e->series = calloc(room, sizeof(*e->series));
	if (!e->caches || !e->binding || !e->series)
		return error_memory(err, "the caches");
	e->nr_caches = n;
	return 0;
}

/* All that can be wrong with the config, before what takes time and memory. */
static struct engine *prepare(const struct config *cfg, struct source *src, struct error *err)
{
	struct engine *e = calloc(1, sizeof(*e));

	if (!e) {
		error_memory(err, "the engine");
		return NULL;
	}
	e->cfg = cfg;
	e->src = src;
	series_init(&e->due);
	if (make_machine(e, err) || (cfg->mode == REPLAY_TIMED && engine_timed_new(e, err)))
		config_blame(cfg, err);
	else if (!allocate(e, err) && !bind_caches(e, err))
		return e;
	engine_free(e);
	return NULL;
}

struct engine *engine_new(const struct config *cfg, struct source *src, struct error *err)
{
	struct engine *e = prepare(cfg, src, err);

	if (!e)
		return NULL;
	if (cfg->initial && initial_read(&e->initial, cfg->initial, e->machine.cpus, err))
		goto fail;
	if ((cfg->merge && engine_merge(e, err)) || make_pages(e, err) || start_caches(e, err)) {
		config_blame(cfg, err);
		goto fail;
	}
	return e;
fail:
	engine_free(e);
	return NULL;
}

int engine_check(const struct config *cfg, struct source *src, struct error *err)
{
	struct engine *e = prepare(cfg, src, err);
	struct pages_config pages;
	int ret = -1;

	if (!e)
		return -1;
	config_pages(cfg, &pages);
	ret = pages_config_check(&e->machine, &pages, err);
	if (ret)
		config_blame(cfg, err);
	engine_free(e);
	return ret;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	team_free(e->team);
	for (unsigned i = 0; i < e->nr_caches; i++) {
		cache_free(&e->caches[i]);
		series_free(&e->series[i]);
	}
	series_free(&e->due);
	initial_free(&e->initial);
	engine_timed_free(e);
	pages_destroy(e->pages);
	free(e->caches);
	free(e->binding);
	free(e->merge);
	free(e->series);
	free(e->kept);
	free(e->kept_time);
	machine_free(&e->machine);
	free(e);
}

int engine_reserve(struct engine *e, size_t n, struct error *err)
{
	struct event *kept;
	uint64_t *time;

	if (n <= e->cap_kept)
		return 0;
	kept = reallocarray(e->kept, n, sizeof(*kept));
	if (kept)
		e->kept = kept;
	time = reallocarray(e->kept_time, n, sizeof(*time));
	if (time)
		e->kept_time = time;
	if (!kept || !time)
		return error_memory(err, "a batch of events");
	e->cap_kept = n;
	return 0;
}

bool engine_is_used(const void *arg, unsigned cache)
{
	const struct binding *b = &((const struct engine *)arg)->binding[cache];

	return b->used || b->merged;
}

int engine_add_point(void *engine, unsigned cache, const struct series_point *point,
		     struct error *err)
{
	struct engine *e = engine;
	const struct cache *c = &e->caches[cache];
	struct series_point p = *point;

	if (!e->binding[cache].used)
		return 0;
	p.memory_total = c->bytes;
	p.objects = cache_live(c);
	p.partial = cache_partial(c);
	return series_add(&e->series[cache], &p, err);
}

int engine_add_points(struct engine *e, uint64_t time_ns, struct error *err)
{
	struct series_point p = {.event = e->seen - e->left_out, .time_ns = time_ns};

	if (e->team) {
		if (team_add_points(e->team, &p, err))
			return -1;
	} else {
		for (unsigned i = 0; i < e->nr_caches; i++)
			if (engine_add_point(e, i, &p, err))
				return -1;
	}
	return series_add(&e->due, &p, err);
}

static int run_timed(struct engine *e, void (*progress)(void *arg, uint64_t done), void *arg,
		     struct error *err)
{
	struct load *load = e->src->load;
	uint64_t left_out = 0;
	int ret;

	if (load)
		return engine_timed_run(e, load, progress, arg, err);
	load = load_trace(e->src, e->machine.cpus, engine_is_used, e, &left_out, err);
	if (!load)
		return -1;
	ret = engine_timed_run(e, load, progress, arg, err);
	e->left_out = left_out;
	e->seen += left_out;
	load->ops->close(load);
	return ret;
}

int engine_run(struct engine *e, void (*progress)(void *arg, uint64_t done), void *arg,
	       struct error *err)
{
	if (e->timed ? run_timed(e, progress, arg, err) : engine_order_run(e, progress, arg, err))
		return -1;
	for (unsigned i = 0; i < e->nr_caches; i++) {
		const struct cache *c = &e->caches[i];

		if (e->binding[i].used && c->out_of_memory)
			return error_memory(err, "slabs and objects");
		if (e->binding[i].used && c->allocator->check(c, err))
			return -1;
	}
	return 0;
}
