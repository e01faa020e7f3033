/* Dense object ids of one cache, the one freed last given out first. */
#ifndef SLABSIM_OBJECT_IDS_H
#define SLABSIM_OBJECT_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct object_ids {
	uint32_t *free;
	size_t nr_free, cap;
	uint32_t n; /* ids so far */
};

static inline bool object_ids_get(struct object_ids *ids, uint32_t *id)
{
	if (ids->nr_free)
		*id = ids->free[--ids->nr_free];
	else if (ids->n < UINT32_MAX - 1)
		*id = ids->n++;
	else
		return false;
	return true;
}

static inline bool object_ids_put(struct object_ids *ids, uint32_t id)
{
	if (ids->nr_free == ids->cap) {
		size_t cap = ids->cap ? 2 * ids->cap : 256;
		uint32_t *larger = reallocarray(ids->free, cap, sizeof(*larger));

		if (!larger)
			return false;
		ids->free = larger;
		ids->cap = cap;
	}
	ids->free[ids->nr_free++] = id;
	return true;
}

static inline void object_ids_free(struct object_ids *ids)
{
	free(ids->free);
	*ids = (struct object_ids){0};
}

#endif
