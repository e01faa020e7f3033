/* trace.dat, the binary file that trace-cmd record writes: the records that trace-dat.c sends. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/trace-dat.h"

struct client {
	struct reader_ctx *ctx;
	pid_t pid;
	int fd;
	uint64_t received;
	bool ended;
	struct record rec[TRACE_DAT_RECORDS_MAX];
	size_t pos, len; /* of rec */
};

bool trace_dat_head(const char *head, size_t len, struct trace_dat_head *h)
{
	const size_t magic = sizeof(TRACE_DAT_MAGIC) - 1;
	const unsigned char *p;
	size_t n;

	if (len < magic || memcmp(head, TRACE_DAT_MAGIC, magic))
		return false;
	*h = (struct trace_dat_head){0};
	n = strnlen(head + magic, len - magic);
	snprintf(h->version, sizeof(h->version), "%.*s", (int)(n < 15 ? n : 15), head + magic);
	/* Version, its NUL, byte order, bytes of a long, page size */
	p = (const unsigned char *)head + magic + n + 1;
	if (len < magic + n + 7)
		return true;
	h->big_endian = p[0];
	h->size = magic + n + 7;
	if (p[0])
		h->page_size = (unsigned)p[2] << 24 | p[3] << 16 | p[4] << 8 | p[5];
	else
		h->page_size = (unsigned)p[5] << 24 | p[4] << 16 | p[3] << 8 | p[2];
	if (h->page_size < 1024 || h->page_size > 1 << 20 || h->page_size & (h->page_size - 1))
		h->page_size = 0;
	return true;
}

static int trace_dat_probe(const char *head, size_t len)
{
	struct trace_dat_head h;

	return trace_dat_head(head, len, &h) ? 100 : 0;
}

static void read_head(struct reader_ctx *ctx, struct trace_dat_head *h)
{
	struct error ignored = {0};
	const char *head;
	int64_t len = input_peek(ctx->in, &head, 64, &ignored);

	if (len > 0 && trace_dat_head(head, (size_t)len, h))
		ctx->page_size = h->page_size;
}

static int start(struct client *c, int file, struct error *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error_failed(err, "cannot create a pipe: %s", strerror(errno));
	c->pid = fork();
	if (c->pid == 0) {
		close(ends[0]);
		trace_dat_serve(file, ends[1], c->ctx);
	}
	close(ends[1]);
	c->fd = ends[0];
	if (c->pid < 0)
		return error_failed(err, "cannot start a process to read a trace.dat file: %s",
				    strerror(errno));
	return 0;
}

