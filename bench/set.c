/* Sets of events: a recorded trace, or random allocations and frees. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/trace.h"

static int append(struct event_set *set, const struct event *ev, struct error *err)
{
	size_t at = set->fill + set->n;

	if (at == set->cap) {
		size_t cap = set->cap ? set->cap * 2 : 1 << 16;
		struct event *events = reallocarray(set->events, cap, sizeof(*events));

		if (!events)
			return error_memory(err, "events");
		set->events = events;
		set->cap = cap;
	}
	set->events[at] = *ev;
	set->n++;
	return 0;
}

/* ---- a recorded trace ---- */

static int copy_info(struct event_set *set, const struct source_info *from, struct error *err)
{
	set->info = (struct source_info){
	    .cpus = from->cpus,
	    .nodes = from->nodes,
	    .nr_caches = from->nr_caches,
	    .caches = calloc(from->nr_caches + 1, sizeof(*set->info.caches)),
	};
	if (!set->info.caches)
		return error_memory(err, "caches");
	for (unsigned i = 0; i < from->nr_caches; i++) {
		set->info.caches[i] = from->caches[i];
		set->info.caches[i].name = strdup(from->caches[i].name);
		if (!set->info.caches[i].name)
			return error_memory(err, "caches");
	}
	return 0;
}

static int copy_events(struct event_set *set, struct source *src, struct error *err)
{
	struct batch b;
	int more;

	while ((more = src->ops->next(src, &b, err)) > 0) {
		for (size_t i = 0; i < b.n; i++)
			if (append(set, &b.events[i], err))
				return -1;
	}
	return more;
}

/* Objects that live at the end are freed where they were allocated. */
static int free_survivors(struct event_set *set, struct error *err)
{
	uint32_t *ids = calloc(set->info.nr_caches + 1, sizeof(*ids));
	const struct event **alloc = NULL;
	struct event *events = set->events;
	size_t n = set->n;
	int ret = -1;

	if (!ids)
		return error_memory(err, "objects");
	for (size_t i = 0; i < n; i++)
		if (events[i].op != EV_SHRINK && events[i].object >= ids[events[i].cache + 1])
			ids[events[i].cache + 1] = events[i].object + 1;
	for (unsigned i = 0; i < set->info.nr_caches; i++)
		ids[i + 1] += ids[i];
	set->objects = ids[set->info.nr_caches];
	alloc = calloc(set->objects + 1, sizeof(*alloc));
	/* No appended event may move those that alloc[] points to. */
	events = reallocarray(set->events, n + set->objects + 1, sizeof(*events));
	if (!alloc || !events) {
		error_memory(err, "objects");
		goto out;
	}
	set->events = events;
	set->cap = n + set->objects + 1;
	for (size_t i = 0; i < n; i++) {
		bool born = events[i].op == EV_ALLOC || events[i].op == EV_ALLOC_BULK;

		if (events[i].op != EV_SHRINK)
			alloc[ids[events[i].cache] + events[i].object] = born ? &events[i] : NULL;
	}
	ret = 0;
	for (uint32_t i = 0; i < set->objects && !ret; i++) {
		struct event ev;

		if (!alloc[i])
			continue;
		ev = *alloc[i];
		ev.op = EV_FREE;
		ev.flags = 0;
		ret = append(set, &ev, err);
	}
out:
	free(alloc);
	free(ids);
	return ret;
}

static int record(struct event_set *set, const char *file, struct error *err)
{
	struct trace_options opt = {.page_size = 4096, .may_block = -1};
	struct source *src = trace_open(file, &opt, err);
	int ret;

	if (!src)
		return -1;
	ret = copy_info(set, &src->info, err);
	if (!ret)
		ret = copy_events(set, src, err);
	if (!ret)
		ret = free_survivors(set, err);
	src->ops->close(src);
	return ret;
}

/* ---- a generated one ---- */

#define CPUS	     8
#define EVENTS_A_CPU 16 /* on average, before another CPU has its turn */

