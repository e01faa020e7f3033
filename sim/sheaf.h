/*
 * The mechanics of percpu sheaves, 6.18 and 7.0 (facts 5). A sheaf is a stack of objects; each
 * CPU has a main and perhaps a spare one, each node a barn of full and of empty ones. 7.0 lies
 * straight above the node lists (node_slab.h), 6.18 above the cpu slabs (cpu_slab.h); what else
 * differs between the two is under gen.sheaves_above_cpu_slabs.
 */
#ifndef SLABSIM_SHEAF_H
#define SLABSIM_SHEAF_H

#include <string.h>

#include "sim/cpu_slab.h"
#include "sim/node_slab.h"

#define MAX_FULL_SHEAVES  10 /* tested before a full sheaf is put into a barn */
#define MAX_EMPTY_SHEAVES 10 /* tested only for a sheaf that kfree_rcu() emptied */
#define FLUSH_BATCH	  32 /* PCS_BATCH_MAX: objects flushed, or remote ones freed, at once */

struct sheaf {
	struct sheaf *next; /* in a barn, or among those to be used again */
	uint32_t size;	    /* objects in it */
	uint32_t capacity;  /* the cache's, or more in an oversize prefilled one */
	uint32_t slab[];    /* where each lives; sheaf_capacity of them, the top last */
};

struct barn {
	struct sheaf *full, *empty;
	unsigned nr_full, nr_empty;
};

/* A new empty sheaf, uncounted; NULL when the simulator is out of memory. */
struct sheaf *sheaf_new(struct cache *c);
/* One of more than the cache's capacity, for facts 5.8; freed with free(). */
struct sheaf *sheaf_new_oversize(struct cache *c, uint32_t capacity);
/* Keep the struct for the next sheaf_new(). */
void sheaf_release(struct cache *c, struct sheaf *sheaf);

/* The main sheaves and barns of a new cache; what is left of them at the end. */
int sheaf_init_cache(struct cache *c, struct error *err);
void sheaf_free_cache(struct cache *c);

static inline struct sheaf *sheaf_alloc_counted(struct cache *c, struct cpu_cache *pc)
{
	pc->stat[SHEAF_ALLOC]++;
	return sheaf_new(c);
}

static inline struct barn *cpu_barn(struct cache *c, struct cpu_cache *pc)
{
	return c->node[pc->node].barn;
}

static inline void barn_put_full(struct barn *barn, struct sheaf *sheaf)
{
	sheaf->next = barn->full;
	barn->full = sheaf;
	barn->nr_full++;
}

static inline void barn_put_empty(struct barn *barn, struct sheaf *sheaf)
{
	sheaf->next = barn->empty;
	barn->empty = sheaf;
	barn->nr_empty++;
}

/* NULL when the barn has none. */
static inline struct sheaf *barn_get_full(struct barn *barn)
{
	struct sheaf *sheaf = barn->full;

	if (sheaf) {
		barn->full = sheaf->next;
		barn->nr_full--;
	}
	return sheaf;
}

static inline struct sheaf *barn_get_empty(struct barn *barn)
{
	struct sheaf *sheaf = barn->empty;

	if (sheaf) {
		barn->empty = sheaf->next;
		barn->nr_empty--;
	}
	return sheaf;
}

/* ---- the layer below ---- */

static inline uint32_t lower_alloc_inline(struct cache *c, struct cpu_cache *pc, int node,
					  const struct generation gen)
{
	if (gen.sheaves_above_cpu_slabs)
		return cpu_slab_alloc(c, pc, node, false, gen);
	return node_slab_alloc(c, pc, node, gen);
}
OUT_OF_LINE(uint32_t, lower_alloc, (struct cache * c, struct cpu_cache *pc, int node), c, pc, node)

static inline void lower_free_inline(struct cache *c, struct cpu_cache *pc, uint32_t s,
				     const struct generation gen)
{
	if (gen.sheaves_above_cpu_slabs) {
		cpu_slab_free(c, pc, s, gen);
	} else {
		pc->stat[FREE_SLOWPATH]++;
		charge(c, COST_FREE_SLOWPATH, gen);
		node_slab_free_run(c, pc, s, 1, gen);
	}
}
OUT_OF_LINE(void, lower_free, (struct cache * c, struct cpu_cache *pc, uint32_t s), c, pc, s)

/*
 * Fill dst with k objects for a sheaf; returns how many. Fewer come when pages run out: some in
 * 7.0, none in 6.18.
 */
