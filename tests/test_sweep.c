/* What runs a "sweep" asks for: axes, ranges, variants, zip, exclude, seeds; and the messages. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>

#include "sim/config/option.h"
#include "sim/sweep/sweep.h"

static void init(struct sweep *s, const char *json, unsigned seeds)
{
	cJSON *tree = json ? cJSON_Parse(json) : NULL;
	struct error err = {0};

	assert_true(!json || tree);
	if (sweep_init(s, "f.json: ", "test", tree, seeds, 7, &err))
		fail_msg("%s", err.text);
	cJSON_Delete(tree);
}

static void expect_error(const char *json, const char *message)
{
	cJSON *tree = cJSON_Parse(json);
	struct error err = {0};
	struct sweep s;

	assert_non_null(tree);
	assert_int_equal(sweep_init(&s, "f.json: ", "test", tree, 1, 7, &err), -1);
	assert_string_equal(err.text, message);
	assert_int_equal(err.kind, ERROR_INPUT);
	sweep_free(&s);
	cJSON_Delete(tree);
}

/* The settings of every run, "; " between settings and a newline behind each run. */
static char *all_settings(const struct sweep *s)
{
	struct error err = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (uint64_t run = 0; run < s->nr_runs; run++) {
		unsigned n;
		char **settings = sweep_settings(s, run, &n, &err);

		assert_non_null(settings);
		for (unsigned i = 0; i < n; i++)
			fprintf(out, "%s%s", i ? "; " : "", settings[i]);
		fputs("\n", out);
		sweep_settings_free(settings, n);
	}
	fclose(out);
	return text;
}

static void expect_settings(const char *json, const char *expected)
{
	struct sweep s;
	char *text;

	init(&s, json, 1);
	text = all_settings(&s);
	assert_string_equal(text, expected);
	free(text);
	sweep_free(&s);
}

/* The last axis varies fastest; values are JSON, whatever they are. */
static void test_product(void **state)
{
	(void)state;
	expect_settings("{\"policy.order\": [\"legacy\", 3],"
			" \"policy.cpu_partial\": [13, {\"scale\": 0.5, \"of\": \"default\"}]}",
			"policy.order=\"legacy\"; policy.cpu_partial=13\n"
			"policy.order=\"legacy\"; "
			"policy.cpu_partial={\"scale\":0.5,\"of\":\"default\"}\n"
			"policy.order=3; policy.cpu_partial=13\n"
			"policy.order=3; policy.cpu_partial={\"scale\":0.5,\"of\":\"default\"}\n");
	expect_settings("{\"replay.only\": [[\"a\", \"b\"], null, true]}",
			"replay.only=[\"a\",\"b\"]\nreplay.only=null\nreplay.only=true\n");
	expect_settings("{\"caches[1].object_size\": [8]}", "caches[1].object_size=8\n");
	expect_settings("{\"policy.cpu_partial.scale\": [8]}", "policy.cpu_partial.scale=8\n");
}

static void test_none(void **state)
{
	struct error err = {0};
	struct sweep s;
	char *label;

	(void)state;
	expect_settings(NULL, "\n");
	expect_settings("{}", "\n");
	init(&s, NULL, 1);
	assert_int_equal(s.nr_runs, 1);
	label = sweep_label(&s, 0, &err);
	assert_string_equal(label, "test");
	free(label);
	sweep_free(&s);
}

static void test_ranges(void **state)
{
	(void)state;
	expect_settings("{\"machine.cpus\": {\"from\": 1, \"to\": 64, \"times\": 2}}",
			"machine.cpus=1\nmachine.cpus=2\nmachine.cpus=4\nmachine.cpus=8\n"
			"machine.cpus=16\nmachine.cpus=32\nmachine.cpus=64\n");
	expect_settings("{\"machine.cpus\": {\"from\": 3, \"to\": 5}}",
			"machine.cpus=3\nmachine.cpus=4\nmachine.cpus=5\n");
	expect_settings("{\"machine.cpus\": {\"from\": 3, \"to\": 8, \"step\": 3}}",
			"machine.cpus=3\nmachine.cpus=6\n");
	expect_settings("{\"machine.cpus\": {\"from\": 5, \"to\": 5}}", "machine.cpus=5\n");
	/* Tenths do not add up exactly; the end is met all the same. */
	expect_settings("{\"policy.cpu_partial.scale\": {\"from\": 0, \"to\": 0.3, \"step\": 0.1}}",
			"policy.cpu_partial.scale=0\npolicy.cpu_partial.scale=0.1\n"
			"policy.cpu_partial.scale=0.2\npolicy.cpu_partial.scale=0.3\n");
}

static void test_variants(void **state)
{
	struct error err = {0};
	struct sweep s;
	char *label;

	(void)state;
	init(&s,
	     "{\"kernel\": [{\"label\": \"old\", \"set\": {\"policy.preset\": \"linux-5.15\"}},"
	     "              {\"label\": \"new\", \"set\": {\"policy.preset\": \"linux-6.12\","
	     "                                         \"policy.slub_max_order\": 2}}],"
	     " \"machine.cpus\": [4]}",
	     1);
	label = all_settings(&s);
	assert_string_equal(label, "policy.preset=\"linux-5.15\"; machine.cpus=4\n"
				   "policy.preset=\"linux-6.12\"; policy.slub_max_order=2; "
				   "machine.cpus=4\n");
	free(label);
	label = sweep_label(&s, 1, &err);
	assert_string_equal(label, "new, cpus 4");
	free(label);
	assert_string_equal(sweep_value(&s, 1, 0)->valuestring, "new");
	sweep_free(&s);
}

