/*
 * model: loop
 *
 *	every CPU in use, until the time is over:
 *	    allocate the objects of an iteration; work; call_rcu() each of them
 *	at the end of a grace period (each CPU has its own, shifted against the others'):
 *	    free, in a row, what waited for it: objects wait for one to two periods
 *
 * Closed: a CPU that is held up does fewer iterations. will-it-scale's mmap1 is such a loop: a
 * mapping is made and removed, and its vm_area_struct and maple nodes are freed by RCU. CPUs in
 * use are spread over the machine evenly. What is live when the time is over stays.
 */
#include <cjson/cJSON.h>

#include "sim/cost.h"
#include "workloads/distribution.h"
#include "workloads/object_ids.h"

#define MAX_OBJECTS 1000
/* Iterations in which at least as many ns must pass: the time that ends the loop has to come. */
#define MANY (1 << 20)

/* An object that has been given to call_rcu(). */
struct waiting {
	uint64_t due; /* ps */
	uint32_t object;
	uint16_t cache;
};

struct loop_cpu {
	gsl_rng *rng;
	uint64_t ready;	     /* when the next allocation begins */
	unsigned step;	     /* allocations of the iteration so far */
	uint32_t iterations; /* since many_from */
	uint64_t many_from;
	uint32_t *object;     /* what they gave */
	struct waiting *ring; /* a queue; cap is a power of two */
	size_t first, n, cap;
	bool frees; /* the operation that next() gave last is a free */
	struct event ev;
};

struct loop_load {
	struct load load;
	uint64_t duration, grace; /* ps */
	struct distribution work;
	uint16_t cache[MAX_OBJECTS]; /* of each allocation of an iteration */
	unsigned objects;
	bool may_block;
	struct loop_cpu *cpu;
	unsigned cpus, used;
	struct object_ids *ids; /* by cache */
	uint64_t order;
};

static bool is_used(const struct loop_load *l, unsigned cpu)
{
	return (cpu + 1) * l->used / l->cpus > cpu * l->used / l->cpus;
}

static bool push(struct loop_cpu *c, struct waiting item)
{
	if (c->n == c->cap) {
		size_t cap = c->cap ? 2 * c->cap : 64;
		struct waiting *ring = calloc(cap, sizeof(*ring));

		if (!ring)
			return false;
		for (size_t i = 0; i < c->n; i++)
			ring[i] = c->ring[(c->first + i) & (c->cap - 1)];
		free(c->ring);
		c->ring = ring;
		c->cap = cap;
		c->first = 0;
	}
	c->ring[(c->first + c->n++) & (c->cap - 1)] = item;
	return true;
}

static int next(struct load *load, unsigned cpu, uint64_t now, struct load_operation *op,
		struct error *err)
{
	struct loop_load *l = (struct loop_load *)load;
	struct loop_cpu *c = &l->cpu[cpu];
	const struct waiting *oldest = c->n ? &c->ring[c->first] : NULL;

	(void)err;
	if (!is_used(l, cpu))
		return LOAD_FINISHED;
	/* The end of a grace period interrupts the work. */
	c->frees = oldest && oldest->due <= c->ready;
	*op = (struct load_operation){
	    .events = &c->ev,
	    .n = 1,
	    .start = c->frees ? oldest->due : c->ready,
	    .order = cpu,
	};
	if (op->start < now)
		op->start = now;
	return op->start < l->duration ? LOAD_OPERATION : LOAD_FINISHED;
}

static int begin(struct load *load, unsigned cpu, struct load_operation *op, struct error *err)
{
	struct loop_load *l = (struct loop_load *)load;
	struct loop_cpu *c = &l->cpu[cpu];

	(void)op;
	c->ev = (struct event){.cpu = (uint16_t)cpu, .node = NUMA_NO_NODE, .op = EV_FREE};
	if (c->frees) {
		c->ev.object = c->ring[c->first].object;
		c->ev.cache = c->ring[c->first].cache;
		return 0;
	}
	c->ev.op = EV_ALLOC;
	c->ev.flags = l->may_block ? EVF_MAY_BLOCK : 0;
	c->ev.cache = l->cache[c->step];
	if (!object_ids_get(&l->ids[c->ev.cache], &c->ev.object))
		return error_memory(err, "the objects of a model");
	return 0;
}

/* The iteration's work begins at now; when it is done, its objects are on their way out. */
static int end_iteration(struct loop_load *l, unsigned cpu, uint64_t now, struct error *err)
{
	struct loop_cpu *c = &l->cpu[cpu];
	uint64_t due, phase = l->grace ? l->grace * cpu / l->cpus : 0;

	c->ready = now + (uint64_t)(distribution_draw(&l->work, c->rng) * PS_PER_NS);
	if (++c->iterations == MANY) {
		if (c->ready - c->many_from < (uint64_t)MANY * PS_PER_NS)
			return error_input(err,
					   "workload.model.loop.work_ns: an iteration takes less "
					   "than 1 ns, and the loop would go on for ever: give it "
					   "work, or the machine costs");
		c->iterations = 0;
		c->many_from = c->ready;
	}
	due = c->ready;
	/* After the end of the period that has begun then, and of the next. */
	if (l->grace)
		due = ((c->ready + l->grace - phase) / l->grace + 1) * l->grace + phase;
	for (unsigned i = 0; i < l->objects; i++)
		if (!push(c, (struct waiting){due, c->object[i], l->cache[i]}))
			return error_memory(err, "the objects of a model");
	c->step = 0;
	return 0;
}