static inline uint32_t lower_refill(struct cache *c, struct cpu_cache *pc, uint32_t *dst,
				    uint32_t k, const struct generation gen)
{
	if (gen.sheaves_above_cpu_slabs)
		return cpu_slab_alloc_bulk(c, pc, dst, k, gen) ? k : 0;
	return node_slab_refill(c, pc, dst, k, gen);
}

/* Flush n objects; slabs[] is reordered. */
static inline void lower_flush(struct cache *c, struct cpu_cache *pc, uint32_t *slabs, uint32_t n,
			       const struct generation gen)
{
	if (gen.sheaves_above_cpu_slabs)
		cpu_slab_free_bulk(c, pc, slabs, n, gen);
	else
		node_slab_flush(c, pc, slabs, n, gen);
}

/* The part of a bulk free that bypasses the sheaves: 7.0 counts its objects (facts 5.7). */
static inline void lower_free_bulk(struct cache *c, struct cpu_cache *pc, uint32_t *slabs,
				   uint32_t n, const struct generation gen)
{
	if (!gen.sheaves_above_cpu_slabs)
		pc->stat[FREE_SLOWPATH] += n;
	lower_flush(c, pc, slabs, n, gen);
}

/* ---- allocation, facts 5.3 and 5.11 ---- */

/* Flush all of a sheaf's objects; it is empty afterwards. */
static inline void sheaf_flush_all(struct cache *c, struct cpu_cache *pc, struct sheaf *sheaf,
				   const struct generation gen)
{
	pc->stat[SHEAF_FLUSH] += sheaf->size;
	lower_flush(c, pc, sheaf->slab, sheaf->size, gen);
	sheaf->size = 0;
}

static inline void sheaf_drop(struct cache *c, struct cpu_cache *pc, struct sheaf *sheaf,
			      const struct generation gen)
{
	sheaf_flush_all(c, pc, sheaf, gen);
	pc->stat[SHEAF_FREE]++;
	sheaf_release(c, sheaf);
}

/* refill_sheaf(): to its capacity. False when pages run out; it has what was got then. */
static inline bool sheaf_fill(struct cache *c, struct cpu_cache *pc, struct sheaf *sheaf,
			      const struct generation gen)
{
	uint32_t k = c->sheaf_capacity - sheaf->size;
	uint32_t got = lower_refill(c, pc, &sheaf->slab[sheaf->size], k, gen);

	sheaf->size += got;
	pc->stat[SHEAF_REFILL] += got;
	return got == k;
}

/* Rows 3a and 3b: a main sheaf with objects from the spare or the barn. */
static inline bool sheaf_swap_in_full(struct cache *c, struct cpu_cache *pc,
				      const struct generation gen)
{
	struct sheaf *empty = pc->main;
	struct sheaf *full;

	if (pc->spare && pc->spare->size) {
		pc->main = pc->spare;
		pc->spare = empty;
		return true;
	}
	lock_barn(c, pc->node, gen);
	full = barn_get_full(cpu_barn(c, pc));
	unlock_barn(c, pc->node, gen);
	if (!full) {
		pc->stat[BARN_GET_FAIL]++;
		return false;
	}
	pc->stat[BARN_GET]++;
	barn_put_empty(cpu_barn(c, pc), empty);
	pc->main = full;
	return true;
}

/* Row 3c: refill an empty sheaf and make it the main one. */
static inline bool sheaf_refill_main(struct cache *c, struct cpu_cache *pc,
				     const struct generation gen)
{
	struct sheaf *sheaf = pc->spare, *old = pc->main;

	pc->spare = NULL;
	if (!sheaf)
		sheaf = barn_get_empty(cpu_barn(c, pc));
	if (!sheaf)
		sheaf = sheaf_alloc_counted(c, pc);
	if (!sheaf)
		return false;
	if (!sheaf_fill(c, pc, sheaf, gen)) {
		sheaf_drop(c, pc, sheaf, gen);
		return false;
	}
	pc->main = sheaf;
	/* 6.18 gives the emptied main to the barn, 7.0 keeps it as the spare. */
	if (gen.sheaves_above_cpu_slabs)
		barn_put_empty(cpu_barn(c, pc), old);
	else
		pc->spare = old;
	return true;
}

