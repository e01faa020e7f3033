#include "sim/timed.h"

/*
 * Who is next: a tournament of the CPUs. Every inner node of a complete binary tree has the one
 * of its two sides whose operation is earlier, the root the earliest of all; a CPU whose
 * operation has changed plays its way up again.
 */
struct player {
	uint64_t start; /* NEVER: it has no operation */
	uint32_t cpu;
};

#define NEVER UINT64_MAX

struct tournament {
	struct player *node;	   /* [2 * size]: the root is 1, the CPUs are from size on */
	unsigned size;		   /* a power of two */
	struct load_operation *op; /* by CPU */
};

static int tournament_init(struct tournament *t, unsigned cpus)
{
	for (t->size = 1; t->size < cpus;)
		t->size *= 2;
	t->node = calloc(2 * (size_t)t->size, sizeof(*t->node));
	t->op = calloc(t->size, sizeof(*t->op));
	if (!t->node || !t->op)
		return -1;
	for (unsigned i = 0; i < t->size; i++)
		t->node[t->size + i] = (struct player){NEVER, i};
	for (unsigned i = t->size - 1; i > 0; i--)
		t->node[i] = t->node[2 * i];
	return 0;
}

static void tournament_free(struct tournament *t)
{
	free(t->node);
	free(t->op);
}

/* Of two operations with the same start, a's comes first. */
static bool first_by_order(const struct tournament *t, unsigned a, unsigned b)
{
	if (t->op[a].order != t->op[b].order)
		return t->op[a].order < t->op[b].order;
	return a < b;
}

static void tournament_update(struct tournament *t, unsigned cpu, uint64_t start)
{
	struct player first = {start, cpu};

	for (unsigned i = t->size + cpu;; i /= 2) {
		struct player other;
		bool wins;

		t->node[i] = first;
		if (i == 1)
			return;
		other = t->node[i ^ 1];
		wins = other.start < first.start;
		if (__builtin_expect(other.start == first.start, 0))
			wins = first_by_order(t, other.cpu, first.cpu);
		first.start = wins ? other.start : first.start;
		first.cpu = wins ? other.cpu : first.cpu;
	}
}

struct cpu_state {
	uint64_t free_at; /* the end of its last operation */
	bool waits;	  /* for another CPU's operation */
};

struct run {
	struct timed_loop *loop;
	const struct load_ops *ops;
	struct tournament next;
	struct cpu_state *cpu;
	unsigned waiting; /* CPUs */
};

/* Ask the load for the CPU's next operation, from now on. 0, or -1 and err. */
static int ask(struct run *r, unsigned cpu, uint64_t now, struct error *err)
{
	struct load_operation *op = &r->next.op[cpu];
	int state = r->ops->next(r->loop->load, cpu, now, op, err);

	if (state < 0)
		return -1;
	if (state == LOAD_OPERATION && op->start < now)
		op->start = now;
	if (state == LOAD_WAITS) {
		r->cpu[cpu].waits = true;
		r->waiting++;
	}
	tournament_update(&r->next, cpu, state == LOAD_OPERATION ? op->start : NEVER);
	return 0;
}

/* CPUs whose wait ended at end; CPUs that have something earlier to do now. */
static int ask_woken(struct run *r, unsigned ran, uint64_t end, struct error *err)
{
	int woken;

	while ((woken = r->ops->woken(r->loop->load)) >= 0) {
		struct cpu_state *cpu = &r->cpu[woken];
		uint64_t now = cpu->free_at;

		/* The CPU whose operation it was has just been asked. */
		if ((unsigned)woken == ran)
			continue;
		if (cpu->waits) {
			cpu->waits = false;
			r->waiting--;
			now = now > end ? now : end;
		}
		if (ask(r, (unsigned)woken, now, err))
			return -1;
	}
	return 0;
}

static int run_operation(struct run *r, unsigned cpu, uint64_t start, struct error *err)
{
	struct load_operation *op = &r->next.op[cpu];
	struct timed_loop *loop = r->loop;
	struct timing *t = loop->timing;

	if (loop->tick && loop->tick(loop->arg, start, err))
		return -1;
	if (r->ops->begin && r->ops->begin(loop->load, cpu, op, err))
		return -1;
	timing_begin(t, cpu, start);
	if (loop->run(loop->arg, op, err))
		return -1;
	timing_end(t, start);
	r->cpu[cpu].free_at = t->now;
	loop->operations++;
	if (t->now > loop->end)
		loop->end = t->now;
	return r->ops->ended(loop->load, cpu, op, start, t->now, t->waited, err);
}

static int run_all(struct run *r, struct error *err)
{
	const struct player *first = &r->next.node[1];

	for (unsigned cpu = 0; cpu < r->loop->cpus; cpu++)
		if (ask(r, cpu, 0, err))
			return -1;
	while (first->start != NEVER) {
		unsigned cpu = first->cpu;
		uint64_t end;

		if (run_operation(r, cpu, first->start, err))
			return -1;
		end = r->loop->timing->now;
		if (ask(r, cpu, end, err) || ask_woken(r, cpu, end, err))
			return -1;
	}
	if (r->waiting)
		return error_failed(err,
				    "%u CPUs wait for operations that never come (this is a fault "
				    "of the workload)",
				    r->waiting);
	return 0;
}

int timed_run(struct timed_loop *loop, struct error *err)
{
	struct run r = {
	    .loop = loop,
	    .ops = loop->load->ops,
	    .cpu = calloc(loop->cpus, sizeof(*r.cpu)),
	};
	int ret;

	if (!tournament_init(&r.next, loop->cpus) && r.cpu)
		ret = run_all(&r, err);
	else
		ret = error_memory(err, "the timed machine");
	tournament_free(&r.next);
	free(r.cpu);
	return ret;
}
