/* Labels for results that stand side by side. */
#include <cjson/cJSON.h>

#include "sim/result_file.h"

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

static void setting(FILE *out, const cJSON *item)
{
	char *value = cJSON_IsString(item) ? NULL : cJSON_PrintUnformatted(item);

	fprintf(out, ", %s %s", item->string, value ? value : item->valuestring);
	cJSON_free(value);
}

/* The settings that tell r[i] from the others of its name. */
static void differences(FILE *out, const struct loaded_result *r, unsigned n, unsigned i)
{
	static const char *const sections[] = {"policy", "machine", "workload", "replay"};
	const cJSON *object, *item;
	unsigned s;

	for (s = 0; s < sizeof(sections) / sizeof(sections[0]); s++) {
		object = cJSON_GetObjectItemCaseSensitive(r[i].config, sections[s]);
		if (!cJSON_IsObject(object))
			continue;
		cJSON_ArrayForEach (item, object)
			if (differs(r, n, i, sections[s], item->string))
				setting(out, item);
	}
	item = cJSON_GetObjectItemCaseSensitive(r[i].config, "seed");
	if (item && differs(r, n, i, "seed", NULL))
		setting(out, item);
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
	unsigned j, twins = 0, number;
	char *text = NULL, *numbered;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return error_memory(err, "a label");
	for (j = 0; j < n; j++)
		twins += strcmp(r[j].name, r[i].name) == 0;
	fputs(*r[i].name ? r[i].name : "(no name)", out);
	if (twins > 1)
		differences(out, r, n, i);
	if (fclose(out)) {
		free(text);
		return error_memory(err, "a label");
	}
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
