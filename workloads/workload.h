/* The workload a configuration asks for, as a source of events. */
#ifndef SLABSIM_WORKLOAD_H
#define SLABSIM_WORKLOAD_H

#include "sim/config/config.h"
#include "sim/source.h"

/* NULL and err when it cannot be opened. cfg must outlive the source. */
struct source *workload_open(const struct config *cfg, struct error *err);

#endif
