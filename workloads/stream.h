/*
 * A trace as it was recorded: events with their objects and caches, in the order they came, and
 * all that is known beside them. What a replay wishes changed - another order of simultaneous
 * events, objects from before the trace left out - is done later (trace.c). Text and binary
 * recordings (import.c) and .slabtrace files (slabtrace.c) become one; .slabtrace files are
 * written from one.
 */
#ifndef SLABSIM_STREAM_H
#define SLABSIM_STREAM_H

#include "sim/source.h"
#include "workloads/note.h"
#include "workloads/trace.h"

/* "after" of an event that follows no such free. */
#define AFTER_NONE 0
#define AFTER_MAX  UINT16_MAX
/* Frees further back, in ns, are not told: no replay may reorder more than that. */
#define AFTER_WINDOW 1000000

struct stream_batch {
	/* EV_ADOPT is directly followed by the free of its object. */
	const struct event *events;
	const uint64_t *time_ns; /* one per event; NULL: the trace has none */
	const uint32_t *site;	 /* of allocations: index into sites; NULL: not wanted */
	/*
	 * Of allocations: another CPU freed the same address, so many events before, within
	 * AFTER_WINDOW; AFTER_NONE: none did. NULL: not wanted, or none did in the batch.
	 */
	const uint16_t *after;
	size_t n;
};

enum stream_wants {
	STREAM_SITES = 1 << 0,
	STREAM_AFTER = 1 << 1,
};

struct stream;

struct stream_ops {
	/* The next batch, valid until the next call. 1: a batch; 0: the end; -1: err is set. */
	int (*next)(struct stream *st, struct stream_batch *batch, struct error *err);
	/* Begin again with the first event; 0 or -1. */
	int (*rewind)(struct stream *st, struct error *err);
	void (*close)(struct stream *st);
};

/* The first member of every implementation's own struct. */
struct stream {
	const struct stream_ops *ops;
	/* events, and allocs, frees and adopted of every cache, are known; it has no notes: */
	struct source_info info;
	uint64_t notes[NR_NOTES];
	unsigned wants;	    /* enum stream_wants; set before the first next() */
	unsigned cpus_used; /* CPUs 0 to cpus_used - 1 have events; info.cpus may be more */
	unsigned page_size; /* of the recording machine, or what was taken for it */
	/* An operation list: the order is the order of the operations, whatever the times say. */
	bool in_order;
	bool has_shrinks; /* EV_SHRINK events, or it is not known */
	/* Objects have the ids that id-pool.h gives them, in every cache. */
	bool ids_settled;
	/* Caches cannot be told by call site any more when the stream is opened. */
	bool names_settled;
	char **sites; /* call sites; [0] is "", not known */
	uint32_t nr_sites;
	/* What "trace record" adds, or NULL: the node of each of info.cpus, /proc/slabinfo. */
	uint16_t *node_of_cpu;
	char *slabinfo_before, *slabinfo_after;
};

/* The trace in a file, whatever format it has; "-": standard input. NULL and err. */
struct stream *stream_open(const char *file, const struct trace_options *opt, struct error *err);
/* The events of any source, which stays the caller's; they are taken as an operation list. */
struct stream *stream_of_source(struct source *src, struct error *err);
/* For close(): what struct stream itself holds. */
void stream_release(struct stream *st);

static inline void stream_close(struct stream *st)
{
	if (st)
		st->ops->close(st);
}

#endif
