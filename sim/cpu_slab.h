/*
 * The mechanics of kernels with a cpu slab and a per-CPU partial list, 3.2 to 6.19 (facts 3, 4).
 * One body for all of them: what a generation does differently is a constant (generation.h).
 *
 * C, F, R, PL and NL are as in the facts: C the cpu slab, F its lockless freelist (pc->free
 * objects), R = objects - inuse the slab's own freelist, PL and NL the CPU's and the node's
 * partial list.
 */
#ifndef SLABSIM_CPU_SLAB_H
#define SLABSIM_CPU_SLAB_H

#include "sim/arena.h"
#include "sim/cpu_partial.h"
#include "sim/generation.h"
#include "sim/layer.h"

ALWAYS_INLINE void stat(struct cpu_cache *pc, enum stat_item item)
{
	pc->stat[item]++;
}

/*
 * __unfreeze_partials() / __put_partials(): slabs just taken off PL, from head on, go to the nodes;
 * facts 2.4.
 */
static inline void cpu_slab_put_partials(struct cache *c, struct cpu_cache *pc,
					 const struct parked_slab *head, uint32_t n,
					 const struct generation gen)
{
	uint32_t discard = SLAB_NONE, next;
	int locked = NUMA_NO_NODE;

	for (; n; n--, head--) {
		uint32_t s = head->slab;
		struct slab *slab = &c->slab[s];

		if (slab->node != locked) {
			if (locked != NUMA_NO_NODE)
				unlock_list(c, (unsigned)locked, gen);
			locked = slab->node;
			lock_list(c, (unsigned)locked, gen);
		}
		touch_slab(c, s, gen);
		if (!gen.delayed_freezing)
			charge(c, COST_CMPXCHG, gen);
		slab->counters &= ~SLAB_FROZEN;
		if (slab_is_empty_surplus(c, slab, EMPTY_AT_DRAIN)) {
			slab->next = discard;
			discard = s;
		} else {
			node_list_add_tail(c, s);
			charge(c, COST_LIST, gen);
			stat(pc, FREE_ADD_PARTIAL);
		}
	}
	if (locked != NUMA_NO_NODE)
		unlock_list(c, (unsigned)locked, gen);
	/* Only now: nr_partial grew during the walk, and discarding does not change it. */
	for (uint32_t s = discard; s != SLAB_NONE; s = next) {
		next = c->slab[s].next;
		stat(pc, DEACTIVATE_EMPTY);
		stat(pc, FREE_SLAB);
		slab_discard(c, s, gen);
	}
}

/* The whole of PL goes to the nodes. */
static inline void cpu_slab_drain_partial_inline(struct cache *c, struct cpu_cache *pc,
						 const struct generation gen)
{
	struct parked_slab *head = pc->partial_head;

	pc->partial_head = pc->partial;
	cpu_slab_put_partials(c, pc, head, (uint32_t)(head - pc->partial), gen);
}
OUT_OF_LINE(void, cpu_slab_drain_partial, (struct cache * c, struct cpu_cache *pc), c, pc)

/* Has PL reached its limit? An empty one never has. */
static inline bool cpu_slab_partial_is_full(const struct cache *c, const struct cpu_cache *pc)
{
	if (pc->partial_head == pc->partial)
		return false;
	return c->accounting->room ? c->accounting->room(c, pc) <= 0 : c->accounting->full(c, pc);
}

/* Ask how far PL may grow by first frees before the policies need be asked again. */
static inline void cpu_slab_set_room(const struct cache *c, struct cpu_cache *pc)
{
	int64_t places = pc->partial_cap - cpu_partial_slabs(pc), room;

	pc->partial_room = pc->partial;
	if (!c->accounting->room || c->cpu_partial_put[0][1] != PUT_ADD)
		return;
	room = c->accounting->room(c, pc);
	if (room > places)
		room = places;
	/* Over the limit, it has to shrink first. */
	if (room > -(int64_t)cpu_partial_slabs(pc))
		pc->partial_room = pc->partial_head + room;
}

