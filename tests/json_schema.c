#include "tests/json_schema.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

struct check {
	const cJSON *root;
	char *message;
	size_t size;
};

static bool valid(struct check *c, const cJSON *schema, const cJSON *value, const char *path);

static bool fails(struct check *c, const char *path, const char *keyword)
{
	snprintf(c->message, c->size, "%s: %s", *path ? path : "the top", keyword);
	return false;
}

static bool has_type(const char *type, const cJSON *v)
{
	if (!strcmp(type, "integer"))
		return cJSON_IsNumber(v) && v->valuedouble == floor(v->valuedouble);
	return (!strcmp(type, "object") && cJSON_IsObject(v)) ||
	       (!strcmp(type, "array") && cJSON_IsArray(v)) ||
	       (!strcmp(type, "string") && cJSON_IsString(v)) ||
	       (!strcmp(type, "number") && cJSON_IsNumber(v)) ||
	       (!strcmp(type, "boolean") && cJSON_IsBool(v)) ||
	       (!strcmp(type, "null") && cJSON_IsNull(v));
}

static bool check_type(const cJSON *types, const cJSON *v)
{
	const cJSON *type;

	if (cJSON_IsString(types))
		return has_type(types->valuestring, v);
	cJSON_ArrayForEach (type, types)
		if (has_type(type->valuestring, v))
			return true;
	return false;
}

static bool check_enum(const cJSON *words, const cJSON *v)
{
	const cJSON *word;

	cJSON_ArrayForEach (word, words)
		if (cJSON_Compare(word, v, true))
			return true;
	return false;
}

static bool check_pattern(const char *pattern, const char *text)
{
	regex_t re;
	bool match;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB))
		return false;
	match = !regexec(&re, text, 0, NULL, 0);
	regfree(&re);
	return match;
}

static bool check_properties(struct check *c, const cJSON *schema, const cJSON *v, const char *path)
{
	const cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties");
	const cJSON *more = cJSON_GetObjectItemCaseSensitive(schema, "additionalProperties");
	const cJSON *names = cJSON_GetObjectItemCaseSensitive(schema, "propertyNames");
	const cJSON *member;

	cJSON_ArrayForEach (member, v) {
		const cJSON *sub = cJSON_GetObjectItemCaseSensitive(properties, member->string);
		char at[512];

		snprintf(at, sizeof(at), "%s.%s", path, member->string);
		if (names) {
			cJSON *name = cJSON_CreateString(member->string);
			bool good = valid(c, names, name, at);

			cJSON_Delete(name);
			if (!good)
				return false;
		}
		if (!sub)
			sub = more;
		if (sub && !valid(c, sub, member, at))
			return false;
	}
	return true;
}

static bool check_items(struct check *c, const cJSON *items, const cJSON *v, const char *path)
{
	const cJSON *item;
	unsigned i = 0;

	cJSON_ArrayForEach (item, v) {
		char at[512];

		snprintf(at, sizeof(at), "%s[%u]", path, i++);
		if (!valid(c, items, item, at))
			return false;
	}
	return true;
}

static bool check_any(struct check *c, const cJSON *schemas, const cJSON *v, const char *path)
{
	const cJSON *schema;

	cJSON_ArrayForEach (schema, schemas)
		if (valid(c, schema, v, path))
			return true;
	return false;
}

static bool check_required(struct check *c, const cJSON *names, const cJSON *v, const char *path)
{
	const cJSON *name;
	char what[200];

	cJSON_ArrayForEach (name, names) {
		snprintf(what, sizeof(what), "%s is missing", name->valuestring);
		if (!cJSON_GetObjectItemCaseSensitive(v, name->valuestring))
			return fails(c, path, what);
	}
	return true;
}

static const cJSON *resolve(const struct check *c, const char *ref)
{
	static const char defs[] = "#/$defs/";

	if (strncmp(ref, defs, sizeof(defs) - 1))
		return NULL;
	return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(c->root, "$defs"),
						ref + sizeof(defs) - 1);
}

/* Keywords about values of a type hold for any other. */
static bool check_keyword(struct check *c, const cJSON *schema, const cJSON *k, const cJSON *v,
			  const char *path)
{
	static const char *const remarks[] = {"$schema",     "$defs",	"$id",	   "title",
					      "description", "default", "examples"};
	/* Those that check_properties() looks at. */
	static const char *const members[] = {"additionalProperties", "propertyNames"};
	bool number = cJSON_IsNumber(v), string = cJSON_IsString(v);
	bool array = cJSON_IsArray(v), object = cJSON_IsObject(v);
	int n = array || object ? cJSON_GetArraySize(v) : 0;
	const char *name = k->string;
	const cJSON *ref;

	for (size_t i = 0; i < sizeof(remarks) / sizeof(remarks[0]); i++)
		if (!strcmp(name, remarks[i]))
			return true;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (!strcmp(name, members[i]))
			return !object || check_properties(c, schema, v, path);
	if (!strcmp(name, "properties"))
		return !object || check_properties(c, schema, v, path);
	if (!strcmp(name, "items"))
		return !array || check_items(c, k, v, path);
	if (!strcmp(name, "required"))
		return !object || check_required(c, k, v, path);
	if (!strcmp(name, "$ref")) {
		ref = resolve(c, k->valuestring);
		return ref ? valid(c, ref, v, path) : fails(c, path, k->valuestring);
	}
	if (!strcmp(name, "type"))
		return check_type(k, v) || fails(c, path, name);
	if (!strcmp(name, "enum"))
		return check_enum(k, v) || fails(c, path, name);
	if (!strcmp(name, "const"))
		return cJSON_Compare(k, v, true) || fails(c, path, name);
	if (!strcmp(name, "anyOf"))
		return check_any(c, k, v, path) || fails(c, path, name);
	if (!strcmp(name, "pattern"))
		return !string || check_pattern(k->valuestring, v->valuestring) ||
		       fails(c, path, name);
	if (!strcmp(name, "minLength"))
		return !string || strlen(v->valuestring) >= k->valuedouble || fails(c, path, name);
	if (!strcmp(name, "minimum"))
		return !number || v->valuedouble >= k->valuedouble || fails(c, path, name);
	if (!strcmp(name, "maximum"))
		return !number || v->valuedouble <= k->valuedouble || fails(c, path, name);
	if (!strcmp(name, "multipleOf"))
		return !number || fmod(v->valuedouble, k->valuedouble) == 0 || fails(c, path, name);
	if (!strcmp(name, "minItems"))
		return !array || n >= k->valuedouble || fails(c, path, name);
	if (!strcmp(name, "maxItems"))
		return !array || n <= k->valuedouble || fails(c, path, name);
	if (!strcmp(name, "minProperties"))
		return !object || n >= k->valuedouble || fails(c, path, name);
	if (!strcmp(name, "maxProperties"))
		return !object || n <= k->valuedouble || fails(c, path, name);
	return fails(c, name, "a keyword that is not known");
}

static bool valid(struct check *c, const cJSON *schema, const cJSON *value, const char *path)
{
	const cJSON *keyword;

	if (cJSON_IsBool(schema))
		return cJSON_IsTrue(schema) || fails(c, path, "is not foreseen");
	cJSON_ArrayForEach (keyword, schema)
		if (!check_keyword(c, schema, keyword, value, path))
			return false;
	return true;
}

bool json_schema_valid(const cJSON *schema, const cJSON *value, char *message, size_t size)
{
	struct check c = {schema, message, size};

	return valid(&c, schema, value, "");
}
