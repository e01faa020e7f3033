/*
 * Order-mode replay on several threads: caches share nothing, so each belongs to one thread, and
 * the events of a cache are replayed in their order. The results are those of one thread.
 */
#ifndef SLABSIM_TEAM_H
#define SLABSIM_TEAM_H

#include "sim/cache.h"
#include "sim/result/results.h"

struct team;

/*
 * Called between two events of a cache, by the thread it belongs to, with a point as it stands but
 * for what is to be read from the cache. 0, or -1 and err.
 */
typedef int (*team_point)(void *arg, unsigned cache, const struct series_point *p,
			  struct error *err);

/*
 * So many threads for caches[0..n); weight[i] is how many events are expected of cache i, all
 * alike when every one is 0. NULL and err when there is no memory, or no thread can be started.
 */
struct team *team_new(unsigned threads, struct cache *caches, const uint64_t *weight, unsigned n,
		      const struct allocator_ops *allocator, team_point point, void *arg,
		      struct error *err);
void team_free(struct team *t);

/* Events to be replayed; they are copied, and may be replayed later. 0, or -1 and err. */
int team_replay(struct team *t, const struct event *ev, size_t n, struct error *err);
/* Call point() for every cache, when the events so far are replayed. 0, or -1 and err. */
int team_add_points(struct team *t, const struct series_point *p, struct error *err);
/* Wait until all events so far are replayed. 0, or -1 and err, one of a replay's included. */
int team_wait(struct team *t, struct error *err);

#endif
