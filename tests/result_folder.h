/* A temporary folder with results in it. */
#ifndef RESULT_FOLDER_H
#define RESULT_FOLDER_H

#include <unistd.h>

#include "tests/result_fixture.h"

static char folder[] = "/tmp/slabsim-results-XXXXXX";

/* A name in the folder as a path; to be freed. */
static inline char *path_of(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
	return path;
}

/* Write text to a file of the folder; returns its path, to be freed. */
static inline char *put_text(const char *file, const char *text)
{
	char *path = path_of(file);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	return path;
}

static inline char *put_result(const char *file, const struct results *res)
{
	char *text = fixture_export(res, "json"), *path = put_text(file, text);

	free(text);
	return path;
}

/* A result of one published column, under the names given (NULL: its own). */
static inline char *put(unsigned column, const char *file, const char *name, const char *cache)
{
	struct results res;
	char *path;

	fixture_results(&res, column);
	if (name) {
		free(res.name);
		res.name = strdup(name);
	}
	if (cache) {
		free(res.caches[0].name);
		res.caches[0].name = strdup(cache);
	}
	path = put_result(file, &res);
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
