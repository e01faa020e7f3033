/*
 * A model written as a trace, and a trace made a model: both ways, what comes out is what went
 * in.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/config/config.h"
#include "sim/config/fit_config.h"
#include "sim/policy.h"
#include "tests/model_fixture.h"
#include "tests/run_fixture.h"
#include "workloads/capture.h"
#include "workloads/fit.h"
#include "workloads/slabtrace.h"

#define CACHES                                                                                     \
	"caches=[{\"name\":\"head\",\"object_size\":216,\"hwcache_align\":true},"                  \
	"{\"name\":\"data\",\"object_size\":512}]"

static struct source *capture(const char *model, const char *machine)
{
	char *settings[] = {(char[]){"replay.mode=timed"}, (char[]){CACHES},
			    (char *)(uintptr_t)machine, (char *)(uintptr_t)model};
	struct error err = {0};
	struct source *src;
	struct config cfg;

	if (config_load(&cfg, NULL, settings, 4, &err))
		fail_msg("%s", err.text);
	src = capture_model(&cfg, NULL, NULL, &err);
	if (!src)
		fail_msg("%s", err.text);
	config_free(&cfg);
	return src;
}

/* The events are those of the run, in its order, and can be read again. */
static void test_capture(void **state)
{
	static const char model[] = "workload.model={\"hackbench\":{\"groups\":2,\"loops\":20}}";
	struct source *src = capture(model, "machine.cpus=8");
	struct error err = {0};
	struct model_run r;

	(void)state;
	model_run(&r, SETTINGS(CACHES, model));
	assert_int_equal(src->info.events, r.n);
	assert_int_equal(src->info.caches[0].allocs, model_allocs(&r, 0));
	assert_int_equal(src->info.caches[1].frees, model_allocs(&r, 1));
	assert_int_equal(src->info.caches[0].object_size, 216);
	for (int again = 0; again < 2; again++) {
		struct batch b;
		size_t i = 0;

		while (src->ops->next(src, &b, &err) > 0)
			for (size_t k = 0; k < b.n; k++, i++) {
				assert_memory_equal(&b.events[k], &r.event[i].ev,
						    sizeof(struct event));
				assert_int_equal(b.time_ns[k], r.event[i].start / 1000);
			}
		assert_int_equal(i, r.n);
		assert_int_equal(src->ops->rewind(src, &err), 0);
	}
	src->ops->close(src);
	model_run_free(&r);
}

/* Replayed in order, the trace of a model gives the counters of the model's own run. */
static void test_replay_of_the_trace(void **state)
{
	static const char model[] = "workload.model={\"hackbench\":{\"groups\":2,\"loops\":30}}";
	char file[] = "/tmp/slabsim-test-XXXXXX", setting[80];
	const struct slabtrace_options to = {.times = true};
	struct source *src = capture(model, "machine.cpus=8");
	struct error err = {0};
	struct stream *st = stream_of_source(src, &err);
	struct model_run r;
	cJSON *replay;

	(void)state;
	assert_non_null(st);
	close(mkstemp(file));
	if (slabtrace_write(st, file, &to, NULL, &err))
		fail_msg("%s", err.text);
	stream_close(st);
	src->ops->close(src);
	model_run(&r, SETTINGS(CACHES, model));
	snprintf(setting, sizeof(setting), "workload.trace=%s", file);
	replay = run_json(SETTINGS(CACHES, "machine.cpus=8", "policy.preset=linux-6.1", setting));
	unlink(file);
	for (unsigned i = 0; i < r.res.nr_caches; i++) {
		assert_true(run_number(replay, i, "free_frozen") > 0);
		for (unsigned s = ALLOC_FASTPATH; s <= ALLOC_REFILL; s++)
			assert_int_equal(
			    (uint64_t)run_number(replay, i, stat_name((enum stat_item)s)),
			    r.res.caches[i].stat[s]);
	}
	cJSON_Delete(replay);
	model_run_free(&r);
}

#define assert_about(value, want, slack) about_at(value, want, slack, __LINE__)
static void about_at(double value, double want, double slack, int line)
{
	if (value < want - slack || value > want + slack)
		fail_msg("line %d: %g, not %g +- %g", line, value, want, slack);
}

static double mean(const struct histogram *h)
{
	return (double)h->sum / (double)h->count;
}