static inline void cpu_slab_push_partial(struct cache *c, struct cpu_cache *pc, uint32_t s)
{
	if (!cpu_partial_push(pc, s, c->slab[s].objects - c->slab[s].inuse))
		c->out_of_memory = true;
}

/* put_cpu_partial(), facts 2.4. False when the policy refuses the slab (facts 2.5). */
static inline bool cpu_slab_put_cpu_partial_inline(struct cache *c, struct cpu_cache *pc,
						   uint32_t s, bool from_free,
						   const struct generation gen)
{
	enum cpu_partial_put put = c->cpu_partial_put[cpu_slab_partial_is_full(c, pc)][from_free];

	if (put == PUT_REFUSE)
		return false;
	if (put == PUT_DRAIN_AND_ADD) {
		cpu_slab_drain_partial(c, pc, gen);
		stat(pc, CPU_PARTIAL_DRAIN);
		take_path(c, PATH_FREE_DRAIN, gen);
	}
	cpu_slab_push_partial(c, pc, s);
	cpu_slab_set_room(c, pc);
	return true;
}
OUT_OF_LINE(bool, cpu_slab_put_cpu_partial,
	    (struct cache * c, struct cpu_cache *pc, uint32_t s, bool from_free), c, pc, s,
	    from_free)

/* deactivate_slab() of C with F, facts 3.3; the CPU is left without a slab. */
static inline void cpu_slab_deactivate(struct cache *c, struct cpu_cache *pc,
				       const struct generation gen)
{
	uint32_t s = pc->slab;
	struct slab *slab = &c->slab[s];
	bool remote_frees = slab->inuse < slab->objects;

	touch_slab(c, s, gen);
	charge(c, COST_CMPXCHG, gen);
	slab->counters = (slab->counters - pc->free) & ~SLAB_FROZEN;
	pc->slab = SLAB_NONE;
	pc->free = 0;
	if (remote_frees)
		stat(pc, DEACTIVATE_REMOTE_FREES);
	if (slab_is_empty_surplus(c, slab, EMPTY_AT_DEACTIVATE)) {
		stat(pc, DEACTIVATE_EMPTY);
		stat(pc, FREE_SLAB);
		slab_discard(c, s, gen);
	} else if (slab->inuse == slab->objects) {
		stat(pc, DEACTIVATE_FULL);
	} else {
		lock_list(c, slab->node, gen);
		charge(c, COST_LIST, gen);
		if (remote_frees) {
			node_list_add_tail(c, s);
			stat(pc, DEACTIVATE_TO_TAIL);
		} else {
			node_list_add_head(c, s);
			stat(pc, DEACTIVATE_TO_HEAD);
		}
		unlock_list(c, slab->node, gen);
	}
}

/* C, which is full, is let go: no list has it. */
ALWAYS_INLINE void cpu_slab_bypass(struct cache *c, struct cpu_cache *pc,
				   const struct generation gen)
{
	touch_slab(c, pc->slab, gen);
	charge(c, COST_CMPXCHG, gen);
	c->slab[pc->slab].counters &= ~SLAB_FROZEN;
	pc->slab = SLAB_NONE;
	stat(pc, DEACTIVATE_BYPASS);
}

/* s becomes C, the whole of R becomes F, and one object of it is taken. */
ALWAYS_INLINE uint32_t cpu_slab_load(struct cache *c, struct cpu_cache *pc, uint32_t s,
				     const struct generation gen)
{
	struct slab *slab = &c->slab[s];
	uint32_t was = slab->counters, objects = counters_objects(was);

	touch_slab(c, s, gen);
	charge(c, COST_CMPXCHG, gen);
	pc->slab = s;
	pc->free = objects - counters_inuse(was) - 1;
	slab->counters = SLAB_FROZEN | objects << 16 | objects;
	return s;
}

