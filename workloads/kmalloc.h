/* kmalloc caches: which sizes there are and how they are called (facts 1.2). */
#ifndef SLABSIM_KMALLOC_H
#define SLABSIM_KMALLOC_H

#include <stddef.h>
#include <stdint.h>

enum kmalloc_type { KMALLOC_NORMAL, KMALLOC_CGROUP, KMALLOC_RECLAIM, KMALLOC_DMA };

/* The size of the cache that serves a request of size bytes: 8, 16, 32, 64, 96, 128, 192, ... */
uint64_t kmalloc_size(uint64_t size);
/* "kmalloc-cg-1k" into buf. */
void kmalloc_name(enum kmalloc_type type, uint64_t size, char *buf, size_t buf_size);

#endif
