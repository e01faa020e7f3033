/*
 * A cache and its slabs while a run lasts. Which object of a slab is handed out never matters
 * to a counter, so a slab holds counts, and an object is just "lives in slab S".
 */
#ifndef SLABSIM_CACHE_H
#define SLABSIM_CACHE_H

#include "sim/machine.h"
#include "sim/policy.h"

#include <gsl/gsl_rng.h>

/* Slabs are named by their index in their cache's arena. */
#define SLAB_NONE UINT32_MAX

enum slab_place {
	SLAB_NOWHERE, /* full and on no list, a cpu slab, or on some CPU's partial list */
	SLAB_ON_NODE, /* on its node's partial list */
	SLAB_UNUSED,  /* a free arena entry */
};

#define SLAB_FROZEN (1u << 31) /* in counters */

struct slab {
	uint32_t next; /* in the arena's free list, or among those just taken off a list */
	uint32_t at;   /* its place on a node's list (node_list.h) */
	/* The kernel's word of three: hot paths load and store it whole. */
	union {
		uint32_t counters;
		struct {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
			uint32_t inuse : 16, objects : 15, frozen : 1;
#else
			uint32_t frozen : 1, objects : 15, inuse : 16;
#endif
		};
	};
	uint16_t node;
	uint16_t place; /* enum slab_place */
};

/* The parts of a slab's counters. */
static inline uint32_t counters_inuse(uint32_t counters)
{
	return counters & 0xffff;
}

static inline uint32_t counters_objects(uint32_t counters)
{
	return counters >> 16 & 0x7fff;
}

/* On a CPU's partial list (cpu_partial.h). */
struct parked_slab {
	uint32_t slab;
	uint32_t pobjects; /* free ones of it and of those below, each counted when it was put */
};

/* kmem_cache_cpu and, with sheaves, slub_percpu_sheaves; and the CPU's share of the counters. */
struct cpu_cache {
	uint32_t slab; /* C: the cpu slab, or SLAB_NONE */
	uint32_t free; /* |F|: objects on the lockless freelist */
	/* PL: the head of the per-CPU partial list (cpu_partial.h). */
	struct parked_slab *partial_head;
	/* While it is not above this one, a slab can be put there at its first free unasked. */
	struct parked_slab *partial_room;
	struct sheaf *main;
	uint32_t node;	      /* the CPU's memory node */
	uint32_t partial_cap; /* places of PL */
	uint64_t stat[NR_STAT_ITEMS];
	struct sheaf *spare;
	struct sheaf *rcu_free;
	struct parked_slab *partial;	   /* below the tail of PL */
	struct parked_slab own_partial[8]; /* PL, while it is short */
	uint64_t pad[5];		   /* to 512 bytes */
} __attribute__((aligned(64)));

/* kmem_cache_node. */
struct node_cache {
	/* NL, the partial list: ring[head] to ring[tail - 1], all modulo ring_size (node_list.h).
	 */
	uint32_t *ring;
	uint32_t head, tail, ring_size;
	uint32_t nr_partial;
	uint32_t slabs; /* nr_slabs: all slabs of the node, wherever they are */
	uint64_t total_objects;
	struct barn *barn;
};

/* What the flow identities compare with: the state the counters started from. */
struct cache_baseline {
	uint64_t slabs, partial, full;
	uint64_t cpu_slabs;	    /* CPUs with a cpu slab */
	uint64_t slabs_cpu_partial; /* on per-CPU partial lists */
	uint64_t live;
	uint64_t sheaf_objects, full_sheaves;
};

/* Slabs that hold objects which were live before the replay began. */
struct adoptable {
	uint32_t slab;
	uint32_t live; /* objects nobody has named yet */
};

struct adoption {
	struct adoptable *slabs;
	uint32_t n, cap;
	uint32_t next; /* whose turn it is */
};

struct cache {
	/* What every event looks at: one line of the cache, of this one alone. */
	struct cpu_cache *cpu; /* [cpus] */
	struct slab *slab;     /* the arena */
	uint32_t *slab_of;     /* by object id: the slab it lives in */
	uint32_t cap_object;
	unsigned sheaf_capacity;
	uint64_t allocs, frees;	 /* objects, each operation counted whatever path it took */
	struct node_cache *node; /* [nodes] */
	bool one_node;		 /* has the machine: every slab is local */