/* acquire_slab(): the first of a node's list, which there is. */
ALWAYS_INLINE uint32_t cpu_slab_acquire(struct cache *c, struct node_cache *n,
					const struct generation gen)
{
	uint32_t s = node_list_pop(c, n);

	touch_slab(c, s, gen);
	charge(c, COST_LIST, gen);
	if (!gen.delayed_freezing)
		charge(c, COST_CMPXCHG, gen);
	return s;
}

/* The rest of get_partial_node(), facts 3.2 step 3: after the first more go to PL. */
ALWAYS_INLINE void cpu_slab_refill_partial(struct cache *c, struct cpu_cache *pc,
					   struct node_cache *n, uint32_t s,
					   const struct generation gen)
{
	const struct refill_ops *refill = c->refill;
	bool until_refused = c->full->refill_until_refused;
	/* Where a full list takes what another one takes, whether it is full does not matter. */
	bool ask = c->cpu_partial_put[0][0] != PUT_ADD || c->cpu_partial_put[1][0] != PUT_ADD;
	struct refill_progress p = {
	    .taken = 1,
	    .available = c->slab[s].objects - c->slab[s].inuse,
	    .pobjects = cpu_partial_objects(pc),
	};

	while (n->nr_partial && (until_refused || !refill->enough(c, &p))) {
		s = cpu_slab_acquire(c, n, gen);
		if (!ask) {
			cpu_slab_push_partial(c, pc, s);
		} else if (!cpu_slab_put_cpu_partial(c, pc, s, false, gen)) {
			node_list_add_head(c, s);
			break;
		}
		if (!gen.delayed_freezing)
			c->slab[s].counters |= SLAB_FROZEN;
		stat(pc, CPU_PARTIAL_NODE);
		p.taken++;
		p.available += c->slab[s].objects - c->slab[s].inuse;
		p.pobjects = cpu_partial_objects(pc);
	}
	cpu_slab_set_room(c, pc);
}

/* get_partial_node(), facts 3.2: the slab that becomes C; more of them go to PL. */
static inline uint32_t cpu_slab_get_partial_node_inline(struct cache *c, struct cpu_cache *pc,
							unsigned node, const struct generation gen)
{
	struct node_cache *n = &c->node[node];
	uint32_t first;

	/* Looked at without the lock first. */
	if (!n->nr_partial)
		return SLAB_NONE;
	lock_list(c, node, gen);
	first = cpu_slab_acquire(c, n, gen);
	stat(pc, ALLOC_FROM_PARTIAL);
	if (c->has_cpu_partial)
		cpu_slab_refill_partial(c, pc, n, first, gen);
	unlock_list(c, node, gen);
	take_path(c, PATH_ALLOC_FROM_PARTIAL, gen);
	return first;
}
OUT_OF_LINE(uint32_t, cpu_slab_get_partial_node,
	    (struct cache * c, struct cpu_cache *pc, unsigned node), c, pc, node)

/* get_any_partial(), facts 3.2 step 5. */
static inline uint32_t cpu_slab_get_any_partial(struct cache *c, struct cpu_cache *pc,
						const struct generation gen)
{
	const uint16_t *zonelist = &c->machine->zonelist[pc->node * c->machine->nodes];

	if (!arena_may_ask_remote_nodes(c))
		return SLAB_NONE;
	for (unsigned i = 0; i < c->machine->nodes; i++) {
		if (c->node[zonelist[i]].nr_partial > c->min_partial)
			return cpu_slab_get_partial_node(c, pc, zonelist[i], gen);
	}
	return SLAB_NONE;
}

