/*
 * Slab merging: which caches the kernel merges (facts 1.3), and that merged caches count what one
 * cache would that had all their objects.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <unistd.h>

#include "sim/merge.h"
#include "tests/run_fixture.h"

/* Plan n caches; want: what each merges into. */
static void check_plan(const struct merge_candidate *c, const unsigned *want, unsigned n)
{
	struct merge_member member[16];
	unsigned merged = 0;

	assert_true(n <= 16);
	for (unsigned i = 0; i < n; i++)
		merged += want[i] != i;
	assert_int_equal(merge_plan(member, c, n), merged);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(member[i].into, want[i]);
}

static void test_sizes(void **state)
{
	const struct merge_candidate c[] = {
	    {.name = "a", .size = 64, .align = 8},
	    /* The same size. */
	    {.name = "b", .size = 64, .align = 64},
	    /* 8 less, 8 more: too far apart, or too large. */
	    {.name = "c", .size = 56, .align = 8},
	    {.name = "d", .size = 72, .align = 8},
	    /* 192 is not a multiple of 128; 384 is. */
	    {.name = "e", .size = 192, .align = 64},
	    {.name = "f", .size = 192, .align = 128},
	    {.name = "g", .size = 384, .align = 8},
	    {.name = "h", .size = 384, .align = 128},
	    /* Less than a word smaller; the other way round it does not fit. */
	    {.name = "i", .size = 100, .align = 4},
	    {.name = "j", .size = 96, .align = 4},
	    {.name = "k", .size = 104, .align = 4},
	};

	(void)state;
	check_plan(c, (unsigned[]){0, 0, 2, 3, 4, 5, 6, 6, 8, 8, 10}, 11);
}

static void test_flags(void **state)
{
	const struct merge_candidate c[] = {
	    {.name = "a", .size = 64, .align = 8},
	    {.name = "account", .size = 64, .align = 8, .flags = MERGE_ACCOUNT},
	    {.name = "reclaim", .size = 64, .align = 8, .flags = MERGE_RECLAIM_ACCOUNT},
	    {.name = "both", .size = 64, .align = 8, .flags = 3},
	    {.name = "account-2", .size = 64, .align = 8, .flags = MERGE_ACCOUNT},
	    {.name = "b", .size = 64, .align = 8},
	    {.name = "ctor", .size = 64, .align = 8, .never = true},
	    {.name = "reclaim-2", .size = 64, .align = 8, .flags = MERGE_RECLAIM_ACCOUNT},
	};

	(void)state;
	check_plan(c, (unsigned[]){0, 1, 2, 3, 1, 0, 6, 2}, 8);
	/* Nothing merges into one that never merges either. */
	check_plan(
	    (const struct merge_candidate[]){{.name = "a", .size = 8, .align = 8, .never = true},
					     {.name = "b", .size = 8, .align = 8}},
	    (unsigned[]){0, 1}, 2);
}

static void test_kmalloc(void **state)
{
	const struct merge_candidate c[] = {
	    {.name = "a", .size = 64, .align = 8},
	    {.name = "account", .size = 64, .align = 8, .flags = MERGE_ACCOUNT},
	    {.name = "reclaim", .size = 64, .align = 8, .flags = MERGE_RECLAIM_ACCOUNT},
	    {.name = "kmalloc-64", .size = 64, .align = 64},
	    {.name = "kmalloc-cg-64", .size = 64, .align = 64},
	    {.name = "kmalloc-rcl-64", .size = 64, .align = 64},
	    {.name = "dma-kmalloc-64", .size = 64, .align = 64},
	    {.name = "kmalloc-rnd-01-64", .size = 64, .align = 64},
	    {.name = "b", .size = 64, .align = 8},
	};

	(void)state;
	/* The kmalloc caches are there first; normal ones, and those of other kinds, stay alone. */
	check_plan(c, (unsigned[]){0, 4, 5, 3, 4, 5, 6, 7, 0}, 9);
}

