/*
 * Time, in the timed machine: the clock of the operation that is going on, locks with queues,
 * cache lines with owners, and where the time went. Time is in picoseconds, an integer.
 *
 * The mechanics call the functions at the end wherever something costs time; with gen.timed
 * false, as in order mode, they compile to nothing.
 */
#ifndef SLABSIM_TIMING_H
#define SLABSIM_TIMING_H

#include "sim/cache.h"
#include "sim/cost.h"
#include "sim/generation.h"

/* Which way an operation went; the last one it came to names it. */
#define PATH_ITEMS(X)                                                                              \
	X(PATH_NONE, "none")                                                                       \
	X(PATH_ALLOC_FASTPATH, "alloc_fastpath")                                                   \
	X(PATH_ALLOC_REFILL, "alloc_refill")                                                       \
	X(PATH_ALLOC_CPU_PARTIAL, "alloc_cpu_partial")                                             \
	X(PATH_ALLOC_FROM_PARTIAL, "alloc_from_partial")                                           \
	X(PATH_ALLOC_BARN, "alloc_barn")                                                           \
	X(PATH_ALLOC_SHEAF_REFILL, "alloc_sheaf_refill")                                           \
	X(PATH_ALLOC_SLAB, "alloc_slab")                                                           \
	X(PATH_FREE_FASTPATH, "free_fastpath")                                                     \
	X(PATH_FREE_SLOWPATH, "free_slowpath")                                                     \
	X(PATH_FREE_FROZEN, "free_frozen")                                                         \
	X(PATH_FREE_CPU_PARTIAL, "free_cpu_partial")                                               \
	X(PATH_FREE_DRAIN, "free_drain")                                                           \
	X(PATH_FREE_NODE_PARTIAL, "free_node_partial")                                             \
	X(PATH_FREE_SLAB, "free_slab")                                                             \
	X(PATH_FREE_BARN, "free_barn")                                                             \
	X(PATH_FREE_SHEAF_FLUSH, "free_sheaf_flush")                                               \
	X(PATH_SHRINK, "shrink")                                                                   \
	X(PATH_READ, "read_slabinfo")

enum path {
#define X(item, name) item,
	PATH_ITEMS(X)
#undef X
	    NR_PATHS
};

const char *path_name(enum path path);

/*
 * Durations are counted in log-linear bins: 2^HIST_SUB_BITS to each power of two, so a quantile
 * is off by at most 1 part in 2^HIST_SUB_BITS (3.2 %).
 */
#define HIST_SUB_BITS 5
#define HIST_BINS     ((64 - HIST_SUB_BITS + 1) << HIST_SUB_BITS)

struct histogram {
	uint64_t count, sum, max;
	uint64_t bin[HIST_BINS];
};

/* The bin that counts value. */
static inline unsigned histogram_bin(uint64_t value)
{
	unsigned shift;

	if (value < (1u << HIST_SUB_BITS))
		return (unsigned)value;
	shift = 63 - (unsigned)__builtin_clzll(value) - HIST_SUB_BITS;
	return (shift << HIST_SUB_BITS) + (unsigned)(value >> shift);
}

static inline void histogram_add(struct histogram *h, uint64_t value)
{
	h->count++;
	h->sum += value;
	if (value > h->max)
		h->max = value;
	h->bin[histogram_bin(value)]++;
}

void histogram_merge(struct histogram *to, const struct histogram *from);
/* The largest value that a bin counts. */
uint64_t histogram_bin_end(unsigned bin);
/* The value below which a share of q (0..1) lies: the upper end of its bin; 0 when empty. */
uint64_t histogram_quantile(const struct histogram *h, double q);

/*
 * A spinlock, served first come, first served. An operation is run to its end when it starts, so
 * it may ask for a lock at a later time than an operation that starts after it will. The lock
 * remembers when nobody had it: an earlier request is served then, piece by piece where a gap is
 * too short for it, and behind the queue with what is left. So no two holds overlap, the lock is
 * never idle while somebody waits for it, and mean waits are those of a queue in order of the
 * requests; of two that meet like this, the wait of the one is too long, the other's too short.
 */
#define LOCK_GAPS 16

struct lock_gap {
	uint64_t from, to; /* nobody has the lock */
};

