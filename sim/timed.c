#include "sim/timed.h"

/* A binary heap of CPUs, the one whose operation is earliest on top. */
struct heap {
	unsigned *cpu;
	unsigned n;
	unsigned *at;		   /* by CPU: its place in cpu[], where it has one */
	struct load_operation *op; /* by CPU */
};

static void put(struct heap *h, unsigned i, unsigned cpu)
{
	h->cpu[i] = cpu;
	h->at[cpu] = i;
}

static bool earlier(const struct heap *h, unsigned a, unsigned b)
{
	const struct load_operation *x = &h->op[a], *y = &h->op[b];

	if (x->start != y->start)
		return x->start < y->start;
	if (x->order != y->order)
		return x->order < y->order;
	return a < b;
}

static void sift_up(struct heap *h, unsigned i)
{
	unsigned cpu = h->cpu[i];

	while (i > 0 && earlier(h, cpu, h->cpu[(i - 1) / 2])) {
		put(h, i, h->cpu[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	put(h, i, cpu);
}

static void sift_down(struct heap *h, unsigned i)
{
	unsigned cpu = h->cpu[i];

	for (;;) {
		unsigned child = 2 * i + 1;

		if (child >= h->n)
			break;
		if (child + 1 < h->n && earlier(h, h->cpu[child + 1], h->cpu[child]))
			child++;
		if (!earlier(h, h->cpu[child], cpu))
			break;
		put(h, i, h->cpu[child]);
		i = child;
	}
	put(h, i, cpu);
}

static void push(struct heap *h, unsigned cpu)
{
	put(h, h->n++, cpu);
	sift_up(h, h->n - 1);
}

static void take_out(struct heap *h, unsigned i)
{
	unsigned last = h->cpu[--h->n];

	if (i == h->n)
		return;
	put(h, i, last);
	sift_up(h, i);
	sift_down(h, h->at[last]);
}

/* The CPU's operation has changed, or it has none any more. */
static void update(struct heap *h, unsigned cpu, bool has_one)
{
	if (!has_one) {
		take_out(h, h->at[cpu]);
		return;
	}
	sift_up(h, h->at[cpu]);
	sift_down(h, h->at[cpu]);
}

/* Ask the load for the CPU's next operation. 1: it is in h->op; 0: there is none now; -1: err. */
static int ask(struct timed_loop *loop, struct heap *h, unsigned cpu, uint64_t now,
	       unsigned *waiting, bool *waits, struct error *err)
{
	int state = loop->load->ops->next(loop->load, cpu, now, &h->op[cpu], err);

	if (state < 0)
		return -1;
	waits[cpu] = state == LOAD_WAITS;
	*waiting += waits[cpu];
	if (state != LOAD_OPERATION)
		return 0;
	if (h->op[cpu].start < now)
		h->op[cpu].start = now;
	return 1;
}

static int run_all(struct timed_loop *loop, struct heap *h, bool *waits, struct error *err)
{
	const struct load_ops *ops = loop->load->ops;
	unsigned waiting = 0;
	int got;

	for (unsigned cpu = 0; cpu < loop->cpus; cpu++) {
		got = ask(loop, h, cpu, 0, &waiting, waits, err);
		if (got < 0)
			return -1;
		if (got)
			push(h, cpu);
	}
	while (h->n) {
		unsigned cpu = h->cpu[0];
		struct load_operation *op = &h->op[cpu];
		uint64_t start = op->start, end;
		int woken;

		if (loop->tick && loop->tick(loop->arg, start, err))
			return -1;
		if (ops->begin && ops->begin(loop->load, cpu, op, err))
			return -1;
		timing_begin(loop->timing, cpu, start);
		if (loop->run(loop->arg, op, err))
			return -1;
		timing_end(loop->timing, start);
		end = loop->timing->now;
		loop->operations++;
		if (end > loop->end)
			loop->end = end;
		if (ops->ended(loop->load, cpu, op, start, end, loop->timing->waited, err))
			return -1;
		got = ask(loop, h, cpu, end, &waiting, waits, err);
		if (got < 0)
			return -1;
		update(h, cpu, got);
		while ((woken = ops->woken(loop->load)) >= 0) {
			bool waited = waits[woken];

			/* The CPU whose operation it was has just been asked. */
			if ((unsigned)woken == cpu)
				continue;
			waiting -= waited;
			got = ask(loop, h, (unsigned)woken, end, &waiting, waits, err);
			if (got < 0)
				return -1;
			if (!waited)
				update(h, (unsigned)woken, got);
			else if (got)
				push(h, (unsigned)woken);
		}
	}
	if (waiting)
		return error_failed(err,
				    "%u CPUs wait for operations that never come (this is a fault "
				    "of the workload)",
				    waiting);
	return 0;
}

int timed_run(struct timed_loop *loop, struct error *err)
{
	struct heap h = {
	    .cpu = calloc(loop->cpus, sizeof(*h.cpu)),
	    .at = calloc(loop->cpus, sizeof(*h.at)),
	    .op = calloc(loop->cpus, sizeof(*h.op)),
	};
	bool *waits = calloc(loop->cpus, sizeof(*waits));
	int ret;

	if (h.cpu && h.at && h.op && waits)
		ret = run_all(loop, &h, waits, err);
	else
		ret = error_memory(err, "the timed machine");
	free(h.cpu);
	free(h.at);
	free(h.op);
	free(waits);
	return ret;
}