struct generator {
	struct event_set *set;
	uint64_t random;
	uint32_t *id; /* the live ones first */
	uint32_t live, ids;
	unsigned cpus;
	uint16_t cpu;
};

/* xorshift64*: below n, which is much less than 2^32. */
static uint32_t below(struct generator *g, uint32_t n)
{
	g->random ^= g->random >> 12;
	g->random ^= g->random << 25;
	g->random ^= g->random >> 27;
	return (uint32_t)(((g->random * 0x2545f4914f6cdd1dull >> 32) * n) >> 32);
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t t = *a;

	*a = *b;
	*b = t;
}

static int emit(struct generator *g, uint8_t op, uint32_t object, struct error *err)
{
	struct event ev = {.object = object, .cpu = g->cpu, .node = NUMA_NO_NODE, .op = op};

	return append(g->set, &ev, err);
}

/* Allocate or free the id at place i of g->id. */
static int turn(struct generator *g, uint32_t i, struct error *err)
{
	if (i < g->live) {
		swap(&g->id[i], &g->id[--g->live]);
		return emit(g, EV_FREE, g->id[g->live], err);
	}
	swap(&g->id[i], &g->id[g->live]);
	return emit(g, EV_ALLOC, g->id[g->live++], err);
}

static int generate_random(struct generator *g, const struct set_recipe *r, struct error *err)
{
	for (size_t i = 0; i < r->events; i++) {
		bool release = r->run ? i / r->run % 2 : below(g, 2);
		uint32_t place;

		if (!below(g, EVENTS_A_CPU))
			g->cpu = (uint16_t)below(g, g->cpus);
		if (!g->live || g->live == g->ids)
			release = g->live;
		place = release ? below(g, g->live) : g->live + below(g, g->ids - g->live);
		if (turn(g, place, err))
			return -1;
	}
	return 0;
}

/* Back to the objects that lived at the start, ids 0 to n-1. */
static int generate_return(struct generator *g, uint32_t n, struct error *err)
{
	for (uint32_t i = g->live; i-- > 0;)
		if (g->id[i] >= n && turn(g, i, err))
			return -1;
	for (uint32_t i = g->live; i < g->ids; i++)
		if (g->id[i] < n && turn(g, i, err))
			return -1;
	return 0;
}

static int generate(struct event_set *set, const struct set_recipe *r, struct error *err)
{
	struct generator g = {.set = set, .random = 0x9e3779b97f4a7c15ull, .ids = r->ids};
	int ret = 0;

	g.cpus = r->cpus ? r->cpus : CPUS;
	set->objects = r->ids;
	set->info = (struct source_info){
	    .cpus = g.cpus,
	    .nodes = 1,
	    .nr_caches = 1,
	    .caches = calloc(1, sizeof(*set->info.caches)),
	};
	g.id = calloc(r->ids, sizeof(*g.id));
	if (!g.id || !set->info.caches)
		ret = error_memory(err, "objects");
	for (uint32_t i = 0; !ret && i < r->ids; i++)
		g.id[i] = i;
	if (!ret) {
		set->info.caches[0] =
		    (struct source_cache){.name = strdup("bench"), .object_size = 256};
		while (!ret && g.live < r->live)
			ret = turn(&g, g.live, err);
		set->fill = set->n;
		set->n = 0;
	}
	if (!ret)
		ret = generate_random(&g, r, err);
	if (!ret && !r->once)
		ret = generate_return(&g, r->live, err);
	free(g.id);
	return ret;
}

int set_make(struct event_set *set, const struct set_recipe *recipe, struct error *err)
{
	*set = (struct event_set){0};
	if (recipe->trace)
		return record(set, recipe->trace, err);
	return generate(set, recipe, err);
}

void set_free(struct event_set *set)
{
	for (unsigned i = 0; set->info.caches && i < set->info.nr_caches; i++)
		free(set->info.caches[i].name);
	free(set->info.caches);
	free(set->events);
	*set = (struct event_set){0};
}
