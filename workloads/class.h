/*
 * Classes: allocations that certainly come from one cache, for they share call site, sizes,
 * and what the trace says of their cache. Events refer to their class, and only at the end of
 * the trace is it decided which cache each class is (naming.c).
 *
 * A kmem_cache_alloc event without a cache name has an open class. If the object's free names a
 * cache, the allocation moves to a class of its own beside the open one, its named twin.
 */
#ifndef SLABSIM_CLASS_H
#define SLABSIM_CLASS_H

#include "workloads/intern.h"
#include "workloads/note.h"
#include "workloads/reader.h"
#include "workloads/record.h"
#include "workloads/trace.h"

#define CLASS_NONE UINT32_MAX
/* Returned when memory ran out. */
#define CLASS_FAILED (UINT32_MAX - 1)
/* Of objects that live outside the slab caches. No class has this number. */
#define CLASS_LARGE (UINT32_MAX - 2)

enum class_type {
	CLASS_CACHE, /* kmem_cache_alloc; open when it has no name */
	CLASS_TWIN,  /* the same, named by the object's free */
	CLASS_KMALLOC,
	CLASS_CSV,
	CLASS_ADOPTED, /* objects from before the trace, named by their free */
};

/* KMALLOC_NORMAL and so on, and one more: */
#define KMALLOC_MAYBE_CGROUP 16 /* __GFP_ACCOUNT from a kernel that may not have kmalloc-cg */

struct class_key {
	uint32_t call_site; /* interned */
	uint32_t name;	    /* interned, or INTERN_EMPTY */
	uint32_t bytes_req; /* kmalloc: the size of the cache that fits the request */
	uint32_t bytes_alloc;
	uint16_t type;	       /* enum class_type */
	uint16_t kmalloc_type; /* enum kmalloc_type or KMALLOC_MAYBE_CGROUP */
};

struct class
{
	struct class_key key;
	uint32_t open;	/* twins: the open class beside it */
	uint32_t guess; /* open classes: where the last object of it went, itself or a twin */
	uint32_t match; /* index into trace_options.match, + 1; 0: none applies */
	uint64_t allocs, frees, shrinks, adopted;
	uint64_t line; /* of the first event */

	/* Filled in by naming_decide(). */
	uint32_t name; /* of its cache, interned */
	uint16_t cache;
	uint8_t how; /* enum note: what told the cache */
};

struct classes {
	struct class *class;
	uint32_t n, cap;
	uint32_t *slot; /* number + 1; 2^bits of them, at most half used */
	unsigned bits;
	struct intern *strings; /* borrowed */
	const struct trace_options *opt;
	const struct told_cache *told; /* what the trace's header tells of caches; borrowed */
	unsigned nr_told;
};

int classes_init(struct classes *cl, struct intern *strings, const struct trace_options *opt);
void classes_free(struct classes *cl);

/* The class of an allocation, or of a shrink; CLASS_FAILED when out of memory. */
uint32_t classes_of(struct classes *cl, const struct record *rec);
/* The twin of an open class for objects whose free names this cache. */
uint32_t classes_twin(struct classes *cl, uint32_t open, uint32_t name);

/* The class of objects from before the trace whose free names this cache. */
uint32_t classes_adopted(struct classes *cl, uint32_t name, uint64_t line);

/* Nothing but a free, or other allocations, can tell what cache it is. */
static inline bool class_is_open(const struct class *c)
{
	return c->key.type == CLASS_CACHE && c->key.name == INTERN_EMPTY && !c->match;
}

/* The length of the function's name in a call site "function+0x12". */
size_t call_site_function_len(const char *call_site);
/* Is it a bare address, as kernels before 5.4 print? */
bool call_site_is_address(const char *call_site);

/*
 * Which of n matches is for objects of this size from this call site? Its index, or -1. Size -1:
 * it may be any.
 */
int trace_match_find(const struct trace_match *match, unsigned n, const char *site, int64_t size);

#endif
