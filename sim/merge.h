/*
 * Slab merging: which caches share one set of slabs, as find_mergeable() has it (facts 1.3), and
 * the events of merged caches. Grouping knows nothing of the engine.
 */
#ifndef SLABSIM_MERGE_H
#define SLABSIM_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/event.h"

/* SLAB_MERGE_SAME: caches that differ in one of these do not merge. */
enum merge_flags {
	MERGE_ACCOUNT = 1 << 0,		/* SLAB_ACCOUNT */
	MERGE_RECLAIM_ACCOUNT = 1 << 1, /* SLAB_RECLAIM_ACCOUNT */
};

struct merge_candidate {
	const char *name;
	unsigned size, align; /* s->size and s->align */
	unsigned flags;	      /* enum merge_flags */
	/* Has a constructor, SLAB_TYPESAFE_BY_RCU, SLAB_NO_MERGE or a sheaf capacity of its own. */
	bool never;
};

struct merge_member {
	uint16_t into;	  /* the cache whose slabs it uses: its own index when that is itself */
	uint16_t place;	  /* 0 for that one, 1, 2, ... for those that joined it */
	uint16_t members; /* of into's group; 1: nothing merged */
};

/*
 * Fill member[i] for each of n caches. They are taken as created in the order given, but kmalloc
 * caches, known by their names, before all others; a normal kmalloc cache merges with none, a
 * kmalloc-cg-* and a kmalloc-rcl-* one have the flag their name says. Returns how many caches
 * became part of another.
 */
unsigned merge_plan(struct merge_member *member, const struct merge_candidate *c, unsigned n);

/*
 * Rewrite events to the caches they merge into. Object ids, which are dense in each cache, stay
 * dense: id * members + place. 0, or -1 and err: the objects of a group have no ids left.
 */
int merge_events(const struct merge_member *member, struct event *ev, size_t n, struct error *err);

#endif
