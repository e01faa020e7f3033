/* Shipped configs are as configs/schema.json says, results as configs/result-schema.json says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <glob.h>
#include <unistd.h>

#include "sim/cmd/command.h"
#include "sim/policy.h"
#include "tests/json_file.h"
#include "tests/json_schema.h"

static char result_file[] = "/tmp/slabsim-schema-XXXXXX";

static cJSON *read_json(const char *file)
{
	struct error err = {0};
	cJSON *tree = json_file_read(file, &err);

	if (!tree)
		fail_msg("%s", err.text);
	return tree;
}

static void test_configs(void **state)
{
	static const char *const patterns[] = {"configs/*.json", "examples/*/*.json"};
	cJSON *schema = read_json("configs/schema.json");
	unsigned configs = 0;

	(void)state;
	for (size_t p = 0; p < 2; p++) {
		glob_t found;

		assert_int_equal(glob(patterns[p], 0, NULL, &found), 0);
		for (size_t i = 0; i < found.gl_pathc; i++) {
			cJSON *config = read_json(found.gl_pathv[i]);
			char message[600];

			if (cJSON_HasObjectItem(config, "$defs")) {
				cJSON_Delete(config);
				continue;
			}
			if (!json_schema_valid(schema, config, message, sizeof(message)))
				fail_msg("%s: %s", found.gl_pathv[i], message);
			cJSON_Delete(config);
			configs++;
		}
		globfree(&found);
	}
	assert_true(configs >= 8);
	cJSON_Delete(schema);
}

static void test_machines(void **state)
{
	cJSON *schema = read_json("configs/schema.json");
	glob_t found;

	(void)state;
	assert_int_equal(glob("configs/machines/*.json", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		cJSON *config = cJSON_CreateObject();
		char message[600];

		cJSON_AddItemToObject(config, "machine", read_json(found.gl_pathv[i]));
		if (!json_schema_valid(schema, config, message, sizeof(message)))
			fail_msg("%s: %s", found.gl_pathv[i], message);
		cJSON_Delete(config);
	}
	globfree(&found);
	cJSON_Delete(schema);
}

static bool config_valid(const cJSON *schema, const char *text)
{
	cJSON *config = cJSON_Parse(text);
	char message[600];
	bool good;

	assert_non_null(config);
	good = json_schema_valid(schema, config, message, sizeof(message));
	cJSON_Delete(config);
	return good;
}

/* A schema that takes anything would pass, too. */
static void test_wrong_configs(void **state)
{
	static const char *const wrong[] = {
	    "[]",
	    "{\"nmae\": \"x\"}",
	    "{\"name\": 1}",
	    "{\"machine\": {\"cpus\": 0}}",
	    "{\"machine\": {\"cpus\": 1.5}}",
	    "{\"machine\": {\"page_size\": 4095}}",
	    "{\"machine\": \"../x\"}",
	    "{\"caches\": [{\"object_size\": 8}]}",
	    "{\"caches\": [{\"name\": \"c\", \"size\": 9}]}",
	    "{\"caches\": {\"name\": \"c\"}}",
	    "{\"policy\": {\"remote_node_defrag_ratio\": \"never\"}}",
	    "{\"policy\": {\"cpu_partial\": {}}}",
	    "{\"replay\": {\"mode\": \"fast\"}}",
	    "{\"seeds\": 0}",
	};
	cJSON *schema = read_json("configs/schema.json");

	(void)state;
	assert_true(config_valid(schema, "{}"));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (config_valid(schema, wrong[i]))
			fail_msg("%s: valid", wrong[i]);
	cJSON_Delete(schema);
}

/* ---- results ---- */

/* The result of a run; settings end with NULL. */
static cJSON *run(const char *config, ...)
{
	char *argv[40] = {"run", (char *)config, "--format", "json", "-q", "-o", result_file};
	struct error err = {0};
	int argc = 7;
	va_list args;

	va_start(args, config);
	for (char *setting; (setting = va_arg(args, char *));) {
		argv[argc++] = "--set";
		argv[argc++] = setting;
	}
	va_end(args);
	if (cmd_run.run(argc, argv, &err))
		fail_msg("%s", err.text);
	return read_json(result_file);
}

/* Takes the result. */
static void check_result(const cJSON *schema, cJSON *result)
{
	char message[600];

	if (!json_schema_valid(schema, result, message, sizeof(message)))
		fail_msg("%s", message);
	cJSON_Delete(result);
}

static const cJSON *config_schema;

/* What is in force is itself a config. */
static void check_effective(const cJSON *result)
{
	char message[600];

	if (!json_schema_valid(config_schema, cJSON_GetObjectItem(result, "config"), message,
			       sizeof(message)))
		fail_msg("config: %s", message);
}

static void test_results(void **state)
{
	static char *const presets[] = {
	    "policy.preset=linux-3.2",	"policy.preset=linux-6.1", "policy.preset=linux-6.12",
	    "policy.preset=linux-6.18", "policy.preset=linux-7.0",
	};
	cJSON *schema = read_json("configs/result-schema.json");
	cJSON *configs = read_json("configs/schema.json");

	(void)state;
	config_schema = configs;
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		cJSON *result = run("configs/demo.json", presets[i], "replay.merge=true", NULL);

		check_effective(result);
		check_result(schema, result);
	}
	check_result(schema, run("configs/demo.json", "replay.mode=timed", NULL));
	check_result(schema,
		     run("configs/demo.json", "replay.mode=timed", "machine=\"x86-16cpu\"",
			 "policy.preset=linux-7.0", "replay.reader_interval_us=1000", NULL));
	check_result(schema, run("configs/002.json", "workload.model.hackbench.groups=2",
				 "workload.model.hackbench.loops=2", "sweep=null", NULL));
	cJSON_Delete(schema);
	cJSON_Delete(configs);
}

