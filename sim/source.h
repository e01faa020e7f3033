/*
 * Where events come from. The engine knows only this: recorded traces and workload models
 * implement it (workloads/), and neither is named here.
 */
#ifndef SLABSIM_SOURCE_H
#define SLABSIM_SOURCE_H

#include <stdbool.h>

#include "sim/error.h"
#include "sim/event.h"

/* A cache as the source knows it. */
struct source_cache {
	char *name;	      /* "" when the source names no cache at all (plain CSV) */
	unsigned object_size; /* bytes the user of the cache asked for; 0 when not known */
	unsigned size;	      /* bytes from one object to the next; 0 when not known */
	uint64_t allocs;      /* allocation and free events in the source; 0 when not known */
	uint64_t frees;
	uint64_t adopted; /* EV_ADOPT events: objects that were live before the first event */
};

/*
 * What had to be mended or left out on the way in, each with how often. The name says it in
 * the result ("free_of_unknown_object"); help says it to a person.
 */
struct source_note {
	const char *name;
	const char *help;
	uint64_t count;
	bool skipped; /* counts events that were left out, not events that were mended */
};

struct source_info {
	unsigned cpus;	 /* CPUs 0..cpus-1 occur, or the source's header says so; 0: not known */
	unsigned nodes;	 /* 0: not known */
	uint64_t events; /* events that next() will deliver in all; 0 when not known beforehand */
	bool has_times;
	struct source_cache *caches;
	unsigned nr_caches;
	struct source_note *notes;
	unsigned nr_notes;
};

struct batch {
	const struct event *events;
	const uint64_t *time_ns; /* one per event, or NULL */
	size_t n;
};

struct source;

struct source_ops {
	/* The next batch, valid until the next call. 1: a batch; 0: the end; -1: err is set. */
	int (*next)(struct source *src, struct batch *batch, struct error *err);
	/* Begin again with the first event; 0 or -1. */
	int (*rewind)(struct source *src, struct error *err);
	void (*close)(struct source *src);
};

struct load;

/* The first member of every implementation's own struct. */
struct source {
	const struct source_ops *ops;
	/* A workload model drives the timed machine itself (load.h); NULL for recorded events. */
	struct load *load;
	struct source_info info;
};

#endif
