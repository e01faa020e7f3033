/* Every operation of the event format, under every preset, from a CSV to the state at the end. */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "sim/config/config.h"
#include "sim/engine.h"
#include "workloads/workload.h"

static const char *const presets[] = {
    "linux-3.2", "linux-3.7", "linux-5.15", "linux-5.16", "linux-6.1",
    "linux-6.7", "linux-6.8", "linux-6.12", "linux-6.18", "linux-7.0",
};

static char trace[] = "/tmp/test-replay-XXXXXX";

static void put_rows(FILE *out, const char *op, unsigned cpu, unsigned first, unsigned n,
		     unsigned bulk)
{
	for (unsigned i = first; i < first + n; i++) {
		fprintf(out, "%s,%u,%u,", op, cpu, i);
		if (bulk)
			fprintf(out, "%u", bulk);
		fputc('\n', out);
	}
}

/* 400 objects by each kind of allocation, freed in each way; 300 are left. */
static int write_trace(void **state)
{
	int fd = mkstemp(trace);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	(void)state;
	if (!out)
		return -1;
	fputs("op,cpu,object,bulk\n", out);
	put_rows(out, "alloc", 0, 0, 400, 0);
	put_rows(out, "alloc_bulk", 1, 400, 400, 1);
	put_rows(out, "free", 1, 0, 200, 0);
	put_rows(out, "free_rcu", 0, 200, 100, 0);
	put_rows(out, "free_rcu", 1, 400, 100, 0);
	put_rows(out, "free_bulk", 0, 500, 100, 2);
	fputs("shrink,0,,\n", out);
	return fclose(out);
}

static int remove_trace(void **state)
{
	(void)state;
	return unlink(trace);
}

static void run_preset(const char *preset, struct results *res)
{
	struct error err = {0};
	struct config cfg;
	struct source *src;
	struct engine *e;
	char text[64];
	char *settings[] = {
	    text, (char *)"caches=[{\"name\":\"c\",\"object_size\":64,\"sheaf_capacity\":8}]"};

	snprintf(text, sizeof(text), "policy.preset=%s", preset);
	assert_int_equal(config_load(&cfg, NULL, settings, 2, &err), 0);
	assert_int_equal(config_set_trace(&cfg, trace, &err), 0);
	src = workload_open(&cfg, &err);
	assert_non_null(src);
	e = engine_new(&cfg, src, &err);
	assert_non_null(e);
	if (engine_run(e, NULL, NULL, &err))
		fail_msg("%s: %s", preset, err.text);
	assert_int_equal(engine_results(e, res, &err), 0);
	engine_free(e);
	src->ops->close(src);
	config_free(&cfg);
}

static void every_operation(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		struct results res;

		run_preset(presets[i], &res);
		assert_int_equal(res.nr_caches, 1);
		assert_int_equal(res.replayed, 1301);
		assert_int_equal(res.caches[0].state.live, 300);
		results_free(&res);
	}
}

static int init(void **state)
{
	struct error err = {0};

	return policies_init(&err) ? -1 : write_trace(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_operation),
	};

	return cmocka_run_group_tests(tests, init, remove_trace);
}
