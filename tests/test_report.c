/* What a run prints. */
#include <errno.h>

#include "tests/result_fixture.h"
#include "sim/escape.h"
#include "sim/file.h"
#include "sim/json_writer.h"
#include "sim/result/report.h"

static void assert_line(const char *text, const char *line)
{
	char *whole;
	int found;

	assert_true(asprintf(&whole, "\n%s\n", line) > 0);
	found = strstr(text, whole) != NULL;
	free(whole);
	if (!found)
		fail_msg("no line \"%s\" in:\n%s", line, text);
}

/* The rows of the mail, as its author's slabinfo printed them. */
static void test_published_rows(void **state)
{
	static const char *const rows[3][13] = {
	    {"Slabcache: skbuff_head_cache  Aliases:  0 Order :  1 Objects: 1408",
	     "Object :     216  Total  :      49   Sanity Checks : Off  Total:  401408",
	     "SlabObj:     256  Full   :       0   Redzoning     : Off  Used :  304128",
	     "Fastpath             469952498  5946606  91   1",
	     "Slowpath             42053573 506059465   8  98",
	     "Page Alloc              41093    41044   0   0",
	     "Add partial                18 21229327   0   4",
	     "Remove partial       20039522    36051   3   0",
	     "Cpu partial list      4686640 24767229   0   4",
	     "RemoteObj/SlabFrozen       16 124027841   0  24",
	     "Total                512006071 512006071", "Flushes       18",
	     "Refilled from foreign frees   21972674   88%"},
	    {"Slabcache: skbuff_head_cache  Aliases:  0 Order :  1 Objects: 480",
	     "Object :     216  Total  :      16   Sanity Checks : Off  Total:  131072",
	     "SlabObj:     256  Full   :       0   Redzoning     : Off  Used :  103680",
	     "Fastpath             473016294  5405653  92   1",
	     "Slowpath             38989777 506600418   7  98",
	     "Page Alloc              32717    32701   0   0",
	     "Add partial                 3 22749164   0   4",
	     "Remove partial       11371127    32474   2   0",
	     "Cpu partial list     11686226 23090059   2   4",
	     "RemoteObj/SlabFrozen        2 67541803   0  13",
	     "Total                512006071 512006071", "Flushes        3",
	     "Refilled from foreign frees   27585695  119%"},
	    {"Slabcache: skbuff_head_cache  Aliases:  0 Order :  1 Objects: 896",
	     "Object :     216  Total  :      28   Sanity Checks : Off  Total:  229376",
	     "SlabObj:     256  Full   :       0   Redzoning     : Off  Used :  193536",
	     "Fastpath             473799295  4980278  92   0",
	     "Slowpath             38206776 507025793   7  99",
	     "Page Alloc              32295    32267   0   0",
	     "Add partial                11 23291143   0   4",
	     "Remove partial        5815764    31278   1   0",
	     "Cpu partial list     18119280 23967320   3   4",
	     "RemoteObj/SlabFrozen       10 76974794   0  15",
	     "Total                512006071 512006071", "Flushes       11",
	     "Refilled from foreign frees   32358473  135%"},
	};
	unsigned column, row;

	(void)state;
	for (column = 0; column < 3; column++) {
		struct results res;
		char *text;

		fixture_results(&res, column);
		text = fixture_export(&res, "text");
		for (row = 0; row < 13; row++)
			assert_line(text, rows[column][row]);
		free(text);
		results_free(&res);
	}
}

static void test_golden(void **state)
{
	static struct source_note notes[] = {
	    {"free_of_unknown_object", "frees of objects never allocated in the trace", 12, true},
	    {"alloc_of_live_object", "allocations of an address still live", 3, false},
	    {"truncated_last_line", "the last line was cut off", 0, false},
	};
	struct results res;
	char *text;

	(void)state;
	fixture_results(&res, 0);
	res.notes = malloc(sizeof(notes));
	assert_non_null(res.notes);
	memcpy(res.notes, notes, sizeof(notes));
	res.nr_notes = 3;
	res.skipped = 12;
	text = fixture_export(&res, "text");
	assert_golden("report.txt", text);
	free(text);
	text = fixture_export(&res, "json");
	assert_golden("report.json", text);
	free(text);
	text = fixture_export(&res, "csv");
	assert_golden("report.csv", text);
	free(text);
	results_free(&res);
}