	const struct machine *machine;

	const char *name; /* borrowed from the engine */

	/* geometry, facts 1 */
	unsigned object_size, size, align;
	unsigned order, objects;	 /* s->oo */
	unsigned min_order, min_objects; /* s->min: the layout after an order fallback */
	unsigned min_partial;
	unsigned cpu_partial;	    /* limit in objects */
	unsigned cpu_partial_slabs; /* limit in slabs, where slabs are counted */
	bool has_cpu_partial;
	int remote_node_defrag_ratio;
	gsl_rng *random; /* for the defrag-ratio test, seeded; NULL on one node */

	/* full->put() for a full list or not, from a free or not. */
	uint8_t cpu_partial_put[2][2];
	const struct allocator_ops *allocator;
	const struct partial_accounting_ops *accounting;
	const struct cpu_partial_full_ops *full;
	const struct refill_ops *refill;
	const struct empty_slab_ops *empty_slab;
	const struct count_partial_ops *count_partial;

	struct pages *pages; /* shared by all caches; NULL: memory without end */

	uint32_t *block;  /* with pages: the block of pages each slab has */
	uint32_t nr_slab; /* entries in use or on the free list */
	uint32_t cap_slab;
	uint32_t free_slab; /* head of the arena's free list */

	/* The bulk call being collected (facts 4.3, 4.4). */
	uint32_t *bulk_object; /* its object ids */
	uint32_t *bulk_slab;   /* and the slabs they come from or go to */
	uint32_t nr_bulk, cap_bulk;

	struct timing *timing;	/* NULL in order mode, as the next three */
	struct lock *list_lock; /* [nodes] */
	struct lock *barn_lock; /* [nodes] */
	uint16_t *line_owner;	/* by slab: the CPU whose cache has its struct page */

	struct sheaf *free_sheaves; /* sheaf structs to be used again */

	uint64_t nr_slabs; /* now, all nodes */
	uint64_t bytes;	   /* memory of those slabs */
	uint64_t peak_bytes;
	bool bulk_used;
	struct adoption adoption;
	struct cache_baseline base;
	bool shrunk;		     /* a shrink happened: its frees are not counted (facts 4.2) */
	uint64_t lost_frees;	     /* objects the error of facts 5.7 leaves in use for ever */
	uint64_t uncounted_discards; /* slabs given back as in facts 5.4 step 3 */
	uint64_t unwound;	     /* objects a failed bulk allocation got and freed again */
	uint64_t failed;	     /* slow paths that found no memory */
	bool out_of_memory;	     /* the simulator's own */
} __attribute__((aligned(64)));

/* Both are found by index with each event: by a shift, when their sizes are powers of two. */
_Static_assert(sizeof(struct cpu_cache) == 512, "give struct cpu_cache another pad");
_Static_assert(sizeof(struct cache) == 512, "give struct cache a pad");

/* What sysfs would say of the cache now (facts 6), and where its memory is. */
struct cache_state {
	uint64_t slabs, total_objects, objects, partial, objects_partial;
	uint64_t cpu_slabs;
	uint64_t slabs_cpu_partial, objects_cpu_partial;
	uint64_t sheaf_objects; /* free objects parked in sheaves and barns */
	uint64_t live;		/* objects the workload holds */
	uint64_t active_objs;	/* /proc/slabinfo's figure, by the count_partial policy */
	uint64_t memory_total, memory_used, peak_total, waste_tail, waste_align, memory_free;
};

/*
 * Set up the tables of a cache whose geometry and policies are filled in and whose other members
 * are zero. seed is that of the defrag-ratio test.
 */
int cache_init(struct cache *c, const struct machine *m, uint64_t seed, struct error *err);
void cache_free(struct cache *c);

/* Slabs on all node lists; objects the workload holds. */
uint64_t cache_partial(const struct cache *c);
uint64_t cache_live(const struct cache *c);
uint64_t cache_stat(const struct cache *c, enum stat_item item);
/* Objects in sheaves and barns. */
uint64_t cache_sheaf_objects(const struct cache *c);
/* Free objects of the slabs on a node's list: count_partial(), counted one by one (facts 6). */
uint64_t cache_walk_free_objects(const struct cache *c, unsigned node);
void cache_read_state(const struct cache *c, struct cache_state *st);

#endif
