/*
 * One operation on a cache, as the engine replays it. Twelve bytes, streamed in batches; the
 * times, when a source has them, travel in an array beside the events.
 */
#ifndef SLABSIM_EVENT_H
#define SLABSIM_EVENT_H

#include <stddef.h>
#include <stdint.h>

#define NUMA_NO_NODE (-1)

enum event_op {
	EV_ALLOC,      /* kmem_cache_alloc, kmem_cache_alloc_node, kmalloc */
	EV_FREE,       /* kmem_cache_free, kfree */
	EV_ALLOC_BULK, /* one object of a kmem_cache_alloc_bulk call */
	EV_FREE_BULK,  /* one object of a kmem_cache_free_bulk call */
	EV_FREE_RCU,   /* kfree_rcu */
	EV_ADOPT,      /* an object that was live at the start; its free follows */
	EV_SHRINK,     /* kmem_cache_shrink of the cache; cpu is the calling CPU */
	NR_EVENT_OPS
};

enum event_flags {
	/* The allocation may block (__GFP_DIRECT_RECLAIM), facts 5.11. */
	EVF_MAY_BLOCK = 1 << 0,
	/* Bulk operations: the next event of this cache belongs to the same call. */
	EVF_MORE = 1 << 1,
};

struct event {
	/*
	 * Names the object within its cache. Ids are dense and are used again after the free, so
	 * the engine's object table is as long as the peak of live objects.
	 */
	uint32_t object;
	uint16_t cpu;
	uint16_t cache; /* index into the source's cache table */
	int16_t node;	/* requested node, or NUMA_NO_NODE */
	uint8_t op;	/* enum event_op */
	uint8_t flags;	/* enum event_flags */
};

#define MAX_CPUS   4096
#define MAX_NODES  1024
#define MAX_CACHES 65535

#endif
