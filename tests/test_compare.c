/* Results read back and set side by side, and beside published figures. */
#include "tests/result_folder.h"
#include "sim/cmd/command.h"
#include "sim/result/compare.h"
#include "sim/escape.h"

extern const struct command cmd_compare;

static char *put_column(unsigned column)
{
	char name[] = "0.json";

	name[0] = (char)('0' + column);
	return put(column, name, NULL, NULL);
}

static char *slurp(const char *path)
{
	char *text = NULL;
	size_t cap = 0;
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_true(getdelim(&text, &cap, 0, f) >= 0);
	fclose(f);
	return text;
}

/* slabsim compare with these arguments (up to a NULL); what it writes, or NULL and err. */
static char *compare(struct error *err, ...)
{
	char *argv[24] = {(char *)"compare"}, *out = path_of("out"), *text = NULL;
	int argc = 1;
	va_list ap;

	va_start(ap, err);
	while ((argv[argc] = va_arg(ap, char *)))
		argc++;
	va_end(ap);
	argv[argc++] = (char *)"-o";
	argv[argc++] = out;
	memset(err, 0, sizeof(*err));
	if (cmd_compare.run(argc, argv, err) == 0)
		text = slurp(out);
	else
		assert_int_not_equal(err->kind, ERROR_NONE);
	unlink(out);
	free(out);
	return text;
}

static void free_all(char **paths, unsigned n)
{
	while (n--) {
		unlink(paths[n]);
		free(paths[n]);
	}
}

static void test_formats(void **state)
{
	static const char *const formats[] = {"text", "csv", "json", "markdown"};
	char *file[3] = {put_column(0), put_column(1), put_column(2)}, golden[32], *text;
	struct error err;
	unsigned i;

	(void)state;
	for (i = 0; i < 4; i++) {
		text = compare(&err, file[0], file[1], file[2], "--format", formats[i], NULL);
		assert_non_null(text);
		snprintf(golden, sizeof(golden), "compare.%s", formats[i]);
		assert_golden(golden, text);
		free(text);
	}
	free_all(file, 3);
}

/* Ours are the published counters themselves here, so no share may be off. */
static void test_published(void **state)
{
	const char *const table = "configs/published/000-cpu-partial-accounting.json";
	char *file[3] = {put_column(2), put_column(0), put_column(1)}, *text;
	const cJSON *row, *error;
	struct error err;
	unsigned rows = 0;
	cJSON *json;

	(void)state;
	text = compare(&err, file[0], file[1], file[2], "--published", table, "--all", "--format",
		       "json", NULL);
	assert_non_null(text);
	json = cJSON_Parse(text);
	cJSON_ArrayForEach (row, cJSON_GetObjectItem(json, "rows")) {
		error = cJSON_GetObjectItem(row, "relative_error_percent");
		rows++;
		if (strcmp(cJSON_GetObjectItem(row, "figure")->valuestring, "objects allocated"))
			assert_true(cJSON_IsNumber(error) && error->valuedouble == 0);
	}
	/* 18 counters, three memory figures and the allocations of each column */
	assert_int_equal(rows, 3 * 22);
	cJSON_Delete(json);
	free(text);

	text = compare(&err, file[0], file[1], "--published", table, NULL);
	assert_golden("compare-published.txt", text);
	free(text);
	free_all(file, 3);
}

