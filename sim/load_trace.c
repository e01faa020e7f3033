#include "sim/load_trace.h"

#include "sim/cost.h"

/* The events of a source without times come so far apart. */
#define NS_PER_EVENT 1

#define NOTHING UINT32_MAX

/* The events of one CPU, in order; bulk calls stand together. */
struct cpu_list {
	struct event *events;
	uint64_t *time;	 /* ps since the first event of all */
	uint64_t *order; /* number in the source */
	size_t n, cap;
	size_t next;
	uint64_t last_start; /* when this CPU's last operation started ... */
	uint64_t last_time;  /* ... and when it did in the trace */
	uint64_t delay;	     /* how long it waited for locks */
	uint32_t waits_for;  /* the object whose allocation has not ended, or NOTHING ... */
	uint16_t in_cache;   /* ... of this cache */
};

/*
 * Objects are numbered by their allocation, never again: an id that the source uses again may be
 * freed late, and allocated early, in the timed machine.
 */
struct numbers {
	uint32_t *current; /* by the source's id: the object that has it */
	size_t cap;
	uint32_t n;	  /* objects so far */
	uint8_t *exists;  /* by object: a bit, its allocation has ended */
	uint8_t *awaited; /* likewise: the CPU that frees it waits for that */
};

struct trace_load {
	struct load load;
	bool (*keep)(const void *arg, unsigned cache);
	const void *keep_arg;
	struct cpu_list *cpu;
	unsigned cpus;
	struct numbers *cache;
	unsigned *woken; /* CPUs to be asked again */
	unsigned nr_woken;
	unsigned waiting;
};

static int no_memory(struct error *err)
{
	return error_memory(err, "the events of a timed replay");
}

/* Give the event's object a number of its own. */
static int renumber(struct numbers *nr, struct event *ev, struct error *err)
{
	if (ev->op == EV_SHRINK)
		return 0;
	if (ev->object >= nr->cap) {
		size_t cap = 2 * ((size_t)ev->object + 128);
		uint32_t *current = reallocarray(nr->current, cap, sizeof(*current));

		if (!current)
			return no_memory(err);
		nr->current = current;
		nr->cap = cap;
	}
	if (ev->op == EV_ALLOC || ev->op == EV_ALLOC_BULK || ev->op == EV_ADOPT) {
		if (nr->n == NOTHING - 1)
			return error_input(err,
					   "more than %u allocations of one cache: too many "
					   "for a timed replay",
					   NOTHING - 1);
		nr->current[ev->object] = nr->n++;
	}
	ev->object = nr->current[ev->object];
	return 0;
}

static int append(struct trace_load *t, const struct event *ev, uint64_t time, uint64_t order,
		  struct error *err)
{
	struct cpu_list *list = &t->cpu[ev->cpu];

	if (list->n == list->cap) {
		size_t cap = list->cap ? 2 * list->cap : 1024;
		struct event *events = reallocarray(list->events, cap, sizeof(*events));
		uint64_t *times, *orders;

		if (events)
			list->events = events;
		times = reallocarray(list->time, cap, sizeof(*times));
		if (times)
			list->time = times;
		orders = reallocarray(list->order, cap, sizeof(*orders));
		if (orders)
			list->order = orders;
		if (!events || !times || !orders)
			return no_memory(err);
		list->cap = cap;
	}
	list->events[list->n] = *ev;
	list->time[list->n] = time;
	list->order[list->n] = order;
	return renumber(&t->cache[ev->cache], &list->events[list->n++], err);
}

static int read_source(struct trace_load *t, struct source *src, uint64_t *left_out,
		       struct error *err)
{
	uint64_t first = 0, last = 0, seen = 0;
	struct batch b;
	int more;

	while ((more = src->ops->next(src, &b, err)) > 0) {
		for (size_t i = 0; i < b.n; i++, seen++) {
			uint64_t ns = b.time_ns ? b.time_ns[i] : seen * NS_PER_EVENT;

			if (!seen)
				first = ns;
			/* The source's order counts where its times go back. */
			last = ns - first > last && ns >= first ? ns - first : last;
			if (!t->keep(t->keep_arg, b.events[i].cache))
				++*left_out;
			else if (append(t, &b.events[i], last * PS_PER_NS, seen, err))
				return -1;
		}
	}
	if (more < 0)
		return -1;
	for (unsigned i = 0; i < src->info.nr_caches; i++) {
		t->cache[i].exists = calloc(t->cache[i].n / 8 + 1, 1);
		t->cache[i].awaited = calloc(t->cache[i].n / 8 + 1, 1);
		if (!t->cache[i].exists || !t->cache[i].awaited)
			return no_memory(err);
	}
	return 0;
}

static bool is_set(const uint8_t *bits, uint32_t object)
{
	return bits[object / 8] & 1 << object % 8;
}

static void set(uint8_t *bits, uint32_t object)
{
	bits[object / 8] |= (uint8_t)(1 << object % 8);
}

