/*
 * What "perf script" prints (facts 8.4):
 *
 *   COMM TID [CPU] TIME: ... SYSTEM:EVENT: FIELDS [IP SYMBOL]
 *
 * with whatever fields -F chose: only CPU, event and trace must be among them. Call chains
 * follow on lines of their own.
 */
#include "workloads/kmem-record.h"
#include "workloads/kmem-text.h"
#include "workloads/line-text.h"
#include "workloads/perf-script.h"

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* The end of the word at s. */
static const char *word_end(const char *s, const char *end)
{
	const char *blank = memchr(s, ' ', (size_t)(end - s));

	return blank ? blank : end;
}

static bool is_hex_word(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && is_hex(*p))
		p++;
	return p > s && (p == end || *p == ' ');
}

static const char *skip_blanks(const char *s, const char *end)
{
	while (s < end && *s == ' ')
		s++;
	return s;
}

/* Is the word [s, end) "system:event:"? Then the event's name goes into tl. */
static bool parse_event(const char *s, const char *end, struct task_line *tl)
{
	const char *colon = memchr(s, ':', (size_t)(end - s));

	if (!colon || colon == s || end - colon < 3 || end[-1] != ':')
		return false;
	tl->event = colon + 1;
	tl->event_len = (size_t)(end - colon) - 2;
	return !memchr(tl->event, ':', tl->event_len);
}

static bool is_number(const char *s, const char *end)
{
	while (s < end && *s >= '0' && *s <= '9')
		s++;
	return s == end;
}

/* The words behind "[CPU]": flags, the time, a period, and then the event. */
static bool parse_words(const char *s, const char *end, struct task_line *tl)
{
	bool timed = false;

	tl->has_time = false;
	tl->time_ns = 0;
	for (int words = 0; words < 8; words++) {
		const char *stop, *time = s = skip_blanks(s, end);

		if (s == end)
			return false;
		stop = word_end(s, end);
		if (parse_event(s, stop, tl)) {
			tl->fields = skip_blanks(stop, end);
			return true;
		}
		/* A bracket: that before was part of COMM. */
		if (*s == '[' || (timed && !is_number(s, stop)))
			return false;
		if (stop[-1] == ':')
			timed = task_line_time(&time, stop, &tl->time_ns, &tl->has_time);
		s = stop;
	}
	return false;
}

static bool perf_line_parse(const char *s, const char *end, struct task_line *tl)
{
	const char *p;

	while ((s = memchr(s, '[', (size_t)(end - s)))) {
		tl->cpu = 0;
		for (p = ++s; p < end && *p >= '0' && *p <= '9' && tl->cpu <= UINT16_MAX; p++)
			tl->cpu = tl->cpu * 10 + (unsigned)(*p - '0');
		if (p > s && end - p > 2 && p[0] == ']' && p[1] == ' ' &&
		    parse_words(p + 1, end, tl))
			return true;
	}
	return false;
}

/*
 * -F ip,sym puts "ffffffff816349cd kfree" behind the fields. Only a name at their end could be
 * mistaken about that.
 */
static const char *end_of_fields(const struct task_line *tl, const char *end)
{
	const char *name = memmem(tl->fields, (size_t)(end - tl->fields), "name=", 5);
	const char *stop, *ip;

	if (!name || kmem_kind(tl->event, tl->event_len) != RECORD_CACHE_FREE)
		return end;
	stop = word_end(name, end);
	ip = skip_blanks(stop, end);
	return word_end(ip, end) - ip >= 6 && is_hex_word(ip, end) ? stop : end;
}

/* Lines without "[CPU]". An allocation among them cannot be replayed. */
static int other_line(struct reader_ctx *ctx, const struct line *line, struct error *err)
{
	struct line rest = line_skip_blanks(line);
	struct task_line tl;

	if (line->s[0] == '#') {
		ctx->notes[NOTE_COMMENT]++;
		if (line_starts(line, "# nrcpus avail : "))
			ctx->cpus = (unsigned)line_number_behind(line, "avail : ");
	} else if (rest.len == 0) {
		ctx->notes[NOTE_BLANK]++;
	} else if (line_has(line, "PERF_RECORD_LOST")) {
		ctx->notes[NOTE_LOST_MARKER]++;
		ctx->notes[NOTE_LOST_EVENTS] += line_number_behind(line, " lost ");
	} else if (parse_words(rest.s, rest.s + rest.len, &tl) &&
		   kmem_kind(tl.event, tl.event_len) >= 0) {
		return error_input(err,
				   "%s:%llu: the event has no CPU; print it with \"perf script -F "
				   "comm,tid,cpu,time,event,trace\"",
				   input_name(ctx->in), (unsigned long long)line->number);
	} else if (rest.s != line->s && is_hex_word(rest.s, rest.s + rest.len)) {
		ctx->notes[NOTE_STACK_TRACE]++;
	} else {
		ctx->notes[NOTE_OTHER_LINE]++;
	}
	return 0;
}

int perf_script_line(struct reader_ctx *ctx, const struct line *line, struct record *rec,
		     struct error *err)
{
	struct line fields = *line;
	struct task_line tl;

	if (line->s[0] == '#' || !perf_line_parse(line->s, line->s + line->len, &tl))
		return other_line(ctx, line, err);
	fields.len = (size_t)(end_of_fields(&tl, line->s + line->len) - line->s);
	return kmem_text_line(ctx, &fields, &tl, rec, err);
}

static int perf_script_probe(const char *head, size_t len)
{
	const char *end = head + len;
	struct task_line tl;
	struct line line;

	while (probe_line(&head, end, &line)) {
		if (perf_line_parse(line.s, line.s + line.len, &tl))
			return 70;
		/* Mappings and tasks may stand before everything else (--show-mmap-events). */
		if (line_has(&line, " kmem:") || line_has(&line, ": PERF_RECORD_"))
			return 60;
	}
	return 0;
}

static int64_t perf_script_next(void *state, struct record *rec, size_t cap, struct error *err)
{
	return reader_next_lines(state, perf_script_line, rec, cap, err);
}

static const struct reader_ops perf_script = {
    .name = "perf-script",
    .summary = "text of perf script: COMM TID [CPU] TIME: kmem:EVENT: ...",
    .probe = perf_script_probe,
    .open = reader_open_lines,
    .next = perf_script_next,
    .close = reader_close_lines,
};
READER(perf_script);
