#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>

#include "sim/file.h"
#include "sim/config/option.h"
#include "sim/suggest.h"

/* ---- messages ---- */

/* Is path the same as the first n bytes of other, or below it? */
static bool is_below(const char *path, const char *other, size_t n)
{
	return !strncmp(path, other, n) && (!path[n] || path[n] == '.' || path[n] == '[');
}

/*
 * The --set argument that set path, what path is in, or something in path; NULL: it is the
 * file's own.
 */
static const char *setting_of(const struct option_reader *r, const char *path, bool *exactly)
{
	size_t len = strlen(path);

	for (unsigned i = r->nr_settings; len && i-- > 0;) {
		const char *setting = r->settings[i];
		size_t n = strcspn(setting, "=");

		if (is_below(path, setting, n) || (n > len && is_below(setting, path, len))) {
			*exactly = n == len;
			return setting;
		}
	}
	return NULL;
}

int option_error(const struct option_reader *r, const char *path, const char *fmt, ...)
{
	bool exactly = false;
	const char *setting = setting_of(r, path, &exactly);
	char text[sizeof(r->err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (setting && exactly)
		return error_input(r->err, "--set %.200s: %s", setting, text);
	if (setting)
		return error_input(r->err, "--set %.200s: %.200s: %s", setting, path, text);
	if (!*path)
		return error_input(r->err, "%s: %s", r->file ? r->file : "configuration", text);
	return error_input(r->err, "%s: %.200s: %s", r->file ? r->file : "configuration", path,
			   text);
}

/* As short as it reads back the same. */
static void describe_number(double number, char *buf, size_t size)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, size, "%.*g", digits, number);
		if (strtod(buf, NULL) == number)
			break;
	}
}

/* A value in few words. */
static void describe_value(const cJSON *value, char *buf, size_t size)
{
	if (cJSON_IsString(value))
		snprintf(buf, size, *value->valuestring ? "the string \"%.60s\"" : "an empty one",
			 value->valuestring);
	else if (cJSON_IsNumber(value))
		describe_number(value->valuedouble, buf, size);
	else if (cJSON_IsBool(value))
		snprintf(buf, size, "%s", cJSON_IsTrue(value) ? "true" : "false");
	else
		snprintf(buf, size, "%s",
			 cJSON_IsObject(value)	? "an object"
			 : cJSON_IsArray(value) ? "an array"
						: "null");
}

int option_type_error(const struct option_reader *r, const char *path, const char *wanted,
		      const struct cJSON *value)
{
	char what[128];

	describe_value(value, what, sizeof(what));
	return option_error(r, path, "%s is wanted, not %s", wanted, what);
}

int option_number(const struct option_reader *r, const char *path, const struct cJSON *value,
		  int64_t min, int64_t max, int64_t *number)
{
	char wanted[100];

	snprintf(wanted, sizeof(wanted), "a whole number from %lld to %lld", (long long)min,
		 (long long)max);
	if (!cJSON_IsNumber(value) || value->valuedouble != floor(value->valuedouble) ||
	    value->valuedouble < (double)min || value->valuedouble > (double)max)
		return option_type_error(r, path, wanted, value);
	*number = (int64_t)value->valuedouble;
	return 0;
}

const struct config_option *option_find(const struct config_option *table, size_t n,
					const char *path, size_t len)
{
	for (size_t i = 0; i < n; i++) {
		const char *row = table[i].path, *p = path, *end = path + len;

		for (; p < end && *row == *p; row++, p++)
			if (*p == '[')
				p += strspn(p + 1, "0123456789");
		if (p == end && !*row)
			return &table[i];
	}
	return NULL;
}

/* ---- one value ---- */

static void store_number(const struct config_option *opt, void *base, int64_t number)
{
	char *field = (char *)base + opt->offset;

	switch (opt->type) {
	case OPT_UNSIGNED:
		*(unsigned *)field = (unsigned)number;
		break;
	case OPT_INT:
	case OPT_CHOICE:
	case OPT_INT_OR_WORD:
		*(int *)field = (int)number;
		break;
	case OPT_INT64:
		*(int64_t *)field = number;
		break;
	case OPT_UINT64:
		*(uint64_t *)field = (uint64_t)number;
		break;
	case OPT_BOOL:
		*(bool *)field = number;
		break;
	default:
		break;
	}
}

