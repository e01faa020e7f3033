/*
 * allocator: slub-sheaves
 *
 *	a cache created with a sheaf_capacity has sheaves as in `sheaves` above all of
 *	`slub-delayed`; any other cache is slub-delayed's
 *	alloc:  an allocation that may not block never refills a sheaf; the emptied main goes to
 *	        the barn
 *	counts: the sheaves' fast paths have counters of their own; what the sheaves move up and
 *	        down is counted by the layer below as well
 *
 * Kernels 6.18 and 6.19 (facts 5.11).
 */
#include "sim/cpu_slab_check.h"
#include "sim/replay.h"
#include "sim/sheaf_check.h"

static const struct generation gen = {
    .delayed_freezing = true,
    .bulk_counts_objects = true,
    .sheaves_above_cpu_slabs = true,
};

static int replay(struct cache *caches, const struct event *ev, size_t n, struct error *err)
{
	return replay_events(caches, ev, n, sheaf_layer, gen, err);
}

static int replay_random(struct cache *caches, const struct event *ev, size_t n, struct error *err)
{
	return replay_events(caches, ev, n, sheaf_layer, generation_random(gen), err);
}

static int replay_timed(struct cache *caches, const struct event *ev, size_t n, struct error *err)
{
	return replay_events(caches, ev, n, sheaf_layer, generation_timed(gen), err);
}

/* Opt-in: exactly what the cache's creator asked for, none by default (facts 5.2). */
static unsigned sheaf_capacity(const struct cache *c, unsigned requested)
{
	(void)c;
	return requested;
}

static int check(const struct cache *c, struct error *err)
{
	return sheaf_check_6_18(c, gen, err);
}

static const struct allocator_ops slub_sheaves = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_ALLOCATOR,
	       .name = "slub-sheaves",
	       .summary = "opt-in sheaves above slub-delayed (6.18, 6.19)"},
    .stats = &sheaf_stats_6_18,
    .has_cpu_slabs = true,
    .has_sheaves = true,
    .sheaf_capacity = sheaf_capacity,
    .replay = replay,
    .replay_random = replay_random,
    .replay_timed = replay_timed,
    .check = check,
};
POLICY(slub_sheaves);
