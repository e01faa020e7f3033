/*
 * The runs of a sweep made ready: each one's config loaded and checked, a key that names it
 * wherever it is run, and which runs can share one reading of their workload.
 */
#ifndef SLABSIM_SWEEP_PLAN_H
#define SLABSIM_SWEEP_PLAN_H

#include "sim/config/config_use.h"
#include "sim/digest.h"
#include "sim/sweep/sweep.h"

/* What the command line gives; all borrowed. */
struct sweep_input {
	const char *config;    /* the file */
	char *const *settings; /* --set, for every run */
	unsigned nr_settings;
	const char *trace;    /* --trace; NULL: the config's */
	char *const *plugins; /* --plugin; loaded by the caller */
	unsigned nr_plugins;
	bool series; /* results keep their series */
};

/* Digests of files' contents, each taken once. */
struct file_digests {
	struct file_digest {
		char *path;
		struct digest digest;
	} * files;
	unsigned n;
};

struct planned_run {
	/*
	 * Digest of the version, the effective configuration and the contents of the files that
	 * it names: equal keys, equal results.
	 */
	char key[DIGEST_LEN + 1];
	uint32_t group; /* runs of one group share a workload */
};

struct sweep_plan {
	struct sweep_input in;
	struct sweep sweep;
	struct planned_run *runs; /* [sweep.nr_runs] */
	struct digest *used;	  /* [sweep.nr_points]: of the settings that are used */
	struct setting_use uses[NR_SETTING_USES]; /* given in some point, used where it is */
	uint32_t nr_groups;
	char **groups;		     /* what the workload of each depends on, as text */
	struct file_digests *files;  /* read when first asked for */
	char digest[DIGEST_LEN + 1]; /* of all keys, in order */
};

/*
 * Load the config, expand its sweep, check every run: one whose settings do not fit is an error,
 * which names its point. 0, or -1 and err; to be freed with sweep_plan_free() in both cases.
 */
int sweep_plan_init(struct sweep_plan *p, const struct sweep_input *in, struct error *err);
void sweep_plan_free(struct sweep_plan *p);

/* The config of a run, which no longer has "sweep" and "seeds". 0, or -1 and err. */
int sweep_plan_config(const struct sweep_plan *p, uint64_t run, struct config *cfg,
		      struct error *err);
/* The key of such a config. */
int sweep_plan_key(const struct sweep_plan *p, const struct config *cfg, char key[DIGEST_LEN + 1],
		   struct error *err);

#endif
