#include "workloads/recent.h"

#include <stddef.h>

static inline unsigned slot_of(uint64_t ptr)
{
	return (unsigned)((ptr * 0x9e3779b97f4a7c15ull) >> (64 - RECENT_BITS));
}

/* Take the oldest out of its slot's list, where it is the last. */
static void forget(struct recent *r, uint16_t index)
{
	uint16_t *link = &r->slot[slot_of(r->free[index].ptr)];

	while (*link != index + 1)
		link = &r->free[*link - 1].next;
	*link = 0;
}

void recent_add(struct recent *r, uint64_t ptr, uint64_t time_ns, uint64_t event, uint16_t cpu)
{
	uint16_t index = (uint16_t)(r->n % RECENT_FREES);
	uint16_t *slot = &r->slot[slot_of(ptr)];

	if (r->n >= RECENT_FREES)
		forget(r, index);
	r->free[index] = (struct recent_free){ptr, time_ns, event, cpu, *slot};
	*slot = (uint16_t)(index + 1);
	r->n++;
}

const struct recent_free *recent_find(const struct recent *r, uint64_t ptr)
{
	for (uint16_t i = r->slot[slot_of(ptr)]; i; i = r->free[i - 1].next)
		if (r->free[i - 1].ptr == ptr)
			return &r->free[i - 1];
	return NULL;
}