/* Axes are called by the last part of their path where that is enough. */
static void test_labels(void **state)
{
	struct error err = {0};
	struct sweep s;
	char *label;

	(void)state;
	init(&s,
	     "{\"caches[0].size\": [8], \"caches[1].size\": [16], \"policy.order\": [\"feng\"]}",
	     1);
	label = sweep_label(&s, 0, &err);
	assert_string_equal(label, "caches[0].size 8, caches[1].size 16, order feng");
	free(label);
	sweep_free(&s);
}

static void test_zip(void **state)
{
	(void)state;
	/* The group stands where its first axis does, whichever way it is written. */
	expect_settings("{\"machine.cpus\": [1, 2], \"policy.order\": [0, 1],"
			" \"machine.nodes\": [3, 4], \"zip\": [[\"machine.nodes\", "
			"\"machine.cpus\"]]}",
			"machine.cpus=1; policy.order=0; machine.nodes=3\n"
			"machine.cpus=1; policy.order=1; machine.nodes=3\n"
			"machine.cpus=2; policy.order=0; machine.nodes=4\n"
			"machine.cpus=2; policy.order=1; machine.nodes=4\n");
	expect_error("{\"machine.cpus\": [1, 2], \"policy.order\": [0],"
		     " \"zip\": [[\"machine.cpus\", \"policy.order\"]]}",
		     "f.json: sweep.zip[0]: \"machine.cpus\" has 2 values and \"policy.order\" 1; "
		     "axes zipped together have as many");
	expect_error("{\"machine.cpus\": [1], \"zip\": [[\"machine.cpus\", \"machine.cpu\"]]}",
		     "f.json: sweep.zip[0]: the sweep has no axis \"machine.cpu\"; did you mean "
		     "\"machine.cpus\"?");
	expect_error("{\"machine.cpus\": [1], \"zip\": [[\"machine.cpus\", \"machine.cpus\"]]}",
		     "f.json: sweep.zip[0]: \"machine.cpus\" is zipped already");
	expect_error("{\"machine.cpus\": [1], \"zip\": [\"machine.cpus\"]}",
		     "f.json: sweep.zip[0]: an array of two axes or more is wanted");
	expect_error("{\"machine.cpus\": [1], \"zip\": true}",
		     "f.json: sweep.zip: an array of groups of axes is wanted: [[\"a\", \"b\"]]");
}

static void test_exclude(void **state)
{
	(void)state;
	expect_settings("{\"machine.cpus\": [1, 2, 4], \"policy.order\": [0, 1],"
			" \"exclude\": [{\"machine.cpus\": [2, 4], \"policy.order\": 1}]}",
			"machine.cpus=1; policy.order=0\nmachine.cpus=1; policy.order=1\n"
			"machine.cpus=2; policy.order=0\nmachine.cpus=4; policy.order=0\n");
	/* A value that is an array itself. */
	expect_settings("{\"replay.only\": [[\"a\"], [\"b\"]], \"exclude\": [{\"replay.only\": "
			"[\"a\"]}]}",
			"replay.only=[\"b\"]\n");
	expect_error("{\"machine.cpus\": [1, 2], \"exclude\": [{\"machine.cpus\": 3}]}",
		     "f.json: sweep.exclude[0].machine.cpus: 3 is not among the axis's values");
	expect_error("{\"machine.cpus\": [1, 2], \"exclude\": [{\"machine.cpus\": [1, 3]}]}",
		     "f.json: sweep.exclude[0].machine.cpus: [1,3] is not among the axis's values");
	expect_error("{\"machine.cpus\": [1, 2], \"exclude\": [{\"machine.cpus\": [1, 2]}]}",
		     "f.json: sweep.exclude: every point is excluded");
	expect_error("{\"machine.cpus\": [1, 2], \"exclude\": [{}]}",
		     "f.json: sweep.exclude[0]: an object {AXIS: VALUE, ...} is wanted");
}

