#include "workloads/line-text.h"

bool line_starts(const struct line *line, const char *text)
{
	size_t n = strlen(text);

	return line->len >= n && !memcmp(line->s, text, n);
}

bool line_has(const struct line *line, const char *text)
{
	return memmem(line->s, line->len, text, strlen(text)) != NULL;
}

uint64_t line_number_behind(const struct line *line, const char *text)
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

struct line line_skip_blanks(const struct line *line)
{
	struct line rest = *line;

	while (rest.len && (*rest.s == ' ' || *rest.s == '\t')) {
		rest.s++;
		rest.len--;
	}
	return rest;
}

bool probe_line(const char **s, const char *end, struct line *line)
{
	const char *nl = memchr(*s, '\n', (size_t)(end - *s));

	if (!nl)
		return false;
	*line = (struct line){.s = *s, .len = (size_t)(nl - *s)};
	if (line->len && nl[-1] == '\r')
		line->len--;
	*s = nl + 1;
	return true;
}
