/*
 * What an open model needs to know of a trace: per cache how often bursts of allocations come and
 * how long they are, how long objects live, who frees them, and which of them are freed together.
 */
#ifndef SLABSIM_FIT_H
#define SLABSIM_FIT_H

#include "sim/source.h"
#include "sim/timing.h"
#include "workloads/distribution.h"

/* A part of the trace, of the bursts that began in it. */
struct fit_window {
	uint64_t begin;				/* ns from the beginning of the trace */
	struct histogram burst, lifetime, away; /* as below */
};

/* At most so many, each of so many allocations or more. */
#define FIT_WINDOWS    32
#define FIT_WINDOW_MIN 3000

struct fit_cache {
	uint64_t allocs, frees;
	uint64_t remote, remote_node; /* frees by another CPU, of these by another node's */
	uint64_t at_once; /* frees of what the CPU has just allocated; not in what follows */
	uint64_t followers, together; /* objects behind another of their burst; freed behind it */
	uint64_t burst_gap;	      /* ns: allocations of a CPU further apart begin a new burst */
	struct histogram gap;	 /* ns between two allocations of a CPU without a free between */
	struct histogram think;	 /* ns from one burst of a CPU to the next, at the mean rate */
	struct histogram burst;	 /* allocations in one */
	uint64_t free_gap_limit; /* ns: frees of a CPU further apart are of two sessions */
	struct histogram free_short; /* ns between two frees of a CPU */
	struct histogram free_gap;   /* ns from one session of frees of a CPU to its next */
	/*
	 * ns, of objects the CPU that allocated them frees, and another; until half-way between the
	 * session that freed them and the one before. What was never freed lives until the end.
	 */
	struct histogram lifetime, away;
	bool seen;
	uint64_t begin; /* ns from the beginning: the first allocation */
	/* As many allocations in each: how the above changes in the course of the trace. */
	struct fit_window window[FIT_WINDOWS];
	unsigned nr_windows, last_window;
};

struct fit {
	struct fit_cache *cache; /* by the source's */
	unsigned nr_caches;
	uint64_t *allocs; /* by CPU */
	unsigned cpus;
	uint64_t total; /* allocations */
	uint64_t ns;	/* from the first event to the last */
	bool has_times; /* no: 1000 ns were taken from one event of the trace to the next */
};

/*
 * Read src twice. Events of objects that nobody allocated in it are left out. node_of_cpu may be
 * NULL: one node. 0, or -1 and err; after success fit_free() is to be called.
 */
int fit_source(struct fit *f, struct source *src, const uint16_t *node_of_cpu, struct error *err);
void fit_free(struct fit *f);

/*
 * A measured distribution: so many quantiles, up to DIST_MAX_QUANTILES, the highest of them such
 * that the mean is that of the measured values, when that is possible.
 */
struct distribution fit_distribution(const struct histogram *h, unsigned quantiles);

#endif
