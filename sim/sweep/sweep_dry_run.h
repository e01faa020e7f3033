/* slabsim sweep --dry-run: the runs, one a line. */
#ifndef SLABSIM_SWEEP_DRY_RUN_H
#define SLABSIM_SWEEP_DRY_RUN_H

#include "sim/sweep/sweep_drive.h"

int sweep_dry_run(const struct sweep_plan *p, const struct sweep_options *opt, FILE *out,
		  struct error *err);

#endif
