/*
 * model: open
 *
 *	every CPU:  allocate an object after a think time, "burst" of them in a row;
 *	            free each object when its lifetime is over, on a CPU chosen at its birth:
 *	            another one with probability "remote", on another node with "remote_node" of
 *those until "operations" objects have been allocated in all, and all are freed
 *
 * Open: the think times do not depend on how long operations take, except that a CPU does one
 * thing at a time. The caches are the configuration's, "weights" says how often each is used.
 */
#include <cjson/cJSON.h>
#include <gsl/gsl_randist.h>

#include "sim/cost.h"
#include "workloads/distribution.h"
#include "workloads/object_ids.h"

/* An object that a CPU will free. */
struct pending {
	uint64_t time; /* ps */
	uint64_t order;
	uint32_t object;
	uint16_t cache;
};

/* A binary heap of them, the earliest on top. */
struct pending_heap {
	struct pending *p;
	size_t n, cap;
};

struct open_cpu {
	gsl_rng *rng;
	struct pending_heap frees;
	uint64_t allocs_left;
	uint64_t next_alloc; /* ps */
	unsigned burst_left;
	bool has_next;	/* next_alloc is drawn */
	bool allocates; /* the operation that next() gave last is an allocation */
	struct event ev;
};

struct open_load {
	struct load load;
	const struct config *cfg;
	struct distribution think, lifetime;
	double remote, remote_node;
	unsigned burst;
	bool may_block;
	gsl_ran_discrete_t *which_cache; /* NULL: the only one */
	struct open_cpu *cpu;
	unsigned cpus;
	struct object_ids *ids; /* by cache */
	uint64_t allocs_left;	/* of all CPUs */
	uint64_t order;
	unsigned *woken;
	unsigned nr_woken;
	uint16_t *node_of_cpu;
};

static bool earlier(const struct pending *a, const struct pending *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static bool heap_push(struct pending_heap *h, struct pending item)
{
	size_t i = h->n;

	if (h->n == h->cap) {
		size_t cap = h->cap ? 2 * h->cap : 64;
		struct pending *p = reallocarray(h->p, cap, sizeof(*p));

		if (!p)
			return false;
		h->p = p;
		h->cap = cap;
	}
	for (h->n++; i > 0 && earlier(&item, &h->p[(i - 1) / 2]); i = (i - 1) / 2)
		h->p[i] = h->p[(i - 1) / 2];
	h->p[i] = item;
	return true;
}

static void heap_pop(struct pending_heap *h)
{
	struct pending last = h->p[--h->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && earlier(&h->p[child + 1], &h->p[child]))
			child++;
		if (!earlier(&h->p[child], &last))
			break;
		h->p[i] = h->p[child];
		i = child;
	}
	h->p[i] = last;
}

static uint64_t draw_ps(const struct distribution *d, gsl_rng *rng)
{
	return (uint64_t)(distribution_draw(d, rng) * PS_PER_NS);
}

/* The CPU that will free an object allocated on cpu. */
static unsigned choose_freer(struct open_load *l, unsigned cpu, gsl_rng *rng)
{
	unsigned other;
	bool away;

	if (l->cpus == 1 || gsl_rng_uniform(rng) >= l->remote)
		return cpu;
	away = l->remote_node >= 0 && gsl_rng_uniform(rng) < l->remote_node;
	for (unsigned tries = 0; tries < 1000; tries++) {
		other = (unsigned)gsl_rng_uniform_int(rng, l->cpus);
		if (other == cpu)
			continue;
		if (l->remote_node < 0 || away == (l->node_of_cpu[other] != l->node_of_cpu[cpu]))
			return other;
	}
	/* There is no CPU of that kind. */
	return cpu;
}

static int next(struct load *load, unsigned cpu, uint64_t now, struct load_operation *op,
		struct error *err)
{
	struct open_load *l = (struct open_load *)load;
	struct open_cpu *c = &l->cpu[cpu];
	const struct pending *free = c->frees.n ? &c->frees.p[0] : NULL;

