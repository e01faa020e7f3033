/* Stat items of, and flow identities over, the kernels with sheaves (facts 5.10). */
#ifndef SLABSIM_SHEAF_CHECK_H
#define SLABSIM_SHEAF_CHECK_H

#include "sim/sheaf.h"

extern const struct stat_list sheaf_stats_6_18, sheaf_stats_7_0;

/* Are the identities of 6.18, of 7.0 true of c? -1 and err: which one is not. */
int sheaf_check_6_18(const struct cache *c, const struct generation gen, struct error *err);
int sheaf_check_7_0(const struct cache *c, struct error *err);

#endif
