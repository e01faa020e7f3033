/*
 * The timed machine against queueing theory: one lock, requests by random loads. Poisson arrivals
 * and holds of one length make M/D/1; a closed machine of N CPUs with exponential think and hold
 * times makes M/M/1//N, the machine repairman's. The formulas must lie in the 95 % confidence
 * interval of the seeds.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "sim/timed.h"
#include "tests/timed_fixture.h"

#define HOLD_NS 1000.0
#define SEEDS	60

struct queue_load {
	struct load load;
	gsl_rng *rng;
	struct timing timing;
	struct lock lock;
	unsigned cpus;
	uint64_t left;	  /* operations */
	uint64_t arrival; /* ps: the last one's, of an open load */
	double think;	  /* ns: mean; closed loads' think time, or time between arrivals */
	double inside;	  /* ns: mean think time spent in the operation, before the lock */
	bool open;
	bool random_hold;
	/* Counted from the end of the first operations to the beginning of the last ones. */
	uint64_t warm_up;
	struct lock first, last;
};

static uint64_t draw_ps(struct queue_load *q, double mean)
{
	return mean > 0 ? (uint64_t)(gsl_ran_exponential(q->rng, mean) * PS_PER_NS) : 0;
}

static int next(struct load *load, unsigned cpu, uint64_t now, struct load_operation *op,
		struct error *err)
{
	struct queue_load *q = (struct queue_load *)load;

	(void)err;
	if (!q->left)
		return LOAD_FINISHED;
	q->left--;
	/* Each arrival of an open load is the next CPU's; there are more than ever queue. */
	if (q->open)
		q->arrival += draw_ps(q, q->think);
	*op = (struct load_operation){
	    .start = q->open ? q->arrival : now + draw_ps(q, q->think),
	    .order = cpu,
	};
	return LOAD_OPERATION;
}

static int run(void *arg, const struct load_operation *op, struct error *err)
{
	struct queue_load *q = arg;

	(void)op;
	(void)err;
	q->timing.now += draw_ps(q, q->inside);
	timing_lock(&q->timing, &q->lock);
	if (q->random_hold)
		q->timing.now += draw_ps(q, HOLD_NS);
	timing_unlock(&q->timing, &q->lock);
	return 0;
}

static int ended(struct load *load, unsigned cpu, const struct load_operation *op, uint64_t start,
		 uint64_t end, uint64_t waited, struct error *err)
{
	struct queue_load *q = (struct queue_load *)load;

	(void)cpu;
	(void)op;
	(void)start;
	(void)end;
	(void)waited;
	(void)err;
	if (q->lock.acquisitions == q->warm_up)
		q->first = q->lock;
	if (q->left)
		q->last = q->lock;
	return 0;
}

static int woken(struct load *load)
{
	(void)load;
	return -1;
}

static const struct load_ops ops = {.next = next, .ended = ended, .woken = woken};

/* What happened between q->first and q->last. */
static double operations(const struct queue_load *q)
{
	return (double)(q->last.acquisitions - q->first.acquisitions);
}

static double wait_ns(const struct queue_load *q)
{
	return (double)(q->last.wait - q->first.wait) / operations(q) / PS_PER_NS;
}

static double time_ns(const struct queue_load *q)
{
	return (double)(q->last.free_at - q->first.free_at) / PS_PER_NS;
}

static double busy(const struct queue_load *q)
{
	return (double)(q->last.hold - q->first.hold) / PS_PER_NS / time_ns(q);
}

/* Run q, whose parameters are set, to its end. */
static void run_queue(struct queue_load *q, unsigned long seed)
{
	struct machine m = {.cpus = q->cpus, .nodes = 1, .page_size = 4096, .cache_line_size = 64};
	uint64_t cost[NR_COST_ITEMS] = {0};
	struct timed_loop loop = {
	    .timing = &q->timing, .load = &q->load, .run = run, .arg = q, .cpus = q->cpus};
	struct error err = {0};

	if (!q->random_hold)
		cost[COST_LOCK] = (uint64_t)(HOLD_NS * PS_PER_NS);
	q->load.ops = &ops;
	q->rng = gsl_rng_alloc(gsl_rng_mt19937);
	assert_non_null(q->rng);
	gsl_rng_set(q->rng, seed);
	assert_int_equal(machine_init(&m, NULL, NULL, &err), 0);
	assert_int_equal(timing_init(&q->timing, &m, cost, 0, &err), 0);
	assert_int_equal(timed_run(&loop, &err), 0);
	assert_int_equal(loop.operations, q->lock.acquisitions);
	assert_true(q->lock.hold <= loop.end);
	timing_free(&q->timing);
	machine_free(&m);
	gsl_rng_free(q->rng);
}

