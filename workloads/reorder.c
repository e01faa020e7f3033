#include "workloads/reorder.h"

#include <stdlib.h>
#include <string.h>

int reorder_init(struct reorder *ro, unsigned cpus, uint64_t window_ns)
{
	ro->window_ns = window_ns;
	ro->first = ro->end = 0;
	ro->cpus = cpus;
	ro->cpu = calloc((size_t)cpus + 1, sizeof(*ro->cpu));
	return ro->cpu ? 0 : -1;
}

void reorder_free(struct reorder *ro)
{
	free(ro->cpu);
	ro->cpu = NULL;
}

void reorder_reset(struct reorder *ro)
{
	ro->first = ro->end = 0;
	memset(ro->cpu, 0, ro->cpus * sizeof(*ro->cpu));
}

static inline struct held *place(struct reorder *ro, uint64_t p)
{
	return &ro->ring[p % MOST_HELD];
}

/* Of those that are gone, the first ones' places are free again. */
static void skip_gone(struct reorder *ro)
{
	while (ro->first < ro->end && place(ro, ro->first)->gone)
		ro->first++;
}

/* The oldest of all is its CPU's oldest, too. */
static void let_first_go(struct reorder *ro, reorder_emit emit, void *arg)
{
	struct held *h = place(ro, ro->first);
	struct held_list *list = &ro->cpu[h->ev.cpu];

	list->head = h->next;
	if (!list->head)
		list->tail = 0;
	h->gone = true;
	emit(arg, h);
	skip_gone(ro);
}

void reorder_clock(struct reorder *ro, uint64_t time_ns, reorder_emit emit, void *arg)
{
	bool full = ro->end - ro->first == MOST_HELD;

	while (ro->first < ro->end &&
	       (full || place(ro, ro->first)->time_ns + ro->window_ns < time_ns))
		let_first_go(ro, emit, arg);
}

void reorder_hold(struct reorder *ro, const struct held *held)
{
	uint32_t at = (uint32_t)(ro->end % MOST_HELD);
	struct held_list *list = &ro->cpu[held->ev.cpu];

	ro->ring[at] = *held;
	ro->ring[at].gone = false;
	ro->ring[at].next = 0;
	if (list->tail)
		ro->ring[list->tail - 1].next = at + 1;
	else
		list->head = at + 1;
	list->tail = at + 1;
	ro->end++;
}

void reorder_cpu(struct reorder *ro, unsigned cpu, reorder_emit emit, void *arg)
{
	struct held_list *list = &ro->cpu[cpu];

	if (!list->head)
		return;
	for (uint32_t i = list->head; i; i = ro->ring[i - 1].next) {
		ro->ring[i - 1].gone = true;
		emit(arg, &ro->ring[i - 1]);
	}
	*list = (struct held_list){0};
	skip_gone(ro);
}

void reorder_after(struct reorder *ro, uint64_t number, reorder_emit emit, void *arg)
{
	uint64_t low = ro->first, high = ro->end;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (place(ro, middle)->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < ro->end && place(ro, low)->number == number && !place(ro, low)->gone)
		reorder_cpu(ro, place(ro, low)->ev.cpu, emit, arg);
}

void reorder_finish(struct reorder *ro, reorder_emit emit, void *arg)
{
	while (ro->first < ro->end)
		let_first_go(ro, emit, arg);
}
