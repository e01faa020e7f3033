/* A .slabtrace file being read: opened by slabtrace-open.c, read by slabtrace-read.c. */
#ifndef SLABSIM_SLABTRACE_READ_H
#define SLABSIM_SLABTRACE_READ_H

#include "workloads/id-pool.h"
#include "workloads/slabtrace-block.h"

/* Events of a batch: as many as stay in the first-level cache. */
#define SLABTRACE_BATCH 1024

enum slabtrace_action {
	ACTION_ALLOCATES,
	ACTION_FREES,
	ACTION_RARE, /* the others, and kinds that are not in the table */
};

/* What becomes of an event of some kind. */
struct slabtrace_template {
	struct event ev; /* but for CPU and object; op NR_EVENT_OPS: not in the table */
	uint32_t site;
	struct id_pool *pool;
	enum slabtrace_action action;
};

struct slabtrace {
	struct stream st;
	struct slabtrace_tables tables;
	struct slabtrace_template *kind; /* at least SLABTRACE_WIDE of them */
	const struct slabtrace_template *no_kind;
	struct slabtrace_columns c;
	struct id_pool *pool; /* by cache */
	uint64_t *adopted;    /* by cache, so far */
	char *name;
	int fd;
	uint64_t data;	   /* where the blocks begin */
	uint64_t limit;	   /* events to deliver: */
	bool salvaged;	   /* fewer than all, since the file is damaged */
	bool headers_only; /* what is between them is not looked at */

	/* The block at hand. */
	struct slabtrace_block block;
	uint64_t at;	    /* where the next one begins */
	uint64_t blocks;    /* before that */
	uint64_t delivered; /* events */
	uint32_t next, next_wide, next_free, next_late, next_after;
	uint64_t time_ns;
	bool adopting; /* the free of this one must follow */
	struct event adoption;

	struct event events[SLABTRACE_BATCH];
	uint64_t times[SLABTRACE_BATCH];
	uint32_t sites[SLABTRACE_BATCH];
	uint16_t after[SLABTRACE_BATCH];
};

/* n bytes of the file: 1; 0 when it ends before; -1 and err. */
int slabtrace_read_at(const struct slabtrace *s, void *buf, size_t n, uint64_t at,
		      struct error *err);
/* The header of the next block, checked against the one before, in s->block. 0, or -1 and err. */
int slabtrace_next_header(struct slabtrace *s, struct error *err);
/* On to the block behind the one whose header that was. */
void slabtrace_skip_block(struct slabtrace *s);

extern const struct stream_ops slabtrace_ops;

#endif
