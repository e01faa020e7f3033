/*
 * allocator: slub
 *
 *	alloc:  F -> R of the cpu slab -> head of the CPU's partial list -> node's list -> new slab
 *	free:   to F when it is this CPU's slab; to R when the slab is frozen; else a full slab
 *	        goes on this CPU's partial list, an empty one may be given back
 *	freeze: a slab is frozen while it is a cpu slab or on a CPU's partial list, so that frees
 *	        to it touch no list
 *	bulk:   a pop from F counts nothing, a detached freelist counts one free
 *
 * Kernels 3.2 to 6.7 (facts 3, 4). The mechanics are sim/cpu_slab.h's.
 */
#include "sim/cpu_slab_check.h"
#include "sim/replay.h"

static const struct generation gen = {0};

static int replay(struct cache *caches, const struct event *ev, size_t n, struct error *err)
{
	return replay_events(caches, ev, n, cpu_slab_layer, gen, err);
}

static int replay_random(struct cache *caches, const struct event *ev, size_t n, struct error *err)
{
	return replay_events(caches, ev, n, cpu_slab_layer, generation_random(gen), err);
}

static int replay_timed(struct cache *caches, const struct event *ev, size_t n, struct error *err)
{
	return replay_events(caches, ev, n, cpu_slab_layer, generation_timed(gen), err);
}

static int check(const struct cache *c, struct error *err)
{
	if (cpu_slab_check(c, gen, err))
		return -1;
	return cpu_slab_check_calls(c, gen, err);
}

static const struct allocator_ops slub = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_ALLOCATOR,
	       .name = "slub",
	       .summary = "cpu slab and frozen per-CPU partial list (3.2 to 6.7)"},
    .stats = &cpu_slab_stats,
    .has_cpu_slabs = true,
    .replay = replay,
    .replay_random = replay_random,
    .replay_timed = replay_timed,
    .check = check,
};
POLICY(slub);
