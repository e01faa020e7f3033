/*
 * Settings that nothing asks for in a run: those of layers that its allocator does not have, and
 * those that another policy leaves no room for. What policies declare of themselves (sim/policy.h)
 * decides it.
 */
#ifndef SLABSIM_CONFIG_USE_H
#define SLABSIM_CONFIG_USE_H

#include "sim/config/config.h"

struct setting_use {
	const char *path; /* "policy.cpu_partial"; "caches[].cpu_partial": of any cache */
	bool given;	  /* the config has it */
	bool used;	  /* a run asks for it */
	char why[160];	  /* ... or why it does not */
};

#define NR_SETTING_USES 9

/* Those that a run may have no use for, always in the same order. */
void config_uses(const struct config *cfg, struct setting_use uses[NR_SETTING_USES]);
/*
 * cfg->effective without all that a run of it does not use: where it is the same, runs are. To be
 * freed with cJSON_Delete(); NULL and err.
 */
struct cJSON *config_used(const struct config *cfg, struct error *err);

#endif
