/*
 * The state a replay starts from: what a slabinfo or a kernel.json's "before" says of each cache
 * when the recording began (replay.initial). Such a file says how many slabs there are and how
 * full, not which CPU has which; how the rest is chosen is told at each function.
 */
#ifndef SLABSIM_INITIAL_H
#define SLABSIM_INITIAL_H

#include "sim/cache.h"

struct initial_cache {
	char *name;
	uint64_t slabs;
	uint64_t total_objects;
	uint64_t objects;	  /* not free on a node list: in use, or parked at a CPU */
	uint64_t partial;	  /* slabs on node lists */
	uint64_t objects_partial; /* in use on those */
	uint64_t cpu_slabs;	  /* slabs held by CPUs; 0 where there are none */
};

struct initial {
	struct initial_cache *caches;
	unsigned n;
};

/*
 * Read FILE: JSON with "caches": {NAME: {"before": {"slabs", "total_objects", "objects",
 * "partial", "objects_partial", "cpu_slabs"}}}, or the text of /proc/slabinfo, which does not
 * tell slabs on node lists from those of CPUs: the fewest node-list slabs that hold its free
 * objects are assumed, and one slab for every CPU. 0, or -1 and err.
 */
int initial_read(struct initial *in, const char *file, unsigned cpus, struct error *err);
void initial_free(struct initial *in);
const struct initial_cache *initial_find(const struct initial *in, const char *name);

/*
 * Give the cache, laid out and with nothing in it, that state. adopted is how many objects that
 * were live at the start the workload frees (EV_ADOPT): at least so many are put into the slabs,
 * and more where the state leaves no other choice. Slabs are spread over the nodes evenly; cpu
 * slabs over the CPUs from CPU 0, the others onto their partial lists; with sheaves, objects
 * that are neither live nor on a node list fill main sheaves, then spares, then barns.
 */
int initial_place(struct cache *c, const struct initial_cache *in, uint64_t adopted,
		  struct error *err);

/*
 * An object that was live at the start is about to be freed: the slab it lives in, the slabs
 * taken in turn. SLAB_NONE when more are adopted than initial_place() was told of.
 */
uint32_t initial_adopt(struct cache *c);

#endif
