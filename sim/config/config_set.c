/* --set PATH=VALUE: "machine.cpus=4", "caches[0].object_size=216". */
#include <cjson/cJSON.h>

#include "sim/config/config_internal.h"
#include "sim/escape.h"
#include "sim/json_reader.h"

#define MAX_STEPS JSON_MAX_DEPTH

/* One step of a path: a key, or an index when key is empty. */
struct step {
	char key[64];
	int index;
};

static int bad_path(const char *setting, struct error *err, const char *why)
{
	return error_input(err,
			   "--set %.200s: %s (PATH=VALUE is wanted, such as machine.cpus=4 or "
			   "caches[0].size=256)",
			   setting, why);
}

/* Take the next step from *path; the character behind it is '.', '[' or '='. */
static int next_step(const char *setting, const char **path, struct step *step, struct error *err)
{
	const char *p = *path;
	size_t n;

	if (*p == '[') {
		n = strspn(p + 1, "0123456789");
		if (!n || n > 6 || p[n + 1] != ']' || !strchr(".[=", p[n + 2]))
			return bad_path(setting, err, "[ is followed by an index and ]");
		step->key[0] = 0;
		step->index = (int)strtol(p + 1, NULL, 10);
		*path = p + n + 2;
		return 0;
	}
	n = strcspn(p, ".[=");
	if (!n)
		return bad_path(setting, err, "a key is missing in the path");
	if (n >= sizeof(step->key))
		return bad_path(setting, err, "no key is that long");
	snprintf(step->key, sizeof(step->key), "%.*s", (int)n, p);
	*path = p + n;
	return 0;
}

static int read_path(const char *setting, struct step *steps, unsigned *n, struct error *err)
{
	const char *p = setting;

	for (*n = 0; *p != '='; ++*n) {
		if (*n == MAX_STEPS)
			return bad_path(setting, err, "the path is too long");
		if (*n && *p == '.') {
			p++;
			if (*p == '[')
				return bad_path(setting, err, "a key is missing in the path");
		}
		if (next_step(setting, &p, &steps[*n], err))
			return -1;
	}
	if (!*n || !steps[0].key[0])
		return bad_path(setting, err, "a key is missing in the path");
	return 0;
}

/* Is text, which looks like a number, meant as a name? Policies are called "3.2". */
static bool is_name(const char *setting, const char *text)
{
	size_t n;
	const struct config_option *table = config_options(&n);
	const struct config_option *opt =
	    option_find(table, n, setting, (size_t)(strchr(setting, '=') - setting));

	if (!opt)
		return false;
	if (opt->type == OPT_STRING || opt->type == OPT_PATH)
		return true;
	return opt->type == OPT_LATER && opt->write == config_write_policy &&
	       policy_find((enum policy_axis)opt->min, text);
}

/* VALUE is JSON, or else a string. What begins like JSON's brackets and quotes must be JSON. */
static cJSON *read_value(const char *setting, const char *text, struct error *err)
{
	struct error why = {0};
	cJSON *value = json_parse(text, strlen(text), NULL, &why);

	if (cJSON_IsNumber(value) && is_name(setting, text)) {
		cJSON_Delete(value);
		value = cJSON_CreateString(text);
		if (!value)
			error_memory(err, "a setting");
		return value;
	}
	if (value)
		return value;
	if (why.kind == ERROR_INPUT && (!*text || !strchr("{[\"", *text)))
		value = cJSON_CreateString(text);
	else if (why.kind == ERROR_INPUT)
		error_input(err, "--set %.200s: the value is not JSON: %.500s", setting, why.text);
	if (!value)
		error_memory(err, "a setting");
	return value;
}

static cJSON *child(cJSON *parent, const struct step *step)
{
	if (step->key[0])
		return cJSON_GetObjectItemCaseSensitive(parent, step->key);
	return cJSON_GetArrayItem(parent, step->index);
}

/* Can step be taken from parent, by finding something there or by adding to it? */
static int check_step(const char *setting, const cJSON *parent, const struct step *step,
		      struct error *err)
{
	int size = cJSON_GetArraySize(parent);

	if (step->key[0] && !cJSON_IsObject(parent))
		return error_input(err,
				   "--set %.200s: \"%s\" is looked for in what is not an object",
				   setting, step->key);
	if (!step->key[0] && !cJSON_IsArray(parent))
		return error_input(err, "--set %.200s: [%d] is looked for in what is not an array",
				   setting, step->index);
	if (!step->key[0] && step->index > size)
		return error_input(err,
				   "--set %.200s: there is no [%d]; the next one would be [%d]",
				   setting, step->index, size);
	return 0;
}

/* Put value at step of parent, in place of what may be there. Takes value over. */
static cJSON *put(cJSON *parent, const struct step *step, cJSON *value)
{
	cJSON_bool ok;

	if (!value)
		return NULL;
	if (!child(parent, step))
		ok = step->key[0] ? cJSON_AddItemToObject(parent, step->key, value)
				  : cJSON_AddItemToArray(parent, value);
	else if (step->key[0])
		ok = cJSON_ReplaceItemInObjectCaseSensitive(parent, step->key, value);
	else
		ok = cJSON_ReplaceItemInArray(parent, step->index, value);
	if (ok)
		return value;
	cJSON_Delete(value);
	return NULL;
}

int config_apply_setting(struct cJSON *root, const char *setting, struct error *err)
{
	struct step steps[MAX_STEPS];
	cJSON *parent = root, *value;
	unsigned n;

	for (const char *p = setting; *p; p += utf8_length(p)) {
		if (!utf8_length(p))
			return bad_path(setting, err, "not UTF-8");
	}
	if (!strchr(setting, '='))
		return bad_path(setting, err, "there is no \"=\"");
	if (read_path(setting, steps, &n, err))
		return -1;
	value = read_value(setting, strchr(setting, '=') + 1, err);
	if (!value)
		return -1;
	for (unsigned i = 0; i < n; i++) {
		cJSON *next;

		if (check_step(setting, parent, &steps[i], err)) {
			cJSON_Delete(value);
			return -1;
		}
		if (i + 1 == n)
			break;
		next = child(parent, &steps[i]);
		/* What is missing, or null, is made. */
		if (!next || cJSON_IsNull(next))
			next =
			    put(parent, &steps[i],
				steps[i + 1].key[0] ? cJSON_CreateObject() : cJSON_CreateArray());
		if (!next) {
			cJSON_Delete(value);
			return error_memory(err, "a setting");
		}
		parent = next;
	}
	return put(parent, &steps[n - 1], value) ? 0 : error_memory(err, "a setting");
}
