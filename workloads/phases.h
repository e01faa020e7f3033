/*
 * Phases of an open model: times in which things happen more often or otherwise than in others,
 * one after another and then from the first on again.
 */
#ifndef SLABSIM_PHASES_H
#define SLABSIM_PHASES_H

#include "workloads/distribution.h"

#define MAX_PHASES 64

struct phase {
	uint64_t end;  /* from the first phase's begin, ps */
	double events; /* the same, with time going at rate */
	double rate, lifetime;
	/* Instead of those of the streams, when it has them. */
	bool has_burst, has_lifetime, has_away;
	struct distribution burst, own, away;
};

struct phases {
	struct phase phase[MAX_PHASES];
	unsigned n;
};

/* One without an end, in which everything is as it is. */
extern const struct phases phases_none;

/* Key phases; *ph stays as it is when there is none. 0, or -1 and the error is set. */
int phases_read(struct phases *ph, struct model_params *p);
const struct phase *phases_at(const struct phases *ph, uint64_t time);
/*
 * Streams of bursts are drawn on a clock of their own, on which they come at the same rate all the
 * time: a gap that reaches into another phase is then right in both. From that clock to time, and
 * back.
 */
uint64_t phases_time(const struct phases *ph, double clock);
double phases_clock(const struct phases *ph, uint64_t time);

#endif
