/* The columns of one block, decompressed and checked. */
#ifndef SLABSIM_SLABTRACE_BLOCK_H
#define SLABSIM_SLABTRACE_BLOCK_H

#include "workloads/slabtrace-format.h"

/* So much more is read than there is, at the end of a column. */
#define COLUMN_SLACK 64

struct slabtrace_columns {
	void *zstd; /* ZSTD_DCtx */
	uint8_t *packed;
	uint8_t *kind;
	uint8_t *wide;	/* u32 */
	uint8_t *cpu;	/* u16 when cpu_bytes is 2 */
	uint8_t *id[4]; /* byte by byte, the lowest first; zeros from id_bytes on */
	uint8_t *time_low, *time_high;
	uint8_t *late;	/* u64 */
	uint8_t *after; /* u16 event in the block, u16 distance */
	unsigned cpu_bytes;
};

/* 0, or -1 when out of memory. */
int slabtrace_columns_init(struct slabtrace_columns *c, unsigned cpus);
void slabtrace_columns_free(struct slabtrace_columns *c);

/*
 * Unpack b's columns from c->packed. NULL, or what is wrong with them. Every column then has as
 * many entries as b says, and is followed by COLUMN_SLACK bytes; the entries of "after" are in
 * order, and of events in the block.
 */
const char *slabtrace_unpack(struct slabtrace_columns *c, const struct slabtrace_block *b,
			     bool times);

#endif
