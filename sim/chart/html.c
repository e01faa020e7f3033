#include "sim/chart/html.h"

#include <stdlib.h>
#include <string.h>

#include "sim/escape.h"

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069, and the line separators U+2028, U+2029. */
static bool turns_direction(const char *s, unsigned n)
{
	const unsigned char *u = (const unsigned char *)s;

	if (n != 3 || u[0] != 0xe2)
		return false;
	if (u[1] == 0x80)
		return u[2] == 0x8e || u[2] == 0x8f || (u[2] >= 0xa8 && u[2] <= 0xae);
	return u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9;
}

/* One character of s, or a stray byte; how many bytes it is. */
static unsigned character(FILE *out, const char *s)
{
	unsigned n = utf8_length(s);

	if (!n || utf8_is_control(s, n)) {
		for (unsigned i = 0; i < (n ? n : 1); i++)
			fprintf(out, "\\x%02x", (unsigned char)s[i]);
		return n ? n : 1;
	}
	if (n == 1 && entity(*s))
		fputs(entity(*s), out);
	else if (turns_direction(s, n))
		putc('?', out);
	else
		fwrite(s, 1, n, out);
	return n;
}

void html_text(FILE *out, const char *s)
{
	while (*s)
		s += character(out, s);
}

void html_short(FILE *out, const char *s, size_t max)
{
	size_t length = 0, i = 0, cut_from = max / 2, cut_to;

	for (const char *at = s; *at; length++)
		at += utf8_length(at) ? utf8_length(at) : 1;
	cut_to = length > max ? length - (max - cut_from - 1) : cut_from;
	for (; *s; i++) {
		if (i >= cut_from && i < cut_to) {
			if (i == cut_from)
				fputs("\xe2\x80\xa6", out);
			s += utf8_length(s) ? utf8_length(s) : 1;
		} else {
			s += character(out, s);
		}
	}
}

void html_json(FILE *out, const char *json)
{
	size_t n;

	/* it stands only in strings, where the escape means the same */
	for (; *json; json += n) {
		n = strcspn(json, "<");
		fwrite(json, 1, n, out);
		if (json[n]) {
			fputs("\\u003c", out);
			n++;
		}
	}
}
