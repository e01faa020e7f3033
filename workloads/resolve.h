/* Records become events: addresses become objects, and what a trace left out is put right. */
#ifndef SLABSIM_RESOLVE_H
#define SLABSIM_RESOLVE_H

#include "workloads/class.h"
#include "workloads/objects.h"
#include "workloads/reader.h"
#include "workloads/recent.h"
#include "workloads/spool.h"

struct resolver {
	struct reader_ctx *ctx; /* borrowed: the notes, the file's name */
	const struct trace_options *opt;
	struct objects objects;
	struct classes classes;
	struct spool spool;
	struct recent *recent;
	unsigned page_size;
	unsigned max_cpus;
	unsigned cpus, nodes; /* highest number that occurred, + 1 */
	bool has_shrinks;     /* CSV alone tells of them */
	bool free_has_name;   /* kmem_cache_free told a name, were it empty: kernel 5.12 or later */
	uint64_t seen[NR_RECORD_KINDS]; /* records */
	uint64_t allocs;		/* records of allocations */
	uint64_t alloc_events;		/* events they became */
	/* The bulk call whose object came last. */
	uint64_t bulk;
	unsigned bulk_cpu, bulk_op;
	uint32_t bulk_class;
};

/* ctx and opt must outlive the resolver. 0, or -1 and err. */
int resolver_init(struct resolver *r, struct reader_ctx *ctx, const struct trace_options *opt,
		  struct error *err);
void resolver_free(struct resolver *r);

int resolver_add(struct resolver *r, const struct record *rec, struct error *err);
/*
 * After the last record: decide the caches, complete the spool, fill info, all but its notes;
 * the caller frees its arrays. Fails when the trace allocates nothing.
 */
int resolver_finish(struct resolver *r, struct source_info *info, struct error *err);

#endif
