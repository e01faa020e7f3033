#include "workloads/agenda.h"

/* ---- the heap: four to a node, which halves the levels a todo moves through ---- */

static bool earlier(const struct todo *a, const struct todo *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static bool heap_push(struct todo_heap *h, struct todo item)
{
	size_t i = h->n;

	if (h->n == h->cap) {
		size_t cap = h->cap ? 2 * h->cap : 64;
		struct todo *p = reallocarray(h->p, cap, sizeof(*p));

		if (!p)
			return false;
		h->p = p;
		h->cap = cap;
	}
	for (h->n++; i > 0 && earlier(&item, &h->p[(i - 1) / 4]); i = (i - 1) / 4)
		h->p[i] = h->p[(i - 1) / 4];
	h->p[i] = item;
	return true;
}

static struct todo heap_pop(struct todo_heap *h)
{
	struct todo first = h->p[0], last = h->p[--h->n];
	size_t i = 0, child;

	while ((child = 4 * i + 1) < h->n) {
		size_t end = child + 4 < h->n ? child + 4 : h->n;

		for (size_t other = child + 1; other < end; other++)
			if (earlier(&h->p[other], &h->p[child]))
				child = other;
		if (!earlier(&h->p[child], &last))
			break;
		h->p[i] = h->p[child];
		i = child;
	}
	h->p[i] = last;
	return first;
}

/* ---- as a load ---- */

static int next(struct load *load, unsigned cpu, uint64_t now, struct load_operation *op,
		struct error *err)
{
	struct agenda *a = (struct agenda *)load;
	const struct todo_heap *h = &a->cpu[cpu].todo;

	(void)now;
	(void)err;
	if (!h->n)
		return a->left ? LOAD_WAITS : LOAD_FINISHED;
	*op = (struct load_operation){
	    .events = a->cpu[cpu].ev, .start = h->p[0].time, .order = h->p[0].order};
	return LOAD_OPERATION;
}

static struct event event(unsigned cpu, uint16_t cache, enum event_op what, uint32_t object)
{
	return (struct event){.object = object,
			      .cpu = (uint16_t)cpu,
			      .cache = cache,
			      .node = NUMA_NO_NODE,
			      .op = (uint8_t)what};
}

static int begin(struct load *load, unsigned cpu, struct load_operation *op, struct error *err)
{
	struct agenda *a = (struct agenda *)load;
	struct agenda_cpu *c = &a->cpu[cpu];
	const struct todo *t = &c->current;
	int n = 1;

	c->current = heap_pop(&c->todo);
	if (t->kind != TODO_FREE)
		n = a->ops->begin(a, cpu, t, c->ev, err);
	else
		n = agenda_release(a, cpu, t->cache, &t->object, 1, c->ev, err) ? -1 : 1;
	op->n = n > 0 ? (size_t)n : 0;
	return n < 0 ? -1 : 0;
}

static void wake(struct agenda *a, unsigned cpu)
{
	if (a->cpu[cpu].woken)
		return;
	a->cpu[cpu].woken = true;
	a->woken[a->nr_woken++] = cpu;
}

static int ended(struct load *load, unsigned cpu, const struct load_operation *op, uint64_t start,
		 uint64_t end, uint64_t waited, struct error *err)
{
	struct agenda *a = (struct agenda *)load;
	struct agenda_cpu *c = &a->cpu[cpu];

	(void)start;
	(void)waited;
	if (a->ops->ended(a, cpu, &c->current, c->ev, (unsigned)op->n, end, err))
		return -1;
	if (--a->left)
		return 0;
	/* Nobody waits for anything any more. */
	for (unsigned other = 0; other < a->cpus; other++)
		wake(a, other);
	return 0;
}

static int woken(struct load *load)
{
	struct agenda *a = (struct agenda *)load;
	unsigned cpu;

	if (!a->nr_woken)
		return -1;
	cpu = a->woken[--a->nr_woken];
	a->cpu[cpu].woken = false;
	return (int)cpu;
}

static void close_load(struct load *load)
{
	struct agenda *a = (struct agenda *)load;

	a->ops->close(a);
}

static const struct load_ops load_ops = {
    .next = next,
    .begin = begin,
    .ended = ended,
    .woken = woken,
    .close = close_load,
};

int agenda_init(struct agenda *a, const struct agenda_ops *ops, const struct config *cfg,
		unsigned max_events, struct error *err)
{
	a->load.ops = &load_ops;
	a->ops = ops;
	a->cpus = cfg->machine.cpus;
	a->max_events = max_events;
	a->may_block = cfg->gfp_may_block != 0;
	if (!a->load.info.caches)
		a->load.info = model_info(cfg, err);
	if (!a->load.info.caches)
		return -1;
	a->nr_caches = a->load.info.nr_caches;
	a->woken = calloc(a->cpus, sizeof(*a->woken));
	a->ids = calloc(a->nr_caches, sizeof(*a->ids));
	a->cpu = calloc(a->cpus, sizeof(*a->cpu));
	for (unsigned cpu = 0; a->cpu && cpu < a->cpus; cpu++) {
		struct agenda_cpu *c = &a->cpu[cpu];

		c->ev = calloc(max_events, sizeof(*c->ev));
		c->rng = gsl_rng_alloc(gsl_rng_taus2);
		if (!c->ev || !c->rng)
			return error_memory(err, "a model");
		gsl_rng_set(c->rng, cfg->seed * MAX_CPUS + cpu + 1);
	}
	return a->woken && a->ids && a->cpu ? 0 : error_memory(err, "a model");
}

void agenda_close(struct agenda *a)
{
	for (unsigned cpu = 0; a->cpu && cpu < a->cpus; cpu++) {
		struct agenda_cpu *c = &a->cpu[cpu];

		free(c->todo.p);
		free(c->ev);
		if (c->rng)
			gsl_rng_free(c->rng);
	}
	for (unsigned i = 0; a->ids && i < a->nr_caches; i++)
		object_ids_free(&a->ids[i]);
	free(a->load.info.caches);
	free(a->cpu);
	free(a->ids);
	free(a->woken);
}

/* ---- for models ---- */

int agenda_add(struct agenda *a, unsigned cpu, struct todo t, struct error *err)
{
	struct todo_heap *h = &a->cpu[cpu].todo;

	t.order = a->order++;
	if (!heap_push(h, t))
		return error_memory(err, "a model's agenda");
	a->left++;
	/* The CPU's next operation is another one now. */
	if (h->p[0].order == t.order)
		wake(a, cpu);
	return 0;
}

int agenda_free(struct agenda *a, unsigned cpu, uint64_t time, uint16_t cache, uint32_t object,
		struct error *err)
{
	return agenda_add(a, cpu, (struct todo){.time = time, .cache = cache, .object = object},
			  err);
}

int agenda_alloc(struct agenda *a, unsigned cpu, uint16_t cache, struct event *ev, unsigned n,
		 struct error *err)
{
	for (unsigned i = 0; i < n; i++) {
		ev[i] = event(cpu, cache, n > 1 ? EV_ALLOC_BULK : EV_ALLOC, 0);
		if (!object_ids_get(&a->ids[cache], &ev[i].object))
			return error_memory(err, "the objects of a model");
		if (a->may_block)
			ev[i].flags |= EVF_MAY_BLOCK;
		if (i + 1 < n)
			ev[i].flags |= EVF_MORE;
	}
	return 0;
}

int agenda_release(struct agenda *a, unsigned cpu, uint16_t cache, const uint32_t *object,
		   unsigned n, struct event *ev, struct error *err)
{
	for (unsigned i = 0; i < n; i++) {
		ev[i] = event(cpu, cache, n > 1 ? EV_FREE_BULK : EV_FREE, object[i]);
		if (i + 1 < n)
			ev[i].flags |= EVF_MORE;
		if (!object_ids_put(&a->ids[cache], object[i]))
			return error_memory(err, "the objects of a model");
	}
	return 0;
}