	(void)err;
	if (c->allocs_left && !c->has_next) {
		if (c->burst_left) {
			c->burst_left--;
			c->next_alloc = now;
		} else {
			c->burst_left = l->burst - 1;
			c->next_alloc += draw_ps(&l->think, c->rng);
		}
		c->has_next = true;
	}
	c->allocates = c->has_next && !(free && free->time < c->next_alloc);
	if (c->allocates) {
		*op = (struct load_operation){.start = c->next_alloc};
	} else if (free) {
		c->ev = (struct event){.object = free->object,
				       .cpu = (uint16_t)cpu,
				       .cache = free->cache,
				       .node = NUMA_NO_NODE,
				       .op = EV_FREE};
		*op = (struct load_operation){.start = free->time};
	} else {
		return l->allocs_left ? LOAD_WAITS : LOAD_FINISHED;
	}
	op->events = &c->ev;
	op->n = 1;
	op->order = cpu;
	return LOAD_OPERATION;
}

/* An allocation's object is drawn when it is run: next() may be asked twice. */
static int begin(struct load *load, unsigned cpu, struct load_operation *op, struct error *err)
{
	struct open_load *l = (struct open_load *)load;
	struct open_cpu *c = &l->cpu[cpu];
	uint16_t cache = 0;

	(void)op;
	if (!c->allocates)
		return 0;
	if (l->which_cache)
		cache = (uint16_t)gsl_ran_discrete(c->rng, l->which_cache);
	c->ev = (struct event){.cpu = (uint16_t)cpu,
			       .cache = cache,
			       .node = NUMA_NO_NODE,
			       .op = EV_ALLOC,
			       .flags = l->may_block ? EVF_MAY_BLOCK : 0};
	if (!object_ids_get(&l->ids[cache], &c->ev.object))
		return error_memory(err, "the objects of a model");
	return 0;
}

static void wake_all(struct open_load *l)
{
	for (unsigned cpu = 0; cpu < l->cpus; cpu++)
		l->woken[l->nr_woken++] = cpu;
}

static int ended(struct load *load, unsigned cpu, const struct load_operation *op, uint64_t start,
		 uint64_t end, uint64_t waited, struct error *err)
{
	struct open_load *l = (struct open_load *)load;
	struct open_cpu *c = &l->cpu[cpu];
	struct pending item = {.object = c->ev.object, .cache = c->ev.cache};
	unsigned freer;

	(void)op;
	(void)start;
	(void)waited;
	l->nr_woken = 0;
	if (!c->allocates) {
		heap_pop(&c->frees);
		if (!object_ids_put(&l->ids[item.cache], item.object))
			return error_memory(err, "the objects of a model");
		return 0;
	}
	c->has_next = false;
	c->allocs_left--;
	l->allocs_left--;
	freer = choose_freer(l, cpu, c->rng);
	item.time = end + draw_ps(&l->lifetime, c->rng);
	item.order = l->order++;
	if (!heap_push(&l->cpu[freer].frees, item))
		return error_memory(err, "the objects of a model");
	if (!l->allocs_left)
		wake_all(l);
	else if (freer != cpu && l->cpu[freer].frees.p[0].order == item.order)
		l->woken[l->nr_woken++] = freer;
	return 0;
}

static int woken(struct load *load)
{
	struct open_load *l = (struct open_load *)load;

	return l->nr_woken ? (int)l->woken[--l->nr_woken] : -1;
}

static void close_load(struct load *load)
{
	struct open_load *l = (struct open_load *)load;

	for (unsigned i = 0; l->cpu && i < l->cpus; i++) {
		if (l->cpu[i].rng)
			gsl_rng_free(l->cpu[i].rng);
		free(l->cpu[i].frees.p);
	}
	for (unsigned i = 0; l->ids && i < l->load.info.nr_caches; i++)
		object_ids_free(&l->ids[i]);
	if (l->which_cache)
		gsl_ran_discrete_free(l->which_cache);
	free(l->load.info.caches);
	free(l->cpu);
	free(l->ids);
	free(l->woken);
	free(l->node_of_cpu);
	free(l);
}

static const struct load_ops load_ops = {
    .next = next,
    .begin = begin,
    .ended = ended,
    .woken = woken,
    .close = close_load,
};

