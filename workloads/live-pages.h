/*
 * The kernel's trace buffer as it was read, page by page, for each CPU, and the records in it by
 * time. Pages are held in memory, since writing files would itself allocate; a long recording
 * goes on into temporary files.
 */
#ifndef SLABSIM_LIVE_PAGES_H
#define SLABSIM_LIVE_PAGES_H

#include <kbuffer.h>
#include <stddef.h>
#include <stdint.h>

#include "workloads/import.h"
#include "workloads/tep-kmem.h"

struct live_pages {
	unsigned cpus;
	size_t page_size;
	struct live_cpu_pages *cpu;
};

/* 0, or -1 and err. */
int live_pages_init(struct live_pages *p, unsigned cpus, size_t page_size, struct error *err);
void live_pages_free(struct live_pages *p);
/* Where a page of the CPU is to be read to, and that it was. NULL and err, -1 and err. */
void *live_pages_room(struct live_pages *p, unsigned cpu, struct error *err);
void live_pages_add(struct live_pages *p, unsigned cpu);

/* All records, the earliest first, to the resolver. 0, or -1 and err. */
int live_pages_resolve(struct live_pages *p, struct tep_handle *tep, struct import *im,
		       struct error *err);

#endif
