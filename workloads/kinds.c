#include "workloads/kinds.h"

int kinds_init(struct kinds *k, uint32_t nr_caches, uint32_t nr_sites)
{
	*k = (struct kinds){.bits = 10, .nr_free_of = nr_caches, .nr_alloc_from = nr_sites};
	k->slot = calloc((size_t)1 << k->bits, sizeof(*k->slot));
	k->free_of = calloc((size_t)nr_caches + 1, sizeof(*k->free_of));
	k->alloc_from = calloc((size_t)nr_sites + 1, sizeof(*k->alloc_from));
	return k->slot && k->free_of && k->alloc_from ? 0 : -1;
}

void kinds_free(struct kinds *k)
{
	free(k->kind);
	free(k->slot);
	free(k->rank);
	free(k->free_of);
	free(k->alloc_from);
}

static inline size_t hash(const struct slabtrace_kind *kind, unsigned bits)
{
	uint64_t x = kind->site | (uint64_t)kind->cache << 32 | (uint64_t)kind->op << 48 |
		     (uint64_t)kind->flags << 56;

	x ^= (uint64_t)(uint16_t)kind->node << 20;
	return (x * 0x9e3779b97f4a7c15ull) >> (64 - bits);
}

static inline bool same(const struct slabtrace_kind *a, const struct slabtrace_kind *b)
{
	return a->site == b->site && a->cache == b->cache && a->node == b->node && a->op == b->op &&
	       a->flags == b->flags;
}

static bool grow_slots(struct kinds *k)
{
	size_t mask = ((size_t)2 << k->bits) - 1;
	uint32_t *slot = calloc(mask + 1, sizeof(*slot));

	if (!slot)
		return false;
	free(k->slot);
	k->slot = slot;
	k->bits++;
	for (uint32_t n = 0; n < k->n; n++) {
		size_t i = hash(&k->kind[n], k->bits);

		while (slot[i])
			i = (i + 1) & mask;
		slot[i] = n + 1;
	}
	return true;
}

static bool grow(struct kinds *k)
{
	if (k->n == k->cap) {
		uint32_t cap = k->cap ? k->cap * 2 : 256;
		struct slabtrace_kind *larger;

		if (cap > SLABTRACE_KINDS_MAX)
			return false;
		larger = realloc(k->kind, cap * sizeof(*larger));
		if (!larger)
			return false;
		k->kind = larger;
		k->cap = cap;
	}
	return k->n < ((size_t)1 << k->bits) / 2 || grow_slots(k);
}

static uint32_t find_or_add(struct kinds *k, const struct slabtrace_kind *kind)
{
	size_t mask = ((size_t)1 << k->bits) - 1, i;

	for (i = hash(kind, k->bits); k->slot[i]; i = (i + 1) & mask)
		if (same(&k->kind[k->slot[i] - 1], kind))
			return k->slot[i] - 1;
	if (!grow(k))
		return UINT32_MAX;
	mask = ((size_t)1 << k->bits) - 1;
	for (i = hash(kind, k->bits); k->slot[i]; i = (i + 1) & mask)
		;
	k->kind[k->n] = *kind;
	k->slot[i] = k->n + 1;
	return k->n++;
}

uint32_t kinds_of(struct kinds *k, const struct event *ev, uint32_t site)
{
	const struct slabtrace_kind kind = {
	    .site = site, .cache = ev->cache, .node = ev->node, .op = ev->op, .flags = ev->flags};
	uint32_t *last = NULL, n;

	if (ev->op == EV_FREE && ev->cache < k->nr_free_of)
		last = &k->free_of[ev->cache];
	else if (ev->op == EV_ALLOC && site < k->nr_alloc_from)
		last = &k->alloc_from[site];
	if (last && *last && same(&k->kind[*last - 1], &kind))
		return *last - 1;
	n = find_or_add(k, &kind);
	if (last && n != UINT32_MAX)
		*last = n + 1;
	return n;
}

struct ranked {
	struct slabtrace_kind kind;
	uint32_t number;
};

static int by_count(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->kind.count != b->kind.count)
		return a->kind.count < b->kind.count ? 1 : -1;
	return a->number < b->number ? -1 : a->number > b->number;
}

int kinds_sort(struct kinds *k)
{
	struct ranked *r = calloc((size_t)k->n + 1, sizeof(*r));

	free(k->rank);
	k->rank = calloc((size_t)k->n + 1, sizeof(*k->rank));
	if (!r || !k->rank) {
		free(r);
		return -1;
	}
	for (uint32_t i = 0; i < k->n; i++)
		r[i] = (struct ranked){k->kind[i], i};
	qsort(r, k->n, sizeof(*r), by_count);
	for (uint32_t i = 0; i < k->n; i++)
		k->rank[r[i].number] = i;
	free(r);
	return 0;
}
