/* A workload model run from settings, its events kept. */
#ifndef SLABSIM_TESTS_MODEL_FIXTURE_H
#define SLABSIM_TESTS_MODEL_FIXTURE_H

#include "sim/result/results.h"

struct model_event {
	uint64_t start; /* ps */
	struct event ev;
};

struct model_run {
	struct model_event *event;
	size_t n, cap;
	struct results res;
	uint64_t digest; /* of all events and their times */
	uint64_t said;	 /* how many events the model said there would be */
	uint64_t remote; /* frees on another CPU than the allocation's */
};

/*
 * Run the model that settings (as of --set, NULL behind the last) name; timed mode, linux-6.1 and 8
 * CPUs unless they say otherwise. Fails the test on errors, when an object is freed that is not
 * live, or allocated that is, or when one is left at the end.
 */
void model_run(struct model_run *r, const char *const *settings);
void model_run_free(struct model_run *r);
/*
 * The message of a config or model that is refused, of a model without the place it begins with;
 * fails the test when it is not refused.
 */
const char *model_refused(const char *const *settings);

/* A counter of the i-th cache. */
uint64_t model_stat(const struct model_run *r, unsigned cache, enum stat_item item);
uint64_t model_allocs(const struct model_run *r, unsigned cache);

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
