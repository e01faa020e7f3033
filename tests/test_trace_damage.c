/*
 * Damaged .slabtrace files: whatever byte is wrong, it is noticed; the message names the block;
 * salvage gives the events before it, and nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/trace_fixture.h"

#define BLOCK 65536

struct file {
	char *data;
	size_t n;
	struct event *events;
	uint64_t nr_events;
};

static struct file small, large;

static struct source *open_bytes(const char *data, size_t n, bool salvage, struct error *err)
{
	struct trace_options opt = fixture_options;
	char *path = fixture_file(data, n);
	struct source *src;

	opt.adopt = true;
	opt.salvage = salvage;
	src = trace_open(path, &opt, err);
	unlink(path);
	free(path);
	return src;
}

/* All events; fewer, and err, when something is noticed on the way. */
static uint64_t read_all(struct source *src, struct event *out, uint64_t max, struct error *err)
{
	struct batch b;
	uint64_t n = 0;

	while (src->ops->next(src, &b, err) > 0) {
		assert_true(n + b.n <= max);
		memcpy(out + n, b.events, b.n * sizeof(*out));
		n += b.n;
	}
	return n;
}

static void load(struct file *f, const char *trace)
{
	char *path = fixture_convert(trace, true);
	struct error err = {0};
	struct source *src;

	f->data = fixture_read(path, &f->n);
	unlink(path);
	free(path);
	src = open_bytes(f->data, f->n, false, &err);
	assert_non_null(src);
	f->nr_events = src->info.events;
	f->events = calloc(f->nr_events, sizeof(*f->events));
	assert_int_equal(read_all(src, f->events, f->nr_events, &err), f->nr_events);
	fixture_close(src);
}

static int set_up(void **state)
{
	(void)state;
	load(&small, "tests/data/trace-v7.dat");
	load(&large, "workloads/traces/hackbench-6.1-8cpu.txt.zst");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(small.data);
	free(small.events);
	free(large.data);
	free(large.events);
	return 0;
}

/* Either it is noticed, or nothing has changed. */
static bool check_noticed(const struct file *f, const char *data, size_t n)
{
	struct event *out = calloc(f->nr_events, sizeof(*out));
	struct error err = {0};
	struct source *src = open_bytes(data, n, false, &err);
	uint64_t got = 0;

	if (src) {
		got = read_all(src, out, f->nr_events, &err);
		fixture_close(src);
	}
	/* What came before it was sound. */
	assert_memory_equal(out, f->events, got * sizeof(*out));
	if (err.kind == ERROR_NONE)
		assert_int_equal(got, f->nr_events);
	else
		assert_int_equal(err.kind, ERROR_INPUT);
	free(out);
	return err.kind != ERROR_NONE;
}

static void every_byte(void **state)
{
	char *copy = malloc(small.n);
	unsigned unnoticed = 0;

	(void)state;
	for (size_t i = 0; i < small.n; i++) {
		memcpy(copy, small.data, small.n);
		copy[i] = (char)(copy[i] ^ (1 << i % 8));
		unnoticed += !check_noticed(&small, copy, small.n);
	}
	/* Zstandard leaves a bit or two of its frames' headers unused. */
	assert_in_range(unnoticed, 0, 40);
	free(copy);
}

static void every_length(void **state)
{
	(void)state;
	for (size_t n = 8; n < small.n; n += n < 100 ? 1 : 37)
		assert_true(check_noticed(&small, small.data, n));
	assert_false(check_noticed(&small, small.data, small.n));
}

static void check_salvage(const char *data, size_t n, uint64_t sound)
{
	struct event *out = calloc(large.nr_events, sizeof(*out));
	uint64_t allocs = 0, told = 0;
	struct error err = {0};
	struct source *src = open_bytes(data, n, true, &err);

	if (!src)
		fail_msg("%s", err.text);
	assert_int_equal(src->info.events, sound);
	assert_int_equal(fixture_note(src, "damaged_events"), large.nr_events - sound);
	for (int round = 0; round < 2; round++) {
		assert_int_equal(read_all(src, out, large.nr_events, &err), sound);
		assert_int_equal(err.kind, ERROR_NONE);
		assert_memory_equal(out, large.events, sound * sizeof(*out));
		assert_int_equal(src->ops->rewind(src, &err), 0);
	}
	for (uint64_t i = 0; i < sound; i++)
		allocs += out[i].op == EV_ALLOC;
	for (unsigned i = 0; i < src->info.nr_caches; i++)
		told += src->info.caches[i].allocs;
	assert_int_equal(allocs, told);
	fixture_close(src);
	free(out);
}

static void salvaged(void **state)
{
	char *copy = malloc(large.n);
	struct event *out = calloc(large.nr_events, sizeof(*out));
	struct error err = {0};
	struct source *src;

	(void)state;
	memcpy(copy, large.data, large.n);
	check_salvage(copy, large.n, large.nr_events);
	/* Cut behind half of it; and a byte wrong there. */
	check_salvage(copy, large.n / 2, 3 * BLOCK);
	copy[large.n / 2] ^= 0x40;
	check_salvage(copy, large.n, 3 * BLOCK);
	src = open_bytes(copy, large.n, false, &err);
	assert_non_null(src);
	assert_int_equal(read_all(src, out, large.nr_events, &err), 3 * BLOCK);
	assert_non_null(strstr(err.text, "block 4 is damaged"));
	assert_non_null(strstr(err.text, "The 196608 events before it are sound"));
	assert_non_null(strstr(err.text, "replay.salvage"));
	fixture_close(src);
	/* Headers that lead nowhere: nothing has been read yet, and nothing is promised. */
	err = (struct error){0};
	assert_null(open_bytes(large.data, large.n / 2, false, &err));
	assert_non_null(strstr(err.text, "What is sound before it is taken with"));
	assert_null(open_bytes(large.data, large.n / 100, false, &err));
	free(copy);
	free(out);
}

static void nothing_to_salvage(void **state)
{
	struct error err = {0};

	(void)state;
	/* The header is whole, the first block is not. */
	assert_null(open_bytes(small.data, small.n - 200, true, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "nothing of it can be used"));
	err = (struct error){0};
	assert_null(open_bytes(small.data, 40, true, &err));
	assert_non_null(strstr(err.text, "damaged in its header"));
}

static void other_version(void **state)
{
	char *copy = malloc(small.n);
	struct error err = {0};

	(void)state;
	memcpy(copy, small.data, small.n);
	copy[8] = 2;
	assert_null(open_bytes(copy, small.n, false, &err));
	assert_non_null(strstr(err.text, "version 2 of the .slabtrace format"));
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_byte),    cmocka_unit_test(every_length),
	    cmocka_unit_test(salvaged),	     cmocka_unit_test(nothing_to_salvage),
	    cmocka_unit_test(other_version),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
