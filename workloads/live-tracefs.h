/* An instance of tracefs of our own: its buffers, its events, and that it is gone afterwards. */
#ifndef SLABSIM_LIVE_TRACEFS_H
#define SLABSIM_LIVE_TRACEFS_H

#include "workloads/live-command.h"
#include "workloads/live-pages.h"

struct live_tracefs {
	struct tracefs_instance *instance;
	struct tep_handle *tep; /* the formats of the kmem events, and the kernel's symbols */
	unsigned cpus;
	int *fd; /* by CPU: its buffer; -1: it has none */
	size_t page_size;
	unsigned buffer_kb;
};

/* Set everything up; no event is recorded yet. 0, or -1 and err: why not, and what to do. */
int live_tracefs_open(struct live_tracefs *t, unsigned cpus, unsigned buffer_kb, struct error *err);
/*
 * Record while the command runs: from its start, which this gives, to its end. *lost: events
 * the buffers had no room for. 0, or -1 and err.
 */
int live_tracefs_record(struct live_tracefs *t, struct live_command *c, struct live_pages *pages,
			uint64_t *lost, struct error *err);
/* tracefs is as it was; the formats are still there. */
void live_tracefs_stop(struct live_tracefs *t);
/* That, and the formats go, too. */
void live_tracefs_close(struct live_tracefs *t);

#endif
