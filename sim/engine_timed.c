#include "sim/engine_timed.h"

/* Progress is reported every so many operations. */
#define PROGRESS_EVERY 65536

struct timed_run_arg {
	struct engine *e;
	const struct allocator_ops *allocator;
	void (*progress)(void *arg, uint64_t done);
	void *progress_arg;
};

int engine_timed_new(struct engine *e, struct error *err)
{
	const struct timed_config *want = &e->cfg->timed;
	uint64_t cost[NR_COST_ITEMS];

	if (want->reader_interval_us && want->reader_cpu >= e->machine.cpus)
		return error_input(err, "replay.reader_cpu: %u, but the machine has CPUs 0..%u",
				   want->reader_cpu, e->machine.cpus - 1);
	e->timed = calloc(1, sizeof(*e->timed));
	if (!e->timed)
		return error_memory(err, "the timed machine");
	for (unsigned i = 0; i < NR_COST_ITEMS; i++)
		cost[i] = (uint64_t)(want->cost[i] * PS_PER_NS + 0.5);
	e->timed->readers.interval = want->reader_interval_us * 1000 * PS_PER_NS;
	e->timed->readers.next = e->timed->readers.interval;
	e->timed->readers.began = e->timed->readers.interval;
	e->timed->readers.cpu = want->reader_cpu < e->machine.cpus ? want->reader_cpu : 0;
	return timing_init(&e->timed->timing, &e->machine, cost, want->cpus_per_complex, err);
}

void engine_timed_free(struct engine *e)
{
	if (!e->timed)
		return;
	timing_free(&e->timed->timing);
	free(e->timed);
}

/* The list is counted as its policy does. */
static void read_list(struct cache *c, unsigned node, struct readers *r)
{
	struct timing *t = c->timing;
	uint64_t scanned = c->count_partial->scanned(c->node[node].nr_partial);
	uint64_t counted = c->count_partial->free_objects(c, node);
	uint64_t really = cache_walk_free_objects(c, node);

	if (scanned) {
		timing_lock(t, &c->list_lock[node]);
		timing_charge(t, COST_WALK, scanned);
		timing_unlock(t, &c->list_lock[node]);
	} else if (c->count_partial->keeps_counters) {
		/* Every CPU's counter is read. */
		timing_charge(t, COST_COUNTER, c->machine->cpus);
	}
	r->slabs += scanned;
	if (really) {
		double error =
		    counted > really ? (double)(counted - really) : (double)(really - counted);

		error /= (double)really;
		r->error_sum += error;
		r->errors++;
		if (error > r->error_max)
			r->error_max = error;
	}
}

/* The reading is through; the next one begins after the interval, or now when it is late. */
static void end_reading(struct readers *r, struct timing *t)
{
	t->path = PATH_READ;
	timing_end(t, r->began);
	r->reads++;
	r->began += r->interval;
	if (r->began < t->now)
		r->began = t->now;
	r->next = r->began;
	r->cache = 0;
	r->node = 0;
}

/* The reader's next list. */
static void read_slabinfo(struct engine *e)
{
	struct readers *r = &e->timed->readers;
	struct timing *t = &e->timed->timing;

	timing_begin(t, r->cpu, r->next);
	if (e->binding[r->cache].used)
		read_list(&e->caches[r->cache], r->node, r);
	r->next = t->now;
	if (++r->node == e->machine.nodes) {
		r->node = 0;
		r->cache++;
	}
	if (r->cache == e->nr_caches)
		end_reading(r, t);
}

static int tick(void *arg, uint64_t now, struct error *err)
{
	struct engine *e = ((struct timed_run_arg *)arg)->e;
	struct readers *r = &e->timed->readers;

	while (r->interval && r->next <= now)
		read_slabinfo(e);
	if (series_due(&e->due, e->seen))
		return engine_add_points(e, now / PS_PER_NS, err);
	return 0;
}

static int run_operation(void *arg, const struct load_operation *op, struct error *err)
{
	struct timed_run_arg *a = arg;
	const struct event *events = op->events;
	uint64_t before = a->e->seen;

	if (a->e->merge) {
		if (engine_reserve(a->e, op->n, err))
			return -1;
		memcpy(a->e->kept, op->events, op->n * sizeof(*events));
		if (merge_events(a->e->merge, a->e->kept, op->n, err))
			return config_blame(a->e->cfg, err);
		events = a->e->kept;
	}
	if (a->allocator->replay_timed(a->e->caches, events, op->n, err))
		return config_blame(a->e->cfg, err);
	a->e->seen += op->n;
	if (a->progress && before / PROGRESS_EVERY != a->e->seen / PROGRESS_EVERY)
		a->progress(a->progress_arg, a->e->seen);
	return 0;
}

