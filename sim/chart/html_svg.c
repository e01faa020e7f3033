/* gnuplot's pictures, made fit to stand in a page. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/chart/html.h"

#define MAX_DEPTH    32
#define MAX_PATTERNS 512
#define NAME_LEN     24

/* An element that is open. Its tag is written when something stands in it. */
struct element {
	char name[NAME_LEN];
	char *tag; /* NULL: written */
};

/* Bars of one kind have a pattern each; those that are alike become one. */
struct pattern {
	char id[NAME_LEN];
	char *text; /* NULL: like number same */
	unsigned same;
};

struct cleaner {
	const char *at, *prefix, *label;
	FILE *out;
	struct element open[MAX_DEPTH];
	unsigned depth;
	struct pattern *patterns;
	unsigned nr_patterns;
	FILE *page;	 /* the page, while out is a pattern's text */
	unsigned inside; /* the depth inside that pattern */
	char *text;
	size_t size;
	struct error *err;
};

static int bad(struct cleaner *c, const char *what)
{
	return error_failed(c->err, "gnuplot's SVG is not understood: %s", what);
}

static bool in_list(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

static bool known_element(const char *name)
{
	static const char *const list[] = {"svg",     "g",	 "path", "rect",    "line",
					   "circle",  "ellipse", "text", "defs",    "polyline",
					   "polygon", "tspan",	 "use",	 "pattern", NULL};

	return in_list(list, name);
}

static bool known_attribute(const char *name)
{
	static const char *const list[] = {"viewBox",
					   "d",
					   "x",
					   "y",
					   "width",
					   "height",
					   "cx",
					   "cy",
					   "r",
					   "rx",
					   "ry",
					   "x1",
					   "x2",
					   "y1",
					   "y2",
					   "points",
					   "transform",
					   "fill",
					   "stroke",
					   "color",
					   "id",
					   "font-size",
					   "text-anchor",
					   "font-weight",
					   "dx",
					   "dy",
					   "opacity",
					   "fill-opacity",
					   "stroke-opacity",
					   "stroke-width",
					   "stroke-dasharray",
					   "patternUnits",
					   "font-style",
					   NULL};

	return in_list(list, name);
}

/* ---- values ---- */

static bool is_colour(const char *name)
{
	return !strcmp(name, "fill") || !strcmp(name, "stroke") || !strcmp(name, "color");
}

/* Which pattern stands for the one of that id; nr_patterns when there is none. */
static unsigned pattern_of(const struct cleaner *c, const char *id)
{
	unsigned i;

	for (i = 0; i < c->nr_patterns; i++)
		if (!strcmp(c->patterns[i].id, id))
			return c->patterns[i].text ? i : c->patterns[i].same;
	return i;
}

/* A name of gnuplot's: letters, digits and _. */
static bool is_id(const char *s)
{
	return *s &&
	       s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == 0;
}

static void reference(struct cleaner *c, FILE *out, const char *id)
{
	unsigned pattern = pattern_of(c, id);

	fprintf(out, "%s%s", c->prefix, pattern < c->nr_patterns ? c->patterns[pattern].id : id);
}

static void colour(struct cleaner *c, FILE *out, const char *value)
{
	unsigned r, g, b;
	char id[NAME_LEN];
	int n = 0;

	if (sscanf(value, "rgb(%u,%u,%u)", &r, &g, &b) == 3)
		fprintf(out, "#%02x%02x%02x", r & 255, g & 255, b & 255);
	else if (sscanf(value, "#%2x%2x%2x%n", &r, &g, &b, &n) == 3 && n == 7 && !value[7])
		fprintf(out, "#%02x%02x%02x", r, g, b);
	else if (sscanf(value, "url(#%23[A-Za-z0-9_])%n", id, &n) == 1 && n && !value[n]) {
		fputs("url(#", out);
		reference(c, out, id);
		putc(')', out);
	} else if (!strcmp(value, "currentColor") || !strcmp(value, "none"))
		fputs(value, out);
	else
		fputs("#000000", out);
}

/* Numbers, letters of paths and transformations: nothing else is in the values that draw. */
static void plain(FILE *out, const char *value)
{
	for (; *value; value++)
		if (isspace((unsigned char)*value))
			putc(' ', out);
		else if (isalnum((unsigned char)*value) || strchr(",.+-()%", *value))
			putc(*value, out);
}

/* What is as it is without being said. */
static bool is_default(const char *name, const char *value)
{
	return (!strcmp(name, "stroke-width") && !strcmp(value, "1.00")) ||
	       (!strcmp(name, "stroke-dasharray") && !strcmp(value, "none"));
}

static void attribute(struct cleaner *c, FILE *out, const char *name, const char *value)
{
	while (isspace((unsigned char)*value))
		value++;
	if (!strcmp(name, "xlink:href")) {
		if (*value == '#' && is_id(value + 1)) {
			fputs(" href=\"#", out);
			reference(c, out, value + 1);
			putc('"', out);
		}
		return;
	}
	if (!known_attribute(name) || is_default(name, value))
		return;
	fprintf(out, " %s=\"", name);
	if (is_colour(name))
		colour(c, out, value);
	else if (!strcmp(name, "id"))
		fprintf(out, "%s%s", c->prefix, is_id(value) ? value : "");
	else
		plain(out, value);
	putc('"', out);
}

/* "fill:none; stroke:black" as attributes. */
static void style(struct cleaner *c, FILE *out, char *value)
{
	char *save, *part, *colon;

	for (part = strtok_r(value, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
		part += strspn(part, " ");
		colon = strchr(part, ':');
		if (!colon)
			continue;
		*colon = 0;
		if (strcmp(part, "id") != 0 && strcmp(part, "xlink:href") != 0)
			attribute(c, out, part, colon + 1);
	}
}

/* ---- tags ---- */

/* In a pattern's text, only what is inside it. */
static void flush_tags(struct cleaner *c)
{
	for (unsigned i = c->page ? c->inside : 0; i < c->depth; i++) {
		if (!c->open[i].tag)
			continue;
		fprintf(c->out, "<%s>", c->open[i].tag);
		free(c->open[i].tag);
		c->open[i].tag = NULL;
	}
}

/* The name at c->at into name; -1: too long. */
static int take_name(struct cleaner *c, char *name)
{
	size_t n =
	    strspn(c->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_");

	if (!n || n >= NAME_LEN)
		return bad(c, "a name");
	memcpy(name, c->at, n);
	name[n] = 0;
	c->at += n;
	return 0;
}

/* The attributes of a tag up to its end. *closed: it is "/>". */
static int attributes(struct cleaner *c, FILE *tag, bool *closed)
{
	char name[NAME_LEN], quote, *value;
	const char *end;

	*closed = false;
	for (;;) {
		c->at += strspn(c->at, " \t\r\n");
		if (*c->at == '/' && c->at[1] == '>') {
			*closed = true;
			c->at += 2;
			return 0;
		}
		if (*c->at == '>') {
			c->at++;
			return 0;
		}
		if (take_name(c, name))
			return -1;
		c->at += strspn(c->at, " \t\r\n");
		if (*c->at != '=')
			return bad(c, "an attribute without a value");
		c->at++;
		c->at += strspn(c->at, " \t\r\n");
		quote = *c->at;
		end = quote == '"' || quote == '\'' ? strchr(c->at + 1, quote) : NULL;
		if (!end)
			return bad(c, "an attribute without quotes");
		value = strndup(c->at + 1, (size_t)(end - c->at - 1));
		if (!value)
			return error_memory(c->err, "a chart");
		if (!strcmp(name, "style"))
			style(c, tag, value);
		else
			attribute(c, tag, name, value);
		free(value);
		c->at = end + 1;
	}
}

/* Behind an element that is left out, with all that is in it. */
static int skip_element(struct cleaner *c, const char *name)
{
	char end[NAME_LEN + 3];
	const char *at;

	snprintf(end, sizeof(end), "</%s", name);
	at = strstr(c->at, end);
	at = at ? strchr(at, '>') : NULL;
	if (!at)
		return bad(c, "an element without an end");
	c->at = at + 1;
	return 0;
}

static int begin_pattern(struct cleaner *c, const char *tag)
{
	const char *id = strstr(tag, " id=\"");
	struct pattern *p;

	if (c->nr_patterns == MAX_PATTERNS || c->page || !id)
		return bad(c, "a pattern");
	p = &c->patterns[c->nr_patterns];
	*p = (struct pattern){0};
	id += strlen(" id=\"") + strlen(c->prefix);
	snprintf(p->id, sizeof(p->id), "%.*s", (int)strcspn(id, "\""), id);
	c->page = c->out;
	c->out = open_memstream(&c->text, &c->size);
	c->inside = c->depth + 1;
	if (c->out)
		return 0;
	c->out = c->page;
	c->page = NULL;
	return error_memory(c->err, "a chart");
}

/* The tag stays with its pattern: alike but for the name. */
static int end_pattern(struct cleaner *c, char *tag)
{
	struct pattern *p = &c->patterns[c->nr_patterns];
	int failed = fclose(c->out);

	c->out = c->page;
	c->page = NULL;
	if (failed) {
		free(c->text);
		return error_memory(c->err, "a chart");
	}
	for (unsigned i = 0; i < c->nr_patterns; i++) {
		if (!c->patterns[i].text || strcmp(c->patterns[i].text, c->text) != 0)
			continue;
		p->same = i;
		free(c->text);
		c->nr_patterns++;
		return 0;
	}
	p->text = c->text;
	c->nr_patterns++;
	flush_tags(c);
	fprintf(c->out, "<%s>%s</pattern>", tag, c->text);
	return 0;
}

static void root(struct cleaner *c, const char *tag)
{
	fprintf(c->out, "<%s role=\"img\" aria-label=\"", tag);
	html_text(c->out, c->label);
	fputs("\">", c->out);
}

static int open_element(struct cleaner *c, const char *name, char *tag, bool closed)
{
	struct element *e;

	if (closed) {
		flush_tags(c);
		fprintf(c->out, "<%s/>", tag);
		free(tag);
		return 0;
	}
	if (c->depth == MAX_DEPTH) {
		free(tag);
		return bad(c, "elements in elements");
	}
	e = &c->open[c->depth];
	snprintf(e->name, sizeof(e->name), "%s", name);
	e->tag = tag;
	if (!strcmp(name, "pattern")) {
		/* what stands around it is written when it is known to be new */
		if (begin_pattern(c, tag)) {
			free(tag);
			return -1;
		}
	} else if (!c->depth) {
		root(c, tag);
		free(tag);
		e->tag = NULL;
	}
	c->depth++;
	return 0;
}

static int start_tag(struct cleaner *c)
{
	char name[NAME_LEN], *tag = NULL;
	bool closed = false, known;
	size_t size;
	FILE *mem;
	int ret;

	if (take_name(c, name))
		return -1;
	mem = open_memstream(&tag, &size);
	if (!mem)
		return error_memory(c->err, "a chart");
	fputs(name, mem);
	ret = attributes(c, mem, &closed);
	if (fclose(mem) && !ret)
		ret = error_memory(c->err, "a chart");
	known = known_element(name) && (c->depth > 0) == (strcmp(name, "svg") != 0);
	if (ret || !known) {
		free(tag);
		return ret || closed ? ret : skip_element(c, name);
	}
	return open_element(c, name, tag, closed);
}

static int end_tag(struct cleaner *c)
{
	char name[NAME_LEN];
	struct element *e;
	int ret = 0;

	if (take_name(c, name))
		return -1;
	c->at += strspn(c->at, " \t\r\n");
	if (*c->at != '>' || !c->depth || strcmp(c->open[c->depth - 1].name, name) != 0)
		return bad(c, "an end of what did not begin");
	c->at++;
	e = &c->open[--c->depth];
	if (!strcmp(name, "pattern"))
		ret = end_pattern(c, e->tag);
	else if (!e->tag)
		fprintf(c->out, "</%s>", name);
	free(e->tag);
	e->tag = NULL;
	return ret;
}

/* Text with gnuplot's entities; blanks between elements are left out. */
static void text(struct cleaner *c, size_t n)
{
	bool in_text = c->depth && (!strcmp(c->open[c->depth - 1].name, "text") ||
				    !strcmp(c->open[c->depth - 1].name, "tspan"));

	if (in_text && n)
		flush_tags(c);
	for (; in_text && n; n--, c->at++) {
		if (*c->at == '>')
			fputs("&gt;", c->out);
		else if (*c->at == '"')
			fputs("&quot;", c->out);
		else if (*c->at == '&' && strncmp(c->at, "&lt;", 4) != 0 &&
			 strncmp(c->at, "&gt;", 4) != 0 && strncmp(c->at, "&amp;", 5) != 0)
			fputs("&amp;", c->out);
		else if ((unsigned char)*c->at >= ' ')
			putc(*c->at, c->out);
	}
	c->at += n;
}

/* The pattern whose text is being collected is open[depth - 1]; tags inside it go to its text. */
static int step(struct cleaner *c)
{
	const char *end;

	text(c, strcspn(c->at, "<"));
	if (!*c->at)
		return 0;
	if (!strncmp(c->at, "<?", 2) || !strncmp(c->at, "<!", 2)) {
		end = strstr(c->at, !strncmp(c->at, "<!--", 4) ? "-->" : ">");
		if (!end)
			return bad(c, "no end");
		c->at = strchr(end, '>') + 1;
		return 0;
	}
	c->at++;
	if (*c->at == '/') {
		c->at++;
		return end_tag(c);
	}
	return start_tag(c);
}

int html_svg(FILE *out, const char *svg, const char *prefix, const char *label, struct error *err)
{
	struct cleaner c = {.at = svg, .prefix = prefix, .label = label, .out = out, .err = err};
	int ret = 0;

	c.patterns = calloc(MAX_PATTERNS, sizeof(*c.patterns));
	if (!c.patterns)
		return error_memory(err, "a chart");
	while (!ret && *c.at)
		ret = step(&c);
	if (!ret && c.depth)
		ret = bad(&c, "no end");
	if (c.page) {
		fclose(c.out);
		free(c.text);
	}
	/* Those that were freed are NULL. */
	for (unsigned i = 0; i < c.depth; i++)
		free(c.open[i].tag); /* NOLINT(clang-analyzer-unix.Malloc) */
	for (unsigned i = 0; i < c.nr_patterns; i++)
		free(c.patterns[i].text);
	free(c.patterns);
	return ret;
}
