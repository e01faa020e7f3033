/*
 * Policies: what the mailing-list threads fought over, one axis per question, one file under
 * policies/ per answer. A file ends in its ops struct and POLICY(ops); nothing else names it.
 * The engine reaches a policy only through its axis, and only on slow paths.
 */
#ifndef SLABSIM_POLICY_H
#define SLABSIM_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/event.h"
#include "sim/stat.h"

struct cache;
struct cpu_cache;
struct cache_state;

enum policy_axis {
	AXIS_ALLOCATOR,
	AXIS_ORDER,
	AXIS_PARTIAL_ACCOUNTING,
	AXIS_CPU_PARTIAL,
	AXIS_CPU_PARTIAL_FULL,
	AXIS_REFILL,
	AXIS_MIN_PARTIAL,
	AXIS_EMPTY_SLAB,
	AXIS_COUNT_PARTIAL,
	NR_AXES
};

/* The axis's key under "policy" in a config, e.g. "partial_accounting"; and what it decides. */
const char *axis_name(enum policy_axis axis);
const char *axis_help(enum policy_axis axis);

/* Raised when a struct below changes, so that a plugin built for another version is refused. */
#define POLICY_ABI 3

/*
 * First member of every ops struct. In a config a policy is written by its name; one that takes
 * a number and a base is written {"NAME": NUMBER, "of": BASE}; and the one policy of an axis
 * with plain_number is also written as the number alone ("cpu_partial": 52).
 */
struct policy {
	unsigned abi; /* POLICY_ABI */
	enum policy_axis axis;
	const char *name;
	const char *summary; /* one line: the rule, the kernels that had it, the source */
	bool takes_number;
	bool plain_number;
	bool takes_fraction; /* the number may be a fraction: it is kept in 1/POLICY_UNIT */
	bool takes_base;     /* of the same axis */
	int64_t min, max;    /* of the number, as it is written */
};

#define POLICY_UNIT 1000000

/* A policy with its parameters, as a config chose it. */
struct policy_choice {
	const struct policy *policy;
	int64_t number; /* in 1/POLICY_UNIT when the policy takes_fraction */
	const struct policy *of;
};

/*
 * Register an ops struct: a pointer to it goes into a section of its own, which the program (or
 * a plugin) walks at start. Put it at the end of the file. A plugin is such a file, compiled
 * on its own: cc -shared -fPIC -I DIRECTORY_ABOVE_sim -o NAME.so NAME.c
 */
#define POLICY(ops)                                                                                \
	static const struct policy *const policy_##ops                                             \
	    __attribute__((used, section("slabsim_policies"))) = &(ops).policy

/* A preset: a kernel version's (or a patch's) answer on every axis. */
struct preset_setting {
	enum policy_axis axis;
	const char *policy;
};

struct preset {
	const char *name;
	const char *summary;
	const struct preset_setting *settings;
	unsigned nr_settings;
};

#define PRESET(p)                                                                                  \
	static const struct preset *const preset_##p                                               \
	    __attribute__((used, section("slabsim_presets"))) = &(p)

/* The two sections of one program or plugin. They may hold NULLs (sanitizers pad them). */
struct policy_sections {
	const struct policy *const *policies, *const *policies_end;
	const struct preset *const *presets, *const *presets_end;
};

/* Made by the linker; hidden, so that each module sees its own, and weak: it may have none. */
#define SECTION_BOUND __attribute__((weak, visibility("hidden")))
extern const struct policy *const __start_slabsim_policies[] SECTION_BOUND;
extern const struct policy *const __stop_slabsim_policies[] SECTION_BOUND;
extern const struct preset *const __start_slabsim_presets[] SECTION_BOUND;
extern const struct preset *const __stop_slabsim_presets[] SECTION_BOUND;
#undef SECTION_BOUND

/* The sections of the module this is compiled into. */
static inline void policy_sections(struct policy_sections *s)
{
	s->policies = __start_slabsim_policies;
	s->policies_end = __stop_slabsim_policies;
	s->presets = __start_slabsim_presets;
	s->presets_end = __stop_slabsim_presets;
}

#if defined(__PIC__) && !defined(__PIE__)
/* How the program finds the sections of a plugin: policies_load_plugin() calls it by name. */
void slabsim_plugin(struct policy_sections *s);
__attribute__((weak, visibility("default"))) void slabsim_plugin(struct policy_sections *s)
{
	policy_sections(s);
}
#endif

/*
 * Every registered policy has the right abi, a name, its axis's functions, and no twin; -1 and
 * err when not. Call once, before the look-ups below.
 */
int policies_init(struct error *err);
/*
 * Load FILE.so and register what is in it; -1 and err when it cannot be used. Loading it again
 * changes nothing. Not to be called once threads use the look-ups.
 */
int policies_load_plugin(const char *file, struct error *err);

/* NULL when there is none of that name. */
const struct policy *policy_find(enum policy_axis axis, const char *name);
/* The axis's policy with plain_number, or NULL. */
const struct policy *policy_plain_number(enum policy_axis axis);
const struct preset *preset_find(const char *name);
/* In order of axis and name, versions as numbers (6.7, 6.12); NULL behind the last. */
const struct policy *policy_nth(size_t i);
const struct preset *preset_nth(size_t i);

/* ---- the axes ---- */

/*
 * allocator: which layers sit above the node lists, and what the calls count (facts 2-5). A
 * replay function applies events in order to caches[event.cache]; it is instantiated from the
 * shared mechanics (sim/cpu_slab.h, sim/sheaf.h) so that the fast paths contain no call.
 */