struct lock {
	uint64_t free_at; /* when the last of its queue lets go */
	unsigned nr_gaps; /* before that, by time; those no request can come to are forgotten */
	struct lock_gap gap[LOCK_GAPS];
	uint64_t asked_at, taken_at;
	uint64_t acquisitions, contended;
	uint64_t wait, wait_max; /* waiting for it */
	uint64_t hold, hold_max; /* from taking it to letting go */
	uint16_t owner;		 /* the CPU whose cache has its line */
};

struct timing {
	uint64_t now;	 /* the clock of the operation going on */
	uint64_t began;	 /* when it began: none that is still to come begins earlier */
	uint64_t waited; /* what it has waited for locks so far */
	unsigned cpu;	 /* whose operation it is */
	enum path path;
	uint64_t cost[NR_COST_ITEMS]; /* ps */
	uint64_t page_cost[2][16];    /* getting and giving back, by order */
	const struct machine *machine;
	unsigned cpus_per_complex; /* CPUs that share a cache; 0: all of a node */

	uint64_t spent[NR_COST_ITEMS]; /* by cause */
	uint64_t lock_wait;
	uint64_t transfers[3]; /* cache lines moved within a complex, a node, from another node */
	struct histogram *path_time; /* [NR_PATHS] */
};

/*
 * Set up the clock of a machine; cost is in ps. -1 and err: out of memory. The locks and cache
 * line owners of a cache are its own (timing_init_cache).
 */
int timing_init(struct timing *t, const struct machine *m, const uint64_t cost[NR_COST_ITEMS],
		unsigned cpus_per_complex, struct error *err);
void timing_free(struct timing *t);
int timing_init_cache(struct cache *c, struct timing *t, struct error *err);
void timing_free_cache(struct cache *c);

/* An operation of cpu begins; ends, its duration counted under the path it took. */
static inline void timing_begin(struct timing *t, unsigned cpu, uint64_t now)
{
	t->now = now;
	t->began = now;
	t->cpu = cpu;
	t->waited = 0;
	t->path = PATH_NONE;
}

static inline void timing_end(struct timing *t, uint64_t began)
{
	histogram_add(&t->path_time[t->path], t->now - began);
}

static inline void timing_charge(struct timing *t, enum cost_item what, uint64_t times)
{
	uint64_t ps = t->cost[what] * times;

	t->now += ps;
	t->spent[what] += ps;
}

/* The line comes from the CPU owner, another than the operation's; so many times. */
void timing_fetch_line(struct timing *t, uint16_t *owner, unsigned times);

/* The cost of a cache line last used by the CPU owner, which is the operation's CPU's then. */
static inline void timing_move_line(struct timing *t, uint16_t *owner)
{
	if (*owner != t->cpu)
		timing_fetch_line(t, owner, 1);
}

void timing_lock(struct timing *t, struct lock *lock);
/* May move the clock on, and the hold with it: when others had the lock meanwhile. */
void timing_unlock(struct timing *t, struct lock *lock);
void timing_pages(struct timing *t, unsigned order, bool back);

/* ---- what the mechanics call ---- */

static inline void charge(const struct cache *c, enum cost_item what, const struct generation gen)
{
	if (gen.timed)
		timing_charge(c->timing, what, 1);
}

static inline void charge_times(const struct cache *c, enum cost_item what, uint64_t times,
				const struct generation gen)
{
	if (gen.timed)
		timing_charge(c->timing, what, times);
}

static inline void take_path(const struct cache *c, enum path path, const struct generation gen)
{
	if (gen.timed)
		c->timing->path = path;
}

/* The slab's struct page is read and changed. */
static inline void touch_slab(struct cache *c, uint32_t s, const struct generation gen)
{
	if (gen.timed)
		timing_move_line(c->timing, &c->line_owner[s]);
}

static inline void lock_list(struct cache *c, unsigned node, const struct generation gen)
{
	if (gen.timed)
		timing_lock(c->timing, &c->list_lock[node]);
}

static inline void unlock_list(struct cache *c, unsigned node, const struct generation gen)
{
	if (gen.timed)
		timing_unlock(c->timing, &c->list_lock[node]);
}

static inline void lock_barn(struct cache *c, unsigned node, const struct generation gen)
{
	if (gen.timed)
		timing_lock(c->timing, &c->barn_lock[node]);
}

static inline void unlock_barn(struct cache *c, unsigned node, const struct generation gen)
{
	if (gen.timed)
		timing_unlock(c->timing, &c->barn_lock[node]);
}

#endif
