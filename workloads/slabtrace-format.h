/* What writing and reading .slabtrace files share; docs/slabtrace.md tells every byte. */
#ifndef SLABSIM_SLABTRACE_FORMAT_H
#define SLABSIM_SLABTRACE_FORMAT_H

#include "workloads/bytes.h"
#include "workloads/stream.h"

#define SLABTRACE_MAGIC	  "\x89SLAB\r\n\x1a"
#define SLABTRACE_VERSION 1

/* The file's first bytes, before its header. */
#define SLABTRACE_START_SIZE 24
#define SLABTRACE_HEADER_MAX (64u << 20)

#define SLABTRACE_BLOCK_EVENTS	    65536
#define SLABTRACE_BLOCK_HEADER_SIZE 40
/* Far above what incompressible columns take. */
#define SLABTRACE_BLOCK_MAX (4u << 20)

/* A kind of this number or higher stands in the column "wide". */
#define SLABTRACE_WIDE 255
/* So many kinds are possible. */
#define SLABTRACE_KINDS_MAX (1u << 24)
/* A time step of this size or larger stands in the column "late". */
#define SLABTRACE_LATE 0xff00

/* Operations and flags stand in files under these numbers. */
_Static_assert(EV_ALLOC == 0 && EV_FREE == 1 && EV_ALLOC_BULK == 2 && EV_FREE_BULK == 3 &&
		   EV_FREE_RCU == 4 && EV_ADOPT == 5 && EV_SHRINK == 6,
	       "the numbers of operations are part of the format");
_Static_assert(EVF_MAY_BLOCK == 1 && EVF_MORE == 2, "so are those of flags");

/* What events have in common: all but CPU, object and time. */
struct slabtrace_kind {
	uint64_t count;
	uint32_t site;
	uint16_t cache;
	int16_t node;
	uint8_t op, flags;
};

struct slabtrace_counts {
	uint64_t allocs, frees, adopted;
	uint32_t objects; /* lived at once */
};

/* Of the header, what struct stream has no room for; and what is counted when it is written. */
struct slabtrace_tables {
	uint64_t events;
	unsigned cpus, cpus_used, nodes;
	struct slabtrace_kind *kinds;
	uint32_t nr_kinds;
	struct slabtrace_counts *counts; /* by cache */
	uint64_t first_time_ns, time_unit;
};

/* Into out, which the caller frees. */
void slabtrace_put_header(const struct stream *st, const struct slabtrace_tables *t,
			  struct bytes_out *out);
/* Fills st and t, which the caller releases in any case. 0, or -1 when it makes no sense. */
int slabtrace_get_header(struct bytes_in *in, struct stream *st, struct slabtrace_tables *t);

/* The CRC-32 of zlib. */
uint32_t slabtrace_checksum(const uint8_t *p, size_t n);

struct slabtrace_block {
	uint32_t size; /* of the columns; 0: the end of the file */
	uint32_t events, frees, wide, late, after;
	uint8_t id_bytes;
	uint64_t first; /* number of its first event */
};

void slabtrace_put_block(uint8_t bytes[SLABTRACE_BLOCK_HEADER_SIZE],
			 const struct slabtrace_block *b);
/* False when it makes no sense. */
bool slabtrace_get_block(const uint8_t bytes[SLABTRACE_BLOCK_HEADER_SIZE],
			 struct slabtrace_block *b);

static inline bool slabtrace_frees(uint8_t op)
{
	return op == EV_FREE || op == EV_FREE_BULK || op == EV_FREE_RCU;
}

static inline bool slabtrace_allocates(uint8_t op)
{
	return op == EV_ALLOC || op == EV_ALLOC_BULK;
}

#endif
