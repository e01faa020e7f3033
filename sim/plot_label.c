/* Names from results in a script for gnuplot. */
#include "sim/escape.h"
#include "sim/plot_part.h"

/*
 * A string as gnuplot reads it back: all but letters and blanks as octal escapes. Digits too:
 * gnuplot takes every octal digit behind a backslash as part of the escape.
 */
static void quoted(FILE *out, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == ' ' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
			putc(c, out);
		else
			fprintf(out, "\\%03o", c);
	}
}

/* The code point of the valid UTF-8 character of n bytes at s. */
static unsigned code_point(const char *str, unsigned n)
{
	const unsigned char *s = (const unsigned char *)str;
	unsigned i, code = n == 1 ? s[0] : s[0] & (0x7fu >> n);

	for (i = 1; i < n; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

/*
 * Can the terminal draw it? XML has no U+FFFE and U+FFFF, and marks of writing direction would
 * turn what stands around a name. The cairo terminals draw a character that no font has as a box
 * as large as the picture, so they get only what every font has.
 */
static bool drawable(const struct plot *p, unsigned code)
{
	static const struct {
		unsigned first, last;
	} usual[] = {{0x20, 0x7e},     {0xa0, 0x17f},	 {0x391, 0x3a1},   {0x3a3, 0x3c9},
		     {0x400, 0x45f},   {0x2013, 0x2014}, {0x2018, 0x201e}, {0x2020, 0x2022},
		     {0x2026, 0x2026}, {0x20ac, 0x20ac}, {0x2190, 0x2193}, {0x2212, 0x2212},
		     {0x2248, 0x2248}, {0x2260, 0x2260}, {0x2264, 0x2265}};
	unsigned i;

	if (code == 0xfffe || code == 0xffff || (code >= 0x200e && code <= 0x200f) ||
	    (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
		return false;
	if (strcmp(p->terminal, "png") != 0 && strcmp(p->terminal, "pdf") != 0)
		return true;
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (code >= usual[i].first && code <= usual[i].last)
			return true;
	return false;
}

/* Beside an axis there is less room than in a legend. */
#define MAX_TIC 28

/* A legend has no more room in a narrow picture. */
static size_t max_label(const struct plot *p)
{
	return p->width && p->width < 600 ? 42 : PLOT_MAX_LABEL;
}

/* s on one line without control characters, of more than max characters without the middle. */
static int write_label(FILE *out, const struct plot *p, const char *prefix, const char *s,
		       size_t max, struct error *err)
{
	size_t size, width, i, n, cut_from = max / 2, cut_to;
	char *plain = NULL;
	FILE *mem = open_memstream(&plain, &size);

	if (!mem)
		return error_memory(err, "a label");
	write_plain(mem, s);
	if (fclose(mem)) {
		free(plain);
		return error_memory(err, "a label");
	}
	width = plain_width(plain);
	cut_to = width > max ? width - (max - cut_from - 1) : 0;
	putc('"', out);
	quoted(out, prefix, strlen(prefix));
	for (i = 0, n = 0; plain[i]; n++) {
		unsigned bytes = utf8_length(plain + i);

		if (n == cut_from && cut_to)
			quoted(out, "\xe2\x80\xa6", 3);
		if (cut_to && n >= cut_from && n < cut_to)
			;
		else if (drawable(p, code_point(plain + i, bytes)))
			quoted(out, plain + i, bytes);
		else
			quoted(out, "?", 1);
		i += bytes;
	}
	putc('"', out);
	free(plain);
	return 0;
}

int plot_write_label(FILE *out, const struct plot *p, const char *prefix, const char *s,
		     struct error *err)
{
	return write_label(out, p, prefix, s, max_label(p), err);
}

char *plot_point_label(const struct plot *p, unsigned point, struct error *err)
{
	const struct runs *runs = p->metrics->runs;
	const struct run_point *at = &runs->points[point];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out) {
		error_memory(err, "a label");
		return NULL;
	}
	if (!runs->is_sweep || !runs->nr_axes || plain_width(at->label) <= max_label(p))
		fputs(at->label, out);
	else
		for (unsigned a = 0; a < runs->nr_axes; a++)
			fprintf(out, "%s%s", a ? ", " : "", runs->axes[a].text[at->value[a]]);
	if (fclose(out)) {
		free(text);
		error_memory(err, "a label");
		return NULL;
	}
	return text;
}

/* gnuplot takes the text of a tic for a format. */
int plot_write_tic(FILE *out, const struct plot *p, const char *text, struct error *err)
{
	static const char percent[] = "\\045";
	char *label = NULL;
	const char *at, *next;
	size_t size;
	FILE *mem = open_memstream(&label, &size);
	int ret;

	if (!mem)
		return error_memory(err, "a label");
	ret = write_label(mem, p, "", text, MAX_TIC, err);
	if (fclose(mem) && !ret)
		ret = error_memory(err, "a label");
	for (at = label; !ret && (next = strstr(at, percent)); at = next + strlen(percent))
		fprintf(out, "%.*s%s%s", (int)(next - at), at, percent, percent);
	if (!ret)
		fputs(at, out);
	free(label);
	return ret;
}

/* A path that gnuplot takes for nothing but a file. */
void plot_write_path(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s = \"", name);
	if (*value && *value != '/')
		fputs("./", out);
	quoted(out, value, strlen(value));
	fputs("\"\n", out);
}