/* get_partial() or else a new slab, facts 3.1 steps 9, 10 and 12. */
static inline uint32_t cpu_slab_from_node_or_pages(struct cache *c, struct cpu_cache *pc, int node,
						   const struct generation gen)
{
	bool given = node != NUMA_NO_NODE;
	bool retry = given && c->refill->thisnode_retry;
	unsigned search = given ? (unsigned)node : pc->node;
	uint32_t s;

	s = cpu_slab_get_partial_node(c, pc, search, gen);
	if (s == SLAB_NONE && !given)
		s = cpu_slab_get_any_partial(c, pc, gen);
	if (s == SLAB_NONE)
		s = slab_new(c, pc, search, retry, gen);
	if (s == SLAB_NONE && retry && !c->out_of_memory) {
		s = cpu_slab_get_partial_node(c, pc, search, gen);
		if (s == SLAB_NONE)
			s = cpu_slab_get_any_partial(c, pc, gen);
		if (s == SLAB_NONE)
			s = slab_new(c, pc, search, false, gen);
	}
	return s;
}

/* ___slab_alloc(), facts 3.1 steps 2 to 12: the slab whose object was taken, or SLAB_NONE. */
static inline uint32_t cpu_slab_alloc_slow_inline(struct cache *c, struct cpu_cache *pc, int node,
						  const struct generation gen)
{
	uint32_t s;

	stat(pc, ALLOC_SLOWPATH);
	charge(c, COST_SLOWPATH, gen);
	take_path(c, PATH_ALLOC_REFILL, gen);
	for (;;) {
		if (pc->slab != SLAB_NONE) {
			struct slab *slab = &c->slab[pc->slab];

			if (node != NUMA_NO_NODE && slab->node != node) {
				stat(pc, ALLOC_NODE_MISMATCH);
				cpu_slab_deactivate(c, pc, gen);
			} else if (slab->inuse < slab->objects) {
				stat(pc, ALLOC_REFILL);
				return cpu_slab_load(c, pc, pc->slab, gen);
			} else {
				cpu_slab_bypass(c, pc, gen);
			}
		}
		s = cpu_partial_pop(pc);
		if (s == SLAB_NONE)
			break;
		take_path(c, PATH_ALLOC_CPU_PARTIAL, gen);
		if (!gen.delayed_freezing) {
			/* PL's slabs are frozen already; the next round refills or deactivates. */
			pc->slab = s;
			pc->free = 0;
			stat(pc, CPU_PARTIAL_ALLOC);
		} else if (node == NUMA_NO_NODE || c->slab[s].node == node) {
			stat(pc, CPU_PARTIAL_ALLOC);
			return cpu_slab_load(c, pc, s, gen);
		} else {
			cpu_slab_put_partials(c, pc, &(struct parked_slab){.slab = s}, 1, gen);
		}
	}
	s = cpu_slab_from_node_or_pages(c, pc, node, gen);
	if (s == SLAB_NONE) {
		c->failed++;
		return SLAB_NONE;
	}
	return cpu_slab_load(c, pc, s, gen);
}
OUT_OF_LINE(uint32_t, cpu_slab_alloc_slow, (struct cache * c, struct cpu_cache *pc, int node), c,
	    pc, node)

/*
 * The commonest slow path, inlined: C is full and the head of PL takes its place. SLAB_NONE, and
 * nothing done, when it is not that.
 */
ALWAYS_INLINE uint32_t cpu_slab_alloc_cpu_partial(struct cache *c, struct cpu_cache *pc,
						  const struct generation gen)
{
	uint32_t s = pc->partial_head->slab;

	if (pc->slab == SLAB_NONE || s == SLAB_NONE ||
	    c->slab[pc->slab].inuse < c->slab[pc->slab].objects)
		return SLAB_NONE;
	stat(pc, ALLOC_SLOWPATH);
	charge(c, COST_SLOWPATH, gen);
	cpu_slab_bypass(c, pc, gen);
	pc->partial_head--;
	take_path(c, PATH_ALLOC_CPU_PARTIAL, gen);
	stat(pc, CPU_PARTIAL_ALLOC);
	/* Frozen already, it is found as C by the next round, which refills. */
	if (!gen.delayed_freezing)
		stat(pc, ALLOC_REFILL);
	return cpu_slab_load(c, pc, s, gen);
}

