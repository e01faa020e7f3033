/*
 * partial_accounting: objects-now
 *
 *	full:  the free objects of the list's slabs, as they are now, > cpu_partial
 *
 * A policy from outside the tree. As `objects`, which counts a slab's free objects when it is put
 * on the list and never again, so that a limit of N objects lets about N slabs pile up; this one
 * looks at the slabs every time. See the Makefile for how it is built and used.
 */
#include "sim/cache.h"

static bool full(const struct cache *c, const struct cpu_cache *cpu)
{
	unsigned nr_free = 0;

	for (const struct parked_slab *p = cpu->partial_head; p > cpu->partial; p--)
		nr_free += c->slab[p->slab].objects - c->slab[p->slab].inuse;
	return nr_free > c->cpu_partial;
}

static const struct partial_accounting_ops objects_now = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_PARTIAL_ACCOUNTING,
	       .name = "objects-now",
	       .summary = "free objects on the list, counted when it is looked at (an example)"},
    .refill = "3.7",
    .full = full,
};
POLICY(objects_now);
