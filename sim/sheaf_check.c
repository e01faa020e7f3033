#include "sim/sheaf_check.h"

#include "sim/cpu_slab_check.h"

#define SHEAF_ITEMS                                                                                \
	SHEAF_FLUSH, SHEAF_REFILL, SHEAF_ALLOC, SHEAF_FREE, BARN_GET, BARN_GET_FAIL, BARN_PUT,     \
	    BARN_PUT_FAIL, SHEAF_PREFILL_FAST, SHEAF_PREFILL_SLOW, SHEAF_PREFILL_OVERSIZE,         \
	    SHEAF_RETURN_FAST, SHEAF_RETURN_SLOW

static const enum stat_item items_6_18[] = {
    ALLOC_PCS,
    ALLOC_FASTPATH,
    ALLOC_SLOWPATH,
    FREE_PCS,
    FREE_RCU_SHEAF,
    FREE_RCU_SHEAF_FAIL,
    FREE_FASTPATH,
    FREE_SLOWPATH,
    FREE_FROZEN,
    FREE_ADD_PARTIAL,
    FREE_REMOVE_PARTIAL,
    ALLOC_FROM_PARTIAL,
    ALLOC_SLAB,
    ALLOC_REFILL,
    ALLOC_NODE_MISMATCH,
    FREE_SLAB,
    CPUSLAB_FLUSH,
    DEACTIVATE_FULL,
    DEACTIVATE_EMPTY,
    DEACTIVATE_TO_HEAD,
    DEACTIVATE_TO_TAIL,
    DEACTIVATE_REMOTE_FREES,
    DEACTIVATE_BYPASS,
    ORDER_FALLBACK,
    CMPXCHG_DOUBLE_CPU_FAIL,
    CMPXCHG_DOUBLE_FAIL,
    CPU_PARTIAL_ALLOC,
    CPU_PARTIAL_FREE,
    CPU_PARTIAL_NODE,
    CPU_PARTIAL_DRAIN,
    SHEAF_ITEMS,
};

static const enum stat_item items_7_0[] = {
    ALLOC_FASTPATH, ALLOC_SLOWPATH,   FREE_RCU_SHEAF,	   FREE_RCU_SHEAF_FAIL, FREE_FASTPATH,
    FREE_SLOWPATH,  FREE_ADD_PARTIAL, FREE_REMOVE_PARTIAL, ALLOC_SLAB,		ALLOC_NODE_MISMATCH,
    FREE_SLAB,	    ORDER_FALLBACK,   CMPXCHG_DOUBLE_FAIL, SHEAF_ITEMS,
};

const struct stat_list sheaf_stats_6_18 = {items_6_18, sizeof(items_6_18) / sizeof(items_6_18[0])};
const struct stat_list sheaf_stats_7_0 = {items_7_0, sizeof(items_7_0) / sizeof(items_7_0[0])};

int sheaf_check_6_18(const struct cache *c, const struct generation gen, struct error *err)
{
	uint64_t counted = cache_stat(c, ALLOC_PCS) + cache_stat(c, ALLOC_FASTPATH) +
			   cache_stat(c, ALLOC_SLOWPATH);

	if (cpu_slab_check(c, gen, err))
		return -1;
	return check_equal(c, "allocations counted - sheaf_refill = objects allocated", counted,
			   c->allocs + cache_stat(c, SHEAF_REFILL) + c->unwound + c->failed, err);
}

static uint64_t full_sheaves(const struct cache *c)
{
	uint64_t sum = 0;

	for (unsigned node = 0; node < c->machine->nodes; node++)
		sum += c->node[node].barn ? c->node[node].barn->nr_full : 0;
	return sum;
}

int sheaf_check_7_0(const struct cache *c, struct error *err)
{
	uint64_t pushed = cache_stat(c, FREE_FASTPATH) + cache_stat(c, FREE_RCU_SHEAF);
	uint64_t inuse = 0;

	for (uint32_t s = 0; s < c->nr_slab; s++)
		inuse += c->slab[s].place == SLAB_UNUSED ? 0 : c->slab[s].inuse;
	if (check_equal(c, "alloc_fastpath + alloc_slowpath = objects allocated",
			cache_stat(c, ALLOC_FASTPATH) + cache_stat(c, ALLOC_SLOWPATH), c->allocs,
			err) ||
	    check_equal(c, "free_fastpath + free_slowpath + free_rcu_sheaf = objects freed",
			pushed + cache_stat(c, FREE_SLOWPATH), c->frees - c->lost_frees, err) ||
	    check_equal(c, "objects in sheaves = in - out",
			cache_sheaf_objects(c) + cache_stat(c, ALLOC_FASTPATH) +
			    cache_stat(c, SHEAF_FLUSH),
			c->base.sheaf_objects + cache_stat(c, SHEAF_REFILL) + pushed, err) ||
	    check_equal(c, "objects in use = live objects + objects in sheaves", inuse,
			cache_live(c) + c->lost_frees + cache_sheaf_objects(c), err))
		return -1;
	if (c->shrunk)
		return 0;
	if (check_equal(c, "alloc_slab - free_slab = slabs",
			c->base.slabs + cache_stat(c, ALLOC_SLAB),
			c->nr_slabs + cache_stat(c, FREE_SLAB) + c->uncounted_discards, err))
		return -1;
	return check_equal(c, "full sheaves in barns = barn_put - barn_get",
			   c->base.full_sheaves + cache_stat(c, BARN_PUT),
			   full_sheaves(c) + cache_stat(c, BARN_GET), err);
}
