#include "sim/timing.h"

const char *path_name(enum path path)
{
	static const char *const names[NR_PATHS] = {
#define X(item, name) [item] = name,
	    PATH_ITEMS(X)
#undef X
	};

	return names[path];
}

uint64_t histogram_bin_end(unsigned bin)
{
	unsigned shift;
	uint64_t first;

	if (bin < (1u << HIST_SUB_BITS))
		return bin;
	shift = (bin >> HIST_SUB_BITS) - 1;
	first = ((uint64_t)(1u << HIST_SUB_BITS) | (bin & ((1u << HIST_SUB_BITS) - 1))) << shift;
	return first + ((UINT64_C(1) << shift) - 1);
}

void histogram_merge(struct histogram *to, const struct histogram *from)
{
	to->count += from->count;
	to->sum += from->sum;
	if (from->max > to->max)
		to->max = from->max;
	for (unsigned i = 0; i < HIST_BINS; i++)
		to->bin[i] += from->bin[i];
}

uint64_t histogram_quantile(const struct histogram *h, double q)
{
	double want = q * (double)h->count;
	uint64_t seen = 0;

	if (!h->count)
		return 0;
	for (unsigned i = 0; i < HIST_BINS; i++) {
		seen += h->bin[i];
		if ((double)seen >= want && seen)
			return histogram_bin_end(i) < h->max ? histogram_bin_end(i) : h->max;
	}
	return h->max;
}

int timing_init(struct timing *t, const struct machine *m, const uint64_t cost[NR_COST_ITEMS],
		unsigned cpus_per_complex, struct error *err)
{
	*t = (struct timing){.machine = m, .cpus_per_complex = cpus_per_complex};
	memcpy(t->cost, cost, sizeof(t->cost));
	for (unsigned order = 0; order < 16; order++) {
		t->page_cost[0][order] = cost[COST_PAGE_ALLOC] + order * cost[COST_PAGE_ORDER];
		t->page_cost[1][order] = cost[COST_PAGE_FREE] + order * cost[COST_PAGE_ORDER];
	}
	t->path_time = calloc(NR_PATHS, sizeof(*t->path_time));
	return t->path_time ? 0 : error_memory(err, "the timed machine");
}

void timing_free(struct timing *t)
{
	free(t->path_time);
	t->path_time = NULL;
}

int timing_init_cache(struct cache *c, struct timing *t, struct error *err)
{
	c->timing = t;
	c->list_lock = calloc(t->machine->nodes, sizeof(*c->list_lock));
	c->barn_lock = calloc(t->machine->nodes, sizeof(*c->barn_lock));
	return c->list_lock && c->barn_lock ? 0 : error_memory(err, "the timed machine");
}

void timing_free_cache(struct cache *c)
{
	free(c->list_lock);
	free(c->barn_lock);
	free(c->line_owner);
}

static enum cost_item distance(const struct timing *t, unsigned a, unsigned b)
{
	if (t->machine->node_of_cpu[a] != t->machine->node_of_cpu[b])
		return COST_LINE_REMOTE;
	if (t->cpus_per_complex && a / t->cpus_per_complex != b / t->cpus_per_complex)
		return COST_LINE_NODE;
	return COST_LINE_COMPLEX;
}

void timing_fetch_line(struct timing *t, uint16_t *owner, unsigned times)
{
	enum cost_item how = distance(t, *owner, t->cpu);

	t->transfers[how - COST_LINE_COMPLEX] += times;
	timing_charge(t, how, times);
	*owner = (uint16_t)t->cpu;
}

static void remove_gap(struct lock *lock, unsigned i)
{
	lock->nr_gaps--;
	memmove(&lock->gap[i], &lock->gap[i + 1], (lock->nr_gaps - i) * sizeof(lock->gap[0]));
}

