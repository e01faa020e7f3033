/*
 * What holds in the timed machine whatever it costs: one CPU never waits, no lock is held more
 * than all the time, every picosecond has a cause, locks are exclusive; and histograms.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/policy.h"
#include "tests/policies_fixture.h"
#include "tests/timed_fixture.h"

/* ---- operation lists, an operation every ns: far more than the machine can do ---- */

static void run_list(struct results *res, const struct settings *list, const char *preset)
{
	struct settings s = *list;

	settings_add(&s, "policy.preset=%s", preset);
	settings_add(&s, "replay.mode=timed");
	settings_add(&s, "machine.costs=%s", timed_fixture_costs);
	timed_fixture_run(res, &s);
	settings_cut(&s, list->n);
}

static void check_lock(const struct result_lock *l, uint64_t end)
{
	assert_true(l->hold <= end);
	assert_true(l->contended <= l->acquisitions);
	assert_true(l->hold_max <= l->hold);
	assert_true(l->wait_max <= l->wait);
	assert_true((l->contended == 0) == (l->wait == 0));
}

/* Time spent, by cause, is the time that operations took, by path. */
static void check_sums(const struct result_timing *t)
{
	uint64_t causes = t->lock_wait, paths = 0, operations = 0, waits = 0;

	for (unsigned i = 0; i < NR_COST_ITEMS; i++)
		causes += t->spent[i];
	for (unsigned i = 0; i < NR_PATHS; i++) {
		paths += t->path_time[i].sum;
		operations += t->path_time[i].count;
	}
	for (unsigned node = 0; node < t->nodes; node++) {
		check_lock(&t->node[node], t->end);
		check_lock(&t->barn[node], t->end);
		waits += t->node[node].wait + t->barn[node].wait;
	}
	assert_int_equal(causes, paths);
	assert_int_equal(operations, t->operations);
	assert_int_equal(waits, t->lock_wait);
}

struct seen {
	const char *preset;
	unsigned alone, together; /* lists of one CPU, of more */
	uint64_t contended;
};

static void check_list(const struct settings *list, const char *name, void *arg)
{
	struct seen *seen = arg;
	struct results res;

	(void)name;
	run_list(&res, list, seen->preset);
	check_sums(res.timing);
	if (res.cpus == 1) {
		seen->alone++;
		assert_int_equal(res.timing->lock_wait, 0);
	} else {
		seen->together++;
		for (unsigned node = 0; node < res.timing->nodes; node++)
			seen->contended += res.timing->node[node].contended;
	}
	results_free(&res);
}

static void laws_under_every_preset(void **state)
{
	const struct preset *preset;

	(void)state;
	for (size_t i = 0; (preset = preset_nth(i)); i++) {
		struct seen seen = {.preset = preset->name};

		timed_fixture_each_list(check_list, &seen);
		assert_true(seen.alone > 0 && seen.together > 0);
		/* The lists must have brought CPUs together at a lock, or nothing was tested. */
		assert_true(seen.contended > 1000);
	}
}

/* The same run gives the same result. */
static void same_again(void **state)
{
	struct settings s = {.n = 0};
	struct results a, b;

	(void)state;
	settings_add(&s, "machine={\"cpus\":8,\"nodes\":2,\"costs\":%s}", timed_fixture_costs);
	settings_add(&s, "caches=[{\"name\":\"c\",\"object_size\":256}]");
	settings_add(&s, "workload.model={\"open\":{\"operations\":20000,\"think_ns\":100,"
			 "\"remote\":0.5}}");
	settings_add(&s, "replay={\"mode\":\"timed\",\"reader_interval_us\":10}");
	timed_fixture_run(&a, &s);
	timed_fixture_run(&b, &s);
	assert_int_equal(a.timing->end, b.timing->end);
	assert_memory_equal(a.timing->path_time, b.timing->path_time,
			    NR_PATHS * sizeof(*a.timing->path_time));
	assert_memory_equal(a.timing->spent, b.timing->spent, sizeof(a.timing->spent));
	results_free(&a);
	results_free(&b);
	settings_cut(&s, 0);
}

/* ---- a lock alone ---- */

static uint64_t draw(uint64_t *random, uint64_t below)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (*random >> 33) % below;
}

/* Give a hold the first free moments from ask on; returns its end. */
static uint64_t occupy(uint8_t *taken, uint64_t ask, uint64_t hold)
{
	uint64_t at = ask;

	for (; hold > 0; at++) {
		hold -= !taken[at];
		taken[at] = 1;
	}
	return at;
}

