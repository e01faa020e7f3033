/*
 * The caches of a running machine: the text of /proc/slabinfo, or a folder like /sys/kernel/slab
 * (the real one, or a copy that kept the symbolic links, as cp -a and tar make it).
 */
#ifndef SLABSIM_SLABINFO_FILE_H
#define SLABSIM_SLABINFO_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"

struct slabinfo_cache {
	char *name;
	unsigned object_size; /* bytes asked for; 0: not known, /proc/slabinfo does not say */
	unsigned size;	      /* bytes from one object to the next */
	unsigned align;	      /* 0: not known */
	unsigned order;
	unsigned objects_per_slab;
	uint64_t
	    active_objs;   /* not on a node's partial list: in use, or parked at a CPU (facts 6) */
	uint64_t num_objs; /* that all slabs have room for */
	uint64_t num_slabs;
};

struct slabinfo {
	struct slabinfo_cache *caches; /* in the file's order; a folder's in order of name */
	unsigned n;
	/* The page size, 4096 ... 65536, all layouts agree with; 0: more than one, or none. */
	unsigned page_size;
};

/*
 * Read the file or folder at path. Symbolic links in a folder are aliases of merged caches; a
 * cache named like ":0000256" takes the name of one of them. 0, or -1 and err, which names the
 * line or the attribute; in the first case to be freed with slabinfo_free().
 */
int slabinfo_read(struct slabinfo *info, const char *path, struct error *err);
/* The same from the text of /proc/slabinfo: len bytes and a NUL; name stands in messages. */
int slabinfo_parse(struct slabinfo *info, char *text, size_t len, const char *name,
		   struct error *err);
void slabinfo_free(struct slabinfo *info);

#endif
