#include "workloads/renumber.h"

int renumber_init(struct renumber *r, unsigned nr_caches, bool shared)
{
	*r = (struct renumber){.nr_caches = nr_caches, .shared = shared};
	r->pool = calloc((size_t)nr_caches + 1, sizeof(*r->pool));
	r->lane = calloc((size_t)nr_caches + 1, sizeof(*r->lane));
	if (!r->pool || !r->lane)
		return -1;
	for (unsigned i = 0; i <= nr_caches; i++)
		id_pool_init(&r->pool[i]);
	return 0;
}

void renumber_free(struct renumber *r)
{
	for (unsigned i = 0; i <= r->nr_caches; i++) {
		if (r->pool)
			id_pool_free(&r->pool[i]);
		if (r->lane)
			free(r->lane[i].id_of);
	}
	free(r->pool);
	free(r->lane);
	*r = (struct renumber){0};
}

void renumber_reset(struct renumber *r)
{
	for (unsigned i = 0; i <= r->nr_caches; i++) {
		struct renumber_lane *lane = &r->lane[i];

		id_pool_reset(&r->pool[i]);
		if (lane->n)
			memset(lane->id_of, 0xff, lane->n * sizeof(*lane->id_of));
	}
}

bool renumber_grow(struct renumber *r, uint16_t cache, uint32_t object)
{
	struct renumber_lane *lane = &r->lane[cache];
	uint32_t n = lane->n ? lane->n : 64, *larger;

	if (object >= UINT32_MAX / 4)
		return false;
	while (n <= object)
		n *= 2;
	larger = realloc(lane->id_of, n * sizeof(*larger));
	if (!larger)
		return false;
	/* ID_NONE */
	memset(larger + lane->n, 0xff, (n - lane->n) * sizeof(*larger));
	lane->id_of = larger;
	lane->n = n;
	return true;
}