/*
 * Operations start in order, but ask for the lock up to 100 later, in any order. Against a
 * calendar that has every moment of the lock.
 */
static void lock_is_exclusive(void **state)
{
	enum { N = 20000, ALL = 100 * N };
	uint64_t random = 1, start = 0, hold = 0, wait = 0, end, last = 0;
	uint8_t *taken = calloc(ALL, 1);
	struct timing t = {.cpu = 0};
	struct lock lock = {0};

	(void)state;
	assert_non_null(taken);
	for (unsigned i = 0; i < N; i++) {
		uint64_t length = 1 + draw(&random, 40), ask;

		/* Busy times and idle ones. */
		start += draw(&random, i / 1000 % 2 ? 30 : 80);
		ask = start + draw(&random, 100);
		timing_begin(&t, 0, start);
		t.now = ask;
		timing_lock(&t, &lock);
		t.now += length;
		timing_unlock(&t, &lock);
		end = occupy(taken, ask, length);
		assert_int_equal(t.now, end);
		hold += length;
		wait += end - length - ask;
		last = end > last ? end : last;
	}
	assert_int_equal(lock.hold, hold);
	assert_int_equal(lock.wait, wait);
	assert_int_equal(t.lock_wait, wait);
	assert_int_equal(lock.free_at, last);
	assert_int_equal(lock.acquisitions, N);
	free(taken);
}

static void take(struct lock *lock, uint64_t ask, uint64_t hold, uint64_t end, uint64_t waited)
{
	struct timing t = {.cpu = 0};

	timing_begin(&t, 0, ask);
	timing_lock(&t, lock);
	t.now += hold;
	timing_unlock(&t, lock);
	assert_int_equal(t.now, end);
	assert_int_equal(t.waited, waited);
}

static void queue_and_gap(void **state)
{
	struct lock lock = {0};

	(void)state;
	take(&lock, 1000, 100, 1100, 0);
	take(&lock, 1050, 100, 1200, 50); /* behind the holder */
	take(&lock, 1050, 10, 1210, 150); /* behind the queue */
	take(&lock, 500, 100, 600, 0);	  /* nobody had it then */
	take(&lock, 590, 20, 620, 10);	  /* behind that one */
	take(&lock, 500, 500, 1330, 330); /* from 620 to 1000, the rest behind the queue */
	take(&lock, 100, 400, 500, 0);	  /* fits exactly */
	take(&lock, 120, 1, 1331, 1210);  /* nothing is left but what was before 100 */
	take(&lock, 50, 60, 1341, 1231);
	take(&lock, 40, 0, 40, 0);
	assert_int_equal(lock.acquisitions, 10);
	assert_int_equal(lock.contended, 6);
	assert_int_equal(lock.wait, 50 + 150 + 10 + 330 + 1210 + 1231);
	assert_int_equal(lock.wait_max, 1231);
	assert_int_equal(lock.hold, 100 + 100 + 10 + 100 + 20 + 500 + 400 + 1 + 60);
	assert_int_equal(lock.hold_max, 500);
}

/* ---- cache lines ---- */

static void lines_move_by_distance(void **state)
{
	struct machine m = {.cpus = 16, .nodes = 2, .page_size = 4096, .cache_line_size = 64};
	uint64_t cost[NR_COST_ITEMS] = {
	    [COST_LINE_COMPLEX] = 1, [COST_LINE_NODE] = 10, [COST_LINE_REMOTE] = 100};
	struct error err = {0};
	uint16_t owner = 0;
	struct timing t;

	(void)state;
	assert_int_equal(machine_init(&m, NULL, NULL, &err), 0);
	assert_int_equal(timing_init(&t, &m, cost, 4, &err), 0);
	/* CPUs 0-3 and 4-7 share a cache, 0-7 a node: 0 -> 0 -> 3 -> 4 -> 8 -> 0. */
	static const unsigned cpus[] = {0, 3, 4, 8, 0};
	static const uint64_t clock[] = {0, 1, 10, 100, 100};

	for (unsigned i = 0; i < 5; i++) {
		timing_begin(&t, cpus[i], 0);
		timing_move_line(&t, &owner);
		assert_int_equal(t.now, clock[i]);
		assert_int_equal(owner, cpus[i]);
	}
	assert_int_equal(t.transfers[0], 1);
	assert_int_equal(t.transfers[1], 1);
	assert_int_equal(t.transfers[2], 2);
	timing_free(&t);
	/* No complexes: a node is one. */
	assert_int_equal(timing_init(&t, &m, cost, 0, &err), 0);
	timing_begin(&t, 7, 0);
	timing_move_line(&t, &owner);
	assert_int_equal(t.now, 1);
	timing_free(&t);
	machine_free(&m);
}