/* 7.0: slabinfo's labels stay, what the kernel does not count reads 0. */
static void test_sheaves(void **state)
{
	struct result_cache *c;
	struct results res;
	char *text;

	(void)state;
	fixture_results(&res, 0);
	res.allocator = &sheaf_allocator;
	c = &res.caches[0];
	memset(c->stat, 0, sizeof(c->stat));
	c->sheaf_capacity = 60;
	c->cpu_partial = 0;
	c->state.cpu_slabs = 0;
	c->state.partial = 0;
	c->state.sheaf_objects = 1200;
	c->stat[ALLOC_FASTPATH] = 999;
	c->stat[ALLOC_SLOWPATH] = 1;
	c->stat[FREE_FASTPATH] = 900;
	c->stat[FREE_SLOWPATH] = 100;
	c->stat[ALLOC_SLAB] = 60;
	c->stat[SHEAF_REFILL] = 180;
	c->stat[BARN_GET] = 7;
	text = fixture_export(&res, "text");
	assert_golden("sheaves.txt", text);
	assert_line(text, "Cpu partial list            0        0   0   0");
	assert_line(text, "sheaf_refill                          180  18.00");
	assert_null(strstr(text, "cpu_partial_node"));
	free(text);
	results_free(&res);
}

static void test_allocations(void **state)
{
	uint64_t stat[NR_STAT_ITEMS] = {
	    [ALLOC_FASTPATH] = 70, [ALLOC_SLOWPATH] = 10, [ALLOC_PCS] = 100, [SHEAF_REFILL] = 60};

	(void)state;
	assert_int_equal(stat_allocations(stat, true), 120);
	assert_int_equal(stat_allocations(stat, false), 80);
}

/* A run of many caches: a list of all, reports of the busiest; of all when they were asked for. */
static void test_many_caches(void **state)
{
	struct results res;
	unsigned i, reports;
	char *text, *at;

	(void)state;
	fixture_results(&res, 0);
	res.caches = realloc(res.caches, 150 * sizeof(*res.caches));
	assert_non_null(res.caches);
	for (i = 1; i < 150; i++) {
		res.caches[i] = res.caches[0];
		res.caches[i].stat_per_cpu = NULL;
		res.caches[i].series = NULL;
		res.caches[i].nr_series = 0;
		assert_true(asprintf(&res.caches[i].name, "cache-%03u", i) > 0);
		if (i != 77)
			res.caches[i].stat[ALLOC_FASTPATH] = i;
	}
	res.nr_caches = 150;
	text = fixture_export(&res, "text");
	for (reports = 0, at = text; (at = strstr(at, "\nSlabcache: ")); at++)
		reports++;
	assert_int_equal(reports, 3);
	assert_non_null(strstr(text, "\nSlabcache: skbuff_head_cache "));
	assert_non_null(strstr(text, "\nSlabcache: cache-077 "));
	assert_non_null(strstr(text, "\nSlabcache: cache-149 "));
	assert_line(text, "Name                   Objects Objsize           Space Slabs/Part/Cpu  "
			  "O/S O %Fr %Ef Flg");
	assert_line(text, "cache-033                 1408     216          401.4K         5/5/44   "
			  "32 1  10  75 A");
	free(text);

	cJSON_AddItemToObject(res.config, "replay",
			      cJSON_Parse("{\"only\": [\"cache-*\", \"skbuff*\"]}"));
	text = fixture_export(&res, "text");
	for (reports = 0, at = text; (at = strstr(at, "\nSlabcache: ")); at++)
		reports++;
	assert_int_equal(reports, 150);
	free(text);
	results_free(&res);
}

#define HOSTILE "a,\"b\"\\\n\r\t\x01\x1b[31m\x7f\xc2\x9b<&'$`|\xff\xc3\xa9\xed\xa0\x80;"

static void test_hostile_names(void **state)
{
	struct results res;
	char *text;
	cJSON *json, *cache;

	(void)state;
	fixture_results(&res, 0);
	free(res.caches[0].name);
	res.caches[0].name = strdup(HOSTILE);
	free(res.name);
	res.name = strdup(HOSTILE);

	text = fixture_export(&res, "json");
	json = cJSON_Parse(text);
	assert_non_null(json);
	cache = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "caches"), 0);
	/* all there, and stray bytes as text */
	assert_string_equal(cJSON_GetObjectItem(cache, "name")->valuestring,
			    "a,\"b\"\\\n\r\t\x01\x1b[31m\x7f\xc2\x9b<&'$`|\\xff\xc3\xa9\\xed\\xa0"
			    "\\x80;");
	for (const char *s = text; *s; s += utf8_length(s))
		assert_true(utf8_length(s) && (*s == '\n' || !utf8_is_control(s, utf8_length(s))));
	cJSON_Delete(json);
	free(text);

	text = fixture_export(&res, "csv");
	assert_non_null(strstr(text, "\r\n\"a,\"\"b\"\"\\\n\r\\x09\\x01\\x1b[31m\\x7f\\xc2\\x9b<&'$"
				     "`|\\xff\xc3\xa9\\xed\\xa0\\x80;\",216,256,"));
	free(text);

	text = fixture_export(&res, "text");
	for (const char *s = text; *s; s += utf8_length(s))
		assert_true(utf8_length(s) && (*s == '\n' || !utf8_is_control(s, utf8_length(s))));
	free(text);
	results_free(&res);
}