static int ended(struct load *load, unsigned cpu, const struct load_operation *op, uint64_t start,
		 uint64_t end, uint64_t waited, struct error *err)
{
	struct loop_load *l = (struct loop_load *)load;
	struct loop_cpu *c = &l->cpu[cpu];

	(void)op;
	(void)waited;
	if (!c->frees) {
		c->object[c->step++] = c->ev.object;
		c->ready = end;
		return c->step == l->objects ? end_iteration(l, cpu, end, err) : 0;
	}
	c->first = (c->first + 1) & (c->cap - 1);
	c->n--;
	/* The work goes on for as long as it had to. */
	c->ready = c->ready > start ? c->ready + (end - start) : end;
	if (!object_ids_put(&l->ids[c->ev.cache], c->ev.object))
		return error_memory(err, "the objects of a model");
	return 0;
}

static int woken(struct load *load)
{
	(void)load;
	return -1;
}

static void close_load(struct load *load)
{
	struct loop_load *l = (struct loop_load *)load;

	for (unsigned i = 0; l->cpu && i < l->cpus; i++) {
		if (l->cpu[i].rng)
			gsl_rng_free(l->cpu[i].rng);
		free(l->cpu[i].object);
		free(l->cpu[i].ring);
	}
	for (unsigned i = 0; l->ids && i < l->load.info.nr_caches; i++)
		object_ids_free(&l->ids[i]);
	free(l->load.info.caches);
	free(l->cpu);
	free(l->ids);
	free(l);
}

static const struct load_ops load_ops = {
    .next = next,
    .begin = begin,
    .ended = ended,
    .woken = woken,
    .close = close_load,
};

/* "objects": how many of each cache an iteration allocates, one cache after the other. */
static int read_objects(struct loop_load *l, struct model_params *p)
{
	const cJSON *objects = params_item(p, "objects"), *item;
	unsigned n = l->load.info.nr_caches, cache = 0;

	if (objects && (!cJSON_IsArray(objects) || cJSON_GetArraySize(objects) != (int)n))
		return params_error(p, "objects",
				    "a list with a number for each of the %u caches "
				    "is wanted",
				    n);
	for (; !objects && cache < n; cache++)
		l->cache[l->objects++] = (uint16_t)cache;
	cJSON_ArrayForEach (item, objects) {
		double count = cJSON_IsNumber(item) ? item->valuedouble : -1;

		if (!(count >= 0) || count != (unsigned)count || l->objects + count > MAX_OBJECTS)
			return params_error(p, "objects",
					    "whole numbers from 0 on, together at "
					    "most %d, are wanted",
					    MAX_OBJECTS);
		while (count-- > 0)
			l->cache[l->objects++] = (uint16_t)cache;
		cache++;
	}
	return l->objects ? 0 : params_error(p, "objects", "an iteration allocates nothing");
}

static int set_up(struct loop_load *l, const cJSON *params, const struct config *cfg,
		  struct error *err)
{
	struct model_params p;
	double us = 1000.0 * PS_PER_NS;

	params_init(&p, "loop", params, err);
	l->duration = (uint64_t)(params_number(&p, "duration_us", 10000, 1, 1e9) * us);
	l->grace = (uint64_t)(params_number(&p, "grace_us", 4000, 0, 1e9) * us);
	l->work = params_distribution(&p, "work_ns", &(struct distribution){.a = 3000});
	l->used = (unsigned)params_count(&p, "cpus", l->cpus, 1, l->cpus);
	l->may_block = cfg->gfp_may_block != 0;
	if (read_objects(l, &p) || params_finish(&p))
		return -1;
	for (unsigned cpu = 0; cpu < l->cpus; cpu++) {
		struct loop_cpu *c = &l->cpu[cpu];

		c->rng = gsl_rng_alloc(gsl_rng_taus2);
		c->object = calloc(l->objects, sizeof(*c->object));
		if (!c->rng || !c->object)
			return error_memory(err, "a model");
		gsl_rng_set(c->rng, cfg->seed * MAX_CPUS + cpu + 1);
		/* They do not begin all at once. */
		c->ready = (uint64_t)(gsl_rng_uniform(c->rng) *
				      distribution_draw(&l->work, c->rng) * PS_PER_NS);
	}
	return 0;
}

static struct load *open_model(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct loop_load *l = calloc(1, sizeof(*l));

	if (!l) {
		error_memory(err, "a model");
		return NULL;
	}
	l->load.ops = &load_ops;
	l->cpus = cfg->machine.cpus;
	l->cpu = calloc(l->cpus, sizeof(*l->cpu));
	l->load.info = model_info(cfg, err);
	l->ids = calloc(l->load.info.nr_caches + 1, sizeof(*l->ids));
	if (!l->load.info.caches)
		goto fail;
	if (!l->cpu || !l->ids) {
		error_memory(err, "a model");
		goto fail;
	}
	if (set_up(l, params, cfg, err))
		goto fail;
	return &l->load;
fail:
	close_load(&l->load);
	return NULL;
}

static const struct model_ops loop_ops = {
    .name = "loop",
    .summary =
	"every CPU allocates, works and frees by RCU, over and over for a time (will-it-scale)",
    .help =
	"duration_us  how long (10000)\n"
	"cpus         CPUs in use, spread over the machine evenly (all)\n"
	"work_ns      of an iteration beside allocating and freeing, a distribution (3000)\n"
	"objects      list: of each cache, how many an iteration allocates (1 of each)\n"
	"grace_us     a grace period; 0: objects are freed at the end of the iteration (4000)\n",
    .open = open_model,
};
MODEL(loop_ops);
