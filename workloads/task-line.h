/*
 * The front of a line of ftrace or trace-cmd report, up to the event's fields:
 *
 *   COMM-PID [(TGID)] [CPU] [FLAGS] TIME: EVENT: FIELDS           (facts 8.2, 8.3)
 *   COMM-PID CPUFLAGS TIMEus : EVENT: FIELDS                      (latency format)
 *
 * COMM may contain anything; it and the pid are not used.
 */
#ifndef SLABSIM_TASK_LINE_H
#define SLABSIM_TASK_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct task_line {
	unsigned cpu;
	bool has_time;
	uint64_t time_ns;
	const char *event;  /* "kmalloc"; not terminated */
	size_t event_len;   /* 0: no event, as a function tracer writes */
	const char *fields; /* to the end of the line */
};

/* False when the line does not begin that way. */
bool task_line_parse(const char *s, const char *end, struct task_line *tl);

/*
 * A time "SECONDS.FRACTION" at *s, moved behind it: true and nanoseconds. A whole number is
 * some counter's value: true, but *has_time is false.
 */
bool task_line_time(const char **s, const char *end, uint64_t *time_ns, bool *has_time);

#endif