static void test_published_shares(void **state)
{
	char *ours, *table, *text;
	struct results res;
	struct error err;

	(void)state;
	fixture_results(&res, 0);
	memset(res.caches[0].stat, 0, sizeof(res.caches[0].stat));
	res.caches[0].stat[ALLOC_FASTPATH] = 90;
	res.caches[0].stat[ALLOC_SLOWPATH] = 10;
	res.caches[0].stat[DEACTIVATE_TO_HEAD] = 2;
	res.caches[0].stat[DEACTIVATE_TO_TAIL] = 3;
	ours = put_result("ours.json", &res);
	/* several runs: the mean of 20 and 40 per cent, and what ours lacks */
	table =
	    put_text("table.json",
		     "{\"title\": \"T\", \"columns\": {\"c\": {\"policy\": {\"cpu_partial\": 13},"
		     "\"runs\": ["
		     "{\"skbuff_head_cache\": {\"counters\": {\"alloc_fastpath\": 80,"
		     "\"alloc_slowpath\": 20, \"deactivate_to_head+deactivate_to_tail\": 4,"
		     "\"sheaf_refill\": 50}, \"after\": {\"slabs\": 40}}},"
		     "{\"skbuff_head_cache\": {\"counters\": {\"alloc_fastpath\": 60,"
		     "\"alloc_slowpath\": 40, \"deactivate_to_head+deactivate_to_tail\": 6,"
		     "\"sheaf_refill\": 50}, \"after\": {\"slabs\": 58}}}"
		     "]}}}");
	text = compare(&err, ours, "--published", table, "--format", "csv", NULL);
	assert_string_equal(
	    text,
	    "column,figure,published,published_share_percent,published_share_min_percent,"
	    "published_share_max_percent,slabsim,slabsim_share_percent,relative_error_percent\r\n"
	    "\"c (published) against objects, cpu_partial 13\",objects "
	    "allocated,100,,,,100,,\r\n"
	    "\"c (published) against objects, cpu_partial 13\",alloc_fastpath,70,70.0000,"
	    "60.0000,80.0000,90,90.0000,28.5714\r\n"
	    "\"c (published) against objects, cpu_partial 13\",alloc_slowpath,30,30.0000,"
	    "20.0000,40.0000,10,10.0000,-66.6667\r\n"
	    "\"c (published) against objects, cpu_partial 13\","
	    "deactivate_to_head+deactivate_to_tail,5,5.0000,4.0000,6.0000,5,5.0000,0.0000\r\n"
	    "\"c (published) against objects, cpu_partial 13\",sheaf_refill,50,50.0000,50.0000,"
	    "50.0000,,,\r\n"
	    "\"c (published) against objects, cpu_partial 13\",slabs,49,,,,49,,0.0000\r\n");
	free(text);
	results_free(&res);
	unlink(ours);
	unlink(table);
	free(ours);
	free(table);
}

static void assert_error(struct error *err, const char *part)
{
	assert_int_equal(err->kind, ERROR_INPUT);
	if (!strstr(err->text, part))
		fail_msg("\"%s\" is not in \"%s\"", part, err->text);
}

static void test_published_errors(void **state)
{
	static const struct {
		const char *text, *part;
	} cases[] = {
	    {"{\"title\": \"T\"}", "no \"columns\""},
	    {"{\"columns\": {\"c\": {}}}", "neither \"counters\" nor \"runs\""},
	    {"{\"columns\": {\"c\": {\"counters\": {}}}}", "alloc_fastpath"},
	    {"{\"columns\": {\"c\": {\"counters\": {\"alloc_fastpath\": -1}}}}", "alloc_fastpath"},
	    {"{\"columns\": {\"c\": {\"counters\": {\"alloc_fastpath\": 1, \"alloc_slowpath\": 1, "
	     "\"fun\": 2}}}}",
	     "\"fun\" is no counter"},
	    {"{\"columns\": {\"c\": {\"runs\": [{}]}}}", "has no cache"},
	    {"{\"columns\": {\"c\": {\"counters\": {\"alloc_fastpath\": 1, \"alloc_slowpath\": 1}},"
	     "\"d\": {\"counters\": {\"alloc_fastpath\": 1, \"alloc_slowpath\": 1}}}}",
	     "has its policy"},
	};
	char *ours = put_column(0), *table;
	struct error err;
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		table = put_text("table.json", cases[i].text);
		assert_null(compare(&err, ours, "--published", table, NULL));
		assert_error(&err, cases[i].part);
		free_all(&table, 1);
	}
	assert_null(
	    compare(&err, ours, "--published", "configs/published/002-count-partial.json", NULL));
	assert_error(&err, "no \"columns\"");
	free_all(&ours, 1);
}

/* Every published file ships as it is; those with counters must be usable. */
static void test_shipped_tables(void **state)
{
	static const char *const tables[] = {
	    "configs/published/000-cpu-partial-accounting.json",
	    "configs/published/lab-hackbench-g4.json",
	    "configs/published/lab-hackbench-g16.json",
	};
	struct published p;
	unsigned i, j;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct error err = {0};

		assert_int_equal(published_load(&p, tables[i], NULL, &err), 0);
		assert_string_equal(p.cache, "skbuff_head_cache");
		assert_int_equal(p.nr_columns, 3);
		for (j = 0; j < 3; j++)
			assert_int_equal(p.columns[j].nr_runs, i ? 3 : 1);
		published_free(&p);
	}
}

