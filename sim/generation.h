/*
 * What one kernel generation does differently from the next, as constants. The mechanics
 * (cpu_slab.h, sheaf.h) are written once and take these by value; every allocator instantiates
 * them with its own, so a test of a rule costs nothing when it runs.
 */
#ifndef SLABSIM_GENERATION_H
#define SLABSIM_GENERATION_H

#include <stdbool.h>

struct generation {
	/* 6.8+: slabs on a CPU's partial list are not frozen, and PL's head becomes C at once. */
	bool delayed_freezing;
	/* 6.8+: bulk calls count objects on the fast paths (commit 6f3dd2c31d7d), facts 4.3, 4.4.
	 */
	bool bulk_counts_objects;
	/* 6.18: sheaves lie above cpu slabs (facts 5.11), not straight above the node lists. */
	bool sheaves_above_cpu_slabs;
	/* Operations take time (timing.h): the timed machine's instance of the mechanics. */
	bool timed;
	/* Nothing branches on whether a free meets a full slab: for random events (order mode). */
	bool random;
};

/* The same generation for random events, in the timed machine, and in order mode. */
static inline struct generation generation_random(struct generation gen)
{
	gen.random = true;
	return gen;
}

static inline struct generation generation_timed(struct generation gen)
{
	gen.timed = true;
	return gen;
}

static inline struct generation generation_order(struct generation gen)
{
	gen.timed = false;
	return gen;
}

/*
 * Make NAME() of NAME_inline(): a path taken seldom, kept out of the replay loop. It is compiled
 * once for order mode and once for the timed machine, with all it calls, so that gen.timed is a
 * constant there too. params are those in front of gen, in brackets; then come their names.
 */
#define OUT_OF_LINE(type, name, params, ...)                                                       \
	static __attribute__((noinline, flatten, unused))                                          \
	type name##_order(UNBRACKETED params, const struct generation gen)                         \
	{                                                                                          \
		return name##_inline(__VA_ARGS__, generation_order(gen));                          \
	}                                                                                          \
	static __attribute__((noinline, flatten, unused))                                          \
	type name##_timed(UNBRACKETED params, const struct generation gen)                         \
	{                                                                                          \
		return name##_inline(__VA_ARGS__, generation_timed(gen));                          \
	}                                                                                          \
	static inline __attribute__((always_inline)) type name(UNBRACKETED params,                 \
							       const struct generation gen)        \
	{                                                                                          \
		return gen.timed ? name##_timed(__VA_ARGS__, gen)                                  \
				 : name##_order(__VA_ARGS__, gen);                                 \
	}
#define UNBRACKETED(...) __VA_ARGS__

#endif
