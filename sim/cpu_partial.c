#include "sim/cpu_partial.h"

#include <stdlib.h>
#include <string.h>

/* Beside the list: what lies below its tail, and a place above its head that may be written to. */
#define SPARE 2
#define OWN   (sizeof(((struct cpu_cache *)0)->own_partial) / sizeof(struct parked_slab))

void cpu_partial_init(struct cpu_cache *pc)
{
	pc->partial = pc->partial_head = pc->partial_room = pc->own_partial;
	pc->partial_cap = OWN - SPARE;
	pc->partial[0] = (struct parked_slab){.slab = SLAB_NONE};
}

void cpu_partial_free(struct cpu_cache *pc)
{
	if (pc->partial != pc->own_partial)
		free(pc->partial);
}

bool cpu_partial_grow(struct cpu_cache *pc)
{
	uint32_t slabs = cpu_partial_slabs(pc), cap = pc->partial_cap * 2;
	struct parked_slab *larger;

	larger = cap > slabs ? calloc((size_t)cap + SPARE, sizeof(*larger)) : NULL;
	if (!larger)
		return false;
	memcpy(larger, pc->partial, ((size_t)slabs + 1) * sizeof(*larger));
	cpu_partial_free(pc);
	pc->partial = pc->partial_room = larger;
	pc->partial_head = larger + slabs;
	pc->partial_cap = cap;
	return true;
}
