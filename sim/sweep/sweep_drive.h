/* A sweep carried out: readers and workers kept busy, what they find written to the journal. */
#ifndef SLABSIM_SWEEP_DRIVE_H
#define SLABSIM_SWEEP_DRIVE_H

#include "sim/sweep/journal.h"
#include "sim/sweep/sweep_plan.h"

struct sweep_options {
	unsigned jobs;		/* processes at a time */
	unsigned shard, shards; /* only runs with number % shards == shard */
	bool quiet;
};

struct sweep_outcome {
	uint64_t runs;	  /* of this shard */
	uint64_t failed;  /* this time */
	uint64_t missing; /* neither done nor failed: the sweep was interrupted */
	bool interrupted;
	struct error first; /* the first that failed */
};

/* Is the run one of the shard's? */
static inline bool sweep_in_shard(const struct sweep_options *opt, uint64_t run)
{
	return run % opt->shards == opt->shard;
}

/*
 * Do the runs that the journal does not have. A run that fails is told of on standard error, and
 * in the journal when trying again is no use. SIGINT, SIGTERM and SIGHUP let the runs that are
 * going on finish; a second one does not. -1 and err when the sweep itself cannot go on.
 */
int sweep_drive(const struct sweep_plan *p, struct journal *j, const struct sweep_options *opt,
		struct sweep_outcome *outcome, struct error *err);

#endif