/* Counters beyond 2^53 come through to the last digit. */
static void test_large_numbers(void **state)
{
	char *file[2], *text;
	struct results res;
	struct error err;

	(void)state;
	fixture_results(&res, 0);
	cJSON_AddItemToObject(res.config, "large", cJSON_CreateRaw("-12345678901234567890"));
	free(res.name);
	res.name = strdup("a \\\" 12345678901234567890");
	res.caches[0].stat[ALLOC_FASTPATH] = 9007199254740993;
	file[0] = put_result("a.json", &res);
	res.caches[0].stat[ALLOC_FASTPATH] = UINT64_MAX - 42053573;
	file[1] = put_result("b.json", &res);
	results_free(&res);
	text = compare(&err, file[0], file[1], "--format", "csv", NULL);
	assert_non_null(text);
	assert_non_null(strstr(text, ",alloc_fastpath,9007199254740993,18446744073667498042,"
				     "18437736874412757049,"));
	assert_non_null(strstr(text, "\"[1] a \\\"\" 12345678901234567890\""));
	free(text);
	free_all(file, 2);
}

/* A change too small to be seen has no sign. */
static void test_small_change(void **state)
{
	struct results res;
	struct error err;
	char *file[2], *text;

	(void)state;
	fixture_results(&res, 0);
	res.caches[0].stat[ALLOC_FASTPATH] = 1000000;
	file[0] = put_result("a.json", &res);
	res.caches[0].stat[ALLOC_FASTPATH] = 999999;
	file[1] = put_result("b.json", &res);
	results_free(&res);
	text = compare(&err, file[0], file[1], NULL);
	assert_non_null(text);
	assert_null(strstr(text, "-0.0%"));
	free(text);
	free_all(file, 2);
}

/* Nothing that stays, something that goes, something new; only numbers are for programs. */
static void test_nothing(void **state)
{
	static const uint64_t before[] = {0, 0, 5, 7}, after[] = {0, 5, 0, 7};
	static const enum stat_item items[] = {CPU_PARTIAL_ALLOC, CPU_PARTIAL_NODE,
					       CPU_PARTIAL_DRAIN, CPU_PARTIAL_FREE};
	static const char *const wanted[] = {
	    "| cpu_partial_alloc | 0 | 0 | 0 | = |", "| cpu_partial_node | 0 | 5 | +5 | new |",
	    "| cpu_partial_drain | 5 | 0 | -5 | -100.0% |", "| cpu_partial_free | 7 | 7 | 0 | = |"};
	static const char *const csv[] = {
	    ",cpu_partial_alloc,0,0,0,0.0000\r\n", ",cpu_partial_node,0,5,5,\r\n",
	    ",cpu_partial_drain,5,0,-5,-100.0000\r\n", ",cpu_partial_free,7,7,0,0.0000\r\n"};
	struct results res;
	struct error err;
	char *file[2], *text;

	(void)state;
	fixture_results(&res, 0);
	for (unsigned i = 0; i < 4; i++)
		res.caches[0].stat[items[i]] = before[i];
	file[0] = put_result("a.json", &res);
	for (unsigned i = 0; i < 4; i++)
		res.caches[0].stat[items[i]] = after[i];
	file[1] = put_result("b.json", &res);
	results_free(&res);
	text = compare(&err, file[0], file[1], "--all", "--format", "markdown", NULL);
	assert_non_null(text);
	for (unsigned i = 0; i < 4; i++)
		if (!strstr(text, wanted[i]))
			fail_msg("%s is not in:\n%s", wanted[i], text);
	free(text);
	text = compare(&err, file[0], file[1], "--all", "--format", "csv", NULL);
	assert_non_null(text);
	for (unsigned i = 0; i < 4; i++)
		if (!strstr(text, csv[i]))
			fail_msg("%s is not in:\n%s", csv[i], text);
	free(text);
	free_all(file, 2);
}