/* slab_alloc_node(), facts 3.1. */
ALWAYS_INLINE uint32_t cpu_slab_alloc(struct cache *c, struct cpu_cache *pc, int node,
				      bool may_block, const struct generation gen)
{
	(void)may_block;
	if (likely(pc->free > 0 && (node == NUMA_NO_NODE || c->slab[pc->slab].node == node))) {
		pc->free--;
		stat(pc, ALLOC_FASTPATH);
		charge(c, COST_ALLOC_FASTPATH, gen);
		take_path(c, PATH_ALLOC_FASTPATH, gen);
		/* Objects on F are C's: the caller need not ask whether there was memory. */
		if (pc->slab == SLAB_NONE)
			__builtin_unreachable();
		return pc->slab;
	}
	if (likely(node == NUMA_NO_NODE)) {
		uint32_t s = cpu_slab_alloc_cpu_partial(c, pc, gen);

		if (likely(s != SLAB_NONE))
			return s;
	}
	return cpu_slab_alloc_slow(c, pc, node, gen);
}

/* An unfrozen slab that no list and no CPU has: to its node's list, or back (facts 3.4 2c). */
static inline void cpu_slab_free_to_node_inline(struct cache *c, struct cpu_cache *pc, uint32_t s,
						const struct generation gen)
{
	struct slab *slab = &c->slab[s];
	unsigned node = slab->node;
	bool discard;

	lock_list(c, node, gen);
	discard = slab_is_empty_surplus(c, slab, EMPTY_AT_FREE);
	if (!discard) {
		charge(c, COST_LIST, gen);
		node_list_add_tail(c, s);
		stat(pc, FREE_ADD_PARTIAL);
		take_path(c, PATH_FREE_NODE_PARTIAL, gen);
	}
	unlock_list(c, node, gen);
	if (discard) {
		stat(pc, FREE_SLAB);
		slab_discard(c, s, gen);
		take_path(c, PATH_FREE_SLAB, gen);
	}
}
OUT_OF_LINE(void, cpu_slab_free_to_node, (struct cache * c, struct cpu_cache *pc, uint32_t s), c,
	    pc, s)

/* A slab that has become empty, facts 3.4 rows 2e and 2f: only on a node's list is it given back.
 */
static inline void cpu_slab_free_last_inline(struct cache *c, struct cpu_cache *pc, uint32_t s,
					     const struct generation gen)
{
	struct slab *slab = &c->slab[s];
	unsigned node = slab->node;
	bool discard;

	lock_list(c, node, gen);
	discard = slab->place == SLAB_ON_NODE && slab_is_empty_surplus(c, slab, EMPTY_AT_FREE);
	take_path(c, PATH_FREE_NODE_PARTIAL, gen);
	if (discard) {
		charge(c, COST_LIST, gen);
		node_list_del(c, s);
		stat(pc, FREE_REMOVE_PARTIAL);
	}
	unlock_list(c, node, gen);
	if (discard) {
		stat(pc, FREE_SLAB);
		slab_discard(c, s, gen);
		take_path(c, PATH_FREE_SLAB, gen);
	}
}

OUT_OF_LINE(void, cpu_slab_free_last, (struct cache * c, struct cpu_cache *pc, uint32_t s), c, pc,
	    s)

/* The first free, of cnt objects, to a full slab, facts 3.4 rows 2b to 2d; inuse is done. */
ALWAYS_INLINE void cpu_slab_free_first(struct cache *c, struct cpu_cache *pc, uint32_t s,
				       uint32_t cnt, const struct generation gen)
{
	take_path(c, PATH_FREE_CPU_PARTIAL, gen);
	if (likely(cnt == 1 && pc->partial_head < pc->partial_room)) {
		cpu_partial_push_unasked(pc, s, 1);
	} else if (!cpu_slab_put_cpu_partial(c, pc, s, true, gen)) {
		cpu_slab_free_to_node(c, pc, s, gen);
		return;
	}
	if (!gen.delayed_freezing)
		c->slab[s].counters |= SLAB_FROZEN;
	stat(pc, CPU_PARTIAL_FREE);
}