/*
 * Whose cache has the lines of the slabs that are there at the start: the CPU's that has the slab,
 * else that of some CPU of the slab's node.
 */
static void place_lines(struct cache *c)
{
	const struct machine *m = c->machine;

	for (uint32_t s = 0; s < c->nr_slab; s++) {
		unsigned cpu = 0;

		while (cpu < m->cpus - 1 && m->node_of_cpu[cpu] != c->slab[s].node)
			cpu++;
		c->line_owner[s] = (uint16_t)cpu;
	}
	for (unsigned cpu = 0; cpu < m->cpus; cpu++) {
		if (c->cpu[cpu].slab != SLAB_NONE)
			c->line_owner[c->cpu[cpu].slab] = (uint16_t)cpu;
		for (const struct parked_slab *p = c->cpu[cpu].partial_head;
		     p > c->cpu[cpu].partial; p--)
			c->line_owner[p->slab] = (uint16_t)cpu;
	}
}

int engine_timed_run(struct engine *e, struct load *load,
		     void (*progress)(void *arg, uint64_t done), void *arg, struct error *err)
{
	struct timed_run_arg a = {
	    .e = e,
	    .allocator = (const struct allocator_ops *)e->cfg->policy.choice[AXIS_ALLOCATOR].policy,
	    .progress = progress,
	    .progress_arg = arg,
	};
	struct timed_loop loop = {
	    .timing = &e->timed->timing,
	    .load = load,
	    .run = run_operation,
	    .arg = &a,
	    .tick = tick,
	    .cpus = e->machine.cpus,
	};

	for (unsigned i = 0; i < e->nr_caches; i++)
		if (e->binding[i].used)
			place_lines(&e->caches[i]);
	if (timed_run(&loop, err))
		return -1;
	e->timed->operations = loop.operations;
	e->timed->end = loop.end;
	return engine_add_points(e, loop.end / PS_PER_NS, err);
}

static void sum_lock(struct result_lock *sum, const struct lock *lock)
{
	sum->acquisitions += lock->acquisitions;
	sum->contended += lock->contended;
	sum->wait += lock->wait;
	sum->hold += lock->hold;
	if (lock->wait_max > sum->wait_max)
		sum->wait_max = lock->wait_max;
	if (lock->hold_max > sum->hold_max)
		sum->hold_max = lock->hold_max;
}

int engine_timed_results(const struct engine *e, struct results *res, struct error *err)
{
	const struct timed *t = e->timed;
	struct result_timing *rt = calloc(1, sizeof(*rt));

	res->timing = rt;
	if (!rt)
		return error_memory(err, "results");
	rt->nodes = e->machine.nodes;
	rt->node = calloc(rt->nodes, sizeof(*rt->node));
	rt->barn = calloc(rt->nodes, sizeof(*rt->barn));
	rt->path_time = calloc(NR_PATHS, sizeof(*rt->path_time));
	if (!rt->node || !rt->barn || !rt->path_time)
		return error_memory(err, "results");
	memcpy(rt->path_time, t->timing.path_time, NR_PATHS * sizeof(*rt->path_time));
	memcpy(rt->spent, t->timing.spent, sizeof(rt->spent));
	memcpy(rt->transfers, t->timing.transfers, sizeof(rt->transfers));
	rt->lock_wait = t->timing.lock_wait;
	rt->operations = t->operations;
	rt->end = t->end;
	rt->reads = t->readers.reads;
	rt->slabs_read = t->readers.slabs;
	rt->read_error_max = t->readers.error_max;
	if (t->readers.errors)
		rt->read_error_mean = t->readers.error_sum / (double)t->readers.errors;
	for (unsigned i = 0; i < e->nr_caches; i++) {
		const struct cache *c = &e->caches[i];

		for (unsigned node = 0; e->binding[i].used && node < rt->nodes; node++) {
			sum_lock(&rt->node[node], &c->list_lock[node]);
			sum_lock(&rt->barn[node], &c->barn_lock[node]);
		}
	}
	return 0;
}
