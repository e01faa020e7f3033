#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "workloads/deliver.h"
#include "workloads/jitter.h"
#include "workloads/import.h"
#include "workloads/profile.h"
#include "workloads/slabtrace.h"

/* Says which, and stops. */
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "not so: %s\n", #condition);                               \
			__builtin_trap();                                                          \
		}                                                                                  \
	} while (0)

const char *fuzz_file(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	CHECK(fd >= 0);
	CHECK(!ftruncate(fd, 0));
	CHECK(!lseek(fd, 0, SEEK_SET));
	CHECK(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static const struct reader_ops *find_format(const char *name)
{
	const struct reader_ops *ops;

	for (size_t i = 0; (ops = reader_nth(i)); i++)
		if (!strcmp(ops->name, name))
			return ops;
	__builtin_trap();
}

/* A refusal has a reason. */
static void check_refused(const struct error *err)
{
	CHECK(err->kind == ERROR_INPUT || err->kind == ERROR_FAILED);
	CHECK(strlen(err->text) > 10);
}

static struct stream *open_format(const char *format, const char *path,
				  const struct trace_options *opt, struct error *err)
{
	const struct reader_ops *ops = find_format(format);
	struct input *in = input_open(path, err);
	struct stream *st = NULL;
	const char *head;

	/* A .slabtrace file is known by its first bytes; the others are taken for what they may be.
	 */
	if (in && ops->open_stream)
		st = input_peek(in, &head, 64, err) > 0 ? ops->open_stream(in, opt, err) : NULL;
	else if (in)
		st = import_trace(in, ops, opt, err);
	input_close(in);
	return st;
}

static bool begins(uint8_t op)
{
	return op == EV_ALLOC || op == EV_ALLOC_BULK || op == EV_ADOPT;
}

/* Every event is within what is said of the whole, and objects live and die in turn. */
static void check_event(const struct source_info *info, const struct event *ev, uint8_t **live,
			uint32_t *nr_live)
{
	CHECK(ev->op < NR_EVENT_OPS);
	CHECK(ev->cache < info->nr_caches);
	CHECK(ev->cpu < info->cpus);
	CHECK(ev->node >= NUMA_NO_NODE && ev->node < (int)info->nodes);
	if (ev->op == EV_SHRINK)
		return;
	CHECK(ev->object <= info->events);
	if (ev->object >= nr_live[ev->cache]) {
		uint32_t n = 2 * ev->object + 64;

		live[ev->cache] = realloc(live[ev->cache], n);
		CHECK(live[ev->cache]);
		memset(live[ev->cache] + nr_live[ev->cache], 0, n - nr_live[ev->cache]);
		nr_live[ev->cache] = n;
	}
	CHECK(live[ev->cache][ev->object] == !begins(ev->op));
	live[ev->cache][ev->object] = begins(ev->op);
}

struct checker {
	const struct source_info *info;
	uint8_t **live;
	uint32_t *nr_live;
	uint64_t events;
};

static void checker_init(struct checker *c, const struct source_info *info)
{
	*c = (struct checker){.info = info};
	c->live = calloc((size_t)info->nr_caches + 1, sizeof(*c->live));
	c->nr_live = calloc((size_t)info->nr_caches + 1, sizeof(*c->nr_live));
	CHECK(c->live && c->nr_live);
}

static void checker_add(struct checker *c, const struct event *ev, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_event(c->info, &ev[i], c->live, c->nr_live);
	c->events += n;
	CHECK(c->events <= c->info->events);
}

/* whole: the end was reached without an error. */
static void checker_end(struct checker *c, bool whole)
{
	CHECK(!whole || c->events == c->info->events);
	for (unsigned i = 0; i < c->info->nr_caches; i++)
		free(c->live[i]);
	free(c->live);
	free(c->nr_live);
}

/* All events of the stream; false when a damaged file ends it. */
static bool check_stream(struct stream *st)
{
	struct stream_batch b;
	struct error err = {0};
	struct checker c;
	int more;

	st->wants |= STREAM_SITES | STREAM_AFTER;
	if (st->ops->rewind(st, &err))
		return false;
	checker_init(&c, &st->info);
	while ((more = st->ops->next(st, &b, &err)) > 0) {
		CHECK(b.n && !b.time_ns == !st->info.has_times);
		checker_add(&c, b.events, b.n);
		for (size_t i = 0; i < b.n && st->nr_sites; i++)
			CHECK(b.site[i] < st->nr_sites);
	}
	checker_end(&c, more == 0);
	if (more)
		check_refused(&err);
	return more == 0;
}

static void check_delivery(struct stream *st, const struct trace_options *opt)
{
	struct error err = {0};
	struct deliver *d;
	struct checker c;
	struct batch b;
	int more;

	if (!deliver_needed(st, opt))
		return;
	d = deliver_new(st, opt, &err);
	CHECK(d);
	CHECK(!deliver_rewind(d, &err));
	checker_init(&c, deliver_info(d));
	while ((more = deliver_next(d, &b, &err)) > 0)
		checker_add(&c, b.events, b.n);
	checker_end(&c, true);
	CHECK(more == 0);
	deliver_free(d);
}

/* Written as .slabtrace and read again, it is as long as before. */
static void check_written(struct stream *st)
{
	const struct slabtrace_options to = {.times = true};
	struct trace_options opt = {.may_block = -1, .reorder_ns = -1, .adopt = true};
	char path[64];
	int fd = memfd_create("written", MFD_CLOEXEC);
	FILE *out = fdopen(fd, "w");
	struct error err = {0};
	struct stream *again;

	CHECK(out);
	if (slabtrace_write_to(st, out, &to, &err))
		fprintf(stderr, "not written: %s\n", err.text);
	CHECK(err.kind == ERROR_NONE && !fflush(out));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = stream_open(path, &opt, &err);
	CHECK(again && again->info.events == st->info.events && check_stream(again));
	stream_close(again);
	fclose(out);
}

/* The stream with its events put off at random; it is the new one's. */
static struct stream *check_jitter(struct stream *st)
{
	struct error err = {0};

	st = stream_jitter(st, 5000, 1, &err);
	CHECK(st);
	check_stream(st);
	return st;
}

/* Options vary with the input. */
static void choose_options(struct trace_options *opt, uint32_t x)
{
	static const struct trace_match match[] = {{"f", -1, "told"},
						   {"getname_flags", 4096, "told"}};
	static const int64_t reorder[] = {-1, 0, 1000, 1000000};

	*opt = (struct trace_options){
	    .may_block = (int)(x % 3) - 1,
	    .reorder_ns = reorder[x / 3 % 4],
	    .adopt = x / 12 % 2,
	    .salvage = x / 24 % 2,
	    .max_cpus = x / 48 % 4 ? 0 : 2,
	    .match = match,
	    .nr_match = x / 192 % 2 ? 2 : 0,
	};
}

static uint32_t hash(const uint8_t *data, size_t size)
{
	uint32_t x = 2166136261u;

	for (size_t i = 0; i < size; i++)
		x = (x ^ data[i]) * 16777619u;
	return x;
}

void fuzz_trace(const char *format, const uint8_t *data, size_t size)
{
	struct trace_options opt;
	struct error err = {0};
	struct stream *st;
	struct profile p;
	uint32_t x = hash(data, size);

	choose_options(&opt, x >> 8);
	st = open_format(format, fuzz_file(data, size), &opt, &err);
	if (!st) {
		check_refused(&err);
		return;
	}
	if (check_stream(st)) {
		CHECK(!profile_make(&p, st, &err));
		profile_free(&p);
		/* The writer's buffers take longer than everything else. */
		if (x % 8 == 0)
			check_written(st);
		check_delivery(st, &opt);
	}
	if (x % 8 == 1 && st->info.has_times && !st->in_order)
		st = check_jitter(st);
	stream_close(st);
}