static void test_events(void **state)
{
	const struct merge_candidate c[] = {{.name = "a", .size = 64, .align = 8},
					    {.name = "x", .size = 128, .align = 8},
					    {.name = "b", .size = 64, .align = 8},
					    {.name = "c", .size = 64, .align = 8}};
	struct event ev[] = {
	    {.object = 5, .cache = 0}, {.object = 5, .cache = 1}, {.object = 5, .cache = 2},
	    {.object = 5, .cache = 3}, {.object = 0, .cache = 3},
	};
	struct event far[] = {{.object = UINT32_MAX / 2, .cache = 2}};
	struct merge_member member[4];
	struct error err = {0};

	(void)state;
	assert_int_equal(merge_plan(member, c, 4), 2);
	assert_int_equal(merge_events(member, ev, 5, &err), 0);
	/* Groups of three: id * 3 + place; the cache that is alone keeps its ids. */
	assert_int_equal(ev[0].object, 15);
	assert_int_equal(ev[1].object, 5);
	assert_int_equal(ev[2].object, 16);
	assert_int_equal(ev[3].object, 17);
	assert_int_equal(ev[4].object, 2);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(ev[i].cache, i == 1);
	assert_int_equal(merge_events(member, far, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "replay.merge: 3 caches merge"));
}

/* ---- whole runs ---- */

#define ROWS 4000

/*
 * Operations on two caches, one after the other at random, bulk calls and a shrink among them; with
 * one the rows are of a single cache m, its objects those of both.
 */
static char *make_trace(bool one)
{
	char *text = NULL, *name;
	bool live[2][64] = {{0}};
	unsigned random = 1;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	fputs("op,cpu,object,cache,bulk\n", out);
	for (unsigned row = 0; row < ROWS; row++) {
		unsigned cache, object, cpu;
		const char *op;

		random = random * 1103515245 + 12345;
		cache = random >> 16 & 1;
		object = random >> 17 & 63;
		cpu = random >> 23 & 3;
		op = live[cache][object] ? "free" : "alloc";
		live[cache][object] = !live[cache][object];
		fprintf(out, "%s,%u,%u,%s,\n", op, cpu, object + 1000 * cache,
			one	? "m"
			: cache ? "b"
				: "a");
		if (row % 500 != 250)
			continue;
		for (unsigned bulk = 0; bulk < 2; bulk++) {
			for (unsigned i = 0; i < 70; i++)
				fprintf(out, "%s,1,%u,%s,%u\n", bulk ? "free_bulk" : "alloc_bulk",
					i + 1000 * cache + 500,
					one	? "m"
					: cache ? "b"
						: "a",
					2 * row + bulk);
		}
		fprintf(out, "shrink,,,%s,\n", one ? "m" : "a");
	}
	fclose(out);
	name = run_trace_file(text);
	free(text);
	return name;
}

static cJSON *caches_of(cJSON *result)
{
	return cJSON_GetObjectItemCaseSensitive(result, "caches");
}

static void check_same(const char *preset, const char *mode)
{
	char *apart = make_trace(false), *together = make_trace(true);
	char base[64], how[64], trace_a[64], trace_m[64];
	const char *const merged[] = {
	    base,
	    how,
	    trace_a,
	    "machine={\"cpus\":4,\"nodes\":2}",
	    "replay.merge=true",
	    "caches=[{\"name\":\"a\",\"object_size\":60},{\"name\":\"b\",\"object_size\":64}]",
	    NULL};
	const char *const single[] = {base,
				      how,
				      trace_m,
				      "machine={\"cpus\":4,\"nodes\":2}",
				      "caches=[{\"name\":\"m\",\"object_size\":64}]",
				      NULL};
	cJSON *a, *m;
	char *ja, *jm;

	snprintf(base, sizeof(base), "policy.preset=%s", preset);
	snprintf(how, sizeof(how), "replay.mode=%s", mode);
	snprintf(trace_a, sizeof(trace_a), "workload.trace=%s", apart);
	snprintf(trace_m, sizeof(trace_m), "workload.trace=%s", together);
	a = run_json(merged);
	m = run_json(single);
	assert_int_equal(cJSON_GetArraySize(caches_of(a)), 1);
	assert_int_equal(cJSON_GetArraySize(caches_of(m)), 1);
	/* The merged cache has the first one's name, and says whose else it is. */
	ja = cJSON_PrintUnformatted(
	    cJSON_GetObjectItemCaseSensitive(caches_of(a)->child, "aliases"));
	assert_string_equal(ja, "[\"b\"]");
	cJSON_free(ja);
	assert_string_equal(
	    cJSON_GetObjectItemCaseSensitive(caches_of(a)->child, "name")->valuestring, "a");
	/* All else is the single cache's: geometry, every counter of every CPU, memory, series. */
	cJSON_DeleteItemFromObjectCaseSensitive(caches_of(a)->child, "aliases");
	cJSON_DeleteItemFromObjectCaseSensitive(caches_of(a)->child, "name");
	cJSON_DeleteItemFromObjectCaseSensitive(caches_of(m)->child, "name");
	ja = cJSON_Print(caches_of(a));
	jm = cJSON_Print(caches_of(m));
	assert_string_equal(ja, jm);
	assert_true(run_number(a, 0, "alloc_slowpath") > 0);
	cJSON_free(ja);
	cJSON_free(jm);
	cJSON_Delete(a);
	cJSON_Delete(m);
	unlink(apart);
	unlink(together);
	free(apart);
	free(together);
}

