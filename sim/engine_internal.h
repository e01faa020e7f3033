/* The engine's state, shared by the files that make it up (engine*.c). */
#ifndef SLABSIM_ENGINE_INTERNAL_H
#define SLABSIM_ENGINE_INTERNAL_H

#include "sim/engine.h"
#include "sim/initial.h"
#include "sim/merge.h"
#include "sim/pages.h"
#include "sim/series.h"
#include "sim/team.h"

/* What a source's cache is replayed as. */
struct binding {
	bool used;   /* as a cache of its own; false: left out by replay.only, or merged */
	bool merged; /* into another; see engine.merge */
	const struct cache_config *want;
};

struct engine {
	const struct config *cfg;
	struct source *src;
	struct machine machine;
	struct cache *caches; /* by the source's cache index */
	unsigned nr_caches;
	struct binding *binding;
	struct pages *pages;	    /* machine.pages, or NULL */
	struct merge_member *merge; /* with replay.merge, by the source's cache index; or NULL */
	struct initial initial;	    /* replay.initial, or nothing */
	bool filtering;		    /* some caches are left out */
	struct event *kept;
	uint64_t *kept_time;
	size_t cap_kept;
	struct series *series; /* one per cache */
	struct series due;     /* decides when all of them get a point */
	uint64_t seen;	       /* events from the source */
	uint64_t left_out;
	struct timed *timed; /* the timed machine; NULL in order mode */
	struct team *team;   /* threads that replay; NULL: this one does */
};

/*
 * Room for n events in e->kept and e->kept_time, the engine's own copy of a batch. 0, or -1 and
 * err.
 */
int engine_reserve(struct engine *e, size_t n, struct error *err);
/*
 * With replay.merge: merge what the used caches, laid out and not yet started, allow. 0, or -1 and
 * err.
 */
int engine_merge(struct engine *e, struct error *err);
/* What the caches merged into i had at the start, together; NULL when replay.initial says nothing.
 */
const struct initial_cache *engine_merged_initial(const struct engine *e, unsigned i,
						  struct initial_cache *sum, uint64_t *adopted);
/* The names of what was merged into i, sorted; to be freed, each and the array. 0, or -1 and err.
 */
int engine_aliases(const struct engine *e, unsigned i, struct result_cache *rc, struct error *err);
/* Are the events of the engine's (arg's) cache replayed? */
bool engine_is_used(const void *arg, unsigned cache);
/* engine_run() in order mode. */
int engine_order_run(struct engine *e, void (*progress)(void *arg, uint64_t done), void *arg,
		     struct error *err);
/*
 * Add a point to the series of one of engine's caches, to those of all and to what says when the
 * next one is due; -1 when out of memory.
 */
int engine_add_point(void *engine, unsigned cache, const struct series_point *point,
		     struct error *err);
int engine_add_points(struct engine *e, uint64_t time_ns, struct error *err);

#endif
