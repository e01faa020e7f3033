#include "sim/cache.h"

#include "sim/cpu_partial.h"
#include "sim/large.h"
#include "sim/node_list.h"
#include "sim/sheaf.h"
#include "sim/timing.h"

int cache_init(struct cache *c, const struct machine *m, uint64_t seed, struct error *err)
{
	c->machine = m;
	c->one_node = m->nodes == 1;
	c->free_slab = SLAB_NONE;
	c->cpu = aligned_alloc(_Alignof(struct cpu_cache), m->cpus * sizeof(*c->cpu));
	/* At once: cache_free() looks into it when what follows fails. */
	if (c->cpu)
		memset(c->cpu, 0, m->cpus * sizeof(*c->cpu));
	c->node = calloc(m->nodes, sizeof(*c->node));
	if (!c->cpu || !c->node)
		return error_memory(err, "a cache's CPUs and nodes");
	for (unsigned cpu = 0; cpu < m->cpus; cpu++) {
		c->cpu[cpu].slab = SLAB_NONE;
		cpu_partial_init(&c->cpu[cpu]);
		c->cpu[cpu].node = m->node_of_cpu[cpu];
	}
	for (unsigned i = 0; c->full && i < 4; i++)
		c->cpu_partial_put[i / 2][i % 2] =
		    c->has_cpu_partial ? (uint8_t)c->full->put(i / 2, i % 2) : PUT_REFUSE;
	if (m->nodes > 1) {
		c->random = gsl_rng_alloc(gsl_rng_taus2);
		if (!c->random)
			return error_memory(err, "a cache's random numbers");
		gsl_rng_set(c->random, seed);
	}
	return sheaf_init_cache(c, err);
}

void cache_free(struct cache *c)
{
	sheaf_free_cache(c);
	for (unsigned cpu = 0; c->cpu && cpu < c->machine->cpus; cpu++)
		cpu_partial_free(&c->cpu[cpu]);
	free(c->cpu);
	for (unsigned node = 0; c->node && node < c->machine->nodes; node++)
		free(c->node[node].ring);
	free(c->node);
	large_free(c->slab, (size_t)c->cap_slab * sizeof(*c->slab));
	free(c->block);
	timing_free_cache(c);
	large_free(c->slab_of, (size_t)c->cap_object * sizeof(*c->slab_of));
	free(c->adoption.slabs);
	free(c->bulk_object);
	free(c->bulk_slab);
	if (c->random)
		gsl_rng_free(c->random);
}

uint64_t cache_stat(const struct cache *c, enum stat_item item)
{
	uint64_t sum = 0;

	for (unsigned cpu = 0; cpu < c->machine->cpus; cpu++)
		sum += c->cpu[cpu].stat[item];
	return sum;
}

uint64_t cache_partial(const struct cache *c)
{
	uint64_t sum = 0;

	for (unsigned node = 0; node < c->machine->nodes; node++)
		sum += c->node[node].nr_partial;
	return sum;
}

uint64_t cache_live(const struct cache *c)
{
	return c->base.live + c->allocs - c->frees;
}

uint64_t cache_walk_free_objects(const struct cache *c, unsigned node)
{
	const struct node_cache *n = &c->node[node];
	uint64_t sum = 0;

	for (uint32_t at = n->head; at != n->tail; at++) {
		uint32_t s = node_list_at(n, at);

		if (s != SLAB_NONE)
			sum += c->slab[s].objects - c->slab[s].inuse;
	}
	return sum;
}

static void read_nodes(const struct cache *c, struct cache_state *st)
{
	uint64_t nr_free = 0, approx = 0;

	for (unsigned node = 0; node < c->machine->nodes; node++) {
		const struct node_cache *n = &c->node[node];

		st->slabs += n->slabs;
		st->total_objects += n->total_objects;
		st->partial += n->nr_partial;
		for (uint32_t at = n->head; at != n->tail; at++) {
			uint32_t s = node_list_at(n, at);

			st->objects_partial += s == SLAB_NONE ? 0 : c->slab[s].inuse;
		}
		nr_free += cache_walk_free_objects(c, node);
		approx += c->count_partial->free_objects(c, node);
	}
	st->objects = st->total_objects - nr_free;
	st->active_objs = st->total_objects - approx;
}

static void read_cpus(const struct cache *c, struct cache_state *st)
{
	for (unsigned cpu = 0; cpu < c->machine->cpus; cpu++) {
		const struct cpu_cache *pc = &c->cpu[cpu];

		/* As the kernel's show_slab_objects() has it: no cpu slab, no list either. */
		if (pc->slab != SLAB_NONE)
			st->cpu_slabs += 1 + cpu_partial_slabs(pc);
		st->slabs_cpu_partial += cpu_partial_slabs(pc);
		st->objects_cpu_partial += c->accounting->counts_slabs
					       ? (uint64_t)cpu_partial_slabs(pc) * c->objects / 2
					       : cpu_partial_objects(pc);
	}
}

void cache_read_state(const struct cache *c, struct cache_state *st)
{
	uint64_t packed;

	*st = (struct cache_state){0};
	read_nodes(c, st);
	read_cpus(c, st);
	st->sheaf_objects = cache_sheaf_objects(c);
	st->live = cache_live(c);
	st->memory_total = c->bytes;
	st->peak_total = c->peak_bytes;
	/* These four add up to the total. */
	packed = st->total_objects * c->size;
	st->memory_used = st->live * c->object_size;
	st->waste_align = st->live * (c->size - c->object_size);
	st->memory_free = packed - st->live * c->size;
	st->waste_tail = c->bytes - packed;
}
