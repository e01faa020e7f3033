/* slabsim order, from its arguments to what it writes. */
#include "sim/cmd/command.h"
#include "sim/file.h"
#include "sim/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <unistd.h>

#define MAX_ARGS 24

static char out_file[] = "/tmp/test-order-XXXXXX";

/* Run with the words of line as arguments; what was written is in out_file. */
static int run_order(const char *line, struct error *err)
{
	char *copy = strdup(line), *word = copy, *argv[MAX_ARGS + 4];
	int argc = 0, rc;

	assert_non_null(copy);
	argv[argc++] = (char *)"order";
	while (*word && argc < MAX_ARGS) {
		size_t len = strcspn(word, " ");

		argv[argc++] = word;
		word += len;
		if (*word)
			*word++ = '\0';
	}
	argv[argc++] = (char *)"-o";
	argv[argc++] = out_file;
	argv[argc] = NULL;
	*err = (struct error){0};
	rc = cmd_order.run(argc, argv, err);
	free(copy);
	return rc;
}

static char *text_of(const char *line)
{
	struct error err;
	size_t len;
	char *text;

	if (run_order(line, &err))
		fail_msg("%s: %s", line, err.text);
	text = file_read(out_file, 256u << 20, &len, &err);
	assert_non_null(text);
	return text;
}

static cJSON *json_of(const char *line)
{
	char *text = text_of(line);
	cJSON *json = cJSON_Parse(text);

	assert_non_null(json);
	free(text);
	return json;
}

static const cJSON *at(const cJSON *json, const char *key)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, key);

	if (!value)
		fail_msg("no \"%s\"", key);
	return value;
}

static double number_at(const cJSON *json, const char *key)
{
	const cJSON *value = at(json, key);

	assert_true(cJSON_IsNumber(value));
	return value->valuedouble;
}

static void assert_change(const cJSON *changes, double first, double last, double sizes)
{
	const cJSON *change = cJSON_GetArrayItem(changes, 0);

	assert_int_equal(cJSON_GetArraySize(changes), 1);
	assert_float_equal(number_at(change, "first"), first, 0);
	assert_float_equal(number_at(change, "last"), last, 0);
	assert_float_equal(number_at(change, "sizes"), sizes, 0);
	assert_float_equal(number_at(change, "from"), 2, 0);
	assert_float_equal(number_at(change, "to"), 3, 0);
}

/* facts 1.5: the sizes whose order 6.7 changed. */
static void shows_what_6_7_changed(void **state)
{
	cJSON *json = json_of("--sizes 8..65536 --order legacy,mainline --format json");
	char *text;

	(void)state;
	assert_int_equal(cJSON_GetArraySize(at(json, "rows")), 8192);
	assert_change(at(at(json, "changes"), "mainline"), 10928, 12280, 170);
	assert_float_equal(number_at(at(at(json, "totals"), "mainline"), "changed"), 170, 0);
	cJSON_Delete(json);

	json = json_of("--sizes 8..1048576 --page-size 65536 --cpus 160 --order legacy,mainline "
		       "--format json --changed");
	assert_int_equal(cJSON_GetArraySize(at(json, "rows")), 2730);
	assert_change(at(at(json, "changes"), "mainline"), 174768, 196600, 2730);
	cJSON_Delete(json);

	text = text_of("--sizes 8..65536 --order legacy,mainline");
	assert_non_null(strstr(text, "10928..12280 (170 sizes): order 2 -> 3"));
	free(text);
}