static inline bool sheaf_replace_empty_main_inline(struct cache *c, struct cpu_cache *pc,
						   bool may_block, const struct generation gen)
{
	take_path(c, PATH_ALLOC_BARN, gen);
	if (sheaf_swap_in_full(c, pc, gen))
		return true;
	if (gen.sheaves_above_cpu_slabs && !may_block)
		return false;
	if (!sheaf_refill_main(c, pc, gen))
		return false;
	take_path(c, PATH_ALLOC_SHEAF_REFILL, gen);
	return true;
}
OUT_OF_LINE(bool, sheaf_replace_empty_main,
	    (struct cache * c, struct cpu_cache *pc, bool may_block), c, pc, may_block)

/* An allocation that the sheaves cannot serve. 7.0 counts a node that did not match. */
static inline uint32_t sheaf_bypass(struct cache *c, struct cpu_cache *pc, int node,
				    const struct generation gen)
{
	if (!gen.sheaves_above_cpu_slabs)
		pc->stat[ALLOC_NODE_MISMATCH]++;
	return lower_alloc(c, pc, node, gen);
}

ALWAYS_INLINE uint32_t sheaf_alloc(struct cache *c, struct cpu_cache *pc, int node, bool may_block,
				   const struct generation gen)
{
	struct sheaf *main;
	uint32_t s;

	/* Most of 6.18's caches have none: inlined. */
	if (gen.sheaves_above_cpu_slabs && !c->sheaf_capacity)
		return cpu_slab_alloc(c, pc, node, may_block, gen);
	if (unlikely(node != NUMA_NO_NODE && (unsigned)node != pc->node))
		return sheaf_bypass(c, pc, node, gen);
	if (!c->sheaf_capacity)
		return lower_alloc(c, pc, node, gen);
	if (unlikely(!pc->main->size) && !sheaf_replace_empty_main(c, pc, may_block, gen))
		return c->out_of_memory ? SLAB_NONE : lower_alloc(c, pc, node, gen);
	if (gen.timed)
		c->timing->path = c->timing->path ? c->timing->path : PATH_ALLOC_FASTPATH;
	charge(c, COST_SHEAF, gen);
	main = pc->main;
	s = main->slab[main->size - 1];
	if (unlikely(node != NUMA_NO_NODE) && c->slab[s].node != node)
		return sheaf_bypass(c, pc, node, gen);
	main->size--;
	pc->stat[gen.sheaves_above_cpu_slabs ? ALLOC_PCS : ALLOC_FASTPATH]++;
	return s;
}

/* ---- free, facts 5.5 ---- */

/* Rows 3a to 3e: a main sheaf with room. False when the simulator is out of memory. */
static inline bool sheaf_replace_full_main_inline(struct cache *c, struct cpu_cache *pc,
						  const struct generation gen)
{
	struct barn *barn = cpu_barn(c, pc);
	struct sheaf *old = pc->main, *empty;

	take_path(c, PATH_FREE_BARN, gen);
	if (pc->spare && pc->spare->size < c->sheaf_capacity) {
		pc->main = pc->spare;
		pc->spare = old;
		return true;
	}
	if (pc->spare && barn->nr_full >= MAX_FULL_SHEAVES) {
		pc->stat[BARN_PUT_FAIL]++;
		sheaf_flush_all(c, pc, pc->spare, gen);
		take_path(c, PATH_FREE_SHEAF_FLUSH, gen);
		pc->main = pc->spare;
		pc->spare = old;
		return true;
	}
	lock_barn(c, pc->node, gen);
	empty = barn_get_empty(barn);
	unlock_barn(c, pc->node, gen);
	if (!empty)
		empty = sheaf_alloc_counted(c, pc);
	if (!empty)
		return false;
	pc->main = empty;
	if (!pc->spare) {
		pc->spare = old;
	} else {
		barn_put_full(barn, old);
		pc->stat[BARN_PUT]++;
	}
	return true;
}
OUT_OF_LINE(bool, sheaf_replace_full_main, (struct cache * c, struct cpu_cache *pc), c, pc)