static int read_number(struct option_reader *r, const struct config_option *opt, const char *path,
		       const cJSON *value, void *base)
{
	int64_t number = 0;

	if (option_number(r, path, value, opt->min, opt->max, &number))
		return -1;
	if (opt->power_of_two && number & (number - 1))
		return option_error(r, path, "a power of two from %lld to %lld is wanted, not %lld",
				    (long long)(opt->min ? opt->min : 1), (long long)opt->max,
				    (long long)number);
	store_number(opt, base, number);
	return 0;
}

static int read_choice(struct option_reader *r, const struct config_option *opt, const char *path,
		       const cJSON *value, void *base)
{
	char wanted[200], hint[128];
	struct suggest s;

	option_wants(opt, wanted, sizeof(wanted));
	if (!cJSON_IsString(value))
		return option_type_error(r, path, wanted, value);
	suggest_init(&s, value->valuestring);
	for (int i = 0; opt->allowed[i]; i++) {
		if (!strcmp(opt->allowed[i], value->valuestring)) {
			store_number(opt, base, i);
			return 0;
		}
		suggest_offer(&s, opt->allowed[i]);
	}
	return option_error(r, path, "%s is wanted, not \"%.60s\"%s", wanted, value->valuestring,
			    suggest_text(&s, hint, sizeof(hint)));
}

static int read_number_or_word(struct option_reader *r, const struct config_option *opt,
			       const char *path, const cJSON *value, void *base)
{
	char wanted[200];
	int64_t number = 0;

	if (cJSON_IsNumber(value)) {
		if (option_number(r, path, value, opt->min, opt->max, &number))
			return -1;
		store_number(opt, base, number);
		return 0;
	}
	if (!cJSON_IsString(value) || strcmp(value->valuestring, opt->allowed[0]))
		return option_type_error(r, path, option_wants(opt, wanted, sizeof(wanted)), value);
	store_number(opt, base, opt->max + 1);
	return 0;
}

static int read_string(struct option_reader *r, const struct config_option *opt, const char *path,
		       const cJSON *value, void *base)
{
	char **field = (char **)((char *)base + opt->offset);
	char *text;

	if (!cJSON_IsString(value) || !*value->valuestring)
		return option_type_error(r, path, opt->wants ? opt->wants : "a string", value);
	if (opt->type == OPT_PATH)
		text = path_beside(r->file, value->valuestring, r->err);
	else
		text = strdup(value->valuestring);
	if (!text)
		return error_memory(r->err, path);
	free(*field);
	*field = text;
	return 0;
}

static int read_strings(struct option_reader *r, const struct config_option *opt, const char *path,
			const cJSON *value, void *base)
{
	char ***field = (char ***)((char *)base + opt->offset);
	unsigned *count = (unsigned *)((char *)base + opt->offset2);
	const cJSON *item;

	if (!cJSON_IsArray(value))
		return option_type_error(r, path, "an array of strings", value);
	if (!value->child)
		return option_error(r, path,
				    "an array of strings is wanted, not an empty one; null stands "
				    "for %s",
				    opt->absent);
	*field = calloc((size_t)cJSON_GetArraySize(value) + 1, sizeof(**field));
	if (!*field)
		return error_memory(r->err, path);
	cJSON_ArrayForEach (item, value) {
		char where[330];

		snprintf(where, sizeof(where), "%s[%u]", path, *count);
		if (!cJSON_IsString(item) || !*item->valuestring)
			return option_type_error(r, where, "a string", item);
		(*field)[*count] = strdup(item->valuestring);
		if (!(*field)[*count])
			return error_memory(r->err, path);
		++*count;
	}
	return 0;
}

