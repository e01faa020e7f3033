/*
 * Prefilled sheaves: kmem_cache_prefill_sheaf() and its kin (facts 5.8). A caller takes a sheaf
 * with enough objects, allocates from it where it may not fail, and returns it. Traces do not
 * show these calls, only the allocations.
 */
#ifndef SLABSIM_SHEAF_PREFILL_H
#define SLABSIM_SHEAF_PREFILL_H

#include "sim/sheaf.h"

/* A private sheaf of more than the cache's capacity, filled as a bulk allocation's rest is. */
static inline bool sheaf_fill_oversize(struct cache *c, struct cpu_cache *pc, struct sheaf *sheaf,
				       const struct generation gen)
{
	uint32_t k = sheaf->capacity - sheaf->size, got;

	if (!gen.sheaves_above_cpu_slabs)
		pc->stat[ALLOC_SLOWPATH] += k;
	got = lower_refill(c, pc, &sheaf->slab[sheaf->size], k, gen);
	sheaf->size += got;
	return got == k;
}

/* A sheaf with at least m objects; NULL when there is no memory. */
static inline struct sheaf *sheaf_prefill(struct cache *c, struct cpu_cache *pc, uint32_t m,
					  const struct generation gen)
{
	struct sheaf *sheaf;

	if (m > c->sheaf_capacity) {
		pc->stat[SHEAF_PREFILL_OVERSIZE]++;
		sheaf = sheaf_new_oversize(c, m);
		if (sheaf && !sheaf_fill_oversize(c, pc, sheaf, gen)) {
			sheaf_flush_all(c, pc, sheaf, gen);
			free(sheaf);
			sheaf = NULL;
		}
		return sheaf;
	}
	if (pc->spare) {
		sheaf = pc->spare;
		pc->spare = NULL;
		pc->stat[SHEAF_PREFILL_FAST]++;
	} else {
		pc->stat[SHEAF_PREFILL_SLOW]++;
		sheaf = barn_get_full(cpu_barn(c, pc));
		if (!sheaf)
			sheaf = barn_get_empty(cpu_barn(c, pc));
		pc->stat[sheaf && sheaf->size ? BARN_GET : BARN_GET_FAIL]++;
		if (!sheaf)
			sheaf = sheaf_alloc_counted(c, pc);
	}
	if (sheaf && sheaf->size < m && !sheaf_fill(c, pc, sheaf, gen)) {
		sheaf_drop(c, pc, sheaf, gen);
		return NULL;
	}
	return sheaf;
}

/* kmem_cache_alloc_from_sheaf(): counts nothing. SLAB_NONE from an empty sheaf. */
static inline uint32_t sheaf_alloc_from(struct sheaf *sheaf)
{
	return sheaf->size ? sheaf->slab[--sheaf->size] : SLAB_NONE;
}

/* kmem_cache_return_sheaf(). */
static inline void sheaf_return(struct cache *c, struct cpu_cache *pc, struct sheaf *sheaf,
				const struct generation gen)
{
	struct barn *barn = cpu_barn(c, pc);

	if (sheaf->capacity > c->sheaf_capacity) {
		sheaf_flush_all(c, pc, sheaf, gen);
		free(sheaf);
		return;
	}
	if (!pc->spare) {
		pc->spare = sheaf;
		pc->stat[SHEAF_RETURN_FAST]++;
		return;
	}
	pc->stat[SHEAF_RETURN_SLOW]++;
	if (barn->nr_full >= MAX_FULL_SHEAVES || !sheaf_fill(c, pc, sheaf, gen)) {
		sheaf_drop(c, pc, sheaf, gen);
		return;
	}
	barn_put_full(barn, sheaf);
	pc->stat[BARN_PUT]++;
}

/* kmem_cache_refill_sheaf(): *sheaf has at least m objects afterwards; false: no memory. */
static inline bool sheaf_refill_prefilled(struct cache *c, struct cpu_cache *pc,
					  struct sheaf **sheaf, uint32_t m,
					  const struct generation gen)
{
	struct sheaf *other;

	if ((*sheaf)->size >= m)
		return true;
	if ((*sheaf)->capacity >= m) {
		if ((*sheaf)->capacity > c->sheaf_capacity)
			return sheaf_fill_oversize(c, pc, *sheaf, gen);
		return sheaf_fill(c, pc, *sheaf, gen);
	}
	other = sheaf_prefill(c, pc, m, gen);
	if (!other)
		return false;
	sheaf_return(c, pc, *sheaf, gen);
	*sheaf = other;
	return true;
}

#endif
