/* Distributions: what draws of them average to, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "workloads/distribution.h"

static const struct distribution none = {.kind = DIST_CONSTANT, .a = 42};

static struct distribution read_text(const char *text, struct error *err)
{
	cJSON *json = cJSON_Parse(text);
	struct distribution d;
	struct model_params p;

	assert_non_null(json);
	params_init(&p, "m", json, err);
	d = params_distribution(&p, "x", &none);
	params_finish(&p);
	cJSON_Delete(json);
	return d;
}

struct moments {
	double mean, sd, min, max;
};

static struct moments draw(const struct distribution *d, int n)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	struct moments m = {.min = INFINITY};
	double sum = 0, squares = 0;

	gsl_rng_set(rng, 7);
	for (int i = 0; i < n; i++) {
		double x = distribution_draw(d, rng);

		sum += x;
		squares += x * x;
		m.min = fmin(m.min, x);
		m.max = fmax(m.max, x);
	}
	gsl_rng_free(rng);
	m.mean = sum / n;
	m.sd = sqrt(fmax(0, squares / n - m.mean * m.mean));
	return m;
}

static void test_means(void **state)
{
	static const struct {
		const char *text;
		double mean, sd;
	} cases[] = {
	    {"{\"x\": 5}", 5, 0},
	    {"{\"x\": {\"exponential\": 30}}", 30, 30},
	    {"{\"x\": {\"uniform\": [10, 40]}}", 25, 8.660254},
	    {"{\"x\": {\"lognormal\": {\"mean\": 100, \"sigma\": 0.5}}}", 100, 53.29},
	    {"{\"x\": {\"weibull\": {\"scale\": 10, \"shape\": 2}}}", 8.862269, 4.632514},
	    {"{\"x\": {\"pareto\": {\"scale\": 10, \"shape\": 4}}}", 13.33333, 4.714045},
	    /* Between a and b, logarithmic: (b - a) / ln(b/a). */
	    {"{\"x\": {\"quantiles\": [1, 2.718281828459045]}}", 1.718281828, 0.4922},
	    {"{\"x\": {\"quantiles\": [0, 10, 10]}}", 7.5, 3.2275},
	    {"{}", 42, 0},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = {0};
		struct distribution d = read_text(cases[i].text, &err);
		struct moments m = draw(&d, 1000000);

		if (err.kind != ERROR_NONE)
			fail_msg("%s", err.text);
		if (fabs(distribution_mean(&d) - cases[i].mean) > 1e-5 * cases[i].mean ||
		    fabs(m.mean - cases[i].mean) > 0.005 * cases[i].mean ||
		    fabs(m.sd - cases[i].sd) > 0.03 * cases[i].sd + 1e-6)
			fail_msg("%s: mean %g, should be %g, is %g; deviation %g, is %g",
				 cases[i].text, cases[i].mean, distribution_mean(&d), m.mean,
				 cases[i].sd, m.sd);
	}
}

static void test_bounds(void **state)
{
	struct error err = {0};
	struct distribution d = read_text("{\"x\": {\"quantiles\": [3, 4, 90]}}", &err);
	struct moments m = draw(&d, 10000);

	(void)state;
	assert_true(m.min >= 3 && m.max <= 90);
	d = read_text("{\"x\": {\"pareto\": {\"scale\": 10, \"shape\": 1.5}}}", &err);
	m = draw(&d, 10000);
	assert_true(m.min >= 10);
	assert_int_equal(err.kind, ERROR_NONE);
}

static void test_refusals(void **state)
{
	static const char *const bad[] = {
	    "{\"x\": -1}",
	    "{\"x\": \"5\"}",
	    "{\"x\": {}}",
	    "{\"x\": {\"exponential\": -1}}",
	    "{\"x\": {\"exponential\": 5, \"uniform\": [1, 2]}}",
	    "{\"x\": {\"gaussian\": 5}}",
	    "{\"x\": {\"uniform\": [2, 1]}}",
	    "{\"x\": {\"uniform\": [1]}}",
	    "{\"x\": {\"lognormal\": {\"mean\": 5}}}",
	    "{\"x\": {\"lognormal\": {\"mean\": 5, \"sigma\": 11}}}",
	    "{\"x\": {\"weibull\": {\"scale\": 0, \"shape\": 1}}}",
	    "{\"x\": {\"pareto\": {\"scale\": 1, \"shape\": 1}}}",
	    "{\"x\": {\"quantiles\": [5]}}",
	    "{\"x\": {\"quantiles\": [5, 4]}}",
	    "{\"x\": {\"quantiles\": [1, \"2\"]}}",
	    "{\"x\": {\"quantiles\": 5}}",
	    "{\"x\": 1e16}",
	    "{\"y\": 1}",
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = {0};

		read_text(bad[i], &err);
		if (err.kind != ERROR_INPUT)
			fail_msg("%s was taken", bad[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_means),
	    cmocka_unit_test(test_bounds),
	    cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
