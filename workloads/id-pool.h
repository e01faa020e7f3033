/*
 * Object ids of one cache: dense, and used again. The id freed last is the next one to be
 * allocated; a new one is made only when none is free, so there are as many as objects lived at
 * once.
 */
#ifndef SLABSIM_ID_POOL_H
#define SLABSIM_ID_POOL_H

#include <stdbool.h>
#include <stdint.h>

#define ID_NONE UINT32_MAX
#define ID_LIVE (UINT32_MAX - 1)

struct id_pool {
	uint32_t *next; /* by id: ID_LIVE, or the id freed before it (ID_NONE: there is none) */
	uint32_t head;	/* freed last; ID_NONE */
	uint32_t ids, cap;
};

/* An empty pool needs no memory: these begin with it, and go back to it. */
void id_pool_init(struct id_pool *pool);
void id_pool_free(struct id_pool *pool);
/* All ids are as new. */
void id_pool_reset(struct id_pool *pool);

bool id_pool_grow(struct id_pool *pool);

static inline bool id_pool_is_live(const struct id_pool *pool, uint32_t id)
{
	return id < pool->ids && pool->next[id] == ID_LIVE;
}

/* ID_NONE when out of memory. */
static inline uint32_t id_pool_get(struct id_pool *pool)
{
	uint32_t id = pool->head;

	if (id != ID_NONE) {
		pool->head = pool->next[id];
	} else {
		if (pool->ids == pool->cap && !id_pool_grow(pool))
			return ID_NONE;
		id = pool->ids++;
	}
	pool->next[id] = ID_LIVE;
	return id;
}

/* The id must be live. */
static inline void id_pool_put(struct id_pool *pool, uint32_t id)
{
	pool->next[id] = pool->head;
	pool->head = id;
}

#endif
