#include "sim/pages.h"

#include <gsl/gsl_rng.h>
#include <inttypes.h>

#include "sim/freemap.h"

#define NR_ORDERS (MAX_PAGE_ORDER + 1)

/* Fragmented memory is made of groups of pages that never become one block of this order. */
#define GROUP_ORDER PAGE_ALLOC_COSTLY_ORDER
#define GROUP_PAGES (1u << GROUP_ORDER)

struct page_node {
	uint64_t pages;
	/* Per order: free blocks, by page number >> order. */
	struct freemap free[NR_ORDERS];
};

struct pages {
	const struct machine *machine;
	struct page_node *node;
};

bool pages_alloc(struct pages *p, unsigned node, unsigned order, uint32_t *block)
{
	struct freemap *map = p->node[node].free;
	unsigned from = order;
	uint64_t i;

	while (from < NR_ORDERS && !map[from].count)
		from++;
	if (from >= NR_ORDERS)
		return false;
	i = freemap_first(&map[from]);
	freemap_remove(&map[from], i);
	/* Keep the lower half, give the upper one back. */
	while (from > order) {
		from--;
		i *= 2;
		freemap_add(&map[from], i + 1);
	}
	*block = (uint32_t)(i << order);
	return true;
}

bool pages_alloc_near(struct pages *p, unsigned near, unsigned order, unsigned *node,
		      uint32_t *block)
{
	const struct machine *m = p->machine;

	for (unsigned i = 0; i < m->nodes; i++) {
		unsigned n = m->zonelist[(size_t)near * m->nodes + i];

		if (pages_alloc(p, n, order, block)) {
			*node = n;
			return true;
		}
	}
	return false;
}

void pages_free(struct pages *p, unsigned node, unsigned order, uint32_t block)
{
	struct freemap *map = p->node[node].free;
	uint64_t i = block >> order;

	while (order < MAX_PAGE_ORDER && freemap_has(&map[order], i ^ 1)) {
		freemap_remove(&map[order], i ^ 1);
		i /= 2;
		order++;
	}
	freemap_add(&map[order], i);
}

uint64_t pages_free_blocks(const struct pages *p, unsigned node, unsigned order)
{
	return p->node[node].free[order].count;
}

/* Free pages in blocks below an order. */
static uint64_t free_pages(const struct page_node *n, unsigned below)
{
	uint64_t pages = 0;

	for (unsigned o = 0; o < NR_ORDERS && o < below; o++)
		pages += n->free[o].count << o;
	return pages;
}

uint64_t pages_free_bytes(const struct pages *p, unsigned node)
{
	return free_pages(&p->node[node], NR_ORDERS) * p->machine->page_size;
}

double pages_unusable(const struct pages *p, unsigned node, unsigned order)
{
	uint64_t all = free_pages(&p->node[node], NR_ORDERS);

	return all ? (double)free_pages(&p->node[node], order) / (double)all : 0;
}

/* ---- the state at the start ---- */

/* What a node begins with, in pages. */
struct layout {
	uint64_t pages;
	uint64_t large; /* free in one piece from page 0 on, a multiple of GROUP_PAGES */
	uint64_t small; /* free in pieces */
};

/* The pages of the group that begins at page: fewer where the memory ends. */
static unsigned group_pages(const struct layout *l, uint64_t page)
{
	uint64_t left = l->pages - page;

	return left < GROUP_PAGES ? (unsigned)left : GROUP_PAGES;
}

/* How many of n may be free: a whole group keeps one pinned page. */
static unsigned group_room(unsigned n)
{
	return n == GROUP_PAGES ? n - 1 : n;
}

static bool page_is_free(const struct page_node *n, uint64_t page)
{
	for (unsigned o = 0; o < NR_ORDERS; o++) {
		if (freemap_has(&n->free[o], page >> o))
			return true;
	}
	return false;
}

/*
 * Free l->small pages of those behind the large piece, each with the same chance, but never a
 * whole group: its last page stays pinned then.
 */
