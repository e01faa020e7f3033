/* Between the files that carry a sweep out. */
#ifndef SLABSIM_SWEEP_DRIVE_PART_H
#define SLABSIM_SWEEP_DRIVE_PART_H

#include "sim/sweep/sweep_drive.h"
#include "sim/sweep/sweep_progress.h"
#include "sim/sweep/worker.h"

enum group_state { GROUP_WAITS, GROUP_READS, GROUP_READY, GROUP_FINISHES, GROUP_OVER };

/* Runs that share a workload. */
struct group {
	enum group_state state;
	uint64_t *runs;
	uint64_t nr_runs;
	struct worker_group *workers;
	bool broken; /* its runs have been told to have failed */
};

struct drive {
	const struct sweep_plan *plan;
	const struct sweep_options *opt;
	struct journal *journal;
	struct sweep_outcome *outcome;
	struct sweep_progress progress;
	struct group *groups;
	uint64_t *runs;	     /* what the groups' runs point into */
	bool *failed;	     /* by run: it has been told of */
	struct group **busy; /* by worker: whose it is; NULL: free */
	unsigned working, reading, open;
	struct worker_shared *shared;
	bool stopping;
	bool dirty; /* the journal has records that are not synced */
	int signals;
};

/* A run has no record, and has not been told to have failed. */
bool drive_open_run(const struct drive *d, uint64_t run);
void drive_count_failed(struct drive *d, uint64_t run, bool is_input, const char *message);
void drive_tell_failed(struct drive *d, uint64_t run, const char *message);
/* Append the record of a run that has none. 0, or -1 and err. */
int drive_put_record(struct drive *d, uint64_t run, const char *text, size_t len,
		     struct error *err);
int drive_put_error(struct drive *d, uint64_t run, bool is_input, const char *message,
		    struct error *err);
int drive_put_errors(struct drive *d, const struct group *g, bool is_input, const char *message,
		     struct error *err);
int drive_sync(struct drive *d, struct error *err);

#endif
