/* Runs for the tests of the timed machine, and what is compared of them. */
#ifndef SLABSIM_TESTS_TIMED_FIXTURE_H
#define SLABSIM_TESTS_TIMED_FIXTURE_H

#include "sim/config/config.h"
#include "sim/result/results.h"

#define MAX_SETTINGS 24

/* Settings as of --set, collected one by one. */
struct settings {
	char *text[MAX_SETTINGS];
	unsigned n;
};

void settings_add(struct settings *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Forget those behind the first n. */
void settings_cut(struct settings *s, unsigned n);

/* Run a configuration of these settings; the test fails on errors. */
void timed_fixture_run(struct results *res, const struct settings *s);
/*
 * Run on a workload written here: CSV rows "op,cpu,object,time_ns" behind the header, in one
 * cache of 256-byte objects.
 */
void timed_fixture_run_csv(struct results *res, const struct settings *s, const char *rows);

/* A set of costs, each different from the others and none of them 0. */
extern const char timed_fixture_costs[];

/*
 * Every recorded operation list of tests/oracle: its machine, cache and trace as settings,
 * without policy. arg is passed on.
 */
void timed_fixture_each_list(void (*fn)(const struct settings *s, const char *name, void *arg),
			     void *arg);

/* A 95 % confidence interval of a mean (Student's t). */
struct interval {
	double mean, half;
};
struct interval confidence(const double *values, size_t n);
/* The test fails unless the interval contains want. */
void assert_in_interval(struct interval in, double want, const char *what);

#endif
