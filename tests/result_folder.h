/* A temporary folder with results in it. */
#ifndef RESULT_FOLDER_H
#define RESULT_FOLDER_H

#include <unistd.h>

#include "tests/result_fixture.h"

static char folder[] = "/tmp/slabsim-results-XXXXXX";

/* A name in the folder as a path; to be freed. */
static char *path_of(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
	return path;
}

/* A result of one published column, under the names given (NULL: its own). */
static char *put(unsigned column, const char *file, const char *name, const char *cache)
{
	char *path = path_of(file), *text;
	struct results res;
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fixture_results(&res, column);
	if (name) {
		free(res.name);
		res.name = strdup(name);
	}
	if (cache) {
		free(res.caches[0].name);
		res.caches[0].name = strdup(cache);
	}
	text = fixture_export(&res, "json");
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	free(text);
	results_free(&res);
	return path;
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

#endif
