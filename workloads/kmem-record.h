/* What a record of a kmem event must be, whatever format it was read from. */
#ifndef SLABSIM_KMEM_RECORD_H
#define SLABSIM_KMEM_RECORD_H

#include <stddef.h>

#include "workloads/record.h"

/* No slab cache has objects of that size; it keeps every size within 32 bits. */
#define MAX_OBJECT_SIZE (1u << 30)

/* Which event has this name (without "kmem:")? -1: none of ours. */
int kmem_kind(const char *name, size_t len);
/* Is it an allocation's? */
static inline bool kmem_is_alloc(int kind)
{
	return kind == RECORD_KMALLOC || kind == RECORD_CACHE_ALLOC;
}
/* Do the sizes of an allocation make sense? */
bool kmem_sizes_valid(const struct record *rec);
/* A node as the event has it: true, and NUMA_NO_NODE or the node; false: there is no such node. */
bool kmem_node(uint64_t number, int16_t *node);

#endif
