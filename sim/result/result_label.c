/* Labels for results that stand side by side. */
#include <cjson/cJSON.h>

#include "sim/policy.h"
#include "sim/result/result_label.h"

static bool same_text(const cJSON *a, const cJSON *b)
{
	return a && b ? cJSON_Compare(a, b, true) : a == b;
}

/* Is section.key of r[i] not the same in every result of that name? */
static bool differs(const struct loaded_result *r, unsigned n, unsigned i, const char *section,
		    const char *key)
{
	const cJSON *mine = cJSON_GetObjectItemCaseSensitive(r[i].config, section), *other;
	unsigned j;

	mine = key ? cJSON_GetObjectItemCaseSensitive(mine, key) : mine;
	for (j = 0; j < n; j++) {
		if (strcmp(r[j].name, r[i].name) != 0)
			continue;
		other = cJSON_GetObjectItemCaseSensitive(r[j].config, section);
		other = key ? cJSON_GetObjectItemCaseSensitive(other, key) : other;
		if (!same_text(mine, other))
			return true;
	}
	return false;
}

static const char *policy_text(const struct loaded_result *r, const char *key)
{
	const cJSON *policy = cJSON_GetObjectItemCaseSensitive(r->config, "policy");
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(policy, key));

	return text ? text : "";
}

bool result_setting_follows(const struct loaded_result *r, const char *key)
{
	const struct preset *preset = preset_find(policy_text(r, "preset"));
	const struct policy *accounting;
	const char *value = policy_text(r, key), *refill;
	unsigned i;

	for (i = 0; preset && i < preset->nr_settings; i++)
		if (strcmp(axis_name(preset->settings[i].axis), key) == 0 &&
		    strcmp(preset->settings[i].policy, value) == 0)
			return true;
	accounting = policy_find(AXIS_PARTIAL_ACCOUNTING, policy_text(r, "partial_accounting"));
	if (!accounting || strcmp(key, axis_name(AXIS_REFILL)) != 0)
		return false;
	refill = ((const struct partial_accounting_ops *)accounting)->refill;
	return refill && strcmp(refill, value) == 0;
}

/* Does it follow in every result of the name of r[i]? Then it need not be said. */
static bool always_follows(const struct loaded_result *r, unsigned n, unsigned i, const char *key)
{
	unsigned j;

	for (j = 0; j < n; j++)
		if (strcmp(r[j].name, r[i].name) == 0 && !result_setting_follows(&r[j], key))
			return false;
	return true;
}

static void setting(FILE *out, const cJSON *item, const char **comma)
{
	char *value = cJSON_IsString(item) ? NULL : cJSON_PrintUnformatted(item);

	fprintf(out, "%s%s %s", *comma, item->string, value ? value : item->valuestring);
	*comma = ", ";
	cJSON_free(value);
}

/* The settings that tell r[i] from the others of its name. */
static void differences(FILE *out, const struct loaded_result *r, unsigned n, unsigned i,
			const char *comma)
{
	static const char *const sections[] = {"policy", "machine", "workload", "replay"};
	const cJSON *object, *item;
	unsigned s;

	for (s = 0; s < sizeof(sections) / sizeof(sections[0]); s++) {
		object = cJSON_GetObjectItemCaseSensitive(r[i].config, sections[s]);
		if (!cJSON_IsObject(object))
			continue;
		cJSON_ArrayForEach (item, object) {
			if (!differs(r, n, i, sections[s], item->string) ||
			    (s == 0 && always_follows(r, n, i, item->string)))
				continue;
			setting(out, item, &comma);
		}
	}
	item = cJSON_GetObjectItemCaseSensitive(r[i].config, "seed");
	if (item && differs(r, n, i, "seed", NULL))
		setting(out, item, &comma);
}

const char *results_shared_name(const struct loaded_result *r, unsigned n)
{
	unsigned i;

	for (i = 1; i < n; i++)
		if (strcmp(r[i].name, r[0].name) != 0)
			return NULL;
	return n > 1 && *r[0].name ? r[0].name : NULL;
}

/* What r[i] is called, before numbers; NULL when out of memory. */
static char *label_text(const struct loaded_result *r, unsigned n, unsigned i)
{
	const char *name = *r[i].name ? r[i].name : "(no name)";
	bool shared = results_shared_name(r, n);
	unsigned j, twins = 0;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (j = 0; j < n; j++)
		twins += strcmp(r[j].name, r[i].name) == 0;
	if (!shared)
		fputs(name, out);
	if (twins > 1)
		differences(out, r, n, i, shared ? "" : ", ");
	if (ftell(out) == 0)
		fputs(name, out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* How many results before i have the label text? */
static unsigned earlier(const struct loaded_result *r, unsigned i, const char *text)
{
	unsigned j, found = 0;

	for (j = 0; j < i; j++)
		if (strcmp(r[j].label, text) == 0)
			found++;
	return found;
}

static int label(struct loaded_result *r, unsigned n, unsigned i, struct error *err)
{
	char *text = label_text(r, n, i), *numbered;
	unsigned number;

	if (!text)
		return error_memory(err, "a label");
	r[i].label = text;
	for (number = 2; earlier(r, i, r[i].label); number++) {
		if (asprintf(&numbered, "%s #%u", text, number) < 0) {
			if (r[i].label != text)
				free(text);
			return error_memory(err, "a label");
		}
		if (r[i].label != text)
			free(r[i].label);
		r[i].label = numbered;
	}
	if (r[i].label != text)
		free(text);
	return 0;
}

int results_label(struct loaded_result *r, unsigned n, struct error *err)
{
	unsigned i;

	for (i = 0; i < n; i++)
		if (label(r, n, i, err))
			return -1;
	return 0;
}
