/*
 * What "trace-cmd report" prints (facts 8.3), with -l, -t, -R, and of any buffer instance. The
 * lines are those of ftrace but for the event's name being padded, "(function+offset)" before
 * the fields, and the lines that tell of lost events.
 */
#include "workloads/kmem-text.h"
#include "workloads/line-text.h"
#include "workloads/reader.h"

/* "cpus=8" */
static bool is_cpus(const struct line *line)
{
	return line_starts(line, "cpus=") && line->len > 5 && line->len < 12 && line->s[5] >= '1' &&
	       line->s[5] <= '9';
}

static void count_other(struct reader_ctx *ctx, const struct line *line)
{
	uint64_t lost;

	if (is_cpus(line)) {
		ctx->cpus = (unsigned)line_number_behind(line, "cpus=");
		ctx->notes[NOTE_COMMENT]++;
	} else if (line_has(line, "EVENTS DROPPED]")) {
		/* "CPU:3 [123 EVENTS DROPPED]", "CPU:3 [EVENTS DROPPED]" */
		ctx->notes[NOTE_LOST_MARKER]++;
		lost = line_number_behind(line, "[");
		/* Without a number: some, it is not known how many. */
		ctx->notes[NOTE_LOST_EVENTS] += lost ? lost : 1;
	} else if (line->s[0] == '#' || (line_starts(line, "CPU ") && line_has(line, "is empty")) ||
		   line_starts(line, "version = ")) {
		ctx->notes[NOTE_COMMENT]++;
	} else if (line_skip_blanks(line).len == 0) {
		ctx->notes[NOTE_BLANK]++;
	} else if (line_starts(line, "=>") || line_starts(line, " =>")) {
		ctx->notes[NOTE_STACK_TRACE]++;
	} else {
		ctx->notes[NOTE_OTHER_LINE]++;
	}
}

static int parse_line(struct reader_ctx *ctx, const struct line *line, struct record *rec,
		      struct error *err)
{
	struct task_line tl;

	if (task_line_parse(line->s, line->s + line->len, &tl))
		return kmem_text_line(ctx, line, &tl, rec, err);
	count_other(ctx, line);
	return 0;
}

static int trace_cmd_probe(const char *head, size_t len)
{
	const char *end = head + len;
	struct line line;

	while (probe_line(&head, end, &line))
		if (is_cpus(&line))
			return 95;
	return 0;
}

static int64_t trace_cmd_next(void *state, struct record *rec, size_t cap, struct error *err)
{
	return reader_next_lines(state, parse_line, rec, cap, err);
}

static const struct reader_ops trace_cmd = {
    .name = "trace-cmd",
    .summary = "text of trace-cmd report: cpus=N, then COMM-PID [CPU] TIME: EVENT: ...",
    .probe = trace_cmd_probe,
    .open = reader_open_lines,
    .next = trace_cmd_next,
    .close = reader_close_lines,
};
READER(trace_cmd);
