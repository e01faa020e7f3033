/*
 * The engine: binds a source's caches to configured ones, lays them out, replays the events
 * and hands back what a kernel would have counted. It prints nothing and has no globals.
 */
#ifndef SLABSIM_ENGINE_H
#define SLABSIM_ENGINE_H

#include "sim/cache.h"
#include "sim/config/config.h"
#include "sim/result/results.h"
#include "sim/source.h"

struct engine;

/*
 * Set up a run of src under cfg. Both must outlive the engine. Errors are of input: a CPU
 * beyond the machine, a cache without a size, a size no order holds.
 */
struct engine *engine_new(const struct config *cfg, struct source *src, struct error *err);
/* Do cfg and what src says of itself go together? Costs little. 0, or -1 and err. */
int engine_check(const struct config *cfg, struct source *src, struct error *err);
/*
 * Replay to the end of the source and check the flow identities. progress, when not NULL, is
 * called now and then with the events done; 0 or -1.
 */
int engine_run(struct engine *e, void (*progress)(void *arg, uint64_t done), void *arg,
	       struct error *err);
/* Fill res from the caches as they are now; to be freed with results_free(). */
int engine_results(const struct engine *e, struct results *res, struct error *err);
void engine_free(struct engine *e);

#endif
