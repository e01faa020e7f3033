/* Sensitivity, the Pareto front and confidence intervals, against values worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "sim/sweep/pareto.h"
#include "sim/sweep/sensitivity.h"
#include "sim/sweep/sweep_figures.h"

static void assert_near(double a, double b)
{
	if (!(fabs(a - b) < 1e-9))
		fail_msg("%.12g is not %.12g", a, b);
}

/* 3 x 2, every combination once. */
static const unsigned levels[] = {3, 2};
static const unsigned full[] = {0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1};

static void shares(const unsigned *level, size_t n, const double *y, double share[2], double *rest)
{
	struct design d = {2, levels, n, level};
	struct error err = {0};
	struct sensitivity *s = sensitivity_new(&d, &err);

	assert_non_null(s);
	assert_int_equal(sensitivity_shares(s, y, share, rest, &err), 0);
	sensitivity_free(s);
}

/*
 * y = (0, 3, 6) by the first axis + (0, 2) by the second: sums of squares 2*18 = 36 and
 * 6*1 = 6, of 42.
 */
static void test_additive(void **state)
{
	const double y[] = {0, 2, 3, 5, 6, 8};
	double share[2], rest;

	(void)state;
	shares(full, 6, y, share, &rest);
	assert_near(share[0], 36.0 / 42);
	assert_near(share[1], 6.0 / 42);
	assert_near(rest, 0);
}

/*
 * All means by either axis are alike, so all is interaction. A constant figure has no shares.
 */
static void test_interaction(void **state)
{
	const double y[] = {1, -1, -1, 1, 0, 0}, same[] = {4, 4, 4, 4, 4, 4};
	double share[2], rest;

	(void)state;
	shares(full, 6, y, share, &rest);
	assert_near(share[0], 0);
	assert_near(share[1], 0);
	assert_near(rest, 1);
	shares(full, 6, same, share, &rest);
	assert_near(share[0] + share[1] + rest, 0);
}

/*
 * The figure depends on the first axis alone, but points are missing so that its high values go
 * with one value of the second: comparing plain means would blame the second, too.
 */
static void test_unbalanced(void **state)
{
	const unsigned level[] = {0, 0, 1, 0, 1, 1, 2, 1};
	const double y[] = {0, 3, 3, 6};
	double share[2], rest;

	(void)state;
	shares(level, 4, y, share, &rest);
	assert_near(share[1], 0);
	assert_near(rest, 0);
	assert_near(share[0], 0.5);
}

/* The second axis says nothing that the first does not. */
static void test_dependent(void **state)
{
	const unsigned level[] = {0, 0, 1, 1, 0, 0, 1, 1};
	const double y[] = {1, 2, 1, 2};
	double share[2], rest;

	(void)state;
	shares(level, 4, y, share, &rest);
	assert_near(rest, 0);
	/* Either explains it, so the fit loses nothing without one of them. */
	assert_near(share[0], 0);
	assert_near(share[1], 0);
}

static void expect_front(const double *x, const double *y, size_t n, size_t count, ...)
{
	size_t front[16];
	va_list ap;

	assert_int_equal(pareto_front(x, y, n, front), count);
	va_start(ap, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(front[i], va_arg(ap, int));
	va_end(ap);
}

static void test_pareto(void **state)
{
	const double x[] = {3, 1, 2, 2, 4}, y[] = {1, 5, 3, 4, 1};
	const double same[] = {1, 1, 1}, other[] = {2, 2, 3};
	const double holes[] = {NAN, 1, 0}, here[] = {0, 1, NAN};

	(void)state;
	expect_front(x, y, 5, 3, 1, 2, 0);
	/* Twins are both best. */
	expect_front(same, other, 3, 2, 0, 1);
	expect_front(holes, here, 3, 1, 1);
	expect_front(x, y, 0, 0);
}

/* Every subset against the definition. */
static void test_pareto_brute(void **state)
{
	double x[10], y[10];
	size_t front[10], n;
	unsigned random = 1;

	(void)state;
	for (unsigned round = 0; round < 2000; round++) {
		for (unsigned i = 0; i < 10; i++) {
			random = random * 1103515245 + 12345;
			x[i] = random >> 16 & 7;
			y[i] = random >> 20 & 7;
		}
		n = pareto_front(x, y, 10, front);
		for (unsigned i = 0; i < 10; i++) {
			bool best = true, found = false;

			for (unsigned k = 0; k < 10; k++)
				if (x[k] <= x[i] && y[k] <= y[i] && (x[k] < x[i] || y[k] < y[i]))
					best = false;
			for (size_t k = 0; k < n; k++)
				found |= front[k] == i;
			assert_int_equal(found, best);
		}
	}
}

/* t(0.975, 4) = 2.776445; the standard deviation of 1..5 is sqrt(2.5). */
static void test_estimate(void **state)
{
	const double five[] = {1, 2, 3, 4, 5}, same[] = {2, 2};
	struct estimate e = estimate(five, 5);

	(void)state;
	assert_near(e.mean, 3);
	assert_true(fabs(e.ci - 2.776445 * sqrt(2.5) / sqrt(5)) < 1e-6);
	e = estimate(same, 2);
	assert_near(e.ci, 0);
	assert_true(isnan(estimate(five, 1).ci));
}

static void test_figures(void **state)
{
	struct loaded_cache lc = {0};
	double value[NR_FIGURES];

	(void)state;
	lc.c.stat[ALLOC_FASTPATH] = 70;
	lc.c.stat[ALLOC_SLOWPATH] = 10;
	lc.c.stat[FREE_SLOWPATH] = 20;
	lc.has[ALLOC_FASTPATH] = lc.has[ALLOC_SLOWPATH] = lc.has[FREE_SLOWPATH] = true;
	lc.c.state.peak_total = 4096;
	figures_of_cache(&lc, value);
	assert_near(value[ALLOC_FASTPATH], 70);
	assert_true(isnan(value[CPU_PARTIAL_NODE]));
	assert_near(value[FIGURE_ALLOCATIONS], 80);
	assert_near(value[FIGURE_SLOW_PATH], 30);
	assert_near(value[FIGURE_MEMORY_PEAK], 4096);
	assert_int_equal(figure_find("memory.peak_total"), FIGURE_MEMORY_PEAK);
	assert_int_equal(figure_find("counters.alloc_slowpath"), ALLOC_SLOWPATH);
	assert_int_equal(figure_find("alloc_slowpath"), ALLOC_SLOWPATH);
	assert_int_equal(figure_find("alloc_slow"), NR_FIGURES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_additive),   cmocka_unit_test(test_interaction),
	    cmocka_unit_test(test_unbalanced), cmocka_unit_test(test_dependent),
	    cmocka_unit_test(test_pareto),     cmocka_unit_test(test_pareto_brute),
	    cmocka_unit_test(test_estimate),   cmocka_unit_test(test_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
