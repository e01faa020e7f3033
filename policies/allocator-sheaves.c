/*
 * allocator: sheaves
 *
 *	alloc:  main sheaf -> spare -> full sheaf of the node's barn -> refill an empty sheaf from
 *	        the node's list, other nodes' lists, new slabs
 *	free:   main sheaf -> spare -> full main into the barn, an empty one in its place -> with
 *	        ten full ones there, flush the spare; an object of another node to its slab
 *	below:  one object at a time from the head slab of the node's list; no cpu slab
 *	bulk:   to and from the sheaves, the rest straight from the node's list, objects counted
 *
 * Kernel 7.0 (facts 5). The mechanics are sim/sheaf.h's and sim/node_slab.h's.
 */
#include "sim/replay.h"
#include "sim/sheaf_check.h"

static const struct generation gen = {0};

static int replay(struct cache *caches, const struct event *ev, size_t n, struct error *err)
{
	return replay_events(caches, ev, n, sheaf_layer, gen, err);
}

static int replay_timed(struct cache *caches, const struct event *ev, size_t n, struct error *err)
{
	return replay_events(caches, ev, n, sheaf_layer, generation_timed(gen), err);
}

/* Bytes of a sheaf beside its slots (facts 5.1). */
#define SHEAF_HEADER 32

/* Facts 5.2: by size, enlarged to fill the sheaf's kmalloc bucket; at least what was asked for. */
static unsigned sheaf_capacity(const struct cache *c, unsigned requested)
{
	unsigned base, bucket;

	if (c->size >= c->machine->page_size)
		base = 4;
	else if (c->size >= 1024)
		base = 12;
	else if (c->size >= 256)
		base = 26;
	else
		base = 60;
	for (bucket = 64; bucket < SHEAF_HEADER + 8 * base; bucket *= 2)
		;
	base = (bucket - SHEAF_HEADER) / 8;
	return base > requested ? base : requested;
}

static const struct allocator_ops sheaves = {
    .policy = {.abi = POLICY_ABI,
	       .axis = AXIS_ALLOCATOR,
	       .name = "sheaves",
	       .summary = "percpu sheaves and barns in every cache, no cpu slabs (7.0)"},
    .stats = &sheaf_stats_7_0,
    .has_sheaves = true,
    .sheaf_capacity = sheaf_capacity,
    .replay = replay,
    .replay_timed = replay_timed,
    .check = sheaf_check_7_0,
};
POLICY(sheaves);
