#include "workloads/capture.h"

#include <stdlib.h>
#include <string.h>

#include "sim/cost.h"
#include "sim/engine.h"
#include "workloads/load-tee.h"
#include "workloads/spool.h"
#include "workloads/workload.h"

#define BATCH 4096

struct capture {
	struct source src;
	struct spool spool;
	uint64_t next;
	struct spool_event scratch[BATCH];
	struct event ev[BATCH];
	uint64_t time_ns[BATCH];
};

/* ---- as a source ---- */

static int next_batch(struct source *src, struct batch *batch, struct error *err)
{
	struct capture *c = (struct capture *)src;
	const struct spool_event *e;
	size_t n;

	if (c->next == spool_count(&c->spool))
		return 0;
	e = spool_get(&c->spool, c->next, BATCH, c->scratch, &n, err);
	if (!e)
		return -1;
	for (size_t i = 0; i < n; i++) {
		c->ev[i] = (struct event){.object = e[i].object,
					  .cpu = e[i].cpu,
					  .cache = (uint16_t)e[i].class,
					  .node = e[i].node,
					  .op = e[i].op,
					  .flags = e[i].flags};
		c->time_ns[i] = e[i].time_ns;
	}
	c->next += n;
	*batch = (struct batch){.events = c->ev, .time_ns = c->time_ns, .n = n};
	return 1;
}

static int rewind_events(struct source *src, struct error *err)
{
	(void)err;
	((struct capture *)src)->next = 0;
	return 0;
}

static void close_source(struct source *src)
{
	struct capture *c = (struct capture *)src;

	for (unsigned i = 0; i < src->info.nr_caches; i++)
		free(src->info.caches[i].name);
	free(src->info.caches);
	spool_free(&c->spool);
	free(c);
}

static const struct source_ops source_ops = {
    .next = next_batch,
    .rewind = rewind_events,
    .close = close_source,
};

/* ---- the run ---- */

static int keep(void *arg, unsigned cpu, const struct load_operation *op, uint64_t start,
		struct error *err)
{
	struct capture *c = arg;

	(void)cpu;
	for (size_t i = 0; i < op->n; i++) {
		const struct event *ev = &op->events[i];
		struct spool_event to = {.time_ns = start / PS_PER_NS,
					 .object = ev->object,
					 .class = ev->cache,
					 .cpu = ev->cpu,
					 .node = ev->node,
					 .op = ev->op,
					 .flags = ev->flags};
		struct source_cache *cache = &c->src.info.caches[ev->cache];

		if (ev->op == EV_ALLOC || ev->op == EV_ALLOC_BULK)
			cache->allocs++;
		else
			cache->frees++;
		if (spool_append(&c->spool, &to, err))
			return -1;
	}
	return 0;
}

static int copy_caches(struct capture *c, const struct source_info *info, const struct config *cfg)
{
	c->src.info.caches = calloc(info->nr_caches, sizeof(*info->caches));
	for (unsigned i = 0; c->src.info.caches && i < info->nr_caches; i++) {
		struct source_cache *to = &c->src.info.caches[i];

		to->name = strdup(info->caches[i].name);
		if (!to->name)
			return -1;
		c->src.info.nr_caches++;
		to->object_size = info->caches[i].object_size;
		to->size = info->caches[i].size;
		for (unsigned k = 0; k < cfg->nr_caches; k++) {
			const struct cache_config *from = &cfg->caches[k];

			if (strcmp(from->name, to->name))
				continue;
			if (from->object_size > 0)
				to->object_size = (unsigned)from->object_size;
			if (from->size > 0)
				to->size = (unsigned)from->size;
		}
	}
	return c->src.info.caches ? 0 : -1;
}

static int run_model(struct capture *c, const struct config *cfg, struct source *model,
		     void (*progress)(void *arg, uint64_t done), void *arg, struct error *err)
{
	struct engine *e;
	int ret;

	if (copy_caches(c, &model->info, cfg))
		return error_memory(err, "a trace");
	model->load = load_tee(model->load, keep, c, err);
	if (!model->load)
		return -1;
	e = engine_new(cfg, model, err);
	ret = e ? engine_run(e, progress, arg, err) : -1;
	engine_free(e);
	return ret;
}

struct source *capture_model(const struct config *cfg, void (*progress)(void *arg, uint64_t done),
			     void *arg, struct error *err)
{
	struct capture *c = calloc(1, sizeof(*c));
	struct source *model;
	int ret;

	if (!c || spool_init(&c->spool, err)) {
		free(c);
		if (err->kind == ERROR_NONE)
			error_memory(err, "a trace");
		return NULL;
	}
	c->src.ops = &source_ops;
	c->src.info.cpus = cfg->machine.cpus;
	c->src.info.nodes = cfg->machine.nodes ? cfg->machine.nodes : 1;
	c->src.info.has_times = true;
	model = workload_open(cfg, err);
	ret = model ? run_model(c, cfg, model, progress, arg, err) : -1;
	/* load_tee() has closed the load when it failed. */
	if (model && model->load)
		model->ops->close(model);
	else
		free(model);
	c->src.info.events = spool_count(&c->spool);
	if (!ret)
		return &c->src;
	close_source(&c->src);
	return NULL;
}