/* Rows of facts' appendix A: 8 CPUs, mainline. */
static void known_rows(void **state)
{
	static const struct {
		unsigned page_size, size, order, objects, waste, cpu_partial_slabs;
	} expect[] = {
	    {4096, 8, 0, 512, 0, 1},	 {4096, 24, 0, 170, 16, 2},   {4096, 40, 0, 102, 16, 3},
	    {4096, 56, 0, 73, 8, 4},	 {4096, 248, 1, 33, 8, 8},    {4096, 256, 1, 32, 0, 4},
	    {65536, 24, 0, 2730, 16, 1}, {65536, 40, 0, 1638, 16, 1}, {65536, 65536, 3, 8, 0, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(expect) / sizeof(expect[0]); i++) {
		const cJSON *row, *rule;
		char line[128];
		cJSON *json;

		snprintf(line, sizeof(line), "--sizes %u --page-size %u --format json",
			 expect[i].size, expect[i].page_size);
		json = json_of(line);
		row = cJSON_GetArrayItem(at(json, "rows"), 0);
		assert_float_equal(number_at(row, "size"), expect[i].size, 0);
		rule = at(row, "mainline");
		assert_float_equal(number_at(rule, "order"), expect[i].order, 0);
		assert_float_equal(number_at(rule, "objects_per_slab"), expect[i].objects, 0);
		assert_float_equal(number_at(rule, "waste_tail"), expect[i].waste, 0);
		assert_float_equal(number_at(rule, "cpu_partial_slabs"),
				   expect[i].cpu_partial_slabs, 0);
		cJSON_Delete(json);
	}
}

static void aligns_object_sizes(void **state)
{
	cJSON *json = json_of("--sizes 216,20 --hwcache-align --format json --order legacy");
	const cJSON *row = cJSON_GetArrayItem(at(json, "rows"), 0);

	(void)state;
	assert_float_equal(number_at(row, "size"), 256, 0);
	assert_float_equal(number_at(row, "waste_align"), 40, 0);
	row = cJSON_GetArrayItem(at(json, "rows"), 1);
	assert_float_equal(number_at(row, "size"), 32, 0);
	assert_float_equal(number_at(row, "align"), 32, 0);
	cJSON_Delete(json);

	json = json_of("--sizes 100 --align 128 --format json --order legacy");
	row = cJSON_GetArrayItem(at(json, "rows"), 0);
	assert_float_equal(number_at(row, "size"), 128, 0);
	cJSON_Delete(json);
}

static void fixed_orders_and_none(void **state)
{
	cJSON *json = json_of("--sizes 256,4194305 --order 2,legacy --format json");
	const cJSON *row = cJSON_GetArrayItem(at(json, "rows"), 0);

	(void)state;
	assert_float_equal(number_at(at(row, "2"), "order"), 2, 0);
	row = cJSON_GetArrayItem(at(json, "rows"), 1);
	assert_true(cJSON_IsNull(at(at(row, "2"), "order")));
	assert_true(cJSON_IsNull(at(at(row, "legacy"), "order")));
	cJSON_Delete(json);
}

/* The first pair of figures under key that comes from source; rule: of this one, or any. */
static const cJSON *find_pair(const cJSON *published, const char *key, const char *source,
			      const char *rule)
{
	const cJSON *pair;

	cJSON_ArrayForEach (pair, at(published, key)) {
		if (!strcmp(at(pair, "source")->valuestring, source) &&
		    (!rule || !strcmp(at(pair, "rule")->valuestring, rule)))
			return pair;
	}
	fail_msg("no %s figure of %s for %s", source, key, rule ? rule : "any rule");
	return NULL;
}

/*
 * The mail saw a fifth less waste and five or six per cent more memory. On a list of real caches
 * the waste falls alike; a count without free slabs rises less.
 */
static void least_waste_as_published(void **state)
{
	static const char *const rules[] = {"min-waste-absolute", "min-waste-fraction"};
	cJSON *json = json_of("--slabinfo configs/slabinfo-6.12-boot.txt --format json "
			      "--published configs/published/001-order-min-waste.json");
	const cJSON *published = at(json, "published");

	(void)state;
	assert_float_equal(number_at(json, "cpus"), 16, 0);
	assert_float_equal(
	    number_at(find_pair(published, "wastage_kB", "published", NULL), "change_percent"), -20,
	    0.1);
	for (size_t i = 0; i < 2; i++) {
		const cJSON *waste = find_pair(published, "wastage_kB", "ours", rules[i]);
		const cJSON *memory =
		    find_pair(published, "total_slub_memory_kB", "ours", rules[i]);

		assert_float_equal(number_at(waste, "change_percent"), -21.4, 1.0);
		assert_true(number_at(memory, "change_percent") > 1);
		assert_true(number_at(memory, "change_percent") < 5);
	}
	cJSON_Delete(json);
}

/* No order of a real cache changes with pages of 64 KiB. */
static void no_change_with_64k_pages(void **state)
{
	static const char *const lists[] = {"configs/slabinfo-6.12-boot.txt",
					    "configs/slabinfo-6.12-files.txt"};
	cJSON *json;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char line[200];

		snprintf(line, sizeof(line),
			 "--slabinfo %s --format json --published "
			 "configs/published/004-calculate-order-cleanup.json",
			 lists[i]);
		json = json_of(line);
		assert_float_equal(number_at(json, "page_size"), 65536, 0);
		assert_float_equal(number_at(at(at(json, "totals"), "mainline"), "changed"), 0, 0);
		assert_float_equal(number_at(at(at(json, "totals"), "mainline"), "rows"), 146, 0);
		cJSON_Delete(json);
	}
	json = json_of("--sizes kmalloc --page-size 65536 --cpus 16 --format json");
	assert_float_equal(number_at(at(at(json, "totals"), "mainline"), "changed"), 0, 0);
	assert_int_equal(cJSON_GetArraySize(at(json, "rows")), 17);
	cJSON_Delete(json);
}

