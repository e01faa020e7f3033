#include "workloads/task-line.h"

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline const char *skip_blanks(const char *s, const char *end)
{
	while (s < end && *s == ' ')
		s++;
	return s;
}

/* Up to 18 digits at *s; false when there is none, or more. */
static inline bool parse_digits(const char **s, const char *end, uint64_t *number, unsigned *count)
{
	const char *p = *s;
	uint64_t x = 0;
	unsigned d;

	for (; p < end && (d = (unsigned)*p - '0') <= 9; p++)
		x = x * 10 + d;
	*count = (unsigned)(p - *s);
	*s = p;
	*number = x;
	return *count - 1 < 18;
}

bool task_line_time(const char **s, const char *end, uint64_t *time_ns, bool *has_time)
{
	static const uint32_t scale[] = {1000000000, 100000000, 10000000, 1000000, 100000,
					 10000,	     1000,	100,	  10,	   1};
	uint64_t sec, frac;
	unsigned n;

	if (!parse_digits(s, end, &sec, &n))
		return false;
	*has_time = false;
	*time_ns = 0;
	if (*s == end || **s != '.')
		return true;
	(*s)++;
	if (!parse_digits(s, end, &frac, &n) || n > 9 || sec > UINT32_MAX)
		return false;
	*time_ns = sec * 1000000000 + frac * scale[n];
	*has_time = true;
	return true;
}

/* What follows the colon behind the time. */
static void parse_event(const char *s, const char *end, struct task_line *tl)
{
	const char *colon;

	s = skip_blanks(s, end);
	/* trace-cmd report --ts-diff: "(+22) kmalloc: ..." */
	if (end - s > 2 && s[0] == '(' && s[1] == '+') {
		colon = memchr(s, ')', (size_t)(end - s));
		s = colon ? skip_blanks(colon + 1, end) : end;
	}
	for (colon = s; colon < end && *colon != ':' && *colon != ' '; colon++)
		;
	tl->event = s;
	tl->event_len = 0;
	tl->fields = end;
	if (colon == end || *colon != ':')
		return;
	tl->event_len = (size_t)(colon - s);
	tl->fields = skip_blanks(colon + 1, end);
}

/* " [003] d..1. 12.345678: kmalloc: ...", from behind the opening bracket. */
static bool parse_bracketed(const char *s, const char *end, struct task_line *tl)
{
	uint64_t cpu;
	unsigned n;

	if (!parse_digits(&s, end, &cpu, &n) || s == end || *s != ']' || cpu > UINT16_MAX)
		return false;
	tl->cpu = (unsigned)cpu;
	s = skip_blanks(s + 1, end);
	/* The flags never begin with a digit, and the option irq-info leaves them out. */
	if (s < end && !is_digit(*s)) {
		while (s < end && *s != ' ')
			s++;
		s = skip_blanks(s, end);
	}
	if (!task_line_time(&s, end, &tl->time_ns, &tl->has_time) || s == end || *s != ':')
		return false;
	parse_event(s + 1, end, tl);
	return true;
}

/* "216736us : ", "12us+: ": moves *s to the colon. */
static bool parse_microseconds(const char **s, const char *end, uint64_t *time_ns, bool *has_time)
{
	const char *p = *s;
	uint64_t us;
	unsigned n;

	if (!parse_digits(&p, end, &us, &n) || n > 15 || end - p < 4 || p[0] != 'u' || p[1] != 's')
		return false;
	/* A blank or a mark for a long delay. */
	p += 2 + (p[2] != ':');
	*s = p;
	*time_ns = us * 1000;
	*has_time = true;
	return true;
}

/*
 * "0..s1. 216736us : kmalloc: ...": microseconds, perhaps a mark for a long delay, " : "; or
 * trace-cmd's "0..s1.  849.986374: kmalloc: ...".
 */
static bool parse_latency(const char *s, const char *end, struct task_line *tl)
{
	const char *flags;
	uint64_t cpu;
	unsigned n;

	if (!parse_digits(&s, end, &cpu, &n) || cpu > UINT16_MAX)
		return false;
	tl->cpu = (unsigned)cpu;
	flags = s;
	while (s < end && *s != ' ')
		s++;
	if (s == flags)
		return false;
	s = skip_blanks(s, end);
	if (!parse_microseconds(&s, end, &tl->time_ns, &tl->has_time) &&
	    !task_line_time(&s, end, &tl->time_ns, &tl->has_time))
		return false;
	if (s == end || *s != ':')
		return false;
	parse_event(s + 1, end, tl);
	return true;
}

/* Behind the dash of "COMM-": pid, perhaps a tgid, and the rest. */
static bool parse_from_pid(const char *s, const char *end, struct task_line *tl)
{
	const char *behind_pid;
	uint64_t pid;
	unsigned n;

	if (!parse_digits(&s, end, &pid, &n) || s == end || *s != ' ')
		return false;
	behind_pid = s;
	s = skip_blanks(s, end);
	if (s < end && *s == '(') {
		/* "(  19384)", "(-------)" */
		for (n = 0; s < end && *s != ')' && n < 16; n++)
			s++;
		if (s == end || *s != ')')
			return false;
		s = skip_blanks(s + 1, end);
	}
	if (s == end || s == behind_pid)
		return false;
	if (*s == '[')
		return parse_bracketed(s + 1, end, tl);
	return parse_latency(s, end, tl);
}

bool task_line_parse(const char *s, const char *end, struct task_line *tl)
{
	const char *dash = s;

	/* COMM may contain dashes: the first that a whole front follows is the one. */
	for (;;) {
		dash = memchr(dash, '-', (size_t)(end - dash));
		if (!dash)
			return false;
		if (parse_from_pid(dash + 1, end, tl))
			return true;
		dash++;
	}
}
