/* Names from results in a script for gnuplot. */
#include <math.h>

#include "sim/escape.h"
#include "sim/chart/plot_part.h"

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

/* ---- how wide ---- */

/* The font of charts, in pixels; SVG has a smaller one. */
#define FONT 14.67
/* The narrowest chart that nobody asked to be of another width. */
#define CANVAS 900

/* Of the font, as DejaVu Sans has it, which is a wide one. */
static double letter_width(unsigned code)
{
	if (code >= 0x1f000)
		return 1.4;
	if (code >= 0x80)
		return code < 0x530 ? 0.9 : 1;
	if (strchr(" !'(),-./:;IJ[\\]filjrt|", (int)code))
		return 0.41;
	if (strchr("#%+<=>@MWm^~", (int)code))
		return 1;
	if ((code >= 'A' && code <= 'Z') || code == 'w' || code == '&')
		return 0.79;
	return 0.64;
}

double plot_text_width(const char *plain)
{
	double width = 0;

	for (unsigned bytes; *plain; plain += bytes) {
		bytes = utf8_length(plain) ?: 1;
		width += letter_width(code_point(plain, bytes));
	}
	return width * FONT;
}

static double canvas(const struct plot *p)
{
	return p->width ? p->width : CANVAS;
}

/* What stands beside a mark of the legend. */
static double legend_room(const struct plot *p)
{
	return fmin(canvas(p) - 130, 640);
}

/* Beside an axis there is less room. */
static double tic_room(const struct plot *p)
{
	return canvas(p) * 0.28;
}

/* ---- labels ---- */

/* s on one line without control characters; NULL and err. */
static char *plain_of(const char *s, struct error *err)
{
	char *plain = NULL;
	size_t size;
	FILE *mem = open_memstream(&plain, &size);

	if (mem)
		write_plain(mem, s);
	if (!mem || fclose(mem)) {
		free(plain);
		error_memory(err, "a label");
		return NULL;
	}
	return plain;
}

/* Of plain, what is drawn; of more than room pixels not the middle. Returns its width. */
static double write_shortened(FILE *out, const struct plot *p, const char *plain, double room)
{
	const double dots = letter_width(0x2026) * FONT;
	double width = plot_text_width(plain), half = (room - dots) / 2, done = 0, shown = 0;
	bool cut = width > room, gap = false;
	unsigned bytes;

	for (; *plain; plain += bytes) {
		double letter;

		bytes = utf8_length(plain) ?: 1;
		letter = letter_width(code_point(plain, bytes)) * FONT;
		done += letter;
		if (cut && done > half && width - done + letter > half) {
			if (!gap) {
				quoted(out, "\xe2\x80\xa6", 3);
				shown += dots;
			}
			gap = true;
			continue;
		}
		shown += letter;
		if (drawable(p, code_point(plain, bytes)))
			quoted(out, plain, bytes);
		else
			quoted(out, "?", 1);
	}
	return shown;
}

static int write_label(FILE *out, const struct plot *p, const char *prefix, const char *s,
		       double room, double *width, struct error *err)
{
	char *plain = plain_of(s, err);
	double before = plot_text_width(prefix);

	if (!plain)
		return -1;
	putc('"', out);
	quoted(out, prefix, strlen(prefix));
	before += write_shortened(out, p, plain, room - before);
	putc('"', out);
	free(plain);
	if (width)
		*width = before;
	return 0;
}

int plot_write_label(FILE *out, const struct plot *p, const char *prefix, const char *s,
		     struct error *err)
{
	return write_label(out, p, prefix, s, legend_room(p), NULL, err);
}

void plot_write_words(FILE *out, const char *words)
{
	putc('"', out);
	quoted(out, words, strlen(words));
	putc('"', out);
}

int plot_write_heading(FILE *out, const struct plot *p, const char *name, const char *text,
		       struct error *err)
{
	double width;
	int ret;

	fprintf(out, "%s = ", name);
	ret = write_label(out, p, "", text, canvas(p) / 2, &width, err);
	fprintf(out, "\n%s_width = %.0f\n", name, ret ? 0 : width);
	return ret;
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
	if (!runs->is_sweep || !runs->nr_axes || plot_text_width(at->label) <= legend_room(p))
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
int plot_write_tic(FILE *out, const struct plot *p, const char *text, double *width,
		   struct error *err)
{
	static const char percent[] = "\\045";
	char *label = NULL;
	const char *at, *next;
	size_t size;
	FILE *mem = open_memstream(&label, &size);
	int ret;

	if (!mem)
		return error_memory(err, "a label");
	ret = write_label(mem, p, "", text, tic_room(p), width, err);
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
