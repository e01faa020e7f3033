#include "workloads/objects.h"

#define FIRST_BITS 12

static inline size_t home(const struct objects *o, uint64_t ptr)
{
	ptr ^= ptr >> 32;
	ptr *= 0x9e3779b97f4a7c15ull;
	ptr ^= ptr >> 29;
	ptr *= 0xbf58476d1ce4e5b9ull;
	return ptr >> (64 - o->bits);
}

int objects_init(struct objects *o)
{
	*o = (struct objects){.bits = FIRST_BITS};
	o->slot = calloc((size_t)1 << o->bits, sizeof(*o->slot));
	return o->slot ? 0 : -1;
}

void objects_free(struct objects *o)
{
	free(o->slot);
	free(o->object);
	free(o->free_ids);
	*o = (struct objects){0};
}

static bool grow_slots(struct objects *o)
{
	size_t n = (size_t)1 << o->bits, mask = 2 * n - 1;
	struct object_slot *old = o->slot;

	o->slot = calloc(2 * n, sizeof(*o->slot));
	if (!o->slot) {
		o->slot = old;
		return false;
	}
	o->bits++;
	for (size_t i = 0; i < n; i++) {
		size_t j;

		if (!old[i].id)
			continue;
		for (j = home(o, old[i].ptr); o->slot[j].id; j = (j + 1) & mask)
			;
		o->slot[j] = old[i];
	}
	free(old);
	return true;
}

static uint32_t new_id(struct objects *o)
{
	if (o->nr_free)
		return o->free_ids[--o->nr_free];
	if (o->ids == o->cap) {
		uint32_t cap = o->cap ? o->cap * 2 : 1024;
		struct object *object;
		uint32_t *free_ids;

		if (o->cap >= UINT32_MAX / 2)
			return OBJECT_NONE;
		object = realloc(o->object, cap * sizeof(*object));
		if (!object)
			return OBJECT_NONE;
		o->object = object;
		free_ids = realloc(o->free_ids, cap * sizeof(*free_ids));
		if (!free_ids)
			return OBJECT_NONE;
		o->free_ids = free_ids;
		o->cap = cap;
	}
	return o->ids++;
}

uint32_t objects_put(struct objects *o, uint64_t ptr, bool *was_live)
{
	size_t mask = ((size_t)1 << o->bits) - 1;
	size_t i;
	uint32_t id;

	*was_live = true;
	for (i = home(o, ptr); o->slot[i].id; i = (i + 1) & mask)
		if (o->slot[i].ptr == ptr)
			return o->slot[i].id - 1;
	*was_live = false;
	if (o->live >= (mask + 1) / 2) {
		if (!grow_slots(o))
			return OBJECT_NONE;
		mask = ((size_t)1 << o->bits) - 1;
		for (i = home(o, ptr); o->slot[i].id; i = (i + 1) & mask)
			;
	}
	id = new_id(o);
	if (id == OBJECT_NONE)
		return OBJECT_NONE;
	o->slot[i] = (struct object_slot){ptr, id + 1};
	o->live++;
	return id;
}

/* Close the gap at i, so that every entry is still reached from its home. */
static void remove_slot(struct objects *o, size_t i)
{
	size_t mask = ((size_t)1 << o->bits) - 1;
	size_t j = i;

	for (;;) {
		j = (j + 1) & mask;
		if (!o->slot[j].id)
			break;
		/* May j's entry move to i? Not when its home lies between them. */
		if (((j - home(o, o->slot[j].ptr)) & mask) < ((j - i) & mask))
			continue;
		o->slot[i] = o->slot[j];
		i = j;
	}
	o->slot[i].id = 0;
}

uint32_t objects_take(struct objects *o, uint64_t ptr)
{
	size_t mask = ((size_t)1 << o->bits) - 1;
	uint32_t id;

	for (size_t i = home(o, ptr); o->slot[i].id; i = (i + 1) & mask) {
		if (o->slot[i].ptr != ptr)
			continue;
		id = o->slot[i].id - 1;
		remove_slot(o, i);
		o->free_ids[o->nr_free++] = id;
		o->live--;
		return id;
	}
	return OBJECT_NONE;
}

void objects_prefetch(const struct objects *o, uint64_t ptr)
{
	__builtin_prefetch(&o->slot[home(o, ptr)], 1);
}
