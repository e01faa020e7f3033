#include "sim/replay.h"

int replay_failed(const struct cache *c, struct error *err)
{
	char fallback[16] = "";

	if (c->out_of_memory)
		return error_memory(err, "slabs and objects");
	if (c->order != c->min_order)
		snprintf(fallback, sizeof(fallback), " or %u", c->min_order);
	return error_input(err,
			   "cache %s: no node has pages left for a slab of order %u%s: "
			   "give the machine more memory (machine.pages)",
			   c->name, c->order, fallback);
}