ALWAYS_INLINE void sheaf_free(struct cache *c, struct cpu_cache *pc, uint32_t s,
			      const struct generation gen)
{
	if (gen.sheaves_above_cpu_slabs && !c->sheaf_capacity) {
		cpu_slab_free(c, pc, s, gen);
		return;
	}
	if (!c->sheaf_capacity || unlikely(!c->one_node && c->slab[s].node != pc->node) ||
	    (unlikely(pc->main->size == c->sheaf_capacity) &&
	     !sheaf_replace_full_main(c, pc, gen))) {
		lower_free(c, pc, s, gen);
		return;
	}
	if (gen.timed)
		c->timing->path = c->timing->path ? c->timing->path : PATH_FREE_FASTPATH;
	charge(c, COST_SHEAF, gen);
	pc->main->slab[pc->main->size++] = s;
	pc->stat[gen.sheaves_above_cpu_slabs ? FREE_PCS : FREE_FASTPATH]++;
}

/* ---- bulk, facts 5.7 ---- */

static inline bool sheaf_alloc_bulk(struct cache *c, struct cpu_cache *pc, uint32_t *slabs,
				    uint32_t n, const struct generation gen)
{
	while (n > 0 && c->sheaf_capacity) {
		struct sheaf *main = pc->main;
		uint32_t batch = n < main->size ? n : main->size;

		if (!batch) {
			if (!sheaf_swap_in_full(c, pc, gen))
				break;
			continue;
		}
		main->size -= batch;
		memcpy(slabs, &main->slab[main->size], batch * sizeof(*slabs));
		pc->stat[gen.sheaves_above_cpu_slabs ? ALLOC_PCS : ALLOC_FASTPATH] += batch;
		slabs += batch;
		n -= batch;
	}
	if (!gen.sheaves_above_cpu_slabs)
		pc->stat[ALLOC_SLOWPATH] += n;
	return lower_refill(c, pc, slabs, n, gen) == n;
}

/* A main sheaf with room for a bulk free, which never allocates or flushes one. */
static inline bool sheaf_bulk_free_room(struct cache *c, struct cpu_cache *pc)
{
	struct barn *barn = cpu_barn(c, pc);
	struct sheaf *old = pc->main;

	if (!pc->spare) {
		struct sheaf *empty = barn_get_empty(barn);

		if (!empty)
			return false;
		pc->main = empty;
		pc->spare = old;
		return true;
	}
	if (pc->spare->size < c->sheaf_capacity) {
		pc->main = pc->spare;
		pc->spare = old;
		return true;
	}
	if (barn->nr_full >= MAX_FULL_SHEAVES || !barn->nr_empty) {
		pc->stat[BARN_PUT_FAIL]++;
		return false;
	}
	pc->main = barn_get_empty(barn);
	barn_put_full(barn, old);
	pc->stat[BARN_PUT]++;
	return true;
}

/* Steps 2 and 3: local objects go to the sheaves, in array order, as long as there is room. */
static inline void sheaf_bulk_free_local(struct cache *c, struct cpu_cache *pc, uint32_t *slabs,
					 uint32_t n, const struct generation gen)
{
	while (n > 0) {
		struct sheaf *main = pc->main;
		uint32_t batch = c->sheaf_capacity - main->size;

		if (!batch) {
			if (!sheaf_bulk_free_room(c, pc))
				break;
			continue;
		}
		if (batch > n)
			batch = n;
		memcpy(&main->slab[main->size], slabs, batch * sizeof(*slabs));
		main->size += batch;
		pc->stat[gen.sheaves_above_cpu_slabs ? FREE_PCS : FREE_FASTPATH] += batch;
		slabs += batch;
		n -= batch;
	}
	lower_free_bulk(c, pc, slabs, n, gen);
}

static inline void sheaf_free_bulk(struct cache *c, struct cpu_cache *pc, uint32_t *slabs,
				   uint32_t n, const struct generation gen)
{
	uint32_t remote[FLUSH_BATCH], nr_remote = 0, i = 0;

	if (!c->sheaf_capacity) {
		lower_free_bulk(c, pc, slabs, n, gen);
		return;
	}
	while (i < n) {
		if (c->slab[slabs[i]].node == pc->node) {
			i++;
			continue;
		}
		remote[nr_remote++] = slabs[i];
		slabs[i] = slabs[--n];
		if (nr_remote < FLUSH_BATCH)
			continue;
		lower_free_bulk(c, pc, remote, nr_remote, gen);
		nr_remote = 0;
		if (i == n) {
			/* The kernel's error of facts 5.7: the local objects are never freed. */
			c->lost_frees += n;
			return;
		}
	}
	sheaf_bulk_free_local(c, pc, slabs, n, gen);
	lower_free_bulk(c, pc, remote, nr_remote, gen);
}

/* ---- kfree_rcu(), facts 5.6 ---- */

