#include "sim/replay.h"

int replay_failed(const struct cache *c, struct error *err)
{
	if (c->out_of_memory)
		return error_memory(err, "slabs and objects");
	return error_input(err,
			   "cache %s: no node has pages left for a slab of order %u or %u; "
			   "give the machine more memory",
			   c->name, c->order, c->min_order);
}