/* The first seed of a point is the config's; the others are far from each other. */
static void test_seeds(void **state)
{
	struct sweep s;
	char *text;

	(void)state;
	init(&s, "{\"machine.cpus\": [1, 2]}", 3);
	assert_int_equal(s.nr_points, 2);
	assert_int_equal(s.nr_runs, 6);
	assert_int_equal(sweep_seed(&s, 0), 7);
	assert_int_equal(sweep_seed(&s, 3), 7);
	for (uint64_t run = 0; run < 3; run++) {
		/* The same seeds at every point: what differs is the setting. */
		assert_int_equal(sweep_seed(&s, run), sweep_seed(&s, run + 3));
		assert_true(sweep_seed(&s, run) <= (uint64_t)OPTION_MAX_NUMBER);
		for (uint64_t other = 0; other < run; other++) {
			uint64_t a = sweep_seed(&s, run), b = sweep_seed(&s, other);

			assert_true(a > b ? a - b > 1000000 : b - a > 1000000);
		}
	}
	text = all_settings(&s);
	assert_non_null(strstr(text, "machine.cpus=1\nmachine.cpus=1; replay.seed="));
	free(text);
	sweep_free(&s);

	init(&s, "{\"replay.seed\": [1, 2]}", 2);
	assert_int_equal(sweep_seed(&s, 0), 1);
	assert_int_equal(sweep_seed(&s, 2), 2);
	assert_int_not_equal(sweep_seed(&s, 1), sweep_seed(&s, 3));
	sweep_free(&s);
}

static void test_messages(void **state)
{
	(void)state;
	expect_error("{\"machine.cpu\": [1]}",
		     "f.json: sweep.machine.cpu: there is no setting \"machine.cpu\"; did you mean "
		     "\"machine.cpus\"? (slabsim list options has all; an axis of another name "
		     "holds variants, {\"label\": \"...\", \"set\": {PATH: VALUE}})");
	expect_error("{\"cpus\": [1]}", "f.json: sweep.cpus: there is no setting \"cpus\"; did you "
					"mean \"machine.cpus\"?");
	expect_error("{\"sweep\": [1]}",
		     "f.json: sweep.sweep: there is no setting \"sweep\" (slabsim list options "
		     "has all; an axis of another name holds variants, {\"label\": \"...\", "
		     "\"set\": {PATH: VALUE}})");
	expect_error("{\"machine.cpus\": [1, 2, 1]}",
		     "f.json: sweep.machine.cpus[2]: the value of [0] again; an "
		     "axis has each value once");
	expect_error("{\"machine.cpus\": []}", "f.json: sweep.machine.cpus: an axis needs a value");
	expect_error("{\"machine.cpus\": 4}",
		     "f.json: sweep.machine.cpus: an array of values is wanted, or a range "
		     "{\"from\": 1, \"to\": 64, \"times\": 2}");
	expect_error("{\"machine.cpus\": {\"from\": 1}}",
		     "f.json: sweep.machine.cpus: a range needs \"from\" and \"to\"");
	expect_error("{\"machine.cpus\": {\"from\": 1, \"to\": 9, \"stop\": 2}}",
		     "f.json: sweep.machine.cpus: a range has \"from\", \"to\" and \"step\" or "
		     "\"times\", no \"stop\"; did you mean \"step\"?");
	expect_error("{\"machine.cpus\": {\"from\": 4, \"to\": 1}}",
		     "f.json: sweep.machine.cpus: \"to\" comes before \"from\"");
	expect_error("{\"machine.cpus\": {\"from\": 0, \"to\": 8, \"times\": 2}}",
		     "f.json: sweep.machine.cpus: \"times\" must be above 1, and \"from\" above 0");
	expect_error("{\"machine.cpus\": {\"from\": 0, \"to\": 8, \"step\": 0}}",
		     "f.json: sweep.machine.cpus.step: a number above 0 is wanted");
	expect_error("{\"machine.cpus\": {\"from\": 0, \"to\": 1e9}}",
		     "f.json: sweep.machine.cpus: more than 1000000 values");
	expect_error("{\"machine.cpus\": {\"from\": 1, \"to\": 1e24, \"step\": 1e-9}}",
		     "f.json: sweep.machine.cpus: more than 1000000 values");
	expect_error("{\"machine.cpus\": {\"from\": 1, \"to\": 2, \"times\": 1.000000000000001}}",
		     "f.json: sweep.machine.cpus: more than 1000000 values");
	expect_error("{\"k\": [{\"label\": \"a\", \"set\": {\"machine.cpu\": 1}}]}",
		     "f.json: sweep.k[0]: there is no setting \"machine.cpu\"; did you mean "
		     "\"machine.cpus\"? (slabsim list options has all; an axis of another name "
		     "holds variants, {\"label\": \"...\", \"set\": {PATH: VALUE}})");
	expect_error("{\"k\": [{\"label\": \"a\", \"set\": {}}, {\"label\": \"a\", \"set\": {}}]}",
		     "f.json: sweep.k[1]: two variants are called \"a\"");
	expect_error("{\"k\": [{\"label\": \"a\", \"policy.order\": 1, \"set\": {}}]}",
		     "f.json: sweep.k[0]: a variant has \"label\" and \"set\", no "
		     "\"policy.order\"; settings stand in \"set\"");
	expect_error("{\"machine.cpus\": {\"from\": 1, \"to\": 4000}, \"machine.nodes\": "
		     "{\"from\": 1, \"to\": 1000}}",
		     "f.json: sweep: more than 1000000 runs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_product),  cmocka_unit_test(test_none),
	    cmocka_unit_test(test_ranges),   cmocka_unit_test(test_variants),
	    cmocka_unit_test(test_labels),   cmocka_unit_test(test_zip),
	    cmocka_unit_test(test_exclude),  cmocka_unit_test(test_seeds),
	    cmocka_unit_test(test_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