/* ---- M/D/1 ---- */

static void m_d_1(double rho)
{
	double wait[SEEDS];
	char what[64];

	for (unsigned seed = 0; seed < SEEDS; seed++) {
		struct queue_load q = {.cpus = 1024,
				       .left = 100000,
				       .warm_up = 1000,
				       .open = true,
				       .think = HOLD_NS / rho};

		run_queue(&q, seed + 1);
		wait[seed] = wait_ns(&q);
	}
	snprintf(what, sizeof(what), "M/D/1, load %.1f: mean wait (ns)", rho);
	assert_in_interval(confidence(wait, SEEDS), rho * HOLD_NS / (2 * (1 - rho)), what);
}

static void poisson_arrivals(void **state)
{
	(void)state;
	m_d_1(0.3);
	m_d_1(0.6);
	m_d_1(0.9);
}

/* ---- M/M/1//N ---- */

/* The share of time that the one server is busy. */
static double repairman_utilisation(unsigned n, double think, double hold)
{
	double term = 1, sum = 1;

	for (unsigned k = 1; k <= n; k++) {
		term *= (n - k + 1) * hold / think;
		sum += term;
	}
	return 1 - 1 / sum;
}

static void repairman(unsigned n, double think)
{
	double utilisation[SEEDS], cycle[SEEDS];
	double want = repairman_utilisation(n, think, HOLD_NS);
	char what[64];

	for (unsigned seed = 0; seed < SEEDS; seed++) {
		struct queue_load q = {
		    .cpus = n, .left = 50000, .warm_up = 1000, .think = think, .random_hold = true};

		run_queue(&q, seed + 1);
		utilisation[seed] = busy(&q);
		cycle[seed] = time_ns(&q) * n / operations(&q);
	}
	snprintf(what, sizeof(what), "M/M/1//%u, think %.0f: utilisation", n, think);
	assert_in_interval(confidence(utilisation, SEEDS), want, what);
	snprintf(what, sizeof(what), "M/M/1//%u, think %.0f: cycle (ns)", n, think);
	assert_in_interval(confidence(cycle, SEEDS), n * HOLD_NS / want, what);
}

static void machine_repairman(void **state)
{
	(void)state;
	repairman(1, 3 * HOLD_NS);
	repairman(4, 10 * HOLD_NS);
	repairman(8, 8 * HOLD_NS);
	repairman(32, 20 * HOLD_NS);
}

/*
 * Part of the think time in the operation, before it asks for the lock: requests do not come in
 * order of time then. The formula is the same, whatever the think time's distribution.
 */
static void repairman_inside(unsigned n, double outside, double inside)
{
	double utilisation[SEEDS], wait[SEEDS];
	double want = repairman_utilisation(n, outside + inside, HOLD_NS);
	double want_wait = n * HOLD_NS / want - outside - inside - HOLD_NS;
	struct interval u, w;

	for (unsigned seed = 0; seed < SEEDS; seed++) {
		struct queue_load q = {.cpus = n,
				       .left = 50000,
				       .warm_up = 1000,
				       .think = outside,
				       .inside = inside,
				       .random_hold = true};

		run_queue(&q, seed + 1);
		utilisation[seed] = busy(&q);
		wait[seed] = wait_ns(&q);
	}
	u = confidence(utilisation, SEEDS);
	w = confidence(wait, SEEDS);
	print_message("M/M/1//%u, think %.0f + %.0f: utilisation %.4f, by the formula %.4f; wait "
		      "%.1f, by the formula %.1f\n",
		      n, outside, inside, u.mean, want, w.mean, want_wait);
	assert_true(fabs(u.mean - want) < 0.003 * want);
	assert_true(fabs(w.mean - want_wait) < 0.02 * want_wait + w.half);
}

static void requests_out_of_order(void **state)
{
	(void)state;
	repairman_inside(8, 7 * HOLD_NS, HOLD_NS);
	repairman_inside(8, 4 * HOLD_NS, 4 * HOLD_NS);
	repairman_inside(32, 36 * HOLD_NS, 4 * HOLD_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(poisson_arrivals),
	    cmocka_unit_test(machine_repairman),
	    cmocka_unit_test(requests_out_of_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
