/*
 * The limit loop: the least any replayer must do. It streams the records; an allocation takes an
 * object of the slab at hand, 32 of each, and stores that slab in the object table; a free loads
 * it from there and counts the object back. No CPUs, no lists, no counters, and the slabs come
 * round in a ring.
 */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OBJECTS 32

struct limit {
	uint32_t *table; /* the slab of every object */
	uint32_t *inuse; /* by slab */
	uint32_t mask;	 /* slabs - 1 */
	uint32_t taken;	 /* objects so far; the slab at hand follows */
	size_t table_size, inuse_size;
};

#define HUGE_PAGE ((size_t)2 << 20)

/* Large pages where there are any: nobody need pay for page tables. */
static void *map(size_t size)
{
	char *p = aligned_alloc(HUGE_PAGE, (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));

	if (!p)
		return NULL;
	madvise(p, size, MADV_HUGEPAGE);
	memset(p, 0, size);
	return p;
}

static __attribute__((noinline)) void limit_loop(struct limit *l, const struct event *ev, size_t n)
{
	uint32_t *table = l->table, *inuse = l->inuse;
	uint32_t slab = l->taken / OBJECTS & l->mask;

	for (const struct event *end = ev + n; ev < end; ev++) {
		if (ev->op == EV_ALLOC) {
			inuse[slab]++;
			table[ev->object] = slab;
			if (++l->taken % OBJECTS == 0)
				slab = (slab + 1) & l->mask;
		} else {
			inuse[table[ev->object]]--;
		}
	}
}

static __attribute__((noinline)) void limit_loop_prefetch(struct limit *l, const struct event *ev,
							  size_t n, unsigned ahead)
{
	uint32_t *table = l->table, *inuse = l->inuse;
	uint32_t slab = l->taken / OBJECTS & l->mask;

	/* The events of the set's end are looked at twice rather than those behind it. */
	for (const struct event *end = ev + n; ev < end; ev++) {
		__builtin_prefetch(&table[ev[ev + ahead < end ? ahead : 0].object], 1);
		if (ev->op == EV_ALLOC) {
			inuse[slab]++;
			table[ev->object] = slab;
			if (++l->taken % OBJECTS == 0)
				slab = (slab + 1) & l->mask;
		} else {
			inuse[table[ev->object]]--;
		}
	}
}

/* The events with allocations and frees alone, and object ids of one table for all caches. */
static struct event *flatten(const struct event_set *set, struct error *err)
{
	uint32_t *first = calloc(set->info.nr_caches + 1, sizeof(*first));
	struct event *flat = calloc(set->fill + set->n + 1, sizeof(*flat));
	size_t n = set->fill + set->n;

	if (!first || !flat) {
		error_memory(err, "events");
		free(first);
		free(flat);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		if (set->events[i].object >= first[set->events[i].cache + 1])
			first[set->events[i].cache + 1] = set->events[i].object + 1;
	for (unsigned i = 0; i < set->info.nr_caches; i++)
		first[i + 1] += first[i];
	for (size_t i = 0; i < n; i++) {
		flat[i] = set->events[i];
		flat[i].object += first[flat[i].cache];
		flat[i].op =
		    flat[i].op == EV_ALLOC || flat[i].op == EV_ALLOC_BULK ? EV_ALLOC : EV_FREE;
	}
	free(first);
	return flat;
}

static int limit_init(struct limit *l, const struct event_set *set, struct error *err)
{
	uint32_t slabs = 1;

	while ((uint64_t)slabs * OBJECTS < set->objects)
		slabs *= 2;
	*l = (struct limit){
	    .table = map((size_t)set->objects * sizeof(*l->table)),
	    .inuse = map((size_t)slabs * sizeof(*l->inuse)),
	    .mask = slabs - 1,
	};
	return l->table && l->inuse ? 0 : error_memory(err, "the limit loop");
}

int limit_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	const struct event_set *set = run->set;
	struct event *flat = flatten(set, err);
	struct limit l = {0};
	int ret = flat ? limit_init(&l, set, err) : -1;

	if (!ret) {
		limit_loop(&l, flat, set->fill);
		sample_begin(s);
		for (unsigned i = 0; i < run->rounds; i++) {
			if (run->c->prefetch)
				limit_loop_prefetch(&l, flat + set->fill, set->n, run->c->prefetch);
			else
				limit_loop(&l, flat + set->fill, set->n);
		}
		sample_end(s, (uint64_t)run->rounds * set->n);
	}
	free(l.table);
	free(l.inuse);
	free(flat);
	return ret;
}
