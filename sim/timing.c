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

void timing_fetch_line(struct timing *t, uint16_t *owner)
{
	enum cost_item how = distance(t, *owner, t->cpu);

	t->transfers[how - COST_LINE_COMPLEX]++;
	timing_charge(t, how, 1);
	*owner = (uint16_t)t->cpu;
}

void timing_lock(struct timing *t, struct lock *lock)
{
	lock->asked_at = t->now;
	lock->in_gap = false;
	if (t->now > lock->free_at) {
		lock->gap_from = lock->free_at;
		lock->gap_to = t->now;
	} else if (t->now < lock->gap_to) {
		lock->in_gap = true;
		t->now = t->now > lock->gap_from ? t->now : lock->gap_from;
	} else {
		t->now = lock->free_at;
	}
	lock->taken_at = t->now;
	/* The line comes over once the lock is free: that is part of the hold. */
	timing_move_line(t, &lock->owner);
	timing_charge(t, COST_LOCK, 1);
}

/* The end of a hold that began in the gap. */
static void leave_gap(struct timing *t, struct lock *lock)
{
	uint64_t before = lock->taken_at - lock->gap_from;

	if (t->now > lock->gap_to) {
		/* It does not fit: the queue goes first. */
		t->now += lock->free_at - lock->taken_at;
		lock->taken_at = lock->free_at;
		lock->free_at = t->now;
	} else if (before > lock->gap_to - t->now) {
		lock->gap_to = lock->taken_at;
	} else {
		lock->gap_from = t->now;
	}
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

	if (lock->in_gap)
		leave_gap(t, lock);
	else
		lock->free_at = t->now;
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
