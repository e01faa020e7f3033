/* A load whose operations are shown to somebody, in the order they are run. */
#ifndef SLABSIM_LOAD_TEE_H
#define SLABSIM_LOAD_TEE_H

#include "sim/load.h"

/* An operation that cpu began at start (ps). 0, or -1 and err, which ends the run. */
typedef int (*load_tee_fn)(void *arg, unsigned cpu, const struct load_operation *op, uint64_t start,
			   struct error *err);

/*
 * Takes inner, which close() closes, and has its caches as info. NULL and err: inner is closed,
 * too.
 */
struct load *load_tee(struct load *inner, load_tee_fn show, void *arg, struct error *err);

#endif
