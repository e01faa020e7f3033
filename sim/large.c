#include "sim/large.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE LARGE_MIN

static size_t rounded(size_t size)
{
	return (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
}

/* Address space for size bytes, a whole number of huge pages, aligned to them; MAP_FAILED. */
static void *reserve(size_t size)
{
	char *p = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	size_t before;

	if (p == MAP_FAILED)
		return p;
	before = -(uintptr_t)p & (HUGE_PAGE - 1);
	if (before)
		munmap(p, before);
	munmap(p + before + size, HUGE_PAGE - before);
	return p + before;
}

void *large_grow(void *table, size_t old_size, size_t size)
{
	size_t to = rounded(size);
	void *p;

	if (size < LARGE_MIN)
		return realloc(table, size);
	if (to < size || (p = reserve(to)) == MAP_FAILED)
		return NULL;
	if (old_size >= LARGE_MIN) {
		/* Takes the place of the reservation's beginning, and keeps the rest. */
		if (mremap(table, rounded(old_size), rounded(old_size),
			   MREMAP_MAYMOVE | MREMAP_FIXED, p) == MAP_FAILED) {
			munmap(p, to);
			return NULL;
		}
	} else if (old_size) {
		memcpy(p, table, old_size);
		free(table);
	}
	/* Not a promise; without it everything works as well. */
	madvise(p, to, MADV_HUGEPAGE);
	return p;
}

void large_free(void *table, size_t size)
{
	if (size < LARGE_MIN)
		free(table);
	else
		munmap(table, rounded(size));
}