/* Every member of part is asked for, and cannot be just anything. */
static unsigned each_member(const cJSON *schema, const cJSON *result, cJSON *part)
{
	unsigned n = (unsigned)cJSON_GetArraySize(part);
	char message[600];

	/* Each is put back at the end: so many steps see all. */
	for (unsigned i = 0; i < n; i++) {
		char *name = strdup(part->child->string);
		cJSON *taken = cJSON_DetachItemViaPointer(part, part->child);

		if (json_schema_valid(schema, result, message, sizeof(message)))
			fail_msg("valid without %s", name);
		cJSON_AddItemToObject(part, name, cJSON_CreateTrue());
		if (json_schema_valid(schema, result, message, sizeof(message)))
			fail_msg("valid with true as %s", name);
		cJSON_DeleteItemFromObject(part, name);
		cJSON_AddItemToObject(part, name, taken);
		free(name);
	}
	return n;
}

static void test_wrong_results(void **state)
{
	cJSON *schema = read_json("configs/result-schema.json");
	cJSON *result = run("configs/demo.json", "replay.mode=timed", NULL);
	cJSON *cache = cJSON_GetObjectItem(result, "caches")->child;
	char message[600];
	unsigned members;

	(void)state;
	/* May be absent. */
	cJSON_DeleteItemFromObject(cache, "series");
	members = each_member(schema, result, cJSON_GetObjectItem(result, "events")) +
		  each_member(schema, result, cache) +
		  each_member(schema, result, cJSON_GetObjectItem(cache, "memory")) +
		  each_member(schema, result, cJSON_GetObjectItem(result, "timing"));
	assert_true(members > 35);
	if (!json_schema_valid(schema, result, message, sizeof(message)))
		fail_msg("%s", message);
	cJSON_AddTrueToObject(cache, "more");
	assert_false(json_schema_valid(schema, result, message, sizeof(message)));
	cJSON_Delete(result);
	cJSON_Delete(schema);
}

static int setup(void **state)
{
	struct error err = {0};
	int fd = mkstemp(result_file);

	(void)state;
	if (fd < 0)
		return -1;
	close(fd);
	return policies_init(&err);
}

static int teardown(void **state)
{
	(void)state;
	return unlink(result_file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_configs),	  cmocka_unit_test(test_machines),
	    cmocka_unit_test(test_wrong_configs), cmocka_unit_test(test_results),
	    cmocka_unit_test(test_wrong_results),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
