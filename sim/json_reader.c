#include <cjson/cJSON.h>
#include <stdbool.h>

#include "sim/escape.h"
#include "sim/file.h"
#include "sim/json_reader.h"

struct checker {
	const char *text, *end;
	const char *at;
	const char *name;
	struct error *err;
};

/* What stands at p, for a message. */
static const char *shown(const struct checker *c, const char *p, char buf[16])
{
	unsigned n = p < c->end ? utf8_length(p) : 0;

	if (p >= c->end)
		return "the end";
	if (!n || utf8_is_control(p, n))
		snprintf(buf, 16, "byte 0x%02x", (unsigned char)*p);
	else
		snprintf(buf, 16, "%.*s", (int)n, p);
	return buf;
}

/* Columns count characters, as editors do. */
static int fault(struct checker *c, const char *what)
{
	unsigned line = 1, column = 1;

	for (const char *p = c->text; p < c->at; p++) {
		if (*p == '\n') {
			line++;
			column = 1;
		} else if (((unsigned char)*p & 0xc0) != 0x80) {
			column++;
		}
	}
	if (c->name)
		return error_input(c->err, "%s:%u:%u: %s", c->name, line, column, what);
	return error_input(c->err, "column %u: %s", column, what);
}

static int unexpected(struct checker *c, const char *wanted)
{
	char what[200], at[16];

	if (c->at >= c->end)
		snprintf(what, sizeof(what), "the text ends here, where %s is wanted", wanted);
	else if (*c->at == '/' || *c->at == '#')
		snprintf(what, sizeof(what), "JSON has no comments");
	else if (*c->at == '\'')
		snprintf(what, sizeof(what), "strings are written in \"double quotes\"");
	else
		snprintf(what, sizeof(what), "%s is wanted here, not %s", wanted,
			 shown(c, c->at, at));
	return fault(c, what);
}

static void skip_blank(struct checker *c)
{
	while (c->at < c->end &&
	       (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
		c->at++;
}

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

static int check_digits(struct checker *c)
{
	if (!is_digit(*c->at))
		return unexpected(c, "a digit");
	while (is_digit(*c->at))
		c->at++;
	return 0;
}

static int check_number(struct checker *c)
{
	const char *first;

	if (*c->at == '-')
		c->at++;
	first = c->at;
	if (check_digits(c))
		return -1;
	if (*first == '0' && c->at > first + 1) {
		c->at = first;
		return fault(c, "a number does not begin with a zero");
	}
	if (*c->at == '.') {
		c->at++;
		if (check_digits(c))
			return -1;
	}
	if (*c->at == 'e' || *c->at == 'E') {
		c->at++;
		if (*c->at == '+' || *c->at == '-')
			c->at++;
		return check_digits(c);
	}
	return 0;
}

static int hex4(const char *p)
{
	int value = 0;

	for (int i = 0; i < 4; i++) {
		char ch = p[i];

		if (is_digit(ch))
			value = value * 16 + (ch - '0');
		else if ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'f')
			value = value * 16 + ((ch | 0x20) - 'a' + 10);
		else
			return -1;
	}
	return value;
}

/* Behind a backslash. */
static int check_escape(struct checker *c)
{
	int code, low;

	if (*c->at != 'u') {
		if (!*c->at || !strchr("\"\\/bfnrt", *c->at))
			return fault(c, "a backslash is followed by one of \" \\ / b f n r t u");
		c->at++;
		return 0;
	}
	code = hex4(c->at + 1);
	if (code < 0)
		return fault(c, "\\u is followed by four hexadecimal digits");
	if (!code)
		return fault(c, "a string cannot hold \\u0000");
	c->at += 5;
	if (code < 0xd800 || code > 0xdfff)
		return 0;
	low = c->at[0] == '\\' && c->at[1] == 'u' ? hex4(c->at + 2) : -1;
	if (code > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return fault(c, "half of a surrogate pair");
	c->at += 6;
	return 0;
}

static int check_string(struct checker *c)
{
	for (c->at++; *c->at != '"';) {
		unsigned n;

		if (c->at >= c->end)
			return fault(c, "the text ends here, inside a string");
		if (*c->at == '\\') {
			c->at++;
			if (check_escape(c))
				return -1;
			continue;
		}
		if ((unsigned char)*c->at < 0x20)
			return fault(c, *c->at == '\n' ? "the line ends here, inside a string"
						       : "a control character inside a string");
		n = utf8_length(c->at);
		if (!n)
			return fault(c, "not UTF-8");
		c->at += n;
	}
	c->at++;
	return 0;
}

static int check_value(struct checker *c, unsigned depth);

/* An object's or array's members, from the bracket on. */
static int check_members(struct checker *c, unsigned depth)
{
	bool object = *c->at == '{';
	char close = object ? '}' : ']';

	if (depth >= JSON_MAX_DEPTH)
		return fault(c, "nested more than 64 deep");
	c->at++;
	skip_blank(c);
	if (*c->at == close) {
		c->at++;
		return 0;
	}
	for (;;) {
		if (object) {
			if (*c->at != '"')
				return unexpected(c, "a key in double quotes");
			if (check_string(c))
				return -1;
			skip_blank(c);
			if (*c->at != ':')
				return unexpected(c, "\":\"");
			c->at++;
		}
		if (check_value(c, depth + 1))
			return -1;
		skip_blank(c);
		if (*c->at == close) {
			c->at++;
			return 0;
		}
		if (*c->at != ',')
			return unexpected(c, object ? "\",\" or \"}\"" : "\",\" or \"]\"");
		c->at++;
		skip_blank(c);
		if (*c->at == close)
			return fault(c, "no comma before a closing bracket");
	}
}

static int check_word(struct checker *c, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n))
		return unexpected(c, "a value");
	c->at += n;
	return 0;
}

