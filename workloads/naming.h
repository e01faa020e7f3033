/* Which cache does each class of allocations belong to? */
#ifndef SLABSIM_NAMING_H
#define SLABSIM_NAMING_H

#include "workloads/class.h"

/*
 * Decide it for all classes, at the end of the trace: fills in their name, cache and how, and
 * makes the table of caches. has_cgroup_caches: the kernel has kmalloc-cg, were it to print no
 * "accounted". Counts in notes how the allocations got their caches. 0, or -1 and err.
 */
int naming_decide(struct classes *cl, bool has_cgroup_caches, const char *file,
		  struct source_info *info, uint64_t notes[NR_NOTES], struct error *err);

/*
 * Part of it: the table of caches, and in each class its place there. Those that the header told of
 * come first, with their sizes; others as they first occur. 0, or -1 and err.
 */
int naming_make_caches(struct classes *cl, const char *file, struct source_info *info,
		       struct error *err);

#endif