static void test_fit_finds_the_parameters(void **state)
{
	struct source *src =
	    capture("workload.model={\"mix\":{\"operations\":200000,"
		    "\"think_ns\":{\"exponential\":20000},\"lifetime_ns\":{\"exponential\":300000},"
		    "\"remote\":0.3,\"cpu_weights\":[2,1,1],"
		    "\"caches\":[{\"name\":\"head\"},{\"name\":\"data\",\"burst\":6,"
		    "\"think_ns\":{\"exponential\":90000},\"at_once\":0.2}]}}",
		    "machine.cpus=3");
	struct error err = {0};
	struct fit f;

	(void)state;
	if (fit_source(&f, src, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(f.cpus, 3);
	assert_int_equal(f.total, 200000);
	assert_about((double)f.allocs[0] / (double)f.total, 0.5, 0.01);
	assert_about(mean(&f.cache[0].think), 20000, 1000);
	assert_about(mean(&f.cache[0].burst), 1, 0.2);
	assert_about(mean(&f.cache[1].burst), 6, 1.5);
	assert_about((double)f.cache[0].remote / (double)f.cache[0].frees, 0.3, 0.01);
	assert_about((double)f.cache[1].at_once / (double)f.cache[1].frees, 0.2, 0.02);
	/* Until half-way to the session before, which is near. */
	assert_about(mean(&f.cache[0].lifetime), 300000, 15000);
	assert_about(mean(&f.cache[0].away), 300000, 15000);
	fit_free(&f);
	src->ops->close(src);
}

static int64_t most_live(struct source *src)
{
	struct error err = {0};
	int64_t live = 0, most = 0;
	struct batch b;

	while (src->ops->next(src, &b, &err) > 0)
		for (size_t i = 0; i < b.n; i++) {
			live += b.events[i].op == EV_ALLOC ? 1 : -1;
			most = live > most ? live : most;
		}
	assert_int_equal(src->ops->rewind(src, &err), 0);
	return most;
}

/* A workload that begins with long bursts of objects that live for long, and goes on otherwise. */
static void test_fit_of_a_beginning(void **state)
{
	struct source *src =
	    capture("workload.model={\"mix\":{\"operations\":100000,"
		    "\"think_ns\":{\"exponential\":20000},\"lifetime_ns\":{\"exponential\":200000},"
		    "\"caches\":[{\"name\":\"head\"}],"
		    "\"phases\":[{\"duration_ns\":2000000,\"rate\":2,\"burst\":20,\"lifetime\":20},"
		    "{\"duration_ns\":1e12}]}}",
		    "machine.cpus=4");
	struct fit_config to = {.name = "x", .preset = "linux-6.1", .nodes = 1, .least = 100};
	int64_t most = most_live(src);
	char file[] = "/tmp/slabsim-test-XXXXXX";
	struct error err = {0};
	struct source *model;
	struct config cfg;
	struct fit f;

	(void)state;
	close(mkstemp(file));
	if (fit_source(&f, src, NULL, &err) || fit_config_write(&f, &src->info, &to, file, &err) ||
	    config_load(&cfg, file, NULL, 0, &err))
		fail_msg("%s", err.text);
	model = capture_model(&cfg, NULL, NULL, &err);
	if (!model)
		fail_msg("%s", err.text);
	assert_true(most > 5000);
	assert_about((double)most_live(model), (double)most, 0.25 * (double)most);
	model->ops->close(model);
	config_free(&cfg);
	fit_free(&f);
	src->ops->close(src);
	unlink(file);
}

/* The quantiles of a measured distribution have its mean and its median. */
static void test_fitted_distribution(void **state)
{
	struct histogram h = {0};
	struct distribution d;

	(void)state;
	assert_int_equal(fit_distribution(&h, DIST_MAX_QUANTILES).kind, DIST_CONSTANT);
	for (uint64_t i = 1; i <= 100000; i++)
		histogram_add(&h, i * i / 1000);
	d = fit_distribution(&h, DIST_MAX_QUANTILES);
	assert_int_equal(d.kind, DIST_QUANTILES);
	assert_about(distribution_mean(&d), mean(&h), 0.01 * mean(&h));
	assert_about(d.q[(d.n - 1) / 2], 2500000, 0.04 * 2500000);
	for (unsigned i = 1; i < d.n; i++)
		assert_true(d.q[i] >= d.q[i - 1]);
}

/* What is fitted is a config that runs, with as many objects, and twice as many on twice as many
 * CPUs. */
static void test_fitted_config(void **state)
{
	char file[] = "/tmp/slabsim-test-XXXXXX";

	(void)state;
	close(mkstemp(file));
	for (unsigned cpus = 0; cpus <= 16; cpus += 16) {
		struct source *src = capture(
		    "workload.model={\"hackbench\":{\"groups\":2,\"loops\":30}}", "machine.cpus=8");
		struct fit_config to = {
		    .name = "x", .preset = "linux-6.1", .cpus = cpus, .nodes = 1, .least = 100};
		struct error err = {0};
		struct config cfg;
		struct source *model;
		struct fit f;

		if (fit_source(&f, src, NULL, &err) ||
		    fit_config_write(&f, &src->info, &to, file, &err) ||
		    config_load(&cfg, file, NULL, 0, &err))
			fail_msg("%s", err.text);
		assert_int_equal(cfg.machine.cpus, cpus ? cpus : 8);
		model = capture_model(&cfg, NULL, NULL, &err);
		if (!model)
			fail_msg("%s", err.text);
		assert_int_equal(model->info.events, src->info.events * (cpus ? 2 : 1));
		to.least = 1000000;
		assert_int_equal(fit_config_write(&f, &src->info, &to, file, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		model->ops->close(model);
		config_free(&cfg);
		fit_free(&f);
		src->ops->close(src);
	}
	unlink(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_capture),
	    cmocka_unit_test(test_replay_of_the_trace),
	    cmocka_unit_test(test_fit_finds_the_parameters),
	    cmocka_unit_test(test_fit_of_a_beginning),
	    cmocka_unit_test(test_fitted_distribution),
	    cmocka_unit_test(test_fitted_config),
	};

	struct error err = {0};

	if (policies_init(&err))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
