/* .slabtrace: text converted to one, and one read back. */
#include <stdlib.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/cases.h"
#include "workloads/input.h"
#include "workloads/slabtrace.h"
#include "workloads/temp-file.h"

static const struct trace_options as_recorded = {.may_block = -1, .reorder_ns = -1, .adopt = true};

/* A temporary file's path. */
static const char *path_of(int fd, char *buf, size_t size)
{
	snprintf(buf, size, "/proc/self/fd/%d", fd);
	return buf;
}

/* The trace's text, decompressed, in a temporary file; -1 and err. */
static int plain_text(struct error *err)
{
	struct input *in = input_open(BUNDLED_TRACE, err);
	int fd = in ? input_file(in, err) : -1;

	input_close(in);
	return fd;
}

/* Write file as a .slabtrace file, a temporary one; events and its size. -1 and err. */
static int convert(const char *file, bool times, uint64_t *events, uint64_t *bytes,
		   struct error *err)
{
	const struct slabtrace_options to = {.times = times};
	struct stream *st = stream_open(file, &as_recorded, err);
	int fd = st ? temp_file_open(err) : -1;
	FILE *out = fd >= 0 ? fdopen(dup(fd), "w") : NULL;
	int ret = out ? slabtrace_write_to(st, out, &to, err) : -1;

	if (!ret) {
		*events = st->info.events;
		*bytes = (uint64_t)ftello(out);
	}
	if (out)
		fclose(out);
	stream_close(st);
	if (ret && fd >= 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int convert_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	int text = plain_text(err), native;
	uint64_t events = 0;
	char path[64];

	(void)run;
	if (text < 0)
		return -1;
	sample_begin(s);
	native = convert(path_of(text, path, sizeof(path)), true, &events, &s->bytes, err);
	sample_end(s, events);
	close(text);
	if (native < 0)
		return -1;
	close(native);
	return 0;
}

static int read_back(const struct bench_run *run, const struct trace_options *opt, bool times,
		     struct sample *s, struct error *err)
{
	uint64_t written, events = 0, bytes = 0;
	int fd = convert(BUNDLED_TRACE, times, &written, &bytes, err), more = -1;
	struct source *src;
	struct batch b;
	char path[64];

	if (fd < 0)
		return -1;
	src = trace_open(path_of(fd, path, sizeof(path)), opt, err);
	sample_begin(s);
	for (unsigned i = 0; src && i < run->rounds; i++) {
		if (i && src->ops->rewind(src, err))
			break;
		while ((more = src->ops->next(src, &b, err)) > 0)
			events += b.n;
		if (more < 0)
			break;
	}
	sample_end(s, events);
	s->bytes = bytes * run->rounds;
	if (src)
		src->ops->close(src);
	close(fd);
	return more;
}

int read_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	return read_back(run, &as_recorded, true, s, err);
}

int read_bare_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	return read_back(run, &as_recorded, false, s, err);
}

/* As a replay reads it by default: simultaneous events in order. */
int read_in_order_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	const struct trace_options opt = {.may_block = -1};

	return read_back(run, &opt, true, s, err);
}
