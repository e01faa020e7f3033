/*
 * What a run found, on its own: exporters (result_text.c, result_json.c, result_csv.c) need
 * nothing else. No wall-clock time, host or path is in it.
 */
#ifndef SLABSIM_RESULTS_H
#define SLABSIM_RESULTS_H

#include "sim/cache.h"
#include "sim/source.h"
#include "sim/timing.h"

struct cJSON;

/* Values over the run, at most SERIES_POINTS of them; see series.h for how it stays bounded. */
#define SERIES_POINTS 512

struct series_point {
	uint64_t event; /* events replayed so far, all caches */
	uint64_t time_ns;
	uint64_t memory_total; /* bytes */
	uint64_t objects;      /* live */
	uint64_t partial;      /* slabs on node lists */
};

struct result_cache {
	char *name;
	char **aliases; /* what was merged into it, sorted; owned */
	unsigned nr_aliases;
	unsigned object_size, size, align, order, objects_per_slab;
	unsigned cpu_partial, cpu_partial_slabs, min_partial, sheaf_capacity;
	bool hwcache_align, typesafe_by_rcu;
	unsigned page_size;
	uint64_t stat[NR_STAT_ITEMS];
	uint64_t *stat_per_cpu; /* [cpus * NR_STAT_ITEMS], CPU first */
	struct cache_state state;
	struct series_point *series;
	unsigned nr_series;
};

/* list_locks, or barn locks, of all caches on one node; times in ps. */
struct result_lock {
	uint64_t acquisitions, contended;
	uint64_t wait, wait_max; /* for the lock */
	uint64_t hold, hold_max;
};

/* What the timed machine measured; times in ps. */
struct result_timing {
	uint64_t operations;
	uint64_t end;		     /* when the last operation ended */
	struct histogram *path_time; /* [NR_PATHS] */
	uint64_t spent[NR_COST_ITEMS];
	uint64_t lock_wait;
	uint64_t transfers[3]; /* of cache lines: within a complex, a node, between nodes */
	struct result_lock *node, *barn; /* [nodes] */
	unsigned nodes;
	uint64_t reads, slabs_read;		/* of slabinfo */
	double read_error_mean, read_error_max; /* of the free objects counted, relative */
};

struct results {
	char *name; /* the config's */
	const struct allocator_ops *allocator;
	struct cJSON *config; /* effective configuration; owned */
	unsigned cpus;
	bool has_times;
	uint64_t replayed, skipped;
	struct source_note *notes; /* owned array; texts are static */
	unsigned nr_notes;
	struct result_cache *caches; /* in order of name; caches without any event are left out */
	unsigned nr_caches;
	struct result_timing *timing; /* NULL in order mode */
};

void results_free(struct results *res);

#endif
