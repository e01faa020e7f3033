/* What was learned of a trace as a config with a model. */
#ifndef SLABSIM_FIT_CONFIG_H
#define SLABSIM_FIT_CONFIG_H

#include "workloads/fit.h"

struct fit_config {
	const char *name;
	const char *preset;
	unsigned cpus; /* 0: those of the trace */
	unsigned nodes;
	uint64_t least; /* allocations of a cache */
};

/* 0, or -1 and err: no cache has that many allocations, or path cannot be written. */
int fit_config_write(const struct fit *f, const struct source_info *info,
		     const struct fit_config *to, const char *path, struct error *err);

#endif
