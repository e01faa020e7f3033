/*
 * trace.dat: the same events as trace-cmd's own text of it, in both versions of the format; and
 * damaged files, which libtracecmd does not survive, while its caller must.
 *
 * tests/data/trace-v6.dat.zst and trace-v7.dat are 1,035 events of one recording of hackbench
 * under 6.18, in the two versions trace-cmd writes; the symbols nobody refers to are left out.
 * trace-dat-ns.txt.zst is what "trace-cmd report -t" prints of them, trace-dat-us.txt.zst what it
 * prints without -t.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/trace_fixture.h"

static struct source *open_file(const char *file)
{
	struct error err = {0};
	struct source *src = trace_open(file, &fixture_options, &err);

	if (!src)
		fail_msg("%s", err.text);
	return src;
}

/* Like assert_int_equal for whole sources; times may be rounded to microseconds in b. */
static void check_equal(struct source *a, struct source *b, bool rounded)
{
	uint64_t *ta, *tb;
	struct event *ea = fixture_events(a, &ta), *eb = fixture_events(b, &tb);

	assert_int_equal(a->info.events, b->info.events);
	assert_memory_equal(ea, eb, a->info.events * sizeof(*ea));
	for (uint64_t i = 0; i < a->info.events; i++)
		assert_int_equal(rounded ? (ta[i] + 500) / 1000 * 1000 : ta[i], tb[i]);
	assert_int_equal(a->info.cpus, b->info.cpus);
	assert_int_equal(a->info.nr_caches, b->info.nr_caches);
	for (unsigned i = 0; i < a->info.nr_caches; i++) {
		assert_string_equal(a->info.caches[i].name, b->info.caches[i].name);
		assert_int_equal(a->info.caches[i].object_size, b->info.caches[i].object_size);
		assert_int_equal(a->info.caches[i].size, b->info.caches[i].size);
		assert_int_equal(a->info.caches[i].allocs, b->info.caches[i].allocs);
	}
	free(ea);
	free(eb);
	free(ta);
	free(tb);
}

static void same_as_its_text(void **state)
{
	static const char *const files[] = {"tests/data/trace-v7.dat",
					    "tests/data/trace-v6.dat.zst"};
	struct source *ns = open_file("tests/data/trace-dat-ns.txt.zst");
	struct source *us = open_file("tests/data/trace-dat-us.txt.zst");

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct source *dat = open_file(files[i]);
		uint64_t records = dat->info.events - fixture_note(dat, "implicit_free");

		check_equal(dat, ns, false);
		check_equal(dat, us, true);
		for (unsigned n = 0; n < dat->info.nr_notes; n++)
			if (dat->info.notes[n].skipped)
				records += dat->info.notes[n].count;
		assert_int_equal(records, 1035);
		fixture_close(dat);
	}
	fixture_close(ns);
	fixture_close(us);
}

static char *read_file(const char *file, size_t *n)
{
	FILE *f = fopen(file, "r");
	char *p = malloc(1 << 20);

	assert_non_null(f);
	*n = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

/* Read it, or refuse it with a message; nothing else. True: read. */
static bool survive(const char *data, size_t n)
{
	char *path = fixture_file(data, n);
	struct error err = {0};
	struct source *src = trace_open(path, &fixture_options, &err);

	unlink(path);
	free(path);
	if (!src) {
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_non_null(strstr(err.text, "slabsim-test"));
		return false;
	}
	free(fixture_events(src, NULL));
	fixture_close(src);
	return true;
}

static void cut_anywhere(void **state)
{
	size_t n;
	char *data = read_file("tests/data/trace-v7.dat", &n);

	(void)state;
	for (size_t len = 10; len < n; len += n / 40)
		survive(data, len);
	assert_true(survive(data, n));
	free(data);
}

static void damaged_anywhere(void **state)
{
	const char *env = getenv("SLABSIM_FUZZ");
	unsigned long rounds = env && *env ? strtoul(env, NULL, 10) : 60;
	uint32_t x = 7, refused = 0;
	size_t n;
	char *data = read_file("tests/data/trace-v7.dat", &n), *copy = malloc(n);

	(void)state;
	for (unsigned long i = 0; i < rounds; i++) {
		memcpy(copy, data, n);
		for (unsigned k = 0; k < 3; k++) {
			x = x * 1664525 + 1013904223;
			/* Most of what matters stands at the front. */
			copy[10 + (x >> 8) % (k ? n - 10 : 200)] = (char)(x >> 3);
		}
		refused += !survive(copy, n);
	}
	assert_true(refused > 0);
	free(data);
	free(copy);
}

static void not_a_version_it_reads(void **state)
{
	size_t n;
	char *data = read_file("tests/data/trace-v7.dat", &n);

	(void)state;
	data[10] = '9';
	assert_false(survive(data, n));
	free(data);
}

/* A clock that counts something else gives no times; so does its text. */
static void other_clocks(void **state)
{
	size_t n;
	char *data = read_file("tests/data/trace-v7.dat", &n), *clock, *path;
	struct source *src;

	(void)state;
	clock = memmem(data, n, "local", 6);
	assert_non_null(clock);
	memcpy(clock, "count", 5);
	path = fixture_file(data, n);
	src = open_file(path);
	assert_false(src->info.has_times);
	fixture_close(src);
	unlink(path);
	free(path);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(same_as_its_text), cmocka_unit_test(cut_anywhere),
	    cmocka_unit_test(damaged_anywhere), cmocka_unit_test(not_a_version_it_reads),
	    cmocka_unit_test(other_clocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
