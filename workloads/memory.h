/*
 * A workload held in memory: all events of another source, copied once, from which any number
 * of runs read, in this process or in children of it. 12 bytes an event, 8 more with times.
 */
#ifndef SLABSIM_MEMORY_H
#define SLABSIM_MEMORY_H

#include "sim/source.h"

struct memory;

/* Read src, from where it stands, to its end. src may be closed then. NULL and err. */
struct memory *memory_load(struct source *src, struct error *err);
/* Every source opened from it must be closed before. */
void memory_free(struct memory *m);

/* A source that begins with the first event; NULL and err when out of memory. */
struct source *memory_open(const struct memory *m, struct error *err);

#endif