/* All objects, laid out as recorded, take the memory that was recorded. */
static void recorded_layout(void **state)
{
	cJSON *json = json_of("--slabinfo configs/slabinfo-6.12-files.txt --objects total "
			      "--order mainline --format json");
	const cJSON *row;

	(void)state;
	assert_float_equal(number_at(at(at(json, "totals"), "mainline"), "as_recorded"), 146, 0);
	cJSON_ArrayForEach (row, at(json, "rows")) {
		assert_float_equal(number_at(at(row, "mainline"), "order"),
				   number_at(row, "recorded_order"), 0);
		assert_float_equal(number_at(at(row, "mainline"), "slabs"),
				   number_at(row, "recorded_slabs"), 0);
	}
	cJSON_Delete(json);
}

static unsigned count_char(const char *line, char c)
{
	unsigned n = 0;

	for (; *line && *line != '\n'; line++)
		n += *line == c;
	return n;
}

static void csv_is_rectangular(void **state)
{
	static const char *const lines[] = {
	    "--sizes 8..64,5000000 --format csv",
	    "--slabinfo configs/slabinfo-6.12-boot.txt --format csv",
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char *text = text_of(lines[i]), *line;
		unsigned columns = count_char(text, ','), rows = 0;

		for (line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
			assert_int_equal(count_char(line + 1, ','), columns);
			rows++;
		}
		assert_int_equal(rows, i ? 146 : 9);
		free(text);
	}
}

static void same_bytes_again(void **state)
{
	const char *line = "--slabinfo configs/slabinfo-6.12-boot.txt --format json";
	char *first = text_of(line), *second = text_of(line);

	(void)state;
	assert_string_equal(first, second);
	free(first);
	free(second);
}

static void refuses_wrong_usage(void **state)
{
	static const char *const lines[] = {
	    "--sizes 0",
	    "--sizes -8",
	    "--sizes 8..",
	    "--sizes ..8",
	    "--sizes 64..8",
	    "--sizes 8,",
	    "--sizes 8;16",
	    "--sizes 8..67108865",
	    "--sizes 99999999999999999999",
	    "--sizes 8..67108864",
	    "--sizes 1e3",
	    "--sizes kmallocs",
	    "--sizes 64 --align 24",
	    "--sizes 64 --align 0",
	    "--sizes 64 --cache-line 4",
	    "--sizes 64 --slabinfo configs/slabinfo-6.12-boot.txt",
	    "--sizes 64 --trace x",
	    "--align 64",
	    "--slabinfo /nonexistent",
	    "--slabinfo configs/001.json",
	    "--slabinfo configs",
	    "--trace /nonexistent",
	    "--objects some",
	    "--cpus 0",
	    "--cpus 4097",
	    "--cpus 8x",
	    "--cpus -1",
	    "--page-size 5000",
	    "--page-size 2048",
	    "--page-size 131072",
	    "--order nosuch",
	    "--order legacy,,mainline",
	    "--order legacy,legacy",
	    "--order 11",
	    "--order 3x",
	    "--order fixed",
	    "--slub-max-order 11",
	    "--slub-min-order x",
	    "--slub-min-objects 99999999",
	    "--cpu-partial nosuch",
	    "--cpu-partial scale",
	    "--cpu-partial 99999999999",
	    "--format yaml",
	    "--plot chart.gif",
	    "--plot chart",
	    "--published configs/000.json",
	    "--published configs/slabinfo-6.12-boot.txt",
	    "--nosuch",
	    "-x",
	    "configs/slabinfo-6.12-boot.txt",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct error err;

		if (!run_order(lines[i], &err))
			fail_msg("taken: order %s", lines[i]);
		if (err.kind != ERROR_INPUT)
			fail_msg("order %s: kind %d: %s", lines[i], err.kind, err.text);
		assert_true(strlen(err.text) > 10);
	}
}

static int setup(void **state)
{
	struct error err = {0};
	int fd = mkstemp(out_file);

	(void)state;
	if (fd < 0)
		return -1;
	close(fd);
	if (!policies_init(&err))
		return 0;
	print_error("%s\n", err.text);
	return -1;
}

static int teardown(void **state)
{
	(void)state;
	return unlink(out_file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(shows_what_6_7_changed),	cmocka_unit_test(known_rows),
	    cmocka_unit_test(aligns_object_sizes),	cmocka_unit_test(fixed_orders_and_none),
	    cmocka_unit_test(least_waste_as_published), cmocka_unit_test(no_change_with_64k_pages),
	    cmocka_unit_test(recorded_layout),		cmocka_unit_test(csv_is_rectangular),
	    cmocka_unit_test(same_bytes_again),		cmocka_unit_test(refuses_wrong_usage),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
