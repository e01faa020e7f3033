/* The report of one cache, as slabinfo -r prints it (facts 7), and what slabinfo leaves out. */
#ifndef SLABSIM_REPORT_H
#define SLABSIM_REPORT_H

#include "sim/result/results.h"

/* slabinfo -r: the same lines, the same widths (facts 7.1). Debugging is always off. */
void report_slabinfo(FILE *out, const struct result_cache *c);
/* Below it: counters and memory that slabinfo does not read. */
void report_extra(FILE *out, const struct result_cache *c, const struct allocator_ops *a);
/* slabinfo's default listing: its header, and one line for a cache (facts 7.2). */
void report_listing_header(FILE *out);
void report_listing_row(FILE *out, const struct result_cache *c);

/*
 * Objects handed out, by the counters of one cache: refills of a sheaf pass through the cpu slab
 * in 6.18 and are counted there too (facts 5.10); has_alloc_pcs: these are counters of 6.18.
 */
uint64_t stat_allocations(const uint64_t stat[NR_STAT_ITEMS], bool has_alloc_pcs);
bool stat_list_has(const struct stat_list *list, enum stat_item item);
/* Events of a cache: what slabinfo -A sorts by, with the sheaf paths of 6.18. */
uint64_t stat_activity(const uint64_t stat[NR_STAT_ITEMS]);

#endif
