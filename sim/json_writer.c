#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <cjson/cJSON.h>

#include "sim/escape.h"
#include "sim/json_writer.h"

void json_init(struct json_writer *w, FILE *out)
{
	*w = (struct json_writer){.out = out, .inline_from = UINT_MAX, .first = true};
}

static void newline(struct json_writer *w)
{
	unsigned i;

	putc('\n', w->out);
	for (i = 0; i < w->depth; i++)
		fputs("  ", w->out);
}

static void write_string(FILE *out, const char *s)
{
	unsigned n, i;

	putc('"', out);
	for (; *s; s += n) {
		n = utf8_length(s);
		if (n == 0) {
			n = 1;
			fprintf(out, "\\\\x%02x", (unsigned char)*s);
		} else if (*s == '"' || *s == '\\') {
			fprintf(out, "\\%c", *s);
		} else if (*s == '\n') {
			fputs("\\n", out);
		} else if (*s == '\t') {
			fputs("\\t", out);
		} else if (utf8_is_control(s, n)) {
			/* a C1 character is U+0080 plus the low bits of its second byte */
			i = n == 1 ? (unsigned char)s[0] : (unsigned char)s[1];
			fprintf(out, "\\u%04x", i);
		} else {
			fwrite(s, 1, n, out);
		}
	}
	putc('"', out);
}

/* What comes before a value: comma, line break, key. */
static void before(struct json_writer *w, const char *key)
{
	if (!w->first)
		putc(',', w->out);
	if (w->depth >= w->inline_from) {
		if (!w->first)
			putc(' ', w->out);
	} else if (w->depth) {
		newline(w);
	}
	w->first = false;
	if (key) {
		write_string(w->out, key);
		fputs(": ", w->out);
	}
}

static void begin(struct json_writer *w, const char *key, char bracket, bool in_line)
{
	before(w, key);
	putc(bracket, w->out);
	w->depth++;
	w->first = true;
	if (in_line && w->inline_from == UINT_MAX)
		w->inline_from = w->depth;
}

static void end(struct json_writer *w, char bracket)
{
	bool in_line = w->depth >= w->inline_from;

	if (w->depth == w->inline_from)
		w->inline_from = UINT_MAX;
	w->depth--;
	if (!in_line && !w->first)
		newline(w);
	putc(bracket, w->out);
	w->first = false;
	if (w->depth == 0)
		putc('\n', w->out);
}

void json_object(struct json_writer *w, const char *key)
{
	begin(w, key, '{', false);
}

void json_object_inline(struct json_writer *w, const char *key)
{
	begin(w, key, '{', true);
}

void json_array(struct json_writer *w, const char *key)
{
	begin(w, key, '[', false);
}

void json_array_inline(struct json_writer *w, const char *key)
{
	begin(w, key, '[', true);
}

void json_end_object(struct json_writer *w)
{
	end(w, '}');
}

void json_end_array(struct json_writer *w)
{
	end(w, ']');
}

void json_string(struct json_writer *w, const char *key, const char *value)
{
	before(w, key);
	write_string(w->out, value);
}

void json_u64(struct json_writer *w, const char *key, uint64_t value)
{
	before(w, key);
	fprintf(w->out, "%" PRIu64, value);
}

void json_i64(struct json_writer *w, const char *key, int64_t value)
{
	before(w, key);
	fprintf(w->out, "%" PRId64, value);
}

void json_double(struct json_writer *w, const char *key, double value)
{
	char text[32];
	int digits;

	if (!isfinite(value)) {
		json_null(w, key);
		return;
	}
	before(w, key);
	/* Every whole number a double holds exactly is written as a whole number. */
	if (value == floor(value) && fabs(value) <= 9007199254740992.0) {
		fprintf(w->out, "%.0f", value == 0 ? 0.0 : value);
		return;
	}
	for (digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	fputs(text, w->out);
}

void json_bool(struct json_writer *w, const char *key, bool value)
{
	json_raw(w, key, value ? "true" : "false");
}

void json_null(struct json_writer *w, const char *key)
{
	json_raw(w, key, "null");
}

void json_raw(struct json_writer *w, const char *key, const char *value)
{
	before(w, key);
	fputs(value, w->out);
}

/* Arrays of plain values, such as a sweep's axis, read better on one line. */
static bool holds_containers(const cJSON *value)
{
	const cJSON *child;

	cJSON_ArrayForEach (child, value)
		if (cJSON_IsObject(child) || cJSON_IsArray(child))
			return true;
	return false;
}

void json_tree(struct json_writer *w, const char *key, const struct cJSON *value)
{
	const cJSON *child;

	if (cJSON_IsObject(value)) {
		json_object(w, key);
		cJSON_ArrayForEach (child, value)
			json_tree(w, child->string, child);
		json_end_object(w);
	} else if (cJSON_IsArray(value)) {
		begin(w, key, '[', !holds_containers(value));
		cJSON_ArrayForEach (child, value)
			json_tree(w, NULL, child);
		json_end_array(w);
	} else if (cJSON_IsString(value)) {
		json_string(w, key, value->valuestring);
	} else if (cJSON_IsNumber(value)) {
		json_double(w, key, value->valuedouble);
	} else if (cJSON_IsBool(value)) {
		json_bool(w, key, cJSON_IsTrue(value));
	} else if (cJSON_IsRaw(value)) {
		json_raw(w, key, value->valuestring);
	} else {
		json_null(w, key);
	}
}