static void test_same_as_one(void **state)
{
	(void)state;
	check_same("linux-6.1", "order");
	check_same("linux-6.12", "order");
	check_same("linux-7.0", "order");
}

static void test_same_timed(void **state)
{
	(void)state;
	check_same("linux-6.1", "timed");
	check_same("linux-7.0", "timed");
}

static void test_runs(void **state)
{
	char *trace = make_trace(false), trace_set[64], *text;
	const char *settings[] = {
	    "policy.preset=linux-6.1",
	    trace_set,
	    "machine.cpus=4",
	    "caches=[{\"name\":\"a\",\"size\":64},{\"name\":\"b\",\"size\":64}]",
	    NULL,
	    NULL};
	struct error err;
	cJSON *json;

	(void)state;
	snprintf(trace_set, sizeof(trace_set), "workload.trace=%s", trace);
	/* Off by default. */
	json = run_json(settings);
	assert_int_equal(cJSON_GetArraySize(caches_of(json)), 2);
	assert_null(cJSON_GetObjectItemCaseSensitive(caches_of(json)->child, "aliases"));
	cJSON_Delete(json);
	/* slabinfo -r tells how many aliases there are. */
	settings[4] = "replay.merge=true";
	text = run_text(settings, "text", &err);
	assert_non_null(text);
	assert_non_null(strstr(text, "Slabcache: a                Aliases:  1 Order :  0"));
	free(text);
	/* A cache that never merges, a sheaf capacity of its own, other flags, another size. */
	for (unsigned i = 0; i < 5; i++) {
		static const char *const caches[] = {
		    "caches=[{\"name\":\"a\",\"size\":64},{\"name\":\"b\",\"size\":64,"
		    "\"no_merge\":true}]",
		    "caches=[{\"name\":\"a\",\"size\":64},{\"name\":\"b\",\"size\":64,"
		    "\"sheaf_capacity\":32}]",
		    "caches=[{\"name\":\"a\",\"size\":64,\"account\":true},"
		    "{\"name\":\"b\",\"size\":64}]",
		    "caches=[{\"name\":\"a\",\"size\":64,\"ctor\":true},"
		    "{\"name\":\"b\",\"size\":64}]",
		    "caches=[{\"name\":\"a\",\"size\":72},{\"name\":\"b\",\"size\":64}]",
		};

		settings[3] = caches[i];
		json = run_json(settings);
		assert_int_equal(cJSON_GetArraySize(caches_of(json)), 2);
		cJSON_Delete(json);
	}
	/* What replay.only leaves out is not merged in. */
	settings[3] = "caches=[{\"name\":\"a\",\"size\":64},{\"name\":\"b\",\"size\":64}]";
	settings[2] = "replay.only=[\"b\"]";
	json = run_json(settings);
	assert_int_equal(cJSON_GetArraySize(caches_of(json)), 1);
	assert_null(cJSON_GetObjectItemCaseSensitive(caches_of(json)->child, "aliases"));
	cJSON_Delete(json);
	unlink(trace);
	free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sizes),	cmocka_unit_test(test_flags),
	    cmocka_unit_test(test_kmalloc),	cmocka_unit_test(test_events),
	    cmocka_unit_test(test_same_as_one), cmocka_unit_test(test_same_timed),
	    cmocka_unit_test(test_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
