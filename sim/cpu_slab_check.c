#include "sim/cpu_slab_check.h"

#include <inttypes.h>

#include "sim/cpu_partial.h"

static const enum stat_item items[] = {
    ALLOC_FASTPATH,	 ALLOC_SLOWPATH,      FREE_FASTPATH,
    FREE_SLOWPATH,	 FREE_FROZEN,	      FREE_ADD_PARTIAL,
    FREE_REMOVE_PARTIAL, ALLOC_FROM_PARTIAL,  ALLOC_SLAB,
    ALLOC_REFILL,	 ALLOC_NODE_MISMATCH, FREE_SLAB,
    CPUSLAB_FLUSH,	 DEACTIVATE_FULL,     DEACTIVATE_EMPTY,
    DEACTIVATE_TO_HEAD,	 DEACTIVATE_TO_TAIL,  DEACTIVATE_REMOTE_FREES,
    DEACTIVATE_BYPASS,	 ORDER_FALLBACK,      CMPXCHG_DOUBLE_CPU_FAIL,
    CMPXCHG_DOUBLE_FAIL, CPU_PARTIAL_ALLOC,   CPU_PARTIAL_FREE,
    CPU_PARTIAL_NODE,	 CPU_PARTIAL_DRAIN,
};

const struct stat_list cpu_slab_stats = {items, sizeof(items) / sizeof(items[0])};

int check_equal(const struct cache *c, const char *what, uint64_t left, uint64_t right,
		struct error *err)
{
	if (left == right)
		return 0;
	return error_failed(err,
			    "cache %s: a flow identity is broken (this is a fault of slabsim): "
			    "%s: %" PRIu64 " != %" PRIu64,
			    c->name, what, left, right);
}

int check_at_most(const struct cache *c, const char *what, uint64_t left, uint64_t right,
		  struct error *err)
{
	if (left <= right)
		return 0;
	return error_failed(err,
			    "cache %s: a flow identity is broken (this is a fault of slabsim): "
			    "%s: %" PRIu64 " > %" PRIu64,
			    c->name, what, left, right);
}

/* What the lists and slabs hold now, by walking them. */
struct census {
	uint64_t inuse;	    /* objects not free in their slab */
	uint64_t freelists; /* objects on F of any CPU */
	uint64_t cpu_slabs;
	uint64_t on_cpu_lists;
	uint64_t on_node_lists;
};

static void take_census(const struct cache *c, struct census *n)
{
	*n = (struct census){0};
	for (uint32_t s = 0; s < c->nr_slab; s++) {
		const struct slab *slab = &c->slab[s];

		if (slab->place == SLAB_UNUSED)
			continue;
		n->inuse += slab->inuse;
	}
	for (unsigned cpu = 0; cpu < c->machine->cpus; cpu++) {
		n->cpu_slabs += c->cpu[cpu].slab != SLAB_NONE;
		n->freelists += c->cpu[cpu].free;
		n->on_cpu_lists += cpu_partial_slabs(&c->cpu[cpu]);
	}
	for (unsigned node = 0; node < c->machine->nodes; node++)
		n->on_node_lists += c->node[node].nr_partial;
}

