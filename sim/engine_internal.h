/* The engine's state, shared by the files that make it up (engine*.c). */
#ifndef SLABSIM_ENGINE_INTERNAL_H
#define SLABSIM_ENGINE_INTERNAL_H

#include "sim/engine.h"
#include "sim/initial.h"
#include "sim/series.h"

/* What a source's cache is replayed as. */
struct binding {
	bool used; /* false: left out by replay.only */
	const struct cache_config *want;
};

struct engine {
	const struct config *cfg;
	struct source *src;
	struct machine machine;
	struct cache *caches; /* by the source's cache index */
	unsigned nr_caches;
	struct binding *binding;
	struct initial initial; /* replay.initial, or nothing */
	bool filtering;		/* some caches are left out */
	struct event *kept;
	uint64_t *kept_time;
	size_t cap_kept;
	struct series *series; /* one per cache */
	struct series due;     /* decides when all of them get a point */
	uint64_t seen;	       /* events from the source */
	uint64_t left_out;
	struct timed *timed; /* the timed machine; NULL in order mode */
};

/* Add a point of every cache's series; -1 when out of memory. */
int engine_add_points(struct engine *e, uint64_t time_ns, struct error *err);

#endif