/* After the grace period of a full rcu_free sheaf, on the CPU that queued it. */
static inline void sheaf_rcu_done(struct cache *c, struct cpu_cache *pc, struct sheaf *sheaf,
				  const struct generation gen)
{
	struct barn *barn = cpu_barn(c, pc);

	if (barn->nr_full < MAX_FULL_SHEAVES) {
		barn_put_full(barn, sheaf);
		pc->stat[BARN_PUT]++;
		return;
	}
	pc->stat[BARN_PUT_FAIL]++;
	sheaf_flush_all(c, pc, sheaf, gen);
	if (barn->nr_empty < MAX_EMPTY_SHEAVES) {
		barn_put_empty(barn, sheaf);
	} else {
		pc->stat[SHEAF_FREE]++;
		sheaf_release(c, sheaf);
	}
}

/*
 * kfree_rcu(). An object the sheaves do not take is freed as a batch of one by the ordinary
 * kfree_rcu(), whose kfree_bulk() never uses sheaves. Grace periods end at once here.
 */
static inline void sheaf_free_rcu(struct cache *c, struct cpu_cache *pc, uint32_t s,
				  const struct generation gen)
{
	struct sheaf *sheaf = pc->rcu_free;

	if (c->slab[s].node != pc->node || !c->sheaf_capacity) {
		if (c->slab[s].node == pc->node && !gen.sheaves_above_cpu_slabs)
			pc->stat[FREE_RCU_SHEAF_FAIL]++;
		lower_free_bulk(c, pc, &s, 1, gen);
		return;
	}
	if (!sheaf && pc->spare && !pc->spare->size) {
		sheaf = pc->spare;
		pc->spare = NULL;
	}
	if (!sheaf)
		sheaf = barn_get_empty(cpu_barn(c, pc));
	if (!sheaf)
		sheaf = sheaf_alloc_counted(c, pc);
	if (!sheaf) {
		pc->stat[FREE_RCU_SHEAF_FAIL]++;
		lower_free_bulk(c, pc, &s, 1, gen);
		return;
	}
	pc->rcu_free = sheaf;
	sheaf->slab[sheaf->size++] = s;
	pc->stat[FREE_RCU_SHEAF]++;
	if (sheaf->size == c->sheaf_capacity) {
		pc->rcu_free = NULL;
		sheaf_rcu_done(c, pc, sheaf, gen);
	}
}

/* ---- flush and shrink, facts 5.9 ---- */

static inline void sheaf_flush_cpu(struct cache *c, struct cpu_cache *pc,
				   const struct generation gen)
{
	struct sheaf *main = pc->main;

	if (pc->spare)
		sheaf_drop(c, pc, pc->spare, gen);
	pc->spare = NULL;
	if (pc->rcu_free)
		sheaf_drop(c, pc, pc->rcu_free, gen);
	pc->rcu_free = NULL;
	while (main && main->size) {
		uint32_t batch = main->size < FLUSH_BATCH ? main->size : FLUSH_BATCH;

		main->size -= batch;
		pc->stat[SHEAF_FLUSH] += batch;
		lower_flush(c, pc, &main->slab[main->size], batch, gen);
	}
	if (gen.sheaves_above_cpu_slabs)
		cpu_slab_flush_cpu(c, pc, gen);
}

static inline void sheaf_shrink(struct cache *c, struct cpu_cache *pc, const struct generation gen)
{
	struct sheaf *sheaf;

	for (unsigned cpu = 0; cpu < c->machine->cpus; cpu++) {
		charge(c, COST_IPI, gen);
		sheaf_flush_cpu(c, &c->cpu[cpu], gen);
	}
	for (unsigned node = 0; node < c->machine->nodes; node++) {
		struct barn *barn = c->node[node].barn;

		while (barn && (sheaf = barn_get_full(barn)))
			sheaf_drop(c, pc, sheaf, gen);
		while (barn && (sheaf = barn_get_empty(barn)))
			sheaf_drop(c, pc, sheaf, gen);
		shrink_node_list(c, node, gen);
	}
	take_path(c, PATH_SHRINK, gen);
}

static const struct layer sheaf_layer = {
    .alloc = sheaf_alloc,
    .free = sheaf_free,
    .alloc_bulk = sheaf_alloc_bulk,
    .free_rcu = sheaf_free_rcu,
    .free_bulk = sheaf_free_bulk,
    .shrink = sheaf_shrink,
};

#endif
