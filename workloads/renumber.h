/* Objects of a stream under new ids, dense and used again: within each cache, or among them all. */
#ifndef SLABSIM_RENUMBER_H
#define SLABSIM_RENUMBER_H

#include "sim/event.h"
#include "workloads/id-pool.h"

struct renumber {
	struct id_pool *pool; /* by cache; all caches' */
	struct renumber_lane {
		uint32_t *id_of; /* by the stream's object; ID_NONE: there is none */
		uint32_t n;
	} * lane; /* by cache */
	unsigned nr_caches;
	bool shared; /* one pool serves all caches */
};

/* 0, or -1 when out of memory. */
int renumber_init(struct renumber *r, unsigned nr_caches, bool shared);
void renumber_free(struct renumber *r);
/* Begin again: nothing lives. */
void renumber_reset(struct renumber *r);
bool renumber_grow(struct renumber *r, uint16_t cache, uint32_t object);

/* How many ids the cache, or all of them, needed. */
static inline uint32_t renumber_ids(const struct renumber *r, unsigned cache)
{
	return r->pool[r->shared ? 0 : cache].ids;
}

/* The new id of an object that begins; ID_NONE: out of memory. */
static inline uint32_t renumber_begin(struct renumber *r, uint16_t cache, uint32_t object)
{
	if (object >= r->lane[cache].n && !renumber_grow(r, cache, object))
		return ID_NONE;
	return r->lane[cache].id_of[object] = id_pool_get(&r->pool[r->shared ? 0 : cache]);
}

/* The id of an object that ends; ID_NONE: it does not live. */
static inline uint32_t renumber_end(struct renumber *r, uint16_t cache, uint32_t object)
{
	uint32_t id = object < r->lane[cache].n ? r->lane[cache].id_of[object] : ID_NONE;

	if (id == ID_NONE)
		return ID_NONE;
	id_pool_put(&r->pool[r->shared ? 0 : cache], id);
	r->lane[cache].id_of[object] = ID_NONE;
	return id;
}

#endif