/* __slab_free() of cnt objects of a slab that is not C, facts 3.4 row 2. */
ALWAYS_INLINE void cpu_slab_free_slow_inline(struct cache *c, struct cpu_cache *pc, uint32_t s,
					     uint32_t cnt, const struct generation gen)
{
	struct slab *slab = &c->slab[s];
	uint32_t was = slab->counters;

	stat(pc, FREE_SLOWPATH);
	charge(c, COST_FREE_SLOWPATH, gen);
	touch_slab(c, s, gen);
	charge(c, COST_CMPXCHG, gen);
	if (gen.timed && c->count_partial->keeps_counters)
		charge(c, COST_COUNTER, gen);
	slab->counters = was - cnt;
	pc->stat[FREE_FROZEN] += was >> 31;
	take_path(c, was >> 31 ? PATH_FREE_FROZEN : PATH_FREE_SLOWPATH, gen);
	/* Full and not frozen; neither is asked by itself, for it is as good as random. */
	if (((was ^ was >> 16) & 0xffff) == 0)
		cpu_slab_free_first(c, pc, s, cnt, gen);
	else if (unlikely((was & (SLAB_FROZEN | 0xffff)) == cnt))
		cpu_slab_free_last(c, pc, s, gen);
}
OUT_OF_LINE(void, cpu_slab_free_slow,
	    (struct cache * c, struct cpu_cache *pc, uint32_t s, uint32_t cnt), c, pc, s, cnt)

/*
 * The same for one object where no policy and no node has a say. Whether the slab was full is as
 * good as random, so nothing branches on it: its place on PL is written down, and PL becomes
 * longer or not. False, and nothing done, where it is not that.
 */
ALWAYS_INLINE bool cpu_slab_free_one(struct cache *c, struct cpu_cache *pc, uint32_t s,
				     const struct generation gen)
{
	struct slab *slab = &c->slab[s];
	uint32_t was = slab->counters, now = was - 1;
	/* inuse == objects, and not frozen. */
	size_t first = ((was ^ was >> 16) & 0xffff) == 0;
	struct parked_slab *head = pc->partial_head, *new = head + first;

	if ((unlikely(new > pc->partial_room) && first) ||
	    unlikely(!(now & (SLAB_FROZEN | 0xffff))))
		return false;
	slab->counters = gen.delayed_freezing ? now : now | (uint32_t)first << 31;
	head[1] = (struct parked_slab){.slab = s, .pobjects = head->pobjects + 1};
	pc->partial_head = new;
	stat(pc, FREE_SLOWPATH);
	pc->stat[FREE_FROZEN] += was >> 31;
	pc->stat[CPU_PARTIAL_FREE] += first;
	return true;
}

/* do_slab_free() of cnt objects of slab s, facts 3.4. */
ALWAYS_INLINE void cpu_slab_free_run(struct cache *c, struct cpu_cache *pc, uint32_t s,
				     uint32_t cnt, const struct generation gen)
{
	if (s == pc->slab) {
		pc->free += cnt;
		pc->stat[FREE_FASTPATH] += gen.bulk_counts_objects ? cnt : 1;
		charge(c, COST_FREE_FASTPATH, gen);
		take_path(c, PATH_FREE_FASTPATH, gen);
	} else if (!gen.random) {
		cpu_slab_free_slow_inline(c, pc, s, cnt, gen);
	} else if (cnt != 1 || !cpu_slab_free_one(c, pc, s, gen)) {
		cpu_slab_free_slow(c, pc, s, cnt, gen);
	}
}

