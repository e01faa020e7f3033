/*
 * Settings that are said to be without use: runs are the same whatever they are, and runs that
 * use them are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <unistd.h>

#include "sim/config/config_use.h"
#include "tests/policies_fixture.h"
#include "tests/run_fixture.h"

static char *trace, trace_setting[100];

/* Objects of four CPUs on two nodes, freed by any of them; how many live rises and falls. */
static int make_trace(void **state)
{
	static unsigned live[4000];
	char *text = NULL;
	unsigned random = 1, n = 0, object = 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	fputs("op,cpu,object\n", out);
	for (unsigned i = 0; i < 20000; i++) {
		random = random * 1103515245 + 12345;
		if (n < 4000 && (!n || (random >> 16 & 31) > (i / 2000 % 2 ? 20u : 10u))) {
			live[n] = object++;
			fprintf(out, "alloc,%u,%u\n", random >> 24 & 3, live[n++]);
		} else {
			unsigned k = (random >> 8) % n;

			fprintf(out, "free,%u,%u\n", random >> 24 & 3, live[k]);
			live[k] = live[--n];
		}
	}
	fclose(out);
	trace = run_trace_file(text);
	snprintf(trace_setting, sizeof(trace_setting), "workload.trace=%s", trace);
	free(text);
	return fixture_policies(state);
}

static int remove_trace(void **state)
{
	(void)state;
	unlink(trace);
	free(trace);
	return 0;
}

/* The results of the caches, without what the config says. To be freed. */
static char *result(const char *policy, const char *value)
{
	const char *const settings[] = {trace_setting,
					"caches=[{\"name\":\"a\",\"size\":512}]",
					"machine.nodes=2",
					policy,
					value,
					NULL};
	cJSON *json = run_json(settings);
	char *text = cJSON_Print(cJSON_GetObjectItemCaseSensitive(json, "caches"));

	cJSON_Delete(json);
	assert_non_null(text);
	return text;
}

/* What config_uses() says of the setting that value gives. */
static struct setting_use use_of(const char *policy, const char *value)
{
	const char *settings[] = {"caches=[{\"name\":\"a\",\"size\":512}]", policy, value};
	struct setting_use uses[NR_SETTING_USES], given = {0};
	struct error err = {0};
	struct config cfg;

	if (config_load(&cfg, NULL, (char *const *)settings, 3, &err))
		fail_msg("%s", err.text);
	config_uses(&cfg, uses);
	config_free(&cfg);
	for (unsigned i = 0; i < NR_SETTING_USES; i++) {
		/* caches[].KEY, as caches[0].KEY=... */
		const char *dot = strrchr(uses[i].path, '.');

		if (uses[i].given && strstr(value, dot))
			given = uses[i];
	}
	if (!given.path)
		fail_msg("%s: not known to be given", value);
	return given;
}

static void check(const char *policy, const char *setting, const char *const *values)
{
	char value[100], *first = NULL, *text;
	struct setting_use use = {0};
	bool differs = false;

	for (unsigned i = 0; values[i]; i++) {
		snprintf(value, sizeof(value), "%s=%s", setting, values[i]);
		use = use_of(policy, value);
		text = result(policy, value);
		if (!first) {
			first = text;
			continue;
		}
		differs |= strcmp(first, text) != 0;
		free(text);
	}
	free(first);
	if (use.used != differs)
		fail_msg("%s, %s: said to be %s, but results are %s", policy, setting,
			 use.used ? "used" : "unused", differs ? "others" : "the same");
}

static void test_policies(void **state)
{
	static const char *const presets[] = {"linux-5.15", "linux-6.12", "linux-6.18",
					      "linux-7.0"};
	static const char *const accounting[] = {"objects", "pages", NULL};
	static const char *const limit[] = {"0", "40", NULL};
	static const char *const full[] = {"drain", "alloc-only", "no-drain", NULL};
	static const char *const refill[] = {"3.2", "5.16", "6.10", NULL};

	(void)state;
	for (unsigned i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		char preset[100];

		snprintf(preset, sizeof(preset), "policy.preset=%s", presets[i]);
		check(preset, "policy.partial_accounting", accounting);
		check(preset, "policy.cpu_partial", limit);
		check(preset, "policy.cpu_partial_full", full);
		check(preset, "policy.refill", refill);
		check(preset, "caches[0].cpu_partial", limit);
		check(preset, "caches[0].sheaf_capacity", limit);
	}
	check("policy.cpu_partial_full=no-drain", "policy.refill", refill);
}

static void test_order(void **state)
{
	static const char *const rules[] = {"policy.order=legacy", "policy.order=mainline",
					    "policy.order=feng", "policy.order=2"};
	static const char *const low[] = {"0", "3", NULL};
	static const char *const high[] = {"0", "1", NULL};
	static const char *const objects[] = {"1", "40", NULL};

	(void)state;
	for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		check(rules[i], "policy.slub_min_order", low);
		check(rules[i], "policy.slub_max_order", high);
		check(rules[i], "policy.slub_min_objects", objects);
	}
}

/* What the preset says is not the user's, and null is nothing. */
static void test_given(void **state)
{
	const char *const settings[] = {"policy.preset=linux-7.0", "policy.refill=null"};
	struct setting_use uses[NR_SETTING_USES];
	struct error err = {0};
	struct config cfg;

	(void)state;
	assert_int_equal(config_load(&cfg, NULL, (char *const *)settings, 2, &err), 0);
	config_uses(&cfg, uses);
	for (unsigned i = 0; i < NR_SETTING_USES; i++)
		assert_false(uses[i].given);
	config_free(&cfg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_policies),
	    cmocka_unit_test(test_order),
	    cmocka_unit_test(test_given),
	};

	return cmocka_run_group_tests(tests, make_trace, remove_trace);
}