/* A spreadsheet does not compute names; numbers stay numbers. */
static void test_formulas(void **state)
{
	static const char *const cases[][2] = {
	    {"=1+1", "'=1+1"},
	    {"@SUM(A1)", "'@SUM(A1)"},
	    {"-2+cmd|' /C x'!A0", "'-2+cmd|' /C x'!A0"},
	    {"=\"a\"", "\"'=\"\"a\"\"\""},
	    {"-49.8%", "-49.8%"},
	    {"+1545", "+1545"},
	    {"-1.5e-07", "-1.5e-07"},
	    {"-", "-"},
	    {"a=b", "a=b"},
	    {"", ""},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text;
		size_t n;
		FILE *out = open_memstream(&text, &n);

		write_csv_field(out, cases[i][0]);
		fclose(out);
		assert_string_equal(text, cases[i][1]);
		free(text);
	}
}

/* Numbers no double holds are written as they are; totals add up. */
static void test_large_numbers(void **state)
{
	struct results res;
	char *text;

	(void)state;
	fixture_results(&res, 0);
	res.caches[0].stat[ALLOC_FASTPATH] = 9007199254740993;
	res.caches[0].state.memory_total = UINT64_MAX;
	text = fixture_export(&res, "json");
	assert_non_null(strstr(text, "\"alloc_fastpath\": 9007199254740993,"));
	assert_non_null(strstr(text, "\"total\": 18446744073709551615,"));
	free(text);
	text = fixture_export(&res, "csv");
	assert_non_null(strstr(text, ",9007199254740993,"));
	free(text);
	text = fixture_export(&res, "text");
	assert_line(text, "Fastpath             9007199254740993  5946606  99   1");
	free(text);
	results_free(&res);
}

static void test_json_values(void **state)
{
	struct json_writer w;
	char *text = NULL;
	cJSON *tree;
	size_t n;

	(void)state;
	w.out = open_memstream(&text, &n);
	assert_non_null(w.out);
	json_init(&w, w.out);
	tree = cJSON_Parse("{\"a\": [], \"b\": {}, \"c\": [1, [2, \"x\"]], \"d\": 0.1, \"e\": -0.0,"
			   "\"f\": 1e300, \"g\": null, \"h\": true, \"i\": 4294967296}");
	cJSON_AddItemToObject(tree, "seed", cJSON_CreateRaw("18446744073709551615"));
	json_array(&w, NULL);
	json_tree(&w, NULL, tree);
	json_tree(&w, NULL, NULL);
	json_double(&w, NULL, 0.0 / 0.0);
	json_object_inline(&w, NULL);
	json_array(&w, "k\"");
	json_i64(&w, NULL, INT64_MIN);
	json_bool(&w, NULL, false);
	json_end_array(&w);
	json_double(&w, "third", 1.0 / 3);
	json_end_object(&w);
	json_end_array(&w);
	cJSON_Delete(tree);
	fclose(w.out);
	assert_string_equal(text, "[\n"
				  "  {\n"
				  "    \"a\": [],\n"
				  "    \"b\": {},\n"
				  "    \"c\": [\n"
				  "      1,\n"
				  "      [2, \"x\"]\n"
				  "    ],\n"
				  "    \"d\": 0.1,\n"
				  "    \"e\": 0,\n"
				  "    \"f\": 1e+300,\n"
				  "    \"g\": null,\n"
				  "    \"h\": true,\n"
				  "    \"i\": 4294967296,\n"
				  "    \"seed\": 18446744073709551615\n"
				  "  },\n"
				  "  null,\n"
				  "  null,\n"
				  "  {\"k\\\"\": [-9223372036854775808, false], "
				  "\"third\": 0.3333333333333333}\n"
				  "]\n");
	free(text);
}

/* A full disk is an error, not a short result. */
static void test_write_error(void **state)
{
	struct error err = {0};
	struct out_file full;
	struct results res;

	(void)state;
	if (file_create(&full, "/dev/full", &err))
		skip();
	/* It is known at once, and the reason is told at the end. */
	setvbuf(full.stream, NULL, _IONBF, 0);
	fixture_results(&res, 0);
	exporter_find("json")->write(full.stream, &res);
	errno = 0;
	assert_int_equal(file_commit(&full, &err), -1);
	assert_int_equal(err.kind, ERROR_FAILED);
	assert_string_equal(err.text, "/dev/full: cannot be written: No space left on device");
	results_free(&res);
}

static void test_exporters(void **state)
{
	(void)state;
	assert_null(exporter_find("xml"));
	assert_string_equal(exporter_nth(0)->name, "text");
	assert_null(exporter_nth(3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_published_rows), cmocka_unit_test(test_golden),
	    cmocka_unit_test(test_sheaves),	   cmocka_unit_test(test_allocations),
	    cmocka_unit_test(test_many_caches),	   cmocka_unit_test(test_hostile_names),
	    cmocka_unit_test(test_formulas),	   cmocka_unit_test(test_large_numbers),
	    cmocka_unit_test(test_json_values),	   cmocka_unit_test(test_write_error),
	    cmocka_unit_test(test_exporters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
