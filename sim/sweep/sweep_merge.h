/* slabsim sweep --merge: journals of the parts of one sweep become one. */
#ifndef SLABSIM_SWEEP_MERGE_H
#define SLABSIM_SWEEP_MERGE_H

#include <stdbool.h>

#include "sim/error.h"

/* Join the journals of n folders in dir, and write the results there. 0, or -1 and err. */
int sweep_merge(char *const *dirs, unsigned n, const char *dir, bool quiet, struct error *err);

#endif
