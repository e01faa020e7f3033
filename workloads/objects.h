/*
 * The objects that are allocated right now, by address. Each has an id; ids are dense and used
 * again, so that memory follows the peak of live objects, not the length of the trace.
 */
#ifndef SLABSIM_OBJECTS_H
#define SLABSIM_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBJECT_NONE UINT32_MAX

struct object {
	uint64_t event; /* number of its allocation among the events */
	uint32_t class;
};

struct object_slot {
	uint64_t ptr;
	uint32_t id; /* + 1; 0: the slot is free */
};

struct objects {
	struct object_slot *slot; /* 2^bits, at most half used */
	unsigned bits;
	uint32_t live;
	struct object *object; /* by id */
	uint32_t *free_ids;
	uint32_t nr_free, ids, cap; /* ids: handed out so far at once, the peak */
};

/* 0, or -1 when out of memory. */
int objects_init(struct objects *o);
void objects_free(struct objects *o);

/*
 * The id of the object at ptr, a new one when there is none; OBJECT_NONE when out of memory.
 * *was_live tells which.
 */
uint32_t objects_put(struct objects *o, uint64_t ptr, bool *was_live);
/* The id of the object at ptr, which is live no longer; OBJECT_NONE when there is none. */
uint32_t objects_take(struct objects *o, uint64_t ptr);

/* The object at ptr will be asked for soon. */
void objects_prefetch(const struct objects *o, uint64_t ptr);

#endif
