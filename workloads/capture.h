/*
 * A workload model's events as a source: the model is run once on the timed machine, and what it
 * did is kept, in a temporary file when it is much.
 */
#ifndef SLABSIM_CAPTURE_H
#define SLABSIM_CAPTURE_H

#include "sim/config/config.h"
#include "sim/source.h"

/*
 * Run cfg's model, which it must have, under cfg's policy. progress, unless NULL, is called as by
 * engine_run(). The source has times, and can be rewound; cfg is not needed by it any more. NULL
 * and err.
 */
struct source *capture_model(const struct config *cfg, void (*progress)(void *arg, uint64_t done),
			     void *arg, struct error *err);

#endif
