/*
 * Tables that grow with the workload, perhaps to gigabytes, and are accessed at random. From
 * LARGE_MIN bytes on they lie in huge pages where the system has them, and growing moves page
 * tables instead of bytes.
 */
#ifndef SLABSIM_LARGE_H
#define SLABSIM_LARGE_H

#include <stddef.h>

#define LARGE_MIN ((size_t)2 << 20)

/*
 * As realloc(): table (NULL with old_size 0) had old_size bytes and gets size, more than that.
 * NULL when memory is out; the table is as it was then.
 */
void *large_grow(void *table, size_t old_size, size_t size);
/* size is the table's, from the last large_grow(). */
void large_free(void *table, size_t size);

#endif