struct allocator_ops {
	struct policy policy;
	const struct stat_list *stats;
	bool has_cpu_slabs; /* a cpu slab and a per-CPU partial list under each CPU */
	bool has_sheaves;
	bool delayed_freezing; /* slabs on a CPU's partial list are not frozen (6.8+) */
	/* Sheaf capacity for a cache of this size, given what its creator asked for (facts 5.2). */
	unsigned (*sheaf_capacity)(const struct cache *c, unsigned requested);
	int (*replay)(struct cache *caches, const struct event *ev, size_t n, struct error *err);
	/* The same results, for random events: see generation_random(). NULL: there is no such. */
	int (*replay_random)(struct cache *caches, const struct event *ev, size_t n,
			     struct error *err);
	/* The same with generation_timed(): operations take time. */
	int (*replay_timed)(struct cache *caches, const struct event *ev, size_t n,
			    struct error *err);
	/* Are the flow identities (facts 3.7, 5.10) true of c? -1 and err: which one is not. */
	int (*check)(const struct cache *c, struct error *err);
};

/* order: calculate_order() (facts 1.4-1.6). */
struct order_input {
	unsigned size;	    /* s->size in bytes */
	unsigned page_size; /* bytes */
	unsigned nr_cpus;
	int slub_min_order; /* boot parameters; -1: not given, the rule's own default holds */
	int slub_max_order;
	int slub_min_objects;
	int64_t number; /* a fixed order */
};

struct order_ops {
	struct policy policy;
	/* The order, or -1 when no order holds an object of that size. */
	int (*order)(const struct order_input *in);
	bool ignores_limits; /* it looks at none of slub_min_order, _max_order and _min_objects */
};

/* cpu_partial: the default limit of the per-CPU partial list, in objects (facts 2.2). */
struct cpu_partial_input {
	unsigned size;
	unsigned page_size;
	unsigned nr_cpus;
	struct policy_choice choice;
};

struct cpu_partial_ops {
	struct policy policy;
	unsigned (*nr_objects)(const struct cpu_partial_input *in);
};

/* partial_accounting: what the limit counts (facts 2.3, 2.4). */
struct partial_accounting_ops {
	struct policy policy;
	const char *refill; /* the refill rule that goes with it when the config names none */
	bool counts_slabs;  /* sysfs slabs_cpu_partial then estimates objects from slabs */
	/*
	 * So many slabs with one free object each the list of cpu takes before it has reached the
	 * limit; it has with 0 or less. The answer for an empty one is ignored. Asked seldom: a
	 * slab that is put takes one away, one that leaves gives one back or more.
	 */
	int64_t (*room)(const struct cache *c, const struct cpu_cache *cpu);
	/* For a rule of another kind, instead: has it reached the limit? Asked every time. */
	bool (*full)(const struct cache *c, const struct cpu_cache *cpu);
};

/* cpu_partial_full: what becomes of a slab that meets a full per-CPU list (facts 2.4, 2.5). */
enum cpu_partial_put {
	PUT_ADD,	   /* onto the list */
	PUT_DRAIN_AND_ADD, /* the whole list goes to the nodes, the slab starts a new one */
	PUT_REFUSE,	   /* the slab goes to (free) or stays on (refill) its node's list */
};

struct cpu_partial_full_ops {
	struct policy policy;
	enum cpu_partial_put (*put)(bool full, bool from_free);
	/* A refill goes on until put() refuses, whatever AXIS_REFILL says. */
	bool refill_until_refused;
};

/* refill: how much get_partial_node() takes (facts 3.2 step 3). */
struct refill_progress {
	unsigned taken;	    /* slabs so far, the one that becomes the cpu slab included */
	unsigned available; /* their free objects when taken */
	unsigned pobjects;  /* of the CPU's partial list now */
};

struct refill_ops {
	struct policy policy;
	/* 6.10+: with a preferred node, first that node only, then any (facts 3.1). */
	bool thisnode_retry;
	/* Asked after each slab of a cache that has per-CPU partial lists. */
	bool (*enough)(const struct cache *c, const struct refill_progress *p);
};

/* min_partial: how many slabs a node keeps on its list even if empty (facts 1.7). */
struct min_partial_ops {
	struct policy policy;
	unsigned (*min_partial)(unsigned size, int64_t number);
};

/* empty_slab: is a slab that has become empty given back? (facts 2.5) */
enum empty_slab_where { EMPTY_AT_DEACTIVATE, EMPTY_AT_DRAIN, EMPTY_AT_FREE };

struct empty_slab_ops {
	struct policy policy;
	bool (*discard)(unsigned nr_partial, unsigned min_partial, enum empty_slab_where where);
};

/* count_partial: how the free objects on a node list are counted for readers (facts 6). */
struct count_partial_ops {
	struct policy policy;
	bool keeps_counters; /* every slow-path free pays to keep the count */
	/* How many slabs a reader looks at, list_lock held; 0: it only adds counters up. */
	uint64_t (*scanned)(uint64_t nr_partial);
	uint64_t (*free_objects)(const struct cache *c, unsigned node);
};

/* Everything a run chose. */
struct policy_set {
	struct policy_choice choice[NR_AXES];
	int slub_min_order;	      /* -1: not given */
	int slub_max_order;	      /* -1: not given */
	int slub_min_objects;	      /* -1: not given */
	int remote_node_defrag_ratio; /* 0..100 as in sysfs; DEFRAG_RATIO_ALWAYS */
};

#define DEFRAG_RATIO_ALWAYS  101
#define DEFRAG_RATIO_DEFAULT 100

#endif
