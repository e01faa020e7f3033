/*
 * partial_accounting: objects
 *
 *	full:  the list's free objects, each slab counted as it was when it was put, > cpu_partial
 *
 * Kernels 3.2 to 5.15 (facts 2.4). A slab put by a free counts one object for ever after, so
 * a limit of N objects lets about N slabs pile up (Jann Horn, January 2021).
 */
#include "sim/cpu_partial.h"

static int64_t room(const struct cache *c, const struct cpu_cache *cpu)
{
	return (int64_t)c->cpu_partial + 1 - cpu_partial_objects(cpu);
}

static const struct partial_accounting_ops objects = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_PARTIAL_ACCOUNTING,
	       .name = "objects",
	       .summary = "free objects on the list, counted when put (3.2 to 5.15)"},
    .refill = "3.7",
    .room = room,
};
POLICY(objects);
