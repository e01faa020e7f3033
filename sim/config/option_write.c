/* Options as they are in force, as JSON; and the printed documentation. */
#include <cjson/cJSON.h>

#include "sim/config/option.h"
#include "sim/policy.h"

const char *option_under(const struct config_option *opt, const char *prefix)
{
	size_t n = strlen(prefix);

	if (strncmp(opt->path, prefix, n) || strstr(opt->path + n, "[]."))
		return NULL;
	return opt->path + n;
}

static int64_t load_number(const struct config_option *opt, const void *base)
{
	const char *field = (const char *)base + opt->offset;

	switch (opt->type) {
	case OPT_UNSIGNED:
		return *(const unsigned *)field;
	case OPT_INT:
	case OPT_CHOICE:
	case OPT_INT_OR_WORD:
		return *(const int *)field;
	case OPT_INT64:
		return *(const int64_t *)field;
	case OPT_UINT64:
		return (int64_t) * (const uint64_t *)field;
	case OPT_BOOL:
		return *(const bool *)field;
	default:
		return 0;
	}
}

static cJSON *made(cJSON *value, struct error *err)
{
	if (!value)
		error_memory(err, "the configuration");
	return value;
}

/* NULL: null, unless err is set. */
static cJSON *write_value(const struct config_option *opt, const cJSON *given, const void *base,
			  struct error *err)
{
	const char *field = (const char *)base + opt->offset;
	const char *const *strings;
	const char *text;
	unsigned count;
	int64_t number;

	switch (opt->type) {
	case OPT_STRING:
		text = *(char *const *)field;
		return text ? made(cJSON_CreateString(text), err) : NULL;
	case OPT_PATH:
		text = *(char *const *)field;
		return text && given ? made(cJSON_Duplicate(given, true), err) : NULL;
	case OPT_STRINGS:
		count = *(const unsigned *)((const char *)base + opt->offset2);
		strings = *(const char *const *const *)field;
		return count ? made(cJSON_CreateStringArray(strings, (int)count), err) : NULL;
	case OPT_OWN:
	case OPT_LATER:
		return opt->write(opt, given, base, err);
	default:
		break;
	}
	number = load_number(opt, base);
	if (opt->absent && number == opt->def)
		return NULL;
	if (opt->type == OPT_BOOL)
		return made(cJSON_CreateBool(number != 0), err);
	if (opt->type == OPT_CHOICE)
		return made(cJSON_CreateString(opt->allowed[number]), err);
	if (opt->type == OPT_INT_OR_WORD && number > opt->max)
		return made(cJSON_CreateString(opt->allowed[0]), err);
	return made(cJSON_CreateNumber((double)number), err);
}

/* Put value at path (keys joined by dots) below into. value is taken over. */
static int place(cJSON *into, const char *path, cJSON *value)
{
	char key[100];
	const char *dot;

	while ((dot = strchr(path, '.'))) {
		cJSON *section;

		snprintf(key, sizeof(key), "%.*s", (int)(dot - path), path);
		section = cJSON_GetObjectItemCaseSensitive(into, key);
		if (!section)
			section = cJSON_AddObjectToObject(into, key);
		if (!section) {
			cJSON_Delete(value);
			return -1;
		}
		into = section;
		path = dot + 1;
	}
	if (value && cJSON_AddItemToObject(into, path, value))
		return 0;
	cJSON_Delete(value);
	return -1;
}

static const cJSON *look_up(const cJSON *from, const char *path)
{
	char key[100];
	const char *dot;

	while (from && (dot = strchr(path, '.'))) {
		snprintf(key, sizeof(key), "%.*s", (int)(dot - path), path);
		from = cJSON_GetObjectItemCaseSensitive(from, key);
		path = dot + 1;
	}
	return from ? cJSON_GetObjectItemCaseSensitive(from, path) : NULL;
}

int options_write(const struct option_reader *r, const char *prefix, const struct cJSON *given,
		  const void *base, bool skip_absent, struct cJSON *into)
{
	for (size_t i = 0; i < r->nr_options; i++) {
		const struct config_option *opt = &r->table[i];
		const char *path = option_under(opt, prefix);
		cJSON *value;

		if (!path || opt->not_written)
			continue;
		value = write_value(opt, look_up(given, path), base, r->err);
		if (!value && r->err->kind != ERROR_NONE)
			return -1;
		if (!value && skip_absent)
			continue;
		if (place(into, path, value ? value : cJSON_CreateNull()))
			return error_memory(r->err, "the configuration");
	}
	return 0;
}

void options_free(const struct config_option *table, size_t n, const char *prefix, void *base)
{
	for (size_t i = 0; i < n; i++) {
		char *field = (char *)base + table[i].offset;

		if (!option_under(&table[i], prefix))
			continue;
		if (table[i].type == OPT_STRING || table[i].type == OPT_PATH) {
			free(*(char **)field);
			*(char **)field = NULL;
		} else if (table[i].type == OPT_STRINGS) {
			unsigned *count = (unsigned *)((char *)base + table[i].offset2);

			while (*count)
				free((*(char ***)field)[--*count]);
			free(*(char ***)field);
			*(char ***)field = NULL;
		}
	}
}

/* ---- documentation ---- */

static void join(char *buf, size_t size, const char *const *words)
{
	size_t used = 0;

	for (int i = 0; words[i] && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s\"%s\"", i ? " or " : "",
					 words[i]);
}

const char *option_wants(const struct config_option *opt, char *buf, size_t size)
{
	if (opt->wants) {
		snprintf(buf, size, "%s", opt->wants);
		return buf;
	}
	switch (opt->type) {
	case OPT_BOOL:
		snprintf(buf, size, "true or false");
		break;
	case OPT_CHOICE:
		join(buf, size, opt->allowed);
		break;
	case OPT_INT_OR_WORD:
		snprintf(buf, size, "a whole number from %lld to %lld, or \"%s\"",
			 (long long)opt->min, (long long)opt->max, opt->allowed[0]);
		break;
	case OPT_STRING:
		snprintf(buf, size, "a string");
		break;
	case OPT_PATH:
		snprintf(buf, size, "a file");
		break;
	case OPT_STRINGS:
		snprintf(buf, size, "an array of strings");
		break;
	default:
		snprintf(buf, size, "a %s from %lld to %lld",
			 opt->power_of_two ? "power of two" : "whole number", (long long)opt->min,
			 (long long)opt->max);
		break;
	}
	return buf;
}

const char *option_help(const struct config_option *opt)
{
	return opt->help ? opt->help : axis_help((enum policy_axis)opt->min);
}

const char *option_default(const struct config_option *opt, char *buf, size_t size)
{
	if (opt->absent)
		snprintf(buf, size, "none%s%s", *opt->absent ? ": " : "", opt->absent);
	else if (opt->text)
		snprintf(buf, size, "%s", opt->text);
	else if (opt->type == OPT_BOOL)
		snprintf(buf, size, "%s", opt->def ? "true" : "false");
	else if (opt->type == OPT_CHOICE)
		snprintf(buf, size, "%s", opt->allowed[opt->def]);
	else
		snprintf(buf, size, "%lld", (long long)opt->def);
	return buf;
}
