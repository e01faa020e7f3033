/* What the two readers behind slabinfo_file.h share. */
#ifndef SLABSIM_SLABINFO_SYSFS_H
#define SLABSIM_SLABINFO_SYSFS_H

#include "sim/slabinfo_file.h"

/* No slab of any page size holds a larger object. */
#define SLABINFO_MAX_SIZE (65536u << 10)

/* A new, empty entry at the end; NULL and err when there is no memory or no room. */
struct slabinfo_cache *slabinfo_add(struct slabinfo *info, struct error *err);
/*
 * Is what was read of c possible? Counts are bounded too, so that sums over all caches stay
 * within 64 bits. -1 and err: what is not.
 */
int slabinfo_check(struct slabinfo_cache *c, struct error *err);
/* Add the caches of a folder. -1 and err; info is to be freed in either case. */
int slabinfo_read_sysfs(struct slabinfo *info, const char *path, struct error *err);

#endif
