/* Recording through perf, where tracefs cannot be used. */
#ifndef SLABSIM_LIVE_PERF_H
#define SLABSIM_LIVE_PERF_H

#include "workloads/stream.h"

struct live_perf {
	char **argv; /* perf record ... -- COMMAND */
	char dir[64];
	char *data; /* the perf.data file in it */
};

/* Is there a perf, and may it record the kernel? */
bool live_perf_works(void);
/* perf's arguments for the command. 0, or -1 and err. */
int live_perf_open(struct live_perf *p, char *const *command, unsigned buffer_kb,
		   struct error *err);
/* After perf has ended: the trace. NULL and err. */
struct stream *live_perf_read(struct live_perf *p, const struct trace_options *opt,
			      struct error *err);
/* Its file is removed. */
void live_perf_close(struct live_perf *p);

#endif
