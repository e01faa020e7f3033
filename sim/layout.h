/* How a cache is laid out: geometry, order and limits, from its configuration and policies. */
#ifndef SLABSIM_LAYOUT_H
#define SLABSIM_LAYOUT_H

#include "sim/cache.h"
#include "sim/config/config.h"
#include "sim/source.h"

/*
 * Fill in geometry, limits and policies of c, which is otherwise zero. want is the cache's entry
 * in the configuration, or NULL; src what the trace says of it. Where both give a size, the
 * configuration's holds. -1 and err when no size is known or no order holds an object.
 */
int layout_cache(struct cache *c, const struct config *cfg, const struct cache_config *want,
		 const struct source_cache *src, const struct machine *m, struct error *err);

#endif
