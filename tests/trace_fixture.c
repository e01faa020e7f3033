#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/trace_fixture.h"
#include "workloads/slabtrace.h"

const struct trace_options fixture_options = {.page_size = 4096, .may_block = -1, .reorder_ns = -1};

char *fixture_file(const void *data, size_t len)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/slabsim-test-XXXXXX", dir && *dir ? dir : "/tmp");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), (ssize_t)len);
	close(fd);
	return strdup(path);
}

struct source *fixture_open(const char *text, const struct trace_options *opt)
{
	char *path = fixture_file(text, strlen(text));
	struct error err = {0};
	struct source *src = trace_open(path, opt ? opt : &fixture_options, &err);

	unlink(path);
	free(path);
	if (!src)
		fail_msg("%s", err.text);
	return src;
}

void fixture_close(struct source *src)
{
	src->ops->close(src);
}

void fixture_refused(const char *text, const struct trace_options *opt, const char *part)
{
	fixture_refused_bytes(text, strlen(text), opt, part);
}

void fixture_refused_bytes(const void *data, size_t len, const struct trace_options *opt,
			   const char *part)
{
	char *path = fixture_file(data, len);
	struct error err = {0};
	struct source *src = trace_open(path, opt ? opt : &fixture_options, &err);

	unlink(path);
	assert_null(src);
	assert_int_equal(err.kind, ERROR_INPUT);
	if (!strstr(err.text, part) || strncmp(err.text, path, strlen(path)))
		fail_msg("the message is: %s\nit lacks: %s", err.text, part);
	free(path);
}

struct event *fixture_events(struct source *src, uint64_t **times)
{
	struct event *all = calloc(src->info.events, sizeof(*all));
	struct error err = {0};
	struct batch batch;
	uint64_t n = 0;

	if (times)
		*times = calloc(src->info.events, sizeof(**times));
	assert_int_equal(src->ops->rewind(src, &err), 0);
	while (src->ops->next(src, &batch, &err) > 0) {
		assert_true(n + batch.n <= src->info.events);
		assert_int_equal(batch.time_ns != NULL, src->info.has_times);
		memcpy(all + n, batch.events, batch.n * sizeof(*all));
		if (times && batch.time_ns)
			memcpy(*times + n, batch.time_ns, batch.n * sizeof(**times));
		n += batch.n;
	}
	assert_int_equal(err.kind, ERROR_NONE);
	assert_int_equal(n, src->info.events);
	return all;
}

uint64_t fixture_note(const struct source *src, const char *name)
{
	for (unsigned i = 0; i < src->info.nr_notes; i++)
		if (!strcmp(src->info.notes[i].name, name))
			return src->info.notes[i].count;
	return 0;
}

int fixture_cache(const struct source *src, const char *name)
{
	for (unsigned i = 0; i < src->info.nr_caches; i++)
		if (!strcmp(src->info.caches[i].name, name))
			return (int)i;
	return -1;
}

void fixture_accounts_for(const struct source *src, const char *text)
{
	uint64_t lines = 0, told = src->info.events - fixture_note(src, "implicit_free");

	for (const char *s = text; *s; lines++) {
		s = strchr(s, '\n');
		if (!s) {
			lines++;
			break;
		}
		s++;
	}
	for (unsigned i = 0; i < src->info.nr_notes; i++)
		if (src->info.notes[i].skipped)
			told += src->info.notes[i].count;
	assert_int_equal(lines, told);
}

char *fixture_convert(const char *file, bool times)
{
	const struct slabtrace_options to = {.times = times};
	struct trace_options opt = fixture_options;
	char *path = fixture_file("", 0);
	struct error err = {0};
	struct stream *st;

	opt.page_size = 0;
	st = stream_open(file, &opt, &err);
	if (!st || slabtrace_write(st, path, &to, NULL, &err))
		fail_msg("%s", err.text);
	stream_close(st);
	return path;
}

char *fixture_read(const char *file, size_t *n)
{
	FILE *f = fopen(file, "r");
	char *p = malloc(16 << 20);

	if (!f)
		fail_msg("cannot open %s", file);
	*n = fread(p, 1, 16 << 20, f);
	assert_true(feof(f));
	fclose(f);
	return p;
}

void fixture_same(struct source *a, struct source *b)
{
	uint64_t *ta, *tb;
	struct event *ea = fixture_events(a, &ta), *eb = fixture_events(b, &tb);

	assert_int_equal(a->info.events, b->info.events);
	assert_int_equal(a->info.cpus, b->info.cpus);
	assert_int_equal(a->info.nodes, b->info.nodes);
	assert_int_equal(a->info.has_times, b->info.has_times);
	assert_int_equal(a->info.nr_caches, b->info.nr_caches);
	for (unsigned i = 0; i < a->info.nr_caches; i++) {
		const struct source_cache *ca = &a->info.caches[i], *cb = &b->info.caches[i];

		assert_string_equal(ca->name, cb->name);
		assert_int_equal(ca->object_size, cb->object_size);
		assert_int_equal(ca->size, cb->size);
		assert_int_equal(ca->allocs, cb->allocs);
		assert_int_equal(ca->frees, cb->frees);
		assert_int_equal(ca->adopted, cb->adopted);
	}
	for (uint64_t i = 0; i < a->info.events; i++)
		if (memcmp(&ea[i], &eb[i], sizeof(*ea)) || ta[i] != tb[i])
			fail_msg("event %llu differs", (unsigned long long)i);
	free(ea);
	free(eb);
	free(ta);
	free(tb);
}
