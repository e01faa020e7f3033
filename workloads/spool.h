/*
 * Events on their way from the text to the engine: written once to an unlinked temporary file,
 * a few changed later, read as often as needed. A short trace never leaves memory.
 */
#ifndef SLABSIM_SPOOL_H
#define SLABSIM_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"

struct spool_event {
	uint64_t time_ns;
	uint32_t object; /* id among all live objects */
	uint32_t class;
	uint16_t cpu;
	int16_t node;
	uint8_t op;	/* enum event_op */
	uint8_t flags;	/* enum event_flags */
	uint16_t after; /* stream.h */
};

#define SPOOL_BUFFER 8192 /* events */

struct spool {
	int fd; /* -1: nothing had to be written yet */
	struct spool_event *buf;
	size_t n;	  /* events in buf */
	uint64_t written; /* events before those */
};

int spool_init(struct spool *sp, struct error *err);
void spool_free(struct spool *sp);

/* How many events there are. */
static inline uint64_t spool_count(const struct spool *sp)
{
	return sp->written + sp->n;
}

/* Write the full buffer out. Its place is $TMPDIR, else /var/tmp. */
int spool_flush(struct spool *sp, struct error *err);

static inline int spool_append(struct spool *sp, const struct spool_event *ev, struct error *err)
{
	if (sp->n == SPOOL_BUFFER && spool_flush(sp, err))
		return -1;
	sp->buf[sp->n++] = *ev;
	return 0;
}

/* The event appended last, to be changed until the next append; NULL when there is none. */
static inline struct spool_event *spool_last(struct spool *sp)
{
	return sp->n ? &sp->buf[sp->n - 1] : NULL;
}

/* Change the class of an event. */
int spool_set_class(struct spool *sp, uint64_t event, uint32_t class, struct error *err);

/*
 * Events from number first on: *n of them, at most max, in scratch or in the spool's own
 * memory. NULL and err when the file cannot be read.
 */
const struct spool_event *spool_get(struct spool *sp, uint64_t first, size_t max,
				    struct spool_event *scratch, size_t *n, struct error *err);

#endif
