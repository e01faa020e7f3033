/* One cache of a small machine, its slabs, lists and sheaves placed by hand. */
#ifndef SLABSIM_TESTS_CACHE_FIXTURE_H
#define SLABSIM_TESTS_CACHE_FIXTURE_H

#include "sim/cache.h"
#include "sim/config/config.h"

struct sheaf;

struct cache_fixture {
	struct config cfg;
	struct machine machine;
	struct cache c;
	uint64_t seen[NR_STAT_ITEMS]; /* the counters at the last check_stats() */
};

/*
 * Read the settings (as of --set, NULL behind the last; caches[0] is the cache) and lay the cache
 * out. Between this and fixture_start() a test may change the layout. Fails the test on errors.
 */
void fixture_lay_out(struct cache_fixture *f, const char *const *settings);
void fixture_start(struct cache_fixture *f);
/* Both. */
void fixture_new(struct cache_fixture *f, const char *const *settings);
void fixture_free(struct cache_fixture *f);

/*
 * A slab of node with inuse objects in use, uncounted: at the tail of the node's list when some
 * are free, on no list when none is. Returns its index.
 */
uint32_t fixture_slab(struct cache_fixture *f, unsigned node, unsigned inuse);
/* Push count objects of a slab on a sheaf. They count as in use already. */
void fixture_push(struct sheaf *sheaf, uint32_t slab, unsigned count);
/* A new sheaf with count objects of slab. */
struct sheaf *fixture_sheaf(struct cache_fixture *f, uint32_t slab, unsigned count);

/*
 * What was counted on all CPUs since the last call, in the order of enum stat_item:
 * "alloc_fastpath 3 alloc_slab 1"; "" for nothing at all.
 */
#define check_stats(f, want) check_stats_at(f, want, __FILE__, __LINE__)
void check_stats_at(struct cache_fixture *f, const char *want, const char *file, int line);
/* The node's list from its head, each slab with its free objects: "0:10 2:3". */
#define check_list(f, node, want) check_list_at(f, node, want, __FILE__, __LINE__)
void check_list_at(struct cache_fixture *f, unsigned node, const char *want, const char *file,
		   int line);
/* The CPU's partial list likewise. */
#define check_cpu_list(f, cpu, want) check_cpu_list_at(f, cpu, want, __FILE__, __LINE__)
void check_cpu_list_at(struct cache_fixture *f, unsigned cpu, const char *want, const char *file,
		       int line);
/* A sheaf from bottom to top, runs of the same slab: "2*30 1*29"; "none" when it is absent. */
#define check_sheaf(sheaf, want) check_sheaf_at(sheaf, want, __FILE__, __LINE__)
void check_sheaf_at(const struct sheaf *sheaf, const char *want, const char *file, int line);
/* The full sheaves of a node's barn from the head, "0*4 | 1*4", and how many empty ones. */
#define check_barn(f, node, full, empty) check_barn_at(f, node, full, empty, __FILE__, __LINE__)
void check_barn_at(struct cache_fixture *f, unsigned node, const char *full, unsigned empty,
		   const char *file, int line);

#endif