/* kmem_cache_free(), facts 3.4. */
ALWAYS_INLINE void cpu_slab_free(struct cache *c, struct cpu_cache *pc, uint32_t s,
				 const struct generation gen)
{
	cpu_slab_free_run(c, pc, s, 1, gen);
}

/* kmem_cache_free_bulk() of the objects of slabs[0..n), facts 4.4. */
static inline void cpu_slab_free_bulk(struct cache *c, struct cpu_cache *pc, uint32_t *slabs,
				      uint32_t n, const struct generation gen)
{
	while (n > 0) {
		uint32_t run, left = detached_freelist(slabs, n, &run);

		cpu_slab_free_run(c, pc, slabs[n - 1], run, gen);
		n = left;
	}
}

/*
 * kmem_cache_alloc_bulk() of n objects, facts 4.3; slabs[] says where each came from. False when
 * memory ran out: what there was of them has been freed again.
 */
static inline bool cpu_slab_alloc_bulk(struct cache *c, struct cpu_cache *pc, uint32_t *slabs,
				       uint32_t n, const struct generation gen)
{
	for (uint32_t i = 0; i < n; i++) {
		if (pc->free > 0) {
			pc->free--;
			pc->stat[ALLOC_FASTPATH] += gen.bulk_counts_objects;
			charge(c, COST_ALLOC_FASTPATH, gen);
			take_path(c, PATH_ALLOC_FASTPATH, gen);
			slabs[i] = pc->slab;
			continue;
		}
		slabs[i] = cpu_slab_alloc_slow(c, pc, NUMA_NO_NODE, gen);
		if (slabs[i] == SLAB_NONE) {
			c->unwound += gen.bulk_counts_objects ? i : 0;
			cpu_slab_free_bulk(c, pc, slabs, i, gen);
			return false;
		}
	}
	return true;
}

/* kfree_rcu(): its kfree_bulk() as a batch of one. */
static inline void cpu_slab_free_rcu(struct cache *c, struct cpu_cache *pc, uint32_t s,
				     const struct generation gen)
{
	cpu_slab_free_run(c, pc, s, 1, gen);
}

/* flush_all(): every CPU's slab and list go to the nodes, facts 4.1. */
static inline void cpu_slab_flush_cpu(struct cache *c, struct cpu_cache *pc,
				      const struct generation gen)
{
	if (pc->slab != SLAB_NONE) {
		cpu_slab_deactivate(c, pc, gen);
		stat(pc, CPUSLAB_FLUSH);
	}
	cpu_slab_drain_partial(c, pc, gen);
}

/* The end of kmem_cache_shrink(): the nodes' lists, facts 4.2. */
static inline void shrink_node_list(struct cache *c, unsigned node, const struct generation gen)
{
	lock_list(c, node, gen);
	charge_times(c, COST_LIST, arena_shrink_node(c, node), gen);
	unlock_list(c, node, gen);
}

/* kmem_cache_shrink(), facts 4.2. */
static inline void cpu_slab_shrink(struct cache *c, struct cpu_cache *pc,
				   const struct generation gen)
{
	(void)pc;
	for (unsigned cpu = 0; cpu < c->machine->cpus; cpu++) {
		charge(c, COST_IPI, gen);
		cpu_slab_flush_cpu(c, &c->cpu[cpu], gen);
	}
	for (unsigned node = 0; node < c->machine->nodes; node++)
		shrink_node_list(c, node, gen);
	take_path(c, PATH_SHRINK, gen);
}

static const struct layer cpu_slab_layer = {
    .alloc = cpu_slab_alloc,
    .free = cpu_slab_free,
    .alloc_bulk = cpu_slab_alloc_bulk,
    .free_rcu = cpu_slab_free_rcu,
    .free_bulk = cpu_slab_free_bulk,
    .shrink = cpu_slab_shrink,
};

#endif
