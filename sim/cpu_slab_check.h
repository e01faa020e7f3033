/* The flow identities of kernels with cpu slabs (facts 3.7), checked at the end of a run. */
#ifndef SLABSIM_CPU_SLAB_CHECK_H
#define SLABSIM_CPU_SLAB_CHECK_H

#include "sim/cpu_slab.h"

/* The stat items of 3.x to 6.17, in the order of facts 3.6. */
extern const struct stat_list cpu_slab_stats;

/*
 * Are the identities true of c? Those that a shrink, a policy that refuses slabs or bulk calls
 * break are left out or weakened as the facts say. -1 and err (a failure of the simulator, not
 * of the input): which one is not, with both sides.
 */
int cpu_slab_check(const struct cache *c, const struct generation gen, struct error *err);

/* I7: every allocation and free was counted once; not true where sheaves take some of them. */
int cpu_slab_check_calls(const struct cache *c, const struct generation gen, struct error *err);

/* err unless left == right; left <= right. what is the identity as text. */
int check_equal(const struct cache *c, const char *what, uint64_t left, uint64_t right,
		struct error *err);
int check_at_most(const struct cache *c, const char *what, uint64_t left, uint64_t right,
		  struct error *err);

#endif
