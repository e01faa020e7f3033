/*
 * A configuration as the engine takes it (DESIGN: "machine", "caches", "policy", "workload",
 * "replay"). config.c reads it from JSON; every key stands in one option table there, which
 * drives parsing, range checks, defaults, suggestions and the printed documentation.
 */
#ifndef SLABSIM_CONFIG_H
#define SLABSIM_CONFIG_H

#include "sim/cost.h"
#include "sim/error.h"
#include "sim/pages.h"
#include "sim/policy.h"

struct cJSON;

/* The memory slabs come from (pages.h); without end where neither of the two is given. */
struct machine_pages {
	uint64_t memory_per_node; /* bytes; 0: not given */
	unsigned free;		  /* per cent of it that is free at the start */
	unsigned fragmentation;	  /* per cent of the free memory in pieces below order 3 */
	bool has_free_blocks;
	uint64_t free_blocks[MAX_PAGE_ORDER + 1]; /* of each node, by order */
};

struct machine_config {
	unsigned cpus;	/* 0: as the trace says */
	unsigned nodes; /* 0: as the trace says, or 1 */
	unsigned page_size;
	unsigned cache_line_size;
	unsigned *node_of_cpu; /* [cpus], or NULL */
	unsigned *distances;   /* [nodes*nodes], or NULL */
	char *description;     /* what hardware it is; NULL: none */
	struct machine_pages pages;
};

/* One entry of "caches". Numbers that were not given are -1. */
struct cache_config {
	char *name;
	int64_t object_size, size, align;
	bool hwcache_align, typesafe_by_rcu, ctor;
	bool no_merge, account, reclaim_account; /* for replay.merge */
	int64_t sheaf_capacity;
	int64_t order;			  /* overrides the order policy for this cache */
	int64_t cpu_partial, min_partial; /* as written to sysfs */
	char *match_call_site;		  /* function or function+offset; NULL: bound by name */
	int64_t match_size;		  /* bytes_alloc; -1: any */
};

/* The timed machine: costs in ns. */
struct timed_config {
	double cost[NR_COST_ITEMS];
	unsigned cpus_per_complex;   /* CPUs that share a cache; 0: all of a node */
	uint64_t reader_interval_us; /* between two readings of slabinfo; 0: none */
	unsigned reader_cpu;
};

enum replay_mode { REPLAY_ORDER, REPLAY_TIMED };

struct config {
	char *path; /* of the file, for messages and relative paths; NULL: none */
	char *name;
	bool nameless;	   /* ... which was not given: the file or the trace has lent its own */
	char *description; /* what it is for; NULL: none */
	struct machine_config machine;
	struct cache_config *caches;
	unsigned nr_caches;
	char *machine_file; /* that "machine" named; NULL: none */
	char *preset;
	bool preset_given; /* no: preset is the default */
	struct policy_set policy;
	struct cJSON *model; /* workload.model, as it was written; NULL: a trace */
	char *trace; /* relative paths already resolved against the config; "-": standard input */
	int64_t
	    reorder_ns; /* frees so close before an allocation of another CPU follow it; -1: none */
	uint64_t jitter_ns; /* random, of every event; 0: none */
	int gfp_may_block;  /* 1 kernel, 0 atomic, -1 as the trace says */
	enum replay_mode mode;
	struct timed_config timed;
	char *
	    initial; /* replay.initial: slabinfo or kernel.json to start from; NULL: empty caches */
	bool merge;
	bool salvage; /* of a damaged .slabtrace file, replay what is before the damage */
	char **only;  /* replay.only: glob patterns of cache names; others are skipped */
	unsigned nr_only;
	uint64_t seed;
	unsigned threads;    /* that replay in order mode; no setting, for it changes no result */
	struct cJSON *given; /* as it was written, with the --set arguments */
	struct cJSON *effective; /* every setting that is in force, defaults included */
};

/*
 * Read a config file. settings are the --set arguments, PATH=VALUE each: the value is JSON, or
 * else a string; they are applied to the file's JSON before it is looked at, in order. file may
 * be NULL: all defaults, then the settings. On success cfg is to be freed with config_free().
 */
int config_load(struct config *cfg, const char *file, char *const *settings, unsigned nr_settings,
		struct error *err);
void config_free(struct config *cfg);
/* Is output none of the files that were, or will be, read for it? 0, or -1 and err. */
int config_check_output(const struct config *cfg, const char *output, struct error *err);
/* What is wrong with a setting that only its use has shown: "FILE: " before it. Returns -1. */
int config_blame(const struct config *cfg, struct error *err);
/*
 * Replay file, seen from the working directory, whatever the config names; a run that nothing
 * else names is called after it. 0, or -1 and err.
 */
int config_set_trace(struct config *cfg, const char *file, struct error *err);

/* machine.pages as the page allocator takes it, with the run's seed. */
void config_pages(const struct config *cfg, struct pages_config *pages);

/*
 * The names of the machines that "machine": NAME finds for a config file (NULL: none), sorted,
 * NULL behind the last. To be freed, each and the array. NULL and err when out of memory.
 */
char **config_machines(const char *file, struct error *err);
/* The file that NAME stands for, to be freed; NULL and err when there is none. */
char *config_machine_file(const char *file, const char *name, struct error *err);

struct config_option;
/* The option table. */
const struct config_option *config_options(size_t *n);

#endif
