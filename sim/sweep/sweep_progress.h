/* How far a sweep is, on standard error: a bar on a terminal, else a line now and then. */
#ifndef SLABSIM_SWEEP_PROGRESS_H
#define SLABSIM_SWEEP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct sweep_progress {
	bool quiet, terminal;
	uint64_t total;	 /* runs */
	uint64_t before; /* of those, done by an earlier sweep */
	uint64_t done, failed;
	struct timespec start, last;
	uint64_t at_first; /* what was done when the first run of this sweep was seen to be */
	struct timespec first;
	bool shown; /* a bar stands on the line */
};

void sweep_progress_begin(struct sweep_progress *p, uint64_t total, uint64_t before, bool quiet);
/* Show what has changed, unless that was just done. */
void sweep_progress_show(struct sweep_progress *p);
/* A line of its own, "slabsim: ...". */
void sweep_progress_note(struct sweep_progress *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The last word: how many, how long. */
void sweep_progress_end(struct sweep_progress *p);

#endif
