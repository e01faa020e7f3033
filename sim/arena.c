#include "sim/arena.h"

#include "sim/large.h"
#include "sim/pages.h"

/* Ids and slab indices stay below this, so that SLAB_NONE is never one. */
#define ARENA_MAX (UINT32_MAX - 1)

/* Twice cap, at least want, never beyond ARENA_MAX; 0 when want does not fit. */
static uint32_t grown(uint32_t cap, uint64_t want)
{
	uint64_t to = cap < 1024 ? 1024 : 2 * (uint64_t)cap;

	if (want > ARENA_MAX)
		return 0;
	if (to < want)
		to = want;
	return to > ARENA_MAX ? ARENA_MAX : (uint32_t)to;
}

bool arena_grow_slabs(struct cache *c)
{
	uint32_t cap = grown(c->cap_slab, (uint64_t)c->nr_slab + 1);
	uint32_t *block = cap && c->pages ? reallocarray(c->block, cap, sizeof(*block)) : NULL;
	uint16_t *owner =
	    cap && c->timing ? reallocarray(c->line_owner, cap, sizeof(*owner)) : NULL;
	struct slab *slab = NULL;

	if (block)
		c->block = block;
	if (owner)
		c->line_owner = owner;
	/* Last, for what frees the table goes by cap_slab. */
	if (cap && (block || !c->pages) && (owner || !c->timing))
		slab = large_grow(c->slab, (size_t)c->cap_slab * sizeof(*slab),
				  (size_t)cap * sizeof(*slab));
	if (!slab) {
		c->out_of_memory = true;
		return false;
	}
	c->slab = slab;
	c->cap_slab = cap;
	return true;
}

bool arena_grow_objects(struct cache *c, uint32_t object)
{
	uint32_t cap = grown(c->cap_object, (uint64_t)object + 1);
	uint32_t *slab_of = NULL;

	if (cap)
		slab_of = large_grow(c->slab_of, (size_t)c->cap_object * sizeof(*slab_of),
				     (size_t)cap * sizeof(*slab_of));
	if (!slab_of) {
		c->out_of_memory = true;
		return false;
	}
	c->slab_of = slab_of;
	c->cap_object = cap;
	return true;
}

bool arena_grow_bulk(struct cache *c)
{
	uint32_t cap = grown(c->cap_bulk, (uint64_t)c->nr_bulk + 1);
	uint32_t *object = cap ? reallocarray(c->bulk_object, cap, sizeof(*object)) : NULL;
	uint32_t *slab;

	if (object)
		c->bulk_object = object;
	slab = object ? reallocarray(c->bulk_slab, cap, sizeof(*slab)) : NULL;
	if (!slab) {
		c->out_of_memory = true;
		return false;
	}
	c->bulk_slab = slab;
	c->cap_bulk = cap;
	return true;
}

static uint32_t take_entry(struct cache *c)
{
	uint32_t s = c->free_slab;

	if (s != SLAB_NONE) {
		c->free_slab = c->slab[s].next;
		return s;
	}
	if (c->nr_slab == c->cap_slab && !arena_grow_slabs(c))
		return SLAB_NONE;
	return c->nr_slab++;
}

static uint64_t bytes_of(const struct cache *c, const struct slab *slab)
{
	return (uint64_t)c->machine->page_size << slab_order(c, slab);
}

/* Pages for slab entry s: s->oo's order, or else s->min's (facts 3.1, order fallback). */
static bool take_pages(struct cache *c, uint32_t s, unsigned node, bool thisnode)
{
	struct slab *slab = &c->slab[s];
	const unsigned orders[] = {c->order, c->min_order};

	slab->node = (uint16_t)node;
	slab->objects = (uint16_t)c->objects;
	if (!c->pages)
		return true;
	for (unsigned i = 0; i < 2; i++) {
		unsigned from = node;
		bool got = thisnode
			       ? pages_alloc(c->pages, node, orders[i], &c->block[s])
			       : pages_alloc_near(c->pages, node, orders[i], &from, &c->block[s]);

		if (!got)
			continue;
		slab->node = (uint16_t)from;
		slab->objects = (uint16_t)(i ? c->min_objects : c->objects);
		return true;
	}
	return false;
}

