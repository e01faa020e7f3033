/* The files trace and trace_pipe of tracefs (facts 8.2), in whatever layout options gave them. */
#include "workloads/kmem-text.h"
#include "workloads/line-text.h"
#include "workloads/reader.h"

/* "# entries-in-buffer/entries-written: 342388/707458   #P:2" */
static void parse_header(struct reader_ctx *ctx, const struct line *line)
{
	static const char entries[] = "# entries-in-buffer/entries-written: ";
	uint64_t kept, written;
	char slash[32];

	ctx->notes[NOTE_COMMENT]++;
	if (!line_starts(line, entries))
		return;
	ctx->cpus = (unsigned)line_number_behind(line, "#P:");
	kept = line_number_behind(line, entries);
	snprintf(slash, sizeof(slash), "%llu/", (unsigned long long)kept);
	written = line_number_behind(line, slash);
	if (written > kept)
		ctx->notes[NOTE_OVERWRITTEN] += written - kept;
}

/* Lines that do not begin with a task. */
static void count_other(struct reader_ctx *ctx, const struct line *line)
{
	struct line rest = line_skip_blanks(line);

	if (line_starts(line, "CPU:") && line_has(line, "LOST")) {
		ctx->notes[NOTE_LOST_MARKER]++;
		ctx->notes[NOTE_LOST_EVENTS] += line_number_behind(line, "[LOST ");
	} else if (rest.len == 0) {
		ctx->notes[NOTE_BLANK]++;
	} else if (line_starts(&rest, "=>") || line_starts(&rest, "<stack trace>") ||
		   line_starts(&rest, "<user stack trace>")) {
		ctx->notes[NOTE_STACK_TRACE]++;
	} else {
		ctx->notes[NOTE_OTHER_LINE]++;
	}
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
	if (!tl.event_len && line_has(line, "stack trace>")) {
		ctx->notes[NOTE_STACK_TRACE]++;
		return 0;
	}
	return kmem_text_line(ctx, line, &tl, rec, err);
}

static int ftrace_probe(const char *head, size_t len)
{
	const char *end = head + len;
	struct task_line tl;
	struct line line;

	while (probe_line(&head, end, &line)) {
		if (line_starts(&line, "# tracer: "))
			return 90;
		if (task_line_parse(line.s, line.s + line.len, &tl) && tl.event_len)
			return 50;
	}
	return 0;
}

static int64_t ftrace_next(void *state, struct record *rec, size_t cap, struct error *err)
{
	return reader_next_lines(state, parse_line, rec, cap, err);
}

static const struct reader_ops ftrace = {
    .name = "ftrace",
    .summary = "text of trace or trace_pipe in tracefs: COMM-PID [CPU] FLAGS TIME: EVENT: ...",
    .probe = ftrace_probe,
    .open = reader_open_lines,
    .next = ftrace_next,
    .close = reader_close_lines,
};
READER(ftrace);