/* Where CPUs wait for a lock, its holder has to get the line a second time. */
static void waiters_take_the_line(void **state)
{
	struct machine m = {.cpus = 4, .nodes = 1, .page_size = 4096, .cache_line_size = 64};
	uint64_t cost[NR_COST_ITEMS] = {[COST_LINE_COMPLEX] = 10, [COST_LOCK] = 1};
	struct error err = {0};
	struct lock lock = {.owner = 1};
	struct timing t;

	(void)state;
	assert_int_equal(machine_init(&m, NULL, NULL, &err), 0);
	assert_int_equal(timing_init(&t, &m, cost, 0, &err), 0);
	timing_begin(&t, 1, 100);
	timing_lock(&t, &lock);
	timing_unlock(&t, &lock);
	assert_int_equal(t.now, 101);
	timing_begin(&t, 2, 200);
	timing_lock(&t, &lock);
	timing_unlock(&t, &lock);
	assert_int_equal(t.now, 211);
	timing_begin(&t, 3, 205);
	timing_lock(&t, &lock);
	timing_unlock(&t, &lock);
	assert_int_equal(t.now, 211 + 20 + 1);
	assert_int_equal(t.transfers[0], 3);
	assert_int_equal(lock.hold, 1 + 11 + 21);
	timing_free(&t);
	machine_free(&m);
}

/* ---- histograms ---- */

static void bins(void **state)
{
	unsigned last = 0;

	(void)state;
	for (unsigned bin = 0; bin + 1 < HIST_BINS; bin++) {
		uint64_t end = histogram_bin_end(bin);

		/* A bin ends where the next begins. */
		assert_int_equal(histogram_bin(end), bin);
		assert_int_equal(histogram_bin(end + 1), bin + 1);
	}
	assert_int_equal(histogram_bin(UINT64_MAX), HIST_BINS - 1);
	assert_true(histogram_bin_end(HIST_BINS - 1) == UINT64_MAX);
	for (unsigned shift = 0; shift < 64; shift++) {
		unsigned bin = histogram_bin(UINT64_C(1) << shift);

		assert_true(bin > last || shift == 0);
		last = bin;
	}
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void quantiles(void **state)
{
	enum { N = 10001 };
	static const double q[] = {0, 0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1};
	uint64_t *value = calloc(N, sizeof(*value)), random = 7;
	struct histogram *h = calloc(2, sizeof(*h));

	(void)state;
	assert_true(value && h);
	assert_int_equal(histogram_quantile(h, 0.5), 0);
	for (unsigned i = 0; i < N; i++) {
		/* From 1 to 2^40, as many of each size. */
		value[i] = (1 + draw(&random, 1000)) << draw(&random, 31);
		histogram_add(&h[i % 2], value[i]);
	}
	histogram_merge(h, h + 1);
	qsort(value, N, sizeof(*value), by_value);
	for (unsigned i = 0; i < sizeof(q) / sizeof(q[0]); i++) {
		size_t rank = (size_t)(q[i] * N + 0.999999);
		uint64_t exact = value[rank ? rank - 1 : 0], got = histogram_quantile(h, q[i]);

		/* Never too small, and at most one part in 2^HIST_SUB_BITS too large. */
		assert_true(got >= exact);
		assert_true(got - exact <= exact >> HIST_SUB_BITS);
	}
	assert_int_equal(histogram_quantile(h, 1), value[N - 1]);
	assert_int_equal(h->count, N);
	assert_int_equal(h->max, value[N - 1]);
	free(value);
	free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(laws_under_every_preset),
	    cmocka_unit_test(same_again),
	    cmocka_unit_test(lock_is_exclusive),
	    cmocka_unit_test(queue_and_gap),
	    cmocka_unit_test(lines_move_by_distance),
	    cmocka_unit_test(waiters_take_the_line),
	    cmocka_unit_test(bins),
	    cmocka_unit_test(quantiles),
	};

	return cmocka_run_group_tests(tests, fixture_policies, NULL);
}