static int read_weights(struct open_load *l, struct model_params *p, struct error *err)
{
	const cJSON *weights = params_item(p, "weights"), *item;
	double *w, sum = 0;
	size_t n = 0;

	if (!weights && l->cfg->nr_caches == 1)
		return 0;
	w = calloc(l->cfg->nr_caches, sizeof(*w));
	if (!w)
		return error_memory(err, "the caches of a model");
	if (weights && cJSON_GetArraySize(weights) != (int)l->cfg->nr_caches) {
		free(w);
		return params_error(p, "weights", "one number for each of the %u caches is wanted",
				    l->cfg->nr_caches);
	}
	for (; !weights && n < l->cfg->nr_caches; n++)
		sum += w[n] = 1;
	cJSON_ArrayForEach (item, weights) {
		if (!cJSON_IsNumber(item) || item->valuedouble < 0) {
			free(w);
			return params_error(p, "weights", "weights are numbers >= 0");
		}
		sum += w[n++] = item->valuedouble;
	}
	if (sum > 0)
		l->which_cache = gsl_ran_discrete_preproc(n, w);
	free(w);
	return sum > 0 ? 0 : params_error(p, "weights", "no weight is above 0");
}

static int set_up(struct open_load *l, const cJSON *params, struct error *err)
{
	struct model_params p;
	double operations;

	params_init(&p, "open", params, err);
	operations = params_number(&p, "operations", 1e6, 1, 1e12);
	l->think = params_distribution(&p, "think_ns", 1000);
	l->lifetime = params_distribution(&p, "lifetime_ns", 10000);
	l->remote = params_number(&p, "remote", 0, 0, 1);
	l->remote_node = params_number(&p, "remote_node", -1, 0, 1);
	l->burst = (unsigned)params_number(&p, "burst", 1, 1, 1e6);
	l->may_block = l->cfg->gfp_may_block != 0;
	if (read_weights(l, &p, err) || params_finish(&p))
		return -1;
	for (unsigned cpu = 0; cpu < l->cpus; cpu++) {
		struct open_cpu *c = &l->cpu[cpu];

		c->rng = gsl_rng_alloc(gsl_rng_taus2);
		if (!c->rng)
			return error_memory(err, "a model's random numbers");
		gsl_rng_set(c->rng, l->cfg->seed * MAX_CPUS + cpu + 1);
		c->allocs_left =
		    (uint64_t)operations / l->cpus + (cpu < (uint64_t)operations % l->cpus);
		c->burst_left = 0;
	}
	l->allocs_left = (uint64_t)operations;
	return 0;
}

static struct load *open_model(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct open_load *l = calloc(1, sizeof(*l));
	unsigned n = cfg->nr_caches;

	if (!l) {
		error_memory(err, "a model");
		return NULL;
	}
	l->load.ops = &load_ops;
	l->cfg = cfg;
	l->cpus = cfg->machine.cpus;
	l->cpu = calloc(l->cpus, sizeof(*l->cpu));
	l->ids = calloc(n + 1, sizeof(*l->ids));
	l->woken = calloc(l->cpus + 1, sizeof(*l->woken));
	l->node_of_cpu = model_nodes(cfg, err);
	l->load.info = model_info(cfg, err);
	if (!l->load.info.caches || !l->node_of_cpu)
		goto fail;
	if (!l->cpu || !l->ids || !l->woken) {
		error_memory(err, "a model");
		goto fail;
	}
	if (set_up(l, params, err))
		goto fail;
	return &l->load;
fail:
	close_load(&l->load);
	return NULL;
}

static const struct model_ops open_ops = {
    .name = "open",
    .summary = "every CPU allocates by think times; objects are freed when their lifetime is over",
    .help = "operations   objects allocated in all (1e6)\n"
	    "think_ns     between two allocations of a CPU, a distribution (1000)\n"
	    "lifetime_ns  of an object, a distribution (10000)\n"
	    "remote       share of objects that another CPU frees (0)\n"
	    "remote_node  of those, the share freed on another node (any other CPU)\n"
	    "burst        allocations in a row without a think time (1)\n"
	    "weights      how often each of the caches is used (all alike)\n",
    .open = open_model,
};
MODEL(open_ops);