static int check_value(struct checker *c, unsigned depth)
{
	skip_blank(c);
	switch (*c->at) {
	case '{':
	case '[':
		return check_members(c, depth);
	case '"':
		return check_string(c);
	case 't':
		return check_word(c, "true");
	case 'f':
		return check_word(c, "false");
	case 'n':
		return check_word(c, "null");
	default:
		if (*c->at == '-' || is_digit(*c->at))
			return check_number(c);
		return unexpected(c, "a value");
	}
}

static int check(struct checker *c)
{
	if (check_value(c, 0))
		return -1;
	skip_blank(c);
	return c->at < c->end ? unexpected(c, "the end") : 0;
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

/* Where a value stands, from the inside out: a key, or an index when key is NULL. */
struct place {
	const struct place *in; /* NULL: the whole */
	const char *key;
	size_t index;
};

/* "caches[2].size"; of a path that is too long the beginning. */
static size_t write_place(const struct place *at, char *buf, size_t size)
{
	size_t used;

	if (!at->in)
		return 0;
	used = write_place(at->in, buf, size);
	if (used >= size)
		return used;
	if (at->key)
		return used +
		       (size_t)snprintf(buf + used, size - used, "%s%s", used ? "." : "", at->key);
	return used + (size_t)snprintf(buf + used, size - used, "[%zu]", at->index);
}

static int twin(const struct place *at, const char *name, struct error *err)
{
	char path[300] = "";

	write_place(at, path, sizeof(path));
	return error_input(err, "%s%s%.200s: this key stands twice in one object", name ? name : "",
			   name ? ": " : "", path);
}

/* An object's keys differ. */
static int check_twins(const cJSON *object, size_t n, const struct place *at, const char *name,
		       struct error *err)
{
	const cJSON **member, *m;
	size_t i = 0;
	int ret = 0;

	if (n < 2)
		return 0;
	member = calloc(n, sizeof(*member));
	if (!member)
		return error_memory(err, "a JSON value");
	cJSON_ArrayForEach (m, object)
		member[i++] = m;
	qsort(member, n, sizeof(*member), compare_keys);
	for (i = 1; i < n && !ret; i++) {
		if (!strcmp(member[i - 1]->string, member[i]->string))
			ret = twin(&(struct place){.in = at, .key = member[i]->string}, name, err);
	}
	free(member);
	return ret;
}

static int check_keys(const cJSON *value, const struct place *at, const char *name,
		      struct error *err)
{
	const cJSON *m;
	size_t n = 0;

	cJSON_ArrayForEach (m, value) {
		if (check_keys(m, &(struct place){.in = at, .key = m->string, .index = n}, name,
			       err))
			return -1;
		n++;
	}
	return cJSON_IsObject(value) ? check_twins(value, n, at, name, err) : 0;
}

bool json_valid(const char *text, size_t len)
{
	struct error ignored = {0};
	struct checker c = {.text = text, .end = text + len, .at = text, .err = &ignored};

	return !check(&c);
}

struct cJSON *json_parse(const char *text, size_t len, const char *name, struct error *err)
{
	struct checker c = {.text = text, .end = text + len, .at = text, .name = name, .err = err};
	cJSON *tree;

	c.text = c.at = text + utf8_mark(text, len);
	if (utf16_mark(text, len) ? fault(&c, "this is UTF-16; UTF-8 is wanted") : check(&c))
		return NULL;
	tree = cJSON_ParseWithLength(c.text, (size_t)(c.end - c.text) + 1);
	if (!tree)
		error_memory(err, name ? name : "a JSON value");
	if (tree && check_keys(tree, &(struct place){0}, name, err)) {
		cJSON_Delete(tree);
		return NULL;
	}
	return tree;
}

struct cJSON *json_read_file(const char *path, struct error *err)
{
	size_t len;
	char *text = file_read(path, JSON_MAX_SIZE, &len, err);
	cJSON *tree = text ? json_parse(text, len, path, err) : NULL;

	free(text);
	return tree;
}
