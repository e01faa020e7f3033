/*
 * A recorded trace as a source. The format is recognised by content, compression too; "-" is
 * standard input. Text is read once: its events go, compact, through an unlinked temporary
 * file, because only the end of a trace tells which cache its first allocations came from.
 */
#ifndef SLABSIM_TRACE_H
#define SLABSIM_TRACE_H

#include "sim/source.h"

/* Objects allocated by this call site (and of this size) belong to the named cache. */
struct trace_match {
	const char *call_site; /* function, or function+0x12 */
	int64_t size;	       /* bytes_alloc; -1: any */
	const char *name;
};

struct trace_options {
	const struct trace_match *match;
	unsigned nr_match;
	/* Large kmallocs, beyond 2 pages, bypass the slab caches. 0: as the trace says, or 4096. */
	unsigned page_size;
	int may_block; /* 1: every allocation may block; 0: none may; -1: as the trace says */
	/*
	 * Frees this long, in ns, before an allocation of another CPU may come after it (see
	 * reorder.h); 0: those of the same time; -1: never.
	 */
	int64_t reorder_ns;
	/* Every event so much later at most, at random, from this seed (see jitter.h); 0: none. */
	uint64_t jitter_ns, seed;
	/* Frees of objects that were live before the trace, in a cache that is told: EV_ADOPT. */
	bool adopt;
	/* Of a damaged .slabtrace file, take what is before the damage. */
	bool salvage;
	unsigned max_cpus; /* a higher CPU number is an error that names the line; 0: MAX_CPUS */
};

struct source *trace_open(const char *file, const struct trace_options *opt, struct error *err);

#endif
