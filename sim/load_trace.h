/*
 * A source with times as a load. Each CPU's gaps between events are its think times: the next
 * operation starts as long after the last one's start as it did in the trace, or when that one
 * has taken longer, plus what the last one waited for locks; so contention stretches the run.
 * Causality holds: nothing is freed before the operation that allocated it has ended.
 *
 * The whole source is read into memory: 28 bytes an event, 4 an allocation.
 */
#ifndef SLABSIM_LOAD_TRACE_H
#define SLABSIM_LOAD_TRACE_H

#include "sim/load.h"

/*
 * Events of a cache that keep() does not want are left out and counted in *left_out. The source
 * stays the caller's, who closes it after the load. NULL and err.
 */
struct load *load_trace(struct source *src, unsigned cpus,
			bool (*keep)(const void *arg, unsigned cache), const void *arg,
			uint64_t *left_out, struct error *err);

#endif