static int read_value(struct option_reader *r, const struct config_option *opt, const char *path,
		      const cJSON *value, void *base)
{
	switch (opt->type) {
	case OPT_UNSIGNED:
	case OPT_INT:
	case OPT_INT64:
	case OPT_UINT64:
		return read_number(r, opt, path, value, base);
	case OPT_BOOL:
		if (!cJSON_IsBool(value))
			return option_type_error(r, path, "true or false", value);
		store_number(opt, base, cJSON_IsTrue(value));
		return 0;
	case OPT_CHOICE:
		return read_choice(r, opt, path, value, base);
	case OPT_INT_OR_WORD:
		return read_number_or_word(r, opt, path, value, base);
	case OPT_STRING:
	case OPT_PATH:
		return read_string(r, opt, path, value, base);
	case OPT_STRINGS:
		return read_strings(r, opt, path, value, base);
	case OPT_OWN:
		return opt->read(r, opt, path, value, base);
	case OPT_LATER:
		break;
	}
	return 0;
}

/* ---- the table ---- */

int options_set_defaults(const struct option_reader *r, const char *prefix, void *base)
{
	for (size_t i = 0; i < r->nr_options; i++) {
		const struct config_option *opt = &r->table[i];

		if (!option_under(opt, prefix))
			continue;
		if (opt->type == OPT_STRING && opt->text) {
			char **field = (char **)((char *)base + opt->offset);

			*field = strdup(opt->text);
			if (!*field)
				return error_memory(r->err, "the configuration");
		} else {
			store_number(opt, base, opt->def);
		}
	}
	return 0;
}

static int unknown_key(const struct option_reader *r, const char *prefix, const char *shown,
		       const char *key)
{
	char path[400], hint[128], word[100];
	struct suggest s, best;

	suggest_init(&s, key);
	best = s;
	for (size_t i = 0; i < r->nr_options; i++) {
		const char *rest = option_under(&r->table[i], prefix);

		if (!rest)
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(rest, "."), rest);
		suggest_offer(&s, word);
		/* word is about to change; the table stays. */
		if (s.distance < best.distance) {
			best = s;
			best.best = rest;
		}
		s.best = NULL;
	}
	if (best.best) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(best.best, "."), best.best);
		best.best = word;
	}
	snprintf(path, sizeof(path), "%.200s%.100s", shown, key);
	return option_error(r, path, "unknown key%s", suggest_text(&best, hint, sizeof(hint)));
}

static int read_member(struct option_reader *r, const char *prefix, const char *shown,
		       const cJSON *member, void *base)
{
	size_t n = strlen(member->string);
	char key[100], path[300];
	bool section = false;

	if (strchr(member->string, '.'))
		return unknown_key(r, prefix, shown, member->string);
	/* A longer key is none of ours, cut off or not. */
	snprintf(key, sizeof(key), "%s%.60s", prefix, member->string);
	snprintf(path, sizeof(path), "%.150s%.100s", shown, member->string);
	for (size_t i = 0; i < r->nr_options; i++) {
		const char *rest = option_under(&r->table[i], prefix);

		if (!rest || strncmp(rest, member->string, n))
			continue;
		if (!rest[n])
			return cJSON_IsNull(member)
				   ? 0
				   : read_value(r, &r->table[i], path, member, base);
		section |= rest[n] == '.';
	}
	if (!section)
		return unknown_key(r, prefix, shown, member->string);
	if (cJSON_IsNull(member))
		return 0;
	if (!cJSON_IsObject(member))
		return option_type_error(r, path, "an object", member);
	snprintf(key, sizeof(key), "%s%.60s.", prefix, member->string);
	snprintf(path, sizeof(path), "%.150s%.100s.", shown, member->string);
	return options_read(r, key, path, member, base);
}

int options_read(struct option_reader *r, const char *prefix, const char *shown,
		 const struct cJSON *object, void *base)
{
	const cJSON *member;

	cJSON_ArrayForEach (member, object) {
		if (read_member(r, prefix, shown, member, base))
			return -1;
	}
	return 0;
}
