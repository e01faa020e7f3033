/*
 * allocator: slub-delayed
 *
 *	as slub, but
 *	freeze: only a cpu slab is frozen. A slab on a CPU's partial list takes frees like one on a
 *	        node's list, and when its last object is freed it stays where it is
 *	alloc:  the head of the CPU's partial list becomes the cpu slab in one step; one of
 *	        another node than asked for goes to its node instead
 *	bulk:   counts objects on the fast paths
 *
 * Kernels 6.8 to 6.17 (facts 3, 4); Chengming Zhou's delayed freezing and commit 6f3dd2c31d7d.
 */
#include "sim/cpu_slab_check.h"
#include "sim/replay.h"

static const struct generation gen = {.delayed_freezing = true, .bulk_counts_objects = true};

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

static const struct allocator_ops slub_delayed = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_ALLOCATOR,
	       .name = "slub-delayed",
	       .summary = "cpu slab and unfrozen per-CPU partial list (6.8 to 6.17)"},
    .stats = &cpu_slab_stats,
    .has_cpu_slabs = true,
    .replay = replay,
    .replay_random = replay_random,
    .replay_timed = replay_timed,
    .check = check,
};
POLICY(slub_delayed);