static void scatter(struct pages *p, unsigned node, const struct layout *l, gsl_rng *rng)
{
	uint64_t wanted = l->small, left = l->pages - l->large;

	for (uint64_t page = l->large; page < l->pages; page += GROUP_PAGES) {
		unsigned n = group_pages(l, page), taken = 0;

		for (unsigned i = 0; i < n; i++, left--) {
			if (gsl_rng_uniform_int(rng, left) >= wanted || taken == group_room(n))
				continue;
			pages_free(p, node, 0, (uint32_t)(page + i));
			taken++;
			wanted--;
		}
	}
	/* Those that whole groups held back go to the first groups with room. */
	for (uint64_t page = l->large; page < l->pages && wanted; page += GROUP_PAGES) {
		unsigned n = group_pages(l, page), taken = 0;

		for (unsigned i = 0; i < n; i++)
			taken += page_is_free(&p->node[node], page + i);
		for (unsigned i = 0; i < n && wanted && taken < group_room(n); i++) {
			if (page_is_free(&p->node[node], page + i))
				continue;
			pages_free(p, node, 0, (uint32_t)(page + i));
			taken++;
			wanted--;
		}
	}
}

static void free_range(struct pages *p, unsigned node, uint64_t pages)
{
	const uint64_t most = UINT64_C(1) << MAX_PAGE_ORDER;
	uint64_t page = 0;

	for (; page + most <= pages; page += most)
		pages_free(p, node, MAX_PAGE_ORDER, (uint32_t)page);
	for (; page < pages; page += GROUP_PAGES)
		pages_free(p, node, GROUP_ORDER, (uint32_t)page);
}

/* Each block in an area twice its size, so that its buddy is pinned; the largest have none. */
static uint64_t free_block_area(unsigned order)
{
	return UINT64_C(1) << (order < MAX_PAGE_ORDER ? order + 1 : order);
}

static void free_listed_blocks(struct pages *p, unsigned node, const struct pages_config *cfg)
{
	uint64_t page = 0;

	for (unsigned o = NR_ORDERS; o-- > 0;) {
		for (uint64_t i = 0; i < cfg->free_blocks[o]; i++) {
			pages_free(p, node, o, (uint32_t)page);
			page += free_block_area(o);
		}
	}
}

static int layout_listed(struct layout *l, const struct pages_config *cfg, struct error *err)
{
	for (unsigned o = 0; o < NR_ORDERS; o++) {
		if (cfg->free_blocks[o] > PAGES_MAX)
			return error_input(
			    err, "machine.pages: more than %" PRIu64 " free blocks of order %u",
			    PAGES_MAX, o);
		l->pages += cfg->free_blocks[o] * free_block_area(o);
	}
	return 0;
}

static int layout_shares(struct layout *l, const struct machine *m, const struct pages_config *cfg,
			 struct error *err)
{
	uint64_t free_pages_wanted, room, rest;

	if (!(cfg->free >= 0 && cfg->free <= 1))
		return error_input(err, "machine.pages.free is a share of the memory");
	if (!(cfg->fragmentation >= 0 && cfg->fragmentation <= 1))
		return error_input(err,
				   "machine.pages.fragmentation is a share of the free memory");
	l->pages = cfg->memory_per_node / m->page_size;
	if (!l->pages)
		return error_input(err,
				   "machine.pages.memory_per_node is less than a page of %u bytes",
				   m->page_size);
	free_pages_wanted = (uint64_t)((double)l->pages * cfg->free);
	l->large = (uint64_t)((double)free_pages_wanted * (1 - cfg->fragmentation));
	l->large -= l->large % GROUP_PAGES;
	l->small = free_pages_wanted - l->large;
	rest = l->pages - l->large;
	room = rest / GROUP_PAGES * (GROUP_PAGES - 1) + rest % GROUP_PAGES;
	if (l->small > room)
		return error_input(
		    err,
		    "machine.pages: %.0f%% free memory, %.0f%% of it in pieces, cannot be: one "
		    "page in %u of the rest must be in use; lower free or fragmentation",
		    100 * cfg->free, 100 * cfg->fragmentation, GROUP_PAGES);
	return 0;
}