static void insert_gap(struct lock *lock, unsigned i, uint64_t from, uint64_t to)
{
	/* The earliest gap is the first that nobody can come to any more. */
	if (lock->nr_gaps == LOCK_GAPS) {
		remove_gap(lock, 0);
		i = i ? i - 1 : 0;
	}
	memmove(&lock->gap[i + 1], &lock->gap[i], (lock->nr_gaps - i) * sizeof(lock->gap[0]));
	lock->gap[i] = (struct lock_gap){from, to};
	lock->nr_gaps++;
}

void timing_lock(struct timing *t, struct lock *lock)
{
	lock->asked_at = t->now;
	if (t->now > lock->free_at) {
		while (lock->nr_gaps && lock->gap[0].to <= t->began)
			remove_gap(lock, 0);
		insert_gap(lock, lock->nr_gaps, lock->free_at, t->now);
	} else if (!lock->nr_gaps || t->now >= lock->gap[lock->nr_gaps - 1].to) {
		t->now = lock->free_at;
	}
	lock->taken_at = t->now;
	/*
	 * The line comes over once the lock is free: that is part of the hold. Who waits looks at
	 * it all the time, and the list's head is in the same line: where there is a queue, the
	 * holder has to get it back before it can change anything.
	 */
	if (lock->owner != t->cpu)
		timing_fetch_line(t, &lock->owner, t->now > lock->asked_at ? 2 : 1);
	timing_charge(t, COST_LOCK, 1);
}

/* The part of gap i that lies behind from is used up, to an end of need. Returns that end. */
static uint64_t use_gap(struct lock *lock, unsigned i, uint64_t from, uint64_t need)
{
	struct lock_gap gap = lock->gap[i];
	uint64_t to = gap.to - from < need ? gap.to : from + need;

	if (gap.from < from && to < gap.to) {
		lock->gap[i].to = from;
		insert_gap(lock, i + 1, to, gap.to);
	} else if (gap.from < from) {
		lock->gap[i].to = from;
	} else if (to < gap.to) {
		lock->gap[i].from = to;
	} else {
		remove_gap(lock, i);
	}
	return to;
}

/*
 * A hold that was asked for before the last one began: in the gaps, piece by piece, and behind the
 * queue what does not fit. Returns its end.
 */
static uint64_t place_hold(struct lock *lock, uint64_t hold)
{
	uint64_t need = hold;
	unsigned i = 0;

	while (i < lock->nr_gaps) {
		uint64_t from = lock->gap[i].from, to;
		unsigned n = lock->nr_gaps;

		if (lock->gap[i].to <= lock->asked_at) {
			i++;
			continue;
		}
		from = from > lock->asked_at ? from : lock->asked_at;
		if (!need)
			return from;
		to = use_gap(lock, i, from, need);
		need -= to - from;
		if (!need)
			return to;
		i += lock->nr_gaps == n;
	}
	lock->free_at += need;
	return lock->free_at;
}

static void count_wait(struct timing *t, struct lock *lock, uint64_t wait)
{
	lock->contended++;
	lock->wait += wait;
	if (wait > lock->wait_max)
		lock->wait_max = wait;
	t->lock_wait += wait;
	t->waited += wait;
}

void timing_unlock(struct timing *t, struct lock *lock)
{
	uint64_t hold = t->now - lock->taken_at;

	if (lock->taken_at < lock->free_at) {
		t->now = place_hold(lock, hold);
		lock->taken_at = t->now - hold;
	} else {
		lock->free_at = t->now;
	}
	lock->acquisitions++;
	lock->hold += hold;
	if (hold > lock->hold_max)
		lock->hold_max = hold;
	if (lock->taken_at > lock->asked_at)
		count_wait(t, lock, lock->taken_at - lock->asked_at);
}

void timing_pages(struct timing *t, unsigned order, bool back)
{
	uint64_t ps = t->page_cost[back][order & 15];

	t->now += ps;
	t->spent[back ? COST_PAGE_FREE : COST_PAGE_ALLOC] += ps;
}