/* How many events from the CPU's next on are one operation. */
static size_t operation_length(const struct cpu_list *list)
{
	size_t i = list->next;

	/* An object from before is adopted by the free that follows. */
	if (list->events[i].op == EV_ADOPT)
		return 2;
	while ((list->events[i].op == EV_ALLOC_BULK || list->events[i].op == EV_FREE_BULK) &&
	       list->events[i].flags & EVF_MORE && i + 1 < list->n)
		i++;
	return i + 1 - list->next;
}

static bool frees(uint8_t op)
{
	return op == EV_FREE || op == EV_FREE_BULK || op == EV_FREE_RCU;
}

static int next(struct load *load, unsigned cpu, uint64_t now, struct load_operation *op,
		struct error *err)
{
	struct trace_load *t = (struct trace_load *)load;
	struct cpu_list *list = &t->cpu[cpu];
	const struct event *ev;
	size_t n;

	(void)now;
	(void)err;
	if (list->next == list->n)
		return LOAD_FINISHED;
	ev = &list->events[list->next];
	n = operation_length(list);
	for (size_t i = 0; i < n && ev->op != EV_ADOPT; i++) {
		struct numbers *nr = &t->cache[ev[i].cache];

		if (frees(ev[i].op) && !is_set(nr->exists, ev[i].object)) {
			set(nr->awaited, ev[i].object);
			list->waits_for = ev[i].object;
			list->in_cache = ev[i].cache;
			t->waiting++;
			return LOAD_WAITS;
		}
	}
	*op = (struct load_operation){
	    .events = ev,
	    .n = n,
	    .start = list->last_start + (list->time[list->next] - list->last_time) + list->delay,
	    .order = list->order[list->next],
	};
	return LOAD_OPERATION;
}

static void wake(struct trace_load *t, const struct event *ev)
{
	for (unsigned cpu = 0; cpu < t->cpus && t->waiting; cpu++) {
		struct cpu_list *list = &t->cpu[cpu];

		if (list->waits_for == ev->object && list->in_cache == ev->cache) {
			list->waits_for = NOTHING;
			t->waiting--;
			t->woken[t->nr_woken++] = cpu;
		}
	}
}

static int ended(struct load *load, unsigned cpu, const struct load_operation *op, uint64_t start,
		 uint64_t end, uint64_t waited, struct error *err)
{
	struct trace_load *t = (struct trace_load *)load;
	struct cpu_list *list = &t->cpu[cpu];

	(void)end;
	(void)err;
	for (size_t i = 0; i < op->n; i++) {
		const struct event *ev = &op->events[i];

		if (ev->op != EV_ALLOC && ev->op != EV_ALLOC_BULK)
			continue;
		set(t->cache[ev->cache].exists, ev->object);
		if (t->waiting && is_set(t->cache[ev->cache].awaited, ev->object))
			wake(t, ev);
	}
	list->last_start = start;
	list->last_time = list->time[list->next];
	list->delay = waited;
	list->next += op->n;
	return 0;
}

static int woken(struct load *load)
{
	struct trace_load *t = (struct trace_load *)load;

	return t->nr_woken ? (int)t->woken[--t->nr_woken] : -1;
}

static void close_load(struct load *load)
{
	struct trace_load *t = (struct trace_load *)load;

	for (unsigned cpu = 0; t->cpu && cpu < t->cpus; cpu++) {
		free(t->cpu[cpu].events);
		free(t->cpu[cpu].time);
		free(t->cpu[cpu].order);
	}
	for (unsigned i = 0; t->cache && i < t->load.info.nr_caches; i++) {
		free(t->cache[i].current);
		free(t->cache[i].exists);
		free(t->cache[i].awaited);
	}
	free(t->cpu);
	free(t->cache);
	free(t->woken);
	free(t);
}

static const struct load_ops ops = {
    .next = next,
    .ended = ended,
    .woken = woken,
    .close = close_load,
};

struct load *load_trace(struct source *src, unsigned cpus,
			bool (*keep)(const void *arg, unsigned cache), const void *arg,
			uint64_t *left_out, struct error *err)
{
	struct trace_load *t = calloc(1, sizeof(*t));

	if (!t) {
		no_memory(err);
		return NULL;
	}
	t->load.ops = &ops;
	t->load.info = src->info;
	t->cpus = cpus;
	t->cpu = calloc(cpus, sizeof(*t->cpu));
	t->cache = calloc(src->info.nr_caches + 1, sizeof(*t->cache));
	t->woken = calloc(cpus, sizeof(*t->woken));
	if (!t->cpu || !t->cache || !t->woken) {
		no_memory(err);
		close_load(&t->load);
		return NULL;
	}
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		t->cpu[cpu].waits_for = NOTHING;
	t->keep = keep;
	t->keep_arg = arg;
	if (read_source(t, src, left_out, err)) {
		close_load(&t->load);
		return NULL;
	}
	return &t->load;
}
