/*
 * The page allocator slabs come from: a buddy allocator per node, with splitting and merging,
 * that can start as fragmented as a machine that has been up for long. Large orders then fail
 * and the slab falls back to its minimum order (facts 3.1).
 *
 * What is modelled: blocks of order 0 ... MAX_PAGE_ORDER, the smallest block that is large
 * enough is split, halves that are both free merge; of equal blocks the one at the lowest
 * address is taken. What is not: zones, watermarks, per-CPU page lists, migrate types, reclaim
 * and compaction. Pages pinned at the start stay so.
 */
#ifndef SLABSIM_PAGES_H
#define SLABSIM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/machine.h"
#include "sim/order.h"

/* More pages than this in all nodes together are refused (1 TiB of 4 KiB pages). */
#define PAGES_MAX (UINT64_C(1) << 28)

/* "pages" of a config. Every node starts in the same way, laid out with a seed of its own. */
struct pages_config {
	/* Bytes of memory in each node. 0: unlimited, no page allocator at all. */
	uint64_t memory_per_node;
	double free; /* share of it that is free at the start, 0..1 */
	/*
	 * Share of the free memory, 0..1, that lies in pieces too small for a block of order 3
	 * (PAGE_ALLOC_COSTLY_ORDER): the kernel's "unusable free space index" of that order. The
	 * rest lies in blocks of MAX_PAGE_ORDER.
	 */
	double fragmentation;
	/*
	 * Instead of these three: the free blocks of each order in each node, as a line of
	 * /proc/buddyinfo gives them. As much memory as that takes is modelled.
	 */
	bool has_free_blocks;
	uint64_t free_blocks[MAX_PAGE_ORDER + 1];
	uint64_t seed;
};

struct pages;

/*
 * Set up the nodes of m. *pages is NULL when cfg asks for unlimited memory, and is to be freed
 * with pages_destroy() otherwise. 0, or -1 and err: shares out of range, a state that does not
 * fit into the memory, too much memory to model.
 */
int pages_new(struct pages **pages, const struct machine *m, const struct pages_config *cfg,
	      struct error *err);
/* Could pages_new() do it, memory aside? 0, or -1 and err. */
int pages_config_check(const struct machine *m, const struct pages_config *cfg, struct error *err);
void pages_destroy(struct pages *p);

/*
 * Take a block of 2^order pages from node. false when the node has none that large; *block,
 * which names it for pages_free(), is then untouched.
 */
bool pages_alloc(struct pages *p, unsigned node, unsigned order, uint32_t *block);
/*
 * The same from the first node of near's zonelist that has one, near itself first, as the kernel
 * does without __GFP_THISNODE. *node is where the block is.
 */
bool pages_alloc_near(struct pages *p, unsigned near, unsigned order, unsigned *node,
		      uint32_t *block);
/* Give a block back with the node and the order it was taken with; it merges with its buddies. */
void pages_free(struct pages *p, unsigned node, unsigned order, uint32_t block);

/* Free blocks of exactly this order, as in /proc/buddyinfo. */
uint64_t pages_free_blocks(const struct pages *p, unsigned node, unsigned order);
/* Free bytes of a node, in blocks of any order. */
uint64_t pages_free_bytes(const struct pages *p, unsigned node);
/* Share of a node's free memory in blocks below order, 0..1; 0 when nothing is free. */
double pages_unusable(const struct pages *p, unsigned node, unsigned order);
/*
 * Are the free lists sound? No block free twice, no two free buddies apart, the counts right.
 * Takes time proportional to the memory; for tests. -1 and err: what is wrong.
 */
int pages_check(const struct pages *p, struct error *err);

#endif