/* The first occurrence of from in text replaced. */
static char *replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char *out;

	assert_non_null(at);
	assert_true(asprintf(&out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
	return out;
}

static void test_bad_results(void **state)
{
	static const struct {
		const char *from, *to, *part;
	} cases[] = {
	    {"\"caches\"", "\"cashes\"", "no \"name\" and \"caches\""},
	    {"\"name\": \"skbuff_head_cache\"", "\"name\": 5", "caches[0].name"},
	    {"\"alloc_fastpath\": 469952498", "\"alloc_fastpath\": -1",
	     "caches[0].counters.alloc_fastpath"},
	    {"\"alloc_fastpath\": 469952498", "\"alloc_fastpath\": 1.5", "whole number"},
	    {"\"alloc_fastpath\": 469952498", "\"alloc_fastpath\": 1e300", "whole number"},
	    {"\"alloc_fastpath\": 469952498", "\"alloc_fastpath\": 99999999999999999999",
	     "below 2^64"},
	    {"\"alloc_fastpath\": 469952498", "\"alloc_fsatpath\": 3", "alloc_fsatpath"},
	    {"\"alloc_fastpath\": 469952498,", "", "is missing"},
	    {"\"counters\": {", "\"counter\": {", "caches[0].counters"},
	    {"\"memory\": {", "\"memoir\": {", "caches[0].memory"},
	    {"\"peak_total\": ", "\"peak\": ", "caches[0].memory.peak_total"},
	    {"\"order\": 1", "\"order\": 4294967297", "caches[0].order"},
	    {"\"event\": [0, ", "\"event\": [", "caches[0].series.memory_total"},
	    {"\"event\": [0, ", "\"event\": [{}, ", "caches[0].series.event"},
	    {"\"partial\": [0, ", "\"partial\": [null, ", "caches[0].series.partial"},
	    {"\"series\": {", "\"series\": 3, \"x\": {", "caches[0].series.event"},
	    {"\"caches\": [", "\"caches\": [4, ", "caches[0].name"},
	    {"\"slabs\": 49", "\"slabs\": \"many\"", "caches[0].slabs"},
	    {"\n}", "\n", "bad.json:"},
	};
	struct results res;
	struct error err;
	char *good, *bad, *file;
	unsigned i;

	(void)state;
	fixture_results(&res, 0);
	good = fixture_export(&res, "json");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bad = replaced(good, cases[i].from, cases[i].to);
		file = put_text("bad.json", bad);
		assert_null(compare(&err, file, NULL));
		assert_error(&err, "bad.json");
		assert_error(&err, cases[i].part);
		free_all(&file, 1);
		free(bad);
	}
	/* a result without a series is fine */
	bad = replaced(good, "\"series\": {", "\"more\": {");
	file = put_text("bad.json", bad);
	free(bad);
	bad = compare(&err, file, NULL);
	assert_non_null(bad);
	free(bad);
	free_all(&file, 1);
	free(good);
	results_free(&res);
	assert_null(compare(&err, "/nonexistent.json", NULL));
	assert_error(&err, "/nonexistent.json");
}

static void test_usage(void **state)
{
	char *file = put_column(0), *text;
	struct error err;

	(void)state;
	assert_null(compare(&err, NULL));
	assert_error(&err, "no result given");
	assert_null(compare(&err, file, "--format", "xml", NULL));
	assert_error(&err, "text, csv, json, markdown");
	assert_null(compare(&err, file, "--fromat", "csv", NULL));
	assert_error(&err, "--fromat: unknown option");
	assert_null(compare(&err, file, "--cache", "nope", NULL));
	assert_error(&err, "no result has a cache named \"nope\"");
	text = compare(&err, file, "--cache", "skbuff_head_cache", "--all", NULL);
	assert_non_null(strstr(text, "\nnode_mismatch") ?: strstr(text, "\nalloc_node_mismatch"));
	free(text);
	free_all(&file, 1);
}

/* A cache or counter that only one of the results has; names like columns; zeros. */
static void test_differences(void **state)
{
	char *file[3], *text;
	struct results res;
	struct error err;

	(void)state;
	fixture_results(&res, 0);
	free(res.name);
	res.name = strdup("figure");
	file[0] = put_result("a.json", &res);
	free(res.caches[0].name);
	res.caches[0].name = strdup("other");
	res.allocator = &sheaf_allocator;
	file[1] = put_result("b.json", &res);
	memset(res.caches[0].stat, 0, sizeof(res.caches[0].stat));
	file[2] = put_result("c.json", &res);
	results_free(&res);
	text = compare(&err, file[0], file[1], file[2], NULL);
	assert_golden("compare-differences.txt", text);
	free(text);
	free_all(file, 3);
}

