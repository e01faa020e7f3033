#include "sim/escape.h"

#include <string.h>

unsigned utf8_length(const char *str)
{
	const unsigned char *s = (const unsigned char *)str;
	unsigned n, i;

	if (s[0] == 0)
		return 0;
	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* overlong forms, surrogates, beyond U+10FFFF */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

size_t utf8_mark(const char *text, size_t len)
{
	return len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

bool utf16_mark(const char *text, size_t len)
{
	return len >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2));
}

bool utf8_is_control(const char *str, unsigned n)
{
	const unsigned char *s = (const unsigned char *)str;

	return (n == 1 && (s[0] < 0x20 || s[0] == 0x7f)) || (n == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}

/* The bytes of the next character, and whether it can be written as it is. */
static unsigned next_char(const char *s, bool *plain)
{
	unsigned n = utf8_length(s);

	*plain = n && !utf8_is_control(s, n);
	return n ? n : 1;
}

static void write_hex(FILE *out, const char *s, unsigned n)
{
	while (n--)
		fprintf(out, "\\x%02x", (unsigned char)*s++);
}

void write_plain(FILE *out, const char *s)
{
	bool plain;
	unsigned n;

	for (; *s; s += n) {
		n = next_char(s, &plain);
		if (plain)
			fwrite(s, 1, n, out);
		else
			write_hex(out, s, n);
	}
}

size_t plain_width(const char *s)
{
	size_t width = 0;
	bool plain;
	unsigned n;

	for (; *s; s += n) {
		n = next_char(s, &plain);
		width += plain ? 1 : 4 * n;
	}
	return width;
}

void write_padded(FILE *out, const char *s, size_t width)
{
	size_t w = plain_width(s);

	write_plain(out, s);
	for (; w < width; w++)
		putc(' ', out);
}

/* Would a spreadsheet compute it? What is only a number with a sign does no harm. */
static bool is_formula(const char *s)
{
	if (*s == '+' || *s == '-')
		return s[strspn(s, "+-.,%eE0123456789")];
	return *s == '=' || *s == '@' || *s == '\t' || *s == '\r';
}

void write_csv_field(FILE *out, const char *s)
{
	bool plain, quote = s[strcspn(s, "\",\r\n")] || *s == ' ';
	unsigned n;

	if (quote)
		putc('"', out);
	if (is_formula(s))
		putc('\'', out);
	for (; *s; s += n) {
		n = next_char(s, &plain);
		if (*s == '"')
			fputs("\"\"", out);
		else if (plain || *s == '\n' || *s == '\r')
			fwrite(s, 1, n, out);
		else
			write_hex(out, s, n);
	}
	if (quote)
		putc('"', out);
}
