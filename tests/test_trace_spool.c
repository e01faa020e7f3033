/* The temporary file of events, and traces from standard input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/trace_fixture.h"
#include "workloads/spool.h"

static struct spool_event numbered(uint32_t i)
{
	return (struct spool_event){
	    .time_ns = 7ull * i, .object = i, .class = i % 5, .cpu = (uint16_t)(i % 4096)};
}

/* Events come back in any portion, the changed ones changed. */
static void changed_and_read_back(void **state)
{
	enum { N = 3 * SPOOL_BUFFER + 100 };
	struct spool_event *scratch = calloc(SPOOL_BUFFER, sizeof(*scratch));
	const size_t portions[] = {1, 13, 4096, SPOOL_BUFFER};
	struct error err = {0};
	struct spool sp;

	(void)state;
	assert_int_equal(spool_init(&sp, &err), 0);
	assert_null(spool_last(&sp));
	for (uint32_t i = 0; i < N; i++) {
		struct spool_event ev = numbered(i);

		assert_int_equal(spool_append(&sp, &ev, &err), 0);
		assert_int_equal(spool_last(&sp)->object, i);
	}
	assert_int_equal(spool_count(&sp), N);
	for (uint32_t i = 0; i < N; i += 997)
		assert_int_equal(spool_set_class(&sp, i, 1000 + i, &err), 0);
	for (size_t k = 0; k < sizeof(portions) / sizeof(portions[0]); k++) {
		uint32_t i = 0;

		while (i < N) {
			size_t n;
			const struct spool_event *ev =
			    spool_get(&sp, i, portions[k], scratch, &n, &err);

			assert_non_null(ev);
			assert_in_range(n, 1, portions[k]);
			for (size_t j = 0; j < n; j++, i++) {
				struct spool_event expect = numbered(i);

				if (i % 997 == 0)
					expect.class = 1000 + i;
				assert_memory_equal(&ev[j], &expect, sizeof(expect));
			}
		}
		assert_int_equal(i, N);
	}
	spool_free(&sp);
	free(scratch);
}

static char *long_trace(void)
{
	const size_t size = 40 << 16;
	char *text = malloc(size);
	size_t n = (size_t)snprintf(text, size, "op,cpu,object\n");

	for (unsigned i = 0; i < 2 * SPOOL_BUFFER; i++)
		n += (size_t)snprintf(text + n, size - n, "alloc,0,%u\n", i);
	return text;
}

static unsigned count_files(const char *dir)
{
	DIR *d = opendir(dir);
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* The file is where TMPDIR says, and nobody can see it. */
static void temporary_file(void **state)
{
	char *text = long_trace(), *path = fixture_file(text, strlen(text)),
	     *old = getenv("TMPDIR");
	char *saved = old ? strdup(old) : NULL, dir[] = "/tmp/slabsim-test-XXXXXX";
	struct error err = {0};
	struct source *src;
	unsigned files;

	(void)state;
	assert_non_null(mkdtemp(dir));
	files = count_files(dir);
	setenv("TMPDIR", dir, 1);
	src = trace_open(path, &fixture_options, &err);
	assert_non_null(src);
	assert_int_equal(count_files(dir), files);
	free(fixture_events(src, NULL));
	fixture_close(src);

	rmdir(dir);
	src = trace_open(path, &fixture_options, &err);
	assert_null(src);
	assert_int_equal(err.kind, ERROR_FAILED);
	assert_non_null(strstr(err.text, dir));
	assert_non_null(strstr(err.text, "set TMPDIR to a directory"));

	if (saved)
		setenv("TMPDIR", saved, 1);
	else
		unsetenv("TMPDIR");
	unlink(path);
	free(saved);
	free(path);
	free(text);
}

static void standard_input(void **state)
{
	static const char text[] = "op,cpu,object\nalloc,1,5\n";
	struct error err = {0};
	struct source *src;
	int fds[2], saved = dup(STDIN_FILENO);

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], text, strlen(text)), (ssize_t)strlen(text));
	close(fds[1]);
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	src = trace_open("-", &fixture_options, &err);
	assert_non_null(src);
	assert_int_equal(src->info.events, 1);
	free(fixture_events(src, NULL));
	fixture_close(src);
	/* Used up now; and messages call it by its name. */
	assert_null(trace_open("-", &fixture_options, &err));
	assert_string_equal(err.text, "standard input: the file is empty");
	dup2(saved, STDIN_FILENO);
	close(saved);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(changed_and_read_back),
	    cmocka_unit_test(temporary_file),
	    cmocka_unit_test(standard_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