static void trace_dat_close(void *state)
{
	struct client *c = state;

	if (c->fd >= 0)
		close(c->fd);
	if (c->pid > 0) {
		kill(c->pid, SIGKILL);
		while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	free(c);
}

static void *trace_dat_open(struct reader_ctx *ctx, struct error *err)
{
	struct client *c = calloc(1, sizeof(*c));
	struct trace_dat_head h = {0};
	int file, ret;

	if (!c) {
		error_memory(err, "reading a trace");
		return NULL;
	}
	*c = (struct client){.ctx = ctx, .fd = -1};
	read_head(ctx, &h);
	file = input_file(ctx->in, err);
	if (file >= 0)
		ctx->missing_time = !trace_dat_has_times(file, &h);
	ret = file < 0 ? -1 : start(c, file, err);
	if (file >= 0)
		close(file);
	if (ret) {
		trace_dat_close(c);
		return NULL;
	}
	return c;
}

/* n bytes: 1; 0 when the other end is closed before; -1 and err. */
static int get(const struct client *c, void *buf, size_t n, struct error *err)
{
	char *p = buf;
	ssize_t got;

	while (n) {
		got = read(c->fd, p, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_failed(err, "%s: cannot read from a pipe: %s",
					    input_name(c->ctx->in), strerror(errno));
		if (got == 0)
			return 0;
		p += got;
		n -= (size_t)got;
	}
	return 1;
}

/* It ended without saying so: the file was too much for the library. */
static int crashed(struct client *c, struct error *err)
{
	const char *name = input_name(c->ctx->in), *how = "it stopped in the middle";
	int status = 0;

	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		how = "it found no end";
	else if (WIFSIGNALED(status))
		how = "it crashed";
	return error_input(
	    err,
	    "%s: this trace.dat file is damaged: libtracecmd, which reads it, failed "
	    "after %llu allocations and frees (%s)",
	    name, (unsigned long long)c->received, how);
}

static int take_string(struct client *c, size_t size, struct error *err)
{
	struct intern *strings = c->ctx->strings;
	uint32_t expected = intern_count(strings);
	char text[4096];
	int ret;

	if (size > sizeof(text))
		return crashed(c, err);
	ret = get(c, text, size, err);
	if (ret <= 0)
		return ret < 0 ? -1 : crashed(c, err);
	return intern(strings, text, size) == expected ? 0
						       : error_memory(err, "names of call sites");
}

/* What a process that works on damaged data sends is looked at before it is used. */
static bool sound(const struct client *c, const struct record *rec)
{
	uint32_t strings = intern_count(c->ctx->strings);

	return rec->kind < RECORD_CSV && rec->op <= EV_FREE && rec->call_site < strings &&
	       rec->name < strings && rec->node >= NUMA_NO_NODE && rec->node < MAX_NODES;
}

static int take_records(struct client *c, size_t size, struct error *err)
{
	int ret;

	if (size > sizeof(c->rec) || size % sizeof(*c->rec))
		return crashed(c, err);
	ret = get(c, c->rec, size, err);
	if (ret <= 0)
		return ret < 0 ? -1 : crashed(c, err);
	c->pos = 0;
	c->len = size / sizeof(*c->rec);
	for (size_t i = 0; i < c->len; i++)
		if (!sound(c, &c->rec[i]))
			return crashed(c, err);
	c->received += c->len;
	return 0;
}

static int take_end(struct client *c, size_t size, struct error *err)
{
	struct reader_ctx *ctx = c->ctx;
	struct trace_dat_end end;
	int ret;

	if (size != sizeof(end))
		return crashed(c, err);
	ret = get(c, &end, sizeof(end), err);
	if (ret <= 0)
		return ret < 0 ? -1 : crashed(c, err);
	for (int i = 0; i < NR_NOTES; i++)
		ctx->notes[i] += end.notes[i];
	ctx->census = end.census;
	ctx->cpus = end.cpus;
	ctx->missing_time |= end.missing_time;
	c->ended = true;
	return 0;
}

static int take_error(struct client *c, size_t size, struct error *err)
{
	struct error theirs;
	int ret;

	if (size != sizeof(theirs))
		return crashed(c, err);
	ret = get(c, &theirs, sizeof(theirs), err);
	if (ret <= 0)
		return ret < 0 ? -1 : crashed(c, err);
	theirs.text[sizeof(theirs.text) - 1] = '\0';
	return theirs.kind == ERROR_INPUT ? error_input(err, "%s", theirs.text)
					  : error_failed(err, "%s", theirs.text);
}

static int take_frame(struct client *c, struct error *err)
{
	struct trace_dat_frame frame;
	int ret = get(c, &frame, sizeof(frame), err);

	if (ret <= 0)
		return ret < 0 ? -1 : crashed(c, err);
	switch (frame.type) {
	case TRACE_DAT_STRING:
		return take_string(c, frame.size, err);
	case TRACE_DAT_RECORDS:
		return take_records(c, frame.size, err);
	case TRACE_DAT_END:
		return take_end(c, frame.size, err);
	case TRACE_DAT_ERROR:
		return take_error(c, frame.size, err);
	default:
		return crashed(c, err);
	}
}

static int64_t trace_dat_next(void *state, struct record *rec, size_t cap, struct error *err)
{
	struct client *c = state;
	size_t n;

	while (c->pos == c->len && !c->ended)
		if (take_frame(c, err))
			return -1;
	n = c->len - c->pos < cap ? c->len - c->pos : cap;
	memcpy(rec, c->rec + c->pos, n * sizeof(*rec));
	c->pos += n;
	return (int64_t)n;
}

static const struct reader_ops trace_dat = {
    .name = "trace-dat",
    .summary = "trace.dat, the binary file of trace-cmd record, versions 6 and 7",
    .probe = trace_dat_probe,
    .open = trace_dat_open,
    .next = trace_dat_next,
    .close = trace_dat_close,
};
READER(trace_dat);
