/* One operation as a trace tells it, before anything is concluded from it. */
#ifndef SLABSIM_RECORD_H
#define SLABSIM_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* What wrote it. The first four are the kernel's trace events, *_node variants included. */
enum record_kind {
	RECORD_KMALLOC,
	RECORD_CACHE_ALLOC,
	RECORD_KFREE,
	RECORD_CACHE_FREE,
	RECORD_CSV,
	NR_RECORD_KINDS
};

/* What of gfp_flags matters here. */
enum gfp_bits {
	GFP_BIT_MAY_BLOCK = 1 << 0, /* __GFP_DIRECT_RECLAIM, or not known */
	GFP_BIT_DMA = 1 << 1,
	GFP_BIT_RECLAIMABLE = 1 << 2,
	GFP_BIT_ACCOUNT = 1 << 3,
};

#define ZERO_SIZE_PTR 0x10

struct record {
	uint64_t ptr; /* address, or a CSV file's object number */
	uint64_t time_ns;
	uint64_t line;	      /* where it stands, for messages: line, or record of a binary file */
	uint64_t bytes_req;   /* allocations only; CSV: the column "size", 0: not given */
	uint64_t bytes_alloc; /* allocations only */
	uint64_t bulk;	      /* CSV: which call; 0: none, numbers are counted from 1 */
	uint32_t call_site;   /* interned, "function+0x12" or bare hex digits; INTERN_EMPTY */
	uint32_t name;	      /* interned cache name; INTERN_EMPTY when not told */
	unsigned cpu;
	int16_t node;	    /* requested, or NUMA_NO_NODE */
	uint8_t kind;	    /* enum record_kind */
	uint8_t op;	    /* enum event_op */
	uint8_t gfp;	    /* enum gfp_bits */
	bool accounted;	    /* the event said accounted=true */
	bool has_accounted; /* it said one or the other */
	bool has_name;	    /* it has a name field, were it empty */
};

#endif