/* Results of one name are told apart by their settings. */
static void test_labels(void **state)
{
	struct loaded_result *r;
	struct error err = {0};
	struct results res;
	char *file[4];
	unsigned i;

	(void)state;
	for (i = 0; i < 3; i++) {
		char name[] = "0.json";

		name[0] = (char)('0' + i);
		fixture_results(&res, i);
		free(res.name);
		res.name = strdup("run");
		file[i] = put_result(name, &res);
		results_free(&res);
	}
	file[3] = file[2];
	r = results_load(file, 4, &err);
	assert_non_null(r);
	assert_string_equal(r[0].label, "partial_accounting objects, cpu_partial 13");
	assert_string_equal(r[1].label, "partial_accounting pages, cpu_partial 13");
	assert_string_equal(r[2].label, "partial_accounting pages, cpu_partial 52");
	assert_string_equal(r[3].label, "partial_accounting pages, cpu_partial 52 #2");
	loaded_results_free(r, 4);
	free_all(file, 3);
}

/* What the preset, or the accounting, implies need not be said. */
static void test_implied_settings(void **state)
{
	static const char *const policies[] = {
	    "{\"preset\": \"linux-6.1\", \"partial_accounting\": \"objects\", \"refill\": \"3.7\","
	    " \"allocator\": \"slub\"}",
	    "{\"preset\": \"linux-6.1\", \"partial_accounting\": \"pages\", \"refill\": \"5.16\","
	    " \"allocator\": \"slub\"}",
	    "{\"preset\": \"linux-6.12\", \"partial_accounting\": \"pages\", \"refill\": \"6.10\","
	    " \"allocator\": \"slub-delayed\"}",
	};
	struct loaded_result *r;
	struct error err = {0};
	struct results res;
	char *file[3];
	unsigned i;

	(void)state;
	assert_int_equal(policies_init(&err), 0);
	for (i = 0; i < 3; i++) {
		char name[] = "0.json";

		name[0] = (char)('0' + i);
		fixture_results(&res, i);
		free(res.name);
		res.name = strdup("run");
		cJSON_DeleteItemFromObject(res.config, "policy");
		cJSON_AddItemToObject(res.config, "policy", cJSON_Parse(policies[i]));
		file[i] = put_result(name, &res);
		results_free(&res);
	}
	r = results_load(file, 3, &err);
	assert_non_null(r);
	assert_string_equal(results_shared_name(r, 3), "run");
	assert_string_equal(r[0].label, "preset linux-6.1, partial_accounting objects");
	assert_string_equal(r[1].label, "preset linux-6.1, partial_accounting pages");
	assert_string_equal(r[2].label, "preset linux-6.12, partial_accounting pages");
	loaded_results_free(r, 3);
	free_all(file, 3);
}

static void test_hostile_names(void **state)
{
	static const char *const formats[] = {"text", "csv", "json", "markdown"};
	struct results res;
	struct error err;
	char *file, *text;
	unsigned i;

	(void)state;
	fixture_results(&res, 0);
	free(res.caches[0].name);
	res.caches[0].name = strdup("a|b`c`<d>,\"e\"\n\x1b[2J\xff\xc2\x9b*[x](y)&amp;");
	free(res.name);
	res.name = strdup(res.caches[0].name);
	file = put_result("h.json", &res);
	results_free(&res);
	for (i = 0; i < 4; i++) {
		text = compare(&err, file, "--format", formats[i], NULL);
		assert_non_null(text);
		for (const char *s = text; *s; s += utf8_length(s))
			assert_true(utf8_length(s) && (*s == '\n' || *s == '\r' ||
						       !utf8_is_control(s, utf8_length(s))));
		if (i == 2) {
			cJSON *json = cJSON_Parse(text);

			assert_non_null(json);
			cJSON_Delete(json);
		}
		if (i == 3)
			assert_non_null(strstr(text, "\n### a\\|b\\`c\\`&lt;d>,\"e\"\\\\x0a"));
		free(text);
	}
	free_all(&file, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_formats),	     cmocka_unit_test(test_published),
	    cmocka_unit_test(test_published_shares), cmocka_unit_test(test_published_errors),
	    cmocka_unit_test(test_shipped_tables),   cmocka_unit_test(test_large_numbers),
	    cmocka_unit_test(test_small_change),     cmocka_unit_test(test_nothing),
	    cmocka_unit_test(test_bad_results),	     cmocka_unit_test(test_usage),
	    cmocka_unit_test(test_differences),	     cmocka_unit_test(test_labels),
	    cmocka_unit_test(test_implied_settings), cmocka_unit_test(test_hostile_names),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