int cpu_slab_check(const struct cache *c, const struct generation gen, struct error *err)
{
	bool refuses = c->full->put(true, true) == PUT_REFUSE || !c->has_cpu_partial;
	uint64_t flushed, cpu_empty, leaving, parked;
	uint64_t st[NR_STAT_ITEMS];
	struct census now;

	for (unsigned i = 0; i < NR_STAT_ITEMS; i++)
		st[i] = cache_stat(c, i);
	take_census(c, &now);

	/* A cpu slab leaves its CPU by running full, or is deactivated: full, partial or empty. */
	flushed = st[ALLOC_NODE_MISMATCH] + st[CPUSLAB_FLUSH];
	cpu_empty = flushed - st[DEACTIVATE_FULL] - st[DEACTIVATE_TO_HEAD] - st[DEACTIVATE_TO_TAIL];
	if (check_equal(c, "I1 cpu slabs: taken = left + held",
			c->base.cpu_slabs + st[ALLOC_SLAB] + st[ALLOC_FROM_PARTIAL] +
			    st[CPU_PARTIAL_ALLOC],
			st[DEACTIVATE_BYPASS] + flushed + now.cpu_slabs, err))
		return -1;

	/* A shrink discards slabs and moves nothing else uncounted. */
	if (!c->shrunk &&
	    check_equal(c, "I2 slabs: alloc_slab - free_slab = slabs",
			c->base.slabs + st[ALLOC_SLAB], c->nr_slabs + st[FREE_SLAB], err))
		return -1;
	if (refuses
		? check_at_most(c, "I3 free_remove_partial + deactivate_empty <= free_slab",
				st[FREE_REMOVE_PARTIAL] + st[DEACTIVATE_EMPTY], st[FREE_SLAB], err)
		: check_equal(c, "I3 free_slab = free_remove_partial + deactivate_empty",
			      st[FREE_SLAB], st[FREE_REMOVE_PARTIAL] + st[DEACTIVATE_EMPTY], err))
		return -1;
	if (!c->shrunk && check_equal(c, "I4 node lists: added = taken + held",
				      c->base.partial + st[FREE_ADD_PARTIAL] +
					  st[DEACTIVATE_TO_HEAD] + st[DEACTIVATE_TO_TAIL],
				      st[ALLOC_FROM_PARTIAL] + st[CPU_PARTIAL_NODE] +
					  st[FREE_REMOVE_PARTIAL] + now.on_node_lists,
				      err))
		return -1;
	leaving = st[FREE_ADD_PARTIAL] + st[DEACTIVATE_EMPTY] - cpu_empty;
	if (!refuses &&
	    check_equal(c, "I5 per-CPU lists: put = taken + drained + held",
			c->base.slabs_cpu_partial + st[CPU_PARTIAL_FREE] + st[CPU_PARTIAL_NODE],
			st[CPU_PARTIAL_ALLOC] + leaving + now.on_cpu_lists, err))
		return -1;
	if (check_at_most(c, "I6 cpu_partial_free <= slabs that were full", st[CPU_PARTIAL_FREE],
			  c->base.full + st[DEACTIVATE_BYPASS] + st[DEACTIVATE_FULL], err))
		return -1;

	if (check_equal(c, "slow path: alloc_slowpath = its outcomes", st[ALLOC_SLOWPATH],
			st[ALLOC_REFILL] + st[ALLOC_FROM_PARTIAL] + st[ALLOC_SLAB] +
			    (gen.delayed_freezing ? st[CPU_PARTIAL_ALLOC] : 0) + c->failed,
			err))
		return -1;

	parked = now.inuse - now.freelists;
	return check_equal(c, "objects in use = live objects + objects in sheaves", parked,
			   cache_live(c) + c->lost_frees + cache_sheaf_objects(c), err);
}

int cpu_slab_check_calls(const struct cache *c, const struct generation gen, struct error *err)
{
	uint64_t allocs = cache_stat(c, ALLOC_FASTPATH) + cache_stat(c, ALLOC_SLOWPATH);
	uint64_t frees = cache_stat(c, FREE_FASTPATH) + cache_stat(c, FREE_SLOWPATH);

	if (c->bulk_used && !gen.bulk_counts_objects) {
		if (check_at_most(c, "I7 allocations counted <= objects allocated", allocs,
				  c->allocs, err))
			return -1;
	} else if (check_equal(c, "I7 allocations counted = objects allocated", allocs, c->allocs,
			       err)) {
		return -1;
	}
	if (c->bulk_used)
		return check_at_most(c, "I7 frees counted <= objects freed", frees, c->frees, err);
	return check_equal(c, "I7 frees counted = objects freed", frees, c->frees, err);
}
