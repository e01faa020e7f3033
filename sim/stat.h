/*
 * The stat items of every kernel generation (facts 3.6, 5.10), under their enum names; the
 * sysfs file name is stat_name(). Each allocator says which of them it has, in what order.
 */
#ifndef SLABSIM_STAT_H
#define SLABSIM_STAT_H

/* X(item, sysfs file name). The four path counters come first: they share a cache line. */
#define STAT_ITEMS(X)                                                                              \
	X(ALLOC_FASTPATH, "alloc_fastpath")                                                        \
	X(ALLOC_SLOWPATH, "alloc_slowpath")                                                        \
	X(FREE_FASTPATH, "free_fastpath")                                                          \
	X(FREE_SLOWPATH, "free_slowpath")                                                          \
	X(FREE_FROZEN, "free_frozen")                                                              \
	X(FREE_ADD_PARTIAL, "free_add_partial")                                                    \
	X(FREE_REMOVE_PARTIAL, "free_remove_partial")                                              \
	X(ALLOC_FROM_PARTIAL, "alloc_from_partial")                                                \
	X(ALLOC_SLAB, "alloc_slab")                                                                \
	X(ALLOC_REFILL, "alloc_refill")                                                            \
	X(ALLOC_NODE_MISMATCH, "alloc_node_mismatch")                                              \
	X(FREE_SLAB, "free_slab")                                                                  \
	X(CPUSLAB_FLUSH, "cpuslab_flush")                                                          \
	X(DEACTIVATE_FULL, "deactivate_full")                                                      \
	X(DEACTIVATE_EMPTY, "deactivate_empty")                                                    \
	X(DEACTIVATE_TO_HEAD, "deactivate_to_head")                                                \
	X(DEACTIVATE_TO_TAIL, "deactivate_to_tail")                                                \
	X(DEACTIVATE_REMOTE_FREES, "deactivate_remote_frees")                                      \
	X(DEACTIVATE_BYPASS, "deactivate_bypass")                                                  \
	X(ORDER_FALLBACK, "order_fallback")                                                        \
	X(CMPXCHG_DOUBLE_CPU_FAIL, "cmpxchg_double_cpu_fail")                                      \
	X(CMPXCHG_DOUBLE_FAIL, "cmpxchg_double_fail")                                              \
	X(CPU_PARTIAL_ALLOC, "cpu_partial_alloc")                                                  \
	X(CPU_PARTIAL_FREE, "cpu_partial_free")                                                    \
	X(CPU_PARTIAL_NODE, "cpu_partial_node")                                                    \
	X(CPU_PARTIAL_DRAIN, "cpu_partial_drain")                                                  \
	X(ALLOC_PCS, "alloc_cpu_sheaf")                                                            \
	X(FREE_PCS, "free_cpu_sheaf")                                                              \
	X(FREE_RCU_SHEAF, "free_rcu_sheaf")                                                        \
	X(FREE_RCU_SHEAF_FAIL, "free_rcu_sheaf_fail")                                              \
	X(SHEAF_FLUSH, "sheaf_flush")                                                              \
	X(SHEAF_REFILL, "sheaf_refill")                                                            \
	X(SHEAF_ALLOC, "sheaf_alloc")                                                              \
	X(SHEAF_FREE, "sheaf_free")                                                                \
	X(BARN_GET, "barn_get")                                                                    \
	X(BARN_GET_FAIL, "barn_get_fail")                                                          \
	X(BARN_PUT, "barn_put")                                                                    \
	X(BARN_PUT_FAIL, "barn_put_fail")                                                          \
	X(SHEAF_PREFILL_FAST, "sheaf_prefill_fast")                                                \
	X(SHEAF_PREFILL_SLOW, "sheaf_prefill_slow")                                                \
	X(SHEAF_PREFILL_OVERSIZE, "sheaf_prefill_oversize")                                        \
	X(SHEAF_RETURN_FAST, "sheaf_return_fast")                                                  \
	X(SHEAF_RETURN_SLOW, "sheaf_return_slow")

enum stat_item {
#define X(item, name) item,
	STAT_ITEMS(X)
#undef X
	    NR_STAT_ITEMS
};

/* The sysfs file name, e.g. "alloc_cpu_sheaf" for ALLOC_PCS. */
const char *stat_name(enum stat_item item);

/* The stat items one kernel generation counts, in its enum order. */
struct stat_list {
	const enum stat_item *items;
	unsigned n;
};

#endif
