/*
 * Faults that a mutation check put into the mechanics and no other test noticed: memory over the
 * run, layouts that cannot be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <unistd.h>

#include "tests/run_fixture.h"

/* 512 bytes, 8 in a slab, nothing kept: an empty slab is given back at once. */
#define CACHE                                                                                      \
	"caches=[{\"name\":\"c\",\"size\":512,\"order\":0,\"cpu_partial\":0,\"min_partial\":0}]"

/* Rounds of n allocations, then n frees, all on CPU 0. */
static char *rounds(unsigned n, unsigned count)
{
	char *text = NULL, *file;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	fputs("op,cpu,object\n", out);
	while (count--) {
		for (unsigned i = 0; i < n; i++)
			fprintf(out, "alloc,0,%u\n", i);
		for (unsigned i = 0; i < n; i++)
			fprintf(out, "free,0,%u\n", i);
	}
	fclose(out);
	file = run_trace_file(text);
	free(text);
	return file;
}

static double memory(const cJSON *result, const char *name)
{
	const cJSON *caches = cJSON_GetObjectItem(result, "caches");
	const cJSON *all = cJSON_GetObjectItem(cJSON_GetArrayItem(caches, 0), "memory");

	return cJSON_GetObjectItem(all, name)->valuedouble;
}

/* The most memory is that of the fullest moment, however often slabs come and go. */
static void test_peak(void **state)
{
	char *file = rounds(32, 5), *trace;

	(void)state;
	assert_true(asprintf(&trace, "workload.trace=%s", file) > 0);
	{
		const char *const settings[] = {"policy.preset=linux-6.1", CACHE, trace, NULL};
		cJSON *result = run_json(settings);

		/* 32 objects are 4 slabs; those that stay are used again. */
		assert_true(run_number(result, 0, "free_slab") > 2 * 4);
		assert_true(memory(result, "peak_total") == 4 * 4096);
		assert_true(memory(result, "total") == run_number(result, 0, "slabs") * 4096);
		assert_true(memory(result, "used") == 0);
		cJSON_Delete(result);
	}
	unlink(file);
	free(file);
	free(trace);
}

static void refused(const char *cache, const char *part)
{
	char *file = rounds(1, 1), *trace;
	struct error err = {0};

	assert_true(asprintf(&trace, "workload.trace=%s", file) > 0);
	{
		const char *const settings[] = {cache, trace, NULL};
		char *text = run_text(settings, "text", &err);

		assert_null(text);
		if (!strstr(err.text, part))
			fail_msg("%s", err.text);
	}
	unlink(file);
	free(file);
	free(trace);
}

static void test_impossible(void **state)
{
	(void)state;
	refused("caches=[{\"name\":\"c\",\"size\":8192,\"order\":0}]", "holds an object of 8192");
	refused("caches=[{\"name\":\"c\",\"size\":4194312}]", "4194304");
	refused("caches=[{\"name\":\"c\",\"size\":8,\"order\":10}]", "objects into a slab");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_peak),
	    cmocka_unit_test(test_impossible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
