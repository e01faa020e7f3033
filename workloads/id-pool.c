#include "workloads/id-pool.h"

void id_pool_init(struct id_pool *pool)
{
	*pool = (struct id_pool){.head = ID_NONE};
}

void id_pool_free(struct id_pool *pool)
{
	free(pool->next);
	id_pool_init(pool);
}

void id_pool_reset(struct id_pool *pool)
{
	pool->head = ID_NONE;
	pool->ids = 0;
}

bool id_pool_grow(struct id_pool *pool)
{
	uint32_t cap = pool->cap ? pool->cap * 2 : 64, *larger;

	if (pool->cap > UINT32_MAX / 4)
		return false;
	larger = realloc(pool->next, cap * sizeof(*larger));
	if (!larger)
		return false;
	pool->next = larger;
	pool->cap = cap;
	return true;
}
