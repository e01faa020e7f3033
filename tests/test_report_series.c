/* The bounded series: evenly spaced, never longer than SERIES_POINTS, both ends kept. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/series.h"

static void add(struct series *s, uint64_t event)
{
	struct series_point p = {.event = event, .objects = event * 3};
	struct error err = {0};

	assert_int_equal(series_add(s, &p, &err), 0);
	assert_true(s->nr <= SERIES_POINTS);
}

/* A run of n events, the state looked at behind every batch. */
static void run(struct series *s, uint64_t n, uint64_t batch)
{
	uint64_t event;

	series_init(s);
	for (event = 0; event < n; event += batch)
		if (series_due(s, event))
			add(s, event);
	add(s, n);
}

static void check(const struct series *s, uint64_t n)
{
	uint64_t least = UINT64_MAX, most = 0, gap;
	unsigned i;

	assert_int_equal(s->points[0].event, 0);
	assert_int_equal(s->points[s->nr - 1].event, n);
	for (i = 0; i < s->nr; i++)
		assert_int_equal(s->points[i].objects, s->points[i].event * 3);
	/* the last may come early */
	for (i = 1; i + 1 < s->nr; i++) {
		gap = s->points[i].event - s->points[i - 1].event;
		least = gap < least ? gap : least;
		most = gap > most ? gap : most;
	}
	if (s->nr > 2)
		assert_true(most <= 2 * least);
}

/* Knowing the number of events beforehand changes no point. */
static void test_expected(void **state)
{
	static const uint64_t lengths[] = {1, 2, 511, 512, 513, 1022, 1023, 1024, 1025, 99999};
	struct series plain, expecting;

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		series_init(&plain);
		series_init(&expecting);
		plain.next = expecting.next = 1;
		series_expect(&expecting, lengths[i]);
		for (uint64_t event = 1; event <= lengths[i]; event++) {
			if (series_due(&plain, event))
				add(&plain, event);
			if (series_due(&expecting, event))
				add(&expecting, event);
		}
		add(&plain, lengths[i]);
		add(&expecting, lengths[i]);
		assert_int_equal(expecting.stride, plain.stride);
		assert_int_equal(expecting.nr, plain.nr);
		assert_memory_equal(expecting.points, plain.points,
				    plain.nr * sizeof(*plain.points));
		series_free(&plain);
		series_free(&expecting);
	}
}

static void test_lengths(void **state)
{
	static const uint64_t lengths[] = {1,	 2,    511,    512,	513,	 1023,
					   1024, 1025, 100000, 1000000, 12345678};
	static const uint64_t batches[] = {1, 3, 7, 4096};
	struct series s;
	unsigned i, j;

	(void)state;
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		for (j = 0; j < sizeof(batches) / sizeof(batches[0]); j++) {
			run(&s, lengths[i], batches[j]);
			check(&s, lengths[i]);
			if (lengths[i] / batches[j] >= SERIES_POINTS)
				assert_true(s.nr >= SERIES_POINTS / 4);
			series_free(&s);
		}
	}
}

/* A point at the end that was not due goes when the run goes on after all. */
static void test_tail(void **state)
{
	struct series s;

	(void)state;
	run(&s, 3001, 1);
	assert_true(s.tail);
	add(&s, 3002);
	assert_int_equal(s.points[s.nr - 1].event, 3002);
	assert_true(s.points[s.nr - 2].event < 3001);
	series_free(&s);
}

/* Huge numbers of events neither loop nor overflow. */
static void test_extremes(void **state)
{
	struct series s;
	unsigned i;

	(void)state;
	series_init(&s);
	for (i = 0; i < 2000; i++)
		add(&s, UINT64_MAX / 2000 * i);
	add(&s, UINT64_MAX);
	add(&s, UINT64_MAX);
	assert_int_equal(s.points[0].event, 0);
	assert_int_equal(s.points[s.nr - 1].event, UINT64_MAX);
	series_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_expected),
	    cmocka_unit_test(test_lengths),
	    cmocka_unit_test(test_tail),
	    cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
