/* The files trace and trace_pipe of tracefs (facts 8.2), in whatever layout options gave them. */
#include "workloads/kmem-text.h"
#include "workloads/reader.h"
#include "workloads/task-line.h"

static bool starts(const struct line *line, const char *text)
{
	size_t n = strlen(text);

	return line->len >= n && !memcmp(line->s, text, n);
}

/* The number behind text somewhere in the line; 0 when it is not there. */
static uint64_t number_behind(const struct line *line, const char *text)
{
	const char *p = memmem(line->s, line->len, text, strlen(text));
	const char *end = line->s + line->len;
	uint64_t x = 0;

	if (!p)
		return 0;
	for (p += strlen(text); p < end && *p >= '0' && *p <= '9' && x < UINT32_MAX; p++)
		x = x * 10 + (uint64_t)(*p - '0');
	return x;
}

/* "# entries-in-buffer/entries-written: 342388/707458   #P:2" */
static void parse_header(struct reader_ctx *ctx, const struct line *line)
{
	static const char entries[] = "# entries-in-buffer/entries-written: ";
	uint64_t kept, written;
	char slash[32];

	ctx->notes[NOTE_COMMENT]++;
	if (!starts(line, entries))
		return;
	ctx->cpus = (unsigned)number_behind(line, "#P:");
	kept = number_behind(line, entries);
	snprintf(slash, sizeof(slash), "%llu/", (unsigned long long)kept);
	written = number_behind(line, slash);
	if (written > kept)
		ctx->notes[NOTE_OVERWRITTEN] += written - kept;
}

/* Lines that do not begin with a task. */
static void count_other(struct reader_ctx *ctx, const struct line *line)
{
	const char *s = line->s, *end = s + line->len;

	if (starts(line, "CPU:") && memmem(s, line->len, "LOST", 4)) {
		ctx->notes[NOTE_LOST_MARKER]++;
		ctx->notes[NOTE_LOST_EVENTS] += number_behind(line, "[LOST ");
		return;
	}
	while (s < end && *s == ' ')
		s++;
	if (s == end)
		ctx->notes[NOTE_BLANK]++;
	else if ((end - s > 2 && !memcmp(s, "=>", 2)) || (end - s > 6 && !memcmp(s, "<stack", 6)))
		ctx->notes[NOTE_STACK_TRACE]++;
	else
		ctx->notes[NOTE_OTHER_LINE]++;
}

static int parse_line(struct reader_ctx *ctx, const struct line *line, struct record *rec,
		      struct error *err)
{
	struct task_line tl;

	if (line->s[0] == '#') {
		parse_header(ctx, line);
		return 0;
	}
	if (!task_line_parse(line->s, line->s + line->len, &tl)) {
		count_other(ctx, line);
		return 0;
	}
	if (!tl.event_len && line->s + line->len - tl.event >= 6 &&
	    !memcmp(tl.event, "<stack", 6)) {
		ctx->notes[NOTE_STACK_TRACE]++;
		return 0;
	}
	return kmem_text_line(ctx, line, &tl, rec, err);
}

static int ftrace_probe(const char *head, size_t len)
{
	static const char tracer[] = "# tracer: ";
	const char *end = head + len, *s = head, *nl;
	struct task_line tl;

	for (; s < end; s = nl + 1) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (!nl)
			break;
		if ((size_t)(nl - s) >= sizeof(tracer) - 1 &&
		    !memcmp(s, tracer, sizeof(tracer) - 1))
			return 90;
		if (task_line_parse(s, nl, &tl) && tl.event_len)
			return 50;
	}
	return 0;
}

static void *ftrace_open(struct reader_ctx *ctx, struct error *err)
{
	(void)err;
	return ctx;
}

static int64_t ftrace_next(void *state, struct record *rec, size_t cap, struct error *err)
{
	return reader_next_lines(state, parse_line, rec, cap, err);
}

static void ftrace_close(void *state)
{
	(void)state;
}

static const struct reader_ops ftrace = {
    .name = "ftrace",
    .summary = "text of trace or trace_pipe in tracefs: COMM-PID [CPU] FLAGS TIME: EVENT: ...",
    .probe = ftrace_probe,
    .open = ftrace_open,
    .next = ftrace_next,
    .close = ftrace_close,
};
READER(ftrace);
