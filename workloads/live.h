/*
 * Recording the running kernel: all kmem allocations and frees of the machine while a command
 * runs, through an instance of tracefs of our own, which is gone afterwards; or through perf.
 */
#ifndef SLABSIM_LIVE_H
#define SLABSIM_LIVE_H

#include "workloads/stream.h"

enum live_way { LIVE_ANY, LIVE_TRACEFS, LIVE_PERF };

struct live_options {
	char *const *command; /* its arguments, NULL behind the last */
	unsigned buffer_kb;   /* of each CPU; 0: what suits the machine */
	enum live_way way;
};

struct live_result {
	const char *way; /* "tracefs" or "perf" */
	unsigned buffer_kb;
	int status;	 /* of the command, as waitpid() tells it */
	int interrupted; /* the signal that ended the recording; 0: none did */
	/* Why tracefs was not used, or slabinfo is missing; empty otherwise. */
	struct error no_tracefs, no_slabinfo;
};

/*
 * Record, and return the trace; its stream has the machine and slabinfo, lost events are among
 * its notes. SIGINT, SIGTERM, SIGHUP and SIGQUIT end the command and with it the recording.
 * NULL and err: nothing was recorded.
 */
struct stream *live_record(const struct live_options *opt, struct live_result *res,
			   struct error *err);

#endif
