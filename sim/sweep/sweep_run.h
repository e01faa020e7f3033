/* One run of a sweep, from its config to the text of its journal record. */
#ifndef SLABSIM_SWEEP_RUN_H
#define SLABSIM_SWEEP_RUN_H

#include "sim/sweep/sweep_plan.h"

struct memory;

/*
 * The workload that run and the others of its group read; NULL where each run generates its
 * own. 0, or -1 and err; memory_free().
 */
int sweep_load_workload(const struct sweep_plan *p, uint64_t run, struct memory **workload,
			struct error *err);

/*
 * Replay it under the run's config. *text is the run's record as journal_append() takes it, to
 * be freed. 0, or -1 and err.
 */
int sweep_run(const struct sweep_plan *p, uint64_t run, const struct memory *workload, char **text,
	      size_t *len, struct error *err);

/* The record of a run that cannot be. */
int sweep_error_record(const struct sweep_plan *p, uint64_t run, const char *message, char **text,
		       size_t *len, struct error *err);

#endif