uint32_t arena_new_slab(struct cache *c, struct cpu_cache *pc, unsigned node, bool thisnode)
{
	uint32_t s = take_entry(c);
	struct slab *slab;

	if (s == SLAB_NONE)
		return SLAB_NONE;
	slab = &c->slab[s];
	*slab = (struct slab){.place = SLAB_UNUSED, .next = c->free_slab};
	if (!take_pages(c, s, node, thisnode)) {
		c->free_slab = s;
		return SLAB_NONE;
	}
	if (!node_list_reserve(&c->node[slab->node])) {
		c->out_of_memory = true;
		return SLAB_NONE;
	}
	slab->next = SLAB_NONE;
	slab->place = SLAB_NOWHERE;
	c->node[slab->node].slabs++;
	c->node[slab->node].total_objects += slab->objects;
	c->nr_slabs++;
	c->bytes += bytes_of(c, slab);
	if (c->bytes > c->peak_bytes)
		c->peak_bytes = c->bytes;
	pc->stat[ALLOC_SLAB]++;
	pc->stat[ORDER_FALLBACK] += slab->objects != c->objects;
	return s;
}

void arena_discard_slab(struct cache *c, uint32_t s)
{
	struct slab *slab = &c->slab[s];

	if (c->pages)
		pages_free(c->pages, slab->node, slab_order(c, slab), c->block[s]);
	c->node[slab->node].slabs--;
	c->node[slab->node].total_objects -= slab->objects;
	c->nr_slabs--;
	c->bytes -= bytes_of(c, slab);
	slab->place = SLAB_UNUSED;
	slab->next = c->free_slab;
	c->free_slab = s;
}

/* Slabs with at most so many free objects are sorted by a shrink; facts 4.2. */
#define SHRINK_PROMOTE_MAX 32

unsigned arena_shrink_node(struct cache *c, unsigned node)
{
	struct node_cache *n = &c->node[node];
	unsigned nr_partial = n->nr_partial;
	/* bucket[f]: slabs with f free objects; bucket[0]: the others, in their order. */
	struct {
		uint32_t head, tail;
	} bucket[SHRINK_PROMOTE_MAX + 1];
	uint32_t s, next;

	for (unsigned f = 0; f <= SHRINK_PROMOTE_MAX; f++)
		bucket[f].head = bucket[f].tail = SLAB_NONE;
	while ((s = node_list_first(n)) != SLAB_NONE) {
		struct slab *slab = &c->slab[s];
		unsigned nr_free = slab->objects - slab->inuse;

		node_list_pop(c, n);
		if (slab->inuse == 0) {
			arena_discard_slab(c, s);
		} else if (nr_free <= SHRINK_PROMOTE_MAX) {
			slab->next = bucket[nr_free].head;
			bucket[nr_free].head = s;
		} else {
			slab->next = SLAB_NONE;
			if (bucket[0].tail == SLAB_NONE)
				bucket[0].head = s;
			else
				c->slab[bucket[0].tail].next = s;
			bucket[0].tail = s;
		}
	}
	for (unsigned i = 1; i <= SHRINK_PROMOTE_MAX + 1; i++) {
		for (s = bucket[i % (SHRINK_PROMOTE_MAX + 1)].head; s != SLAB_NONE; s = next) {
			next = c->slab[s].next;
			node_list_add_tail(c, s);
		}
	}
	c->shrunk = true;
	return nr_partial;
}

bool arena_may_ask_remote_nodes(struct cache *c)
{
	if (c->machine->nodes == 1 || c->remote_node_defrag_ratio == 0)
		return false;
	if (c->remote_node_defrag_ratio == DEFRAG_RATIO_ALWAYS)
		return true;
	/* The kernel keeps ten times the sysfs value and compares the cycle counter's low bits. */
	return gsl_rng_uniform_int(c->random, 1024) <=
	       10 * (unsigned long)c->remote_node_defrag_ratio;
}

uint32_t detached_freelist(uint32_t *slabs, uint32_t n, uint32_t *run)
{
	uint32_t slab = slabs[n - 1], same = n - 1;
	unsigned lookahead = 3;

	for (uint32_t i = n - 1; i-- > 0;) {
		if (slabs[i] == slab) {
			same--;
			slabs[i] = slabs[same];
			slabs[same] = slab;
		} else if (--lookahead == 0) {
			break;
		}
	}
	*run = n - same;
	return same;
}