static int node_init(struct pages *p, unsigned node, const struct layout *l,
		     const struct pages_config *cfg, struct error *err)
{
	struct page_node *n = &p->node[node];
	gsl_rng *rng;

	n->pages = l->pages;
	for (unsigned o = 0; o < NR_ORDERS; o++) {
		uint64_t blocks = (l->pages + (UINT64_C(1) << o) - 1) >> o;

		if (!freemap_init(&n->free[o], blocks))
			return error_memory(err, "the page allocator");
	}
	if (cfg->has_free_blocks) {
		free_listed_blocks(p, node, cfg);
		return 0;
	}
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	if (!rng)
		return error_memory(err, "the page allocator");
	/* The generator looks at 32 bits of its seed. */
	gsl_rng_set(rng, (unsigned long)((cfg->seed ^ cfg->seed >> 32) + node * 2654435761u));
	free_range(p, node, l->large);
	scatter(p, node, l, rng);
	gsl_rng_free(rng);
	return 0;
}

/* How the memory of a node is laid out; all zero: it has no end. */
static int make_layout(struct layout *l, const struct machine *m, const struct pages_config *cfg,
		       struct error *err)
{
	*l = (struct layout){0};
	if (!cfg->memory_per_node && !cfg->has_free_blocks)
		return 0;
	if (cfg->has_free_blocks ? layout_listed(l, cfg, err) : layout_shares(l, m, cfg, err))
		return -1;
	if (l->pages > PAGES_MAX / m->nodes)
		return error_input(err,
				   "machine.pages: %u nodes of %" PRIu64
				   " pages are more than %" PRIu64 " pages in all",
				   m->nodes, l->pages, PAGES_MAX);
	return 0;
}

int pages_config_check(const struct machine *m, const struct pages_config *cfg, struct error *err)
{
	struct layout l;

	return make_layout(&l, m, cfg, err);
}

int pages_new(struct pages **pages, const struct machine *m, const struct pages_config *cfg,
	      struct error *err)
{
	struct layout l;
	struct pages *p;

	*pages = NULL;
	if (make_layout(&l, m, cfg, err))
		return -1;
	if (!cfg->memory_per_node && !cfg->has_free_blocks)
		return 0;
	p = calloc(1, sizeof(*p));
	if (!p)
		return error_memory(err, "the page allocator");
	p->machine = m;
	p->node = calloc(m->nodes, sizeof(*p->node));
	if (!p->node) {
		free(p);
		return error_memory(err, "the page allocator");
	}
	for (unsigned n = 0; n < m->nodes; n++) {
		if (node_init(p, n, &l, cfg, err)) {
			pages_destroy(p);
			return -1;
		}
	}
	*pages = p;
	return 0;
}

void pages_destroy(struct pages *p)
{
	if (!p)
		return;
	for (unsigned n = 0; n < p->machine->nodes; n++) {
		for (unsigned o = 0; o < NR_ORDERS; o++)
			freemap_release(&p->node[n].free[o]);
	}
	free(p->node);
	free(p);
}

static int check_order(const struct page_node *n, unsigned order, struct error *err)
{
	const struct freemap *map = &n->free[order];
	uint64_t seen = 0;

	for (uint64_t i = 0; i < map->size; i++) {
		if (!freemap_has(map, i))
			continue;
		seen++;
		if (order < MAX_PAGE_ORDER && freemap_has(map, i ^ 1))
			return error_failed(err, "buddies %" PRIu64 " of order %u were not merged",
					    i, order);
		for (unsigned o = order + 1; o < NR_ORDERS; o++) {
			if (freemap_has(&n->free[o], i >> (o - order)))
				return error_failed(
				    err, "block %" PRIu64 " of order %u is free twice", i, order);
		}
	}
	if (seen != map->count)
		return error_failed(err, "%" PRIu64 " free blocks of order %u, %" PRIu64 " counted",
				    seen, order, map->count);
	if (seen && !freemap_has(map, freemap_first(map)))
		return error_failed(err, "order %u: the first free block is not free", order);
	return 0;
}

int pages_check(const struct pages *p, struct error *err)
{
	for (unsigned n = 0; n < p->machine->nodes; n++) {
		for (unsigned o = 0; o < NR_ORDERS; o++) {
			if (check_order(&p->node[n], o, err))
				return error_prefix(err, "node %u", n);
		}
	}
	return 0;
}
