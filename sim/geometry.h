/* From what a cache's creator asked for to s->size (facts 1.1). */
#ifndef SLABSIM_GEOMETRY_H
#define SLABSIM_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"

struct geometry_request {
	unsigned object_size; /* bytes */
	unsigned align;	      /* the creator's, 0 for none */
	bool hwcache_align;   /* SLAB_HWCACHE_ALIGN */
	bool typesafe_by_rcu; /* SLAB_TYPESAFE_BY_RCU: the free pointer gets a word of its own */
	bool ctor;	      /* likewise */
	unsigned cache_line_size;
};

/* s->align: the largest of the creator's, the cache line part and the architecture's 8. */
unsigned geometry_align(const struct geometry_request *r);
/* s->size: bytes from one object to the next. */
unsigned geometry_size(const struct geometry_request *r);

/*
 * Can the cache's objects of object_size bytes (0: not known) lie size bytes apart? 0, or -1 and
 * err.
 */
int geometry_check(const char *cache, unsigned object_size, unsigned size, struct error *err);

/*
 * The limit of 5.16+ in slabs for one in objects, slabs taken as half full (facts 2.3):
 * ceil(2 * nr_objects / objects_per_slab).
 */
unsigned geometry_cpu_partial_slabs(unsigned nr_objects, unsigned objects_per_slab);

#endif
