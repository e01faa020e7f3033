#include "workloads/csv-field.h"

struct field field_next(const char **s, const char *end)
{
	const char *comma = memchr(*s, ',', (size_t)(end - *s));
	struct field f = {*s, (size_t)((comma ? comma : end) - *s)};

	*s = comma ? comma + 1 : NULL;
	return f;
}

bool field_is(struct field f, const char *text)
{
	return f.len == strlen(text) && !memcmp(f.s, text, f.len);
}

bool field_number(struct field f, uint64_t max, uint64_t *number)
{
	unsigned base = 10, d;
	uint64_t x = 0;

	if (f.len > 2 && f.s[0] == '0' && f.s[1] == 'x') {
		base = 16;
		f = (struct field){f.s + 2, f.len - 2};
	}
	if (!f.len)
		return false;
	for (size_t i = 0; i < f.len; i++) {
		char ch = f.s[i];

		if (ch >= '0' && ch <= '9')
			d = (unsigned)(ch - '0');
		else if (base == 16 && (ch | 0x20) >= 'a' && (ch | 0x20) <= 'f')
			d = (unsigned)((ch | 0x20) - 'a') + 10;
		else
			return false;
		if (x > (max - d) / base)
			return false;
		x = x * base + d;
	}
	*number = x;
	return true;
}

int field_check_line(const struct input *in, const struct line *line, struct error *err)
{
	if (memchr(line->s, 0, line->len))
		return error_input(err, "%s:%llu: a NUL byte; CSV is text", input_name(in),
				   (unsigned long long)line->number);
	if (line->s[0] == '"' || memmem(line->s, line->len, ",\"", 2))
		return error_input(err,
				   "%s:%llu: a field begins with a quote; quotes are not part of "
				   "this format: write each field as it is, without commas",
				   input_name(in), (unsigned long long)line->number);
	return 0;
}
