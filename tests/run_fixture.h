/* A whole run in a test: settings in, the JSON or text result out. */
#ifndef SLABSIM_TESTS_RUN_FIXTURE_H
#define SLABSIM_TESTS_RUN_FIXTURE_H

#include "sim/error.h"

struct cJSON;

/*
 * Run the settings (as of --set, NULL behind the last) and write the result in a format. NULL and
 * err when the run fails. To be freed.
 */
char *run_text(const char *const *settings, const char *format, struct error *err);
/* The same as parsed JSON, which fails the test when there is none. */
struct cJSON *run_json(const char *const *settings);
/* caches[i].NAME, or caches[i].counters.NAME; fails the test when there is none. */
double run_number(const struct cJSON *result, unsigned i, const char *name);
/* Write text to a temporary file; returns its name, to be unlinked and freed. */
char *run_trace_file(const char *text);

#endif
