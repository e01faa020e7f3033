/*
 * What things cost on a machine. The figures are data (configs/machines/), in ns there and in ps
 * here; no cost is in code. A cost that a machine does not give is 0.
 */
#ifndef SLABSIM_COST_H
#define SLABSIM_COST_H

#include <stdint.h>

/* X(item, key under machine.costs, help) */
#define COST_ITEMS(X)                                                                              \
	X(COST_ALLOC_FASTPATH, "alloc_fastpath", "take an object from the CPU's freelist")         \
	X(COST_FREE_FASTPATH, "free_fastpath", "put an object on the CPU's freelist")              \
	X(COST_SHEAF, "sheaf", "take an object from, or put it into, the main sheaf")              \
	X(COST_SHEAF_OBJECT, "sheaf_object", "move one object between a sheaf and a slab")         \
	X(COST_SLOWPATH, "slowpath", "enter the slow path of an allocation")                       \
	X(COST_FREE_SLOWPATH, "free_slowpath", "enter the slow path of a free")                    \
	X(COST_CMPXCHG, "cmpxchg", "change a slab's freelist and counters atomically")             \
	X(COST_LOCK, "lock", "take and release a lock that is free and in this CPU's cache")       \
	X(COST_LIST, "list", "put a slab on a list or take it off")                                \
	X(COST_WALK, "walk", "look at one slab of a list while counting")                          \
	X(COST_COUNTER, "counter", "keep a count of free objects up to date")                      \
	X(COST_PAGE_ALLOC, "page_alloc", "get pages of order 0 from the page allocator")           \
	X(COST_PAGE_FREE, "page_free", "give pages of order 0 back")                               \
	X(COST_PAGE_ORDER, "page_order", "in addition for every order above 0, each way")          \
	X(COST_NEW_OBJECT, "new_object", "put one object of a new slab on its freelist")           \
	X(COST_IPI, "ipi", "send a CPU off to flush, and wait for it")                             \
	X(COST_LINE_COMPLEX, "line_complex", "get a cache line from a CPU that shares the cache")  \
	X(COST_LINE_NODE, "line_node", "get a cache line from another cache of the node")          \
	X(COST_LINE_REMOTE, "line_remote", "get a cache line from another node")

enum cost_item {
#define X(item, key, help) item,
	COST_ITEMS(X)
#undef X
	    NR_COST_ITEMS
};

const char *cost_name(enum cost_item item);
const char *cost_help(enum cost_item item);

#define PS_PER_NS 1000

#endif
