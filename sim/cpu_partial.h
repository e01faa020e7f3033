/*
 * PL, a CPU's partial list: a stack of slab indices, its head on top. To the kernel it is a linked
 * list; here neither a push nor a pop touches another slab, and a push can be written down before
 * it is known whether there is one.
 */
#ifndef SLABSIM_CPU_PARTIAL_H
#define SLABSIM_CPU_PARTIAL_H

#include "sim/cache.h"

/* Give a new CPU its empty list; let go of what a list has got since. */
void cpu_partial_init(struct cpu_cache *pc);
void cpu_partial_free(struct cpu_cache *pc);
/* Twice as many places. False when memory is out. */
bool cpu_partial_grow(struct cpu_cache *pc);

/* Its length. The list is pc->partial[1] to pc->partial_head[0], from its tail on. */
static inline uint32_t cpu_partial_slabs(const struct cpu_cache *pc)
{
	return (uint32_t)(pc->partial_head - pc->partial);
}

/* Its free objects, each slab's counted when it was put (facts 2.4). */
static inline uint32_t cpu_partial_objects(const struct cpu_cache *pc)
{
	return pc->partial_head->pobjects;
}

/* s, with so many free objects, becomes the head; there is a place for it. */
static inline void cpu_partial_push_unasked(struct cpu_cache *pc, uint32_t s, uint32_t nr_free)
{
	struct parked_slab *head = pc->partial_head++;

	head[1] = (struct parked_slab){.slab = s, .pobjects = head->pobjects + nr_free};
}

/* The same where there may be none. False when memory is out. */
static inline bool cpu_partial_push(struct cpu_cache *pc, uint32_t s, uint32_t nr_free)
{
	if (__builtin_expect(cpu_partial_slabs(pc) == pc->partial_cap, 0) && !cpu_partial_grow(pc))
		return false;
	cpu_partial_push_unasked(pc, s, nr_free);
	return true;
}

/* Take the head off: SLAB_NONE, and nothing done, when the list is empty. */
static inline uint32_t cpu_partial_pop(struct cpu_cache *pc)
{
	uint32_t s = pc->partial_head->slab;

	if (s != SLAB_NONE)
		pc->partial_head--;
	return s;
}

#endif
