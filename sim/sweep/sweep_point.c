/* What one run of a sweep is: its settings, its seed, its name. */
#include <cjson/cJSON.h>
#include <inttypes.h>

#include "sim/json_writer.h"
#include "sim/config/option.h"
#include "sim/sweep/sweep.h"

#define SEED_PATH "replay.seed"

/* ---- seeds ---- */

/* Steele, Lea and Flood: Fast splittable pseudorandom number generators, OOPSLA 2014. */
static uint64_t splitmix64(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static const cJSON *variant_setting(const struct sweep_axis *axis, unsigned i, const char *path)
{
	const cJSON *set = cJSON_GetObjectItemCaseSensitive(axis->values[i], "set");

	return cJSON_GetObjectItemCaseSensitive(set, path);
}

/* The point's own seed: an axis may set it. */
static uint64_t point_seed(const struct sweep *s, uint64_t point)
{
	uint64_t seed = s->base_seed;

	for (unsigned a = 0; a < s->nr_axes; a++) {
		const struct sweep_axis *axis = &s->axes[a];
		unsigned i = sweep_index(s, point, a);
		const cJSON *value = NULL;

		if (axis->variants)
			value = variant_setting(axis, i, SEED_PATH);
		else if (!strcmp(axis->name, SEED_PATH))
			value = axis->values[i];
		/* Anything else is the config loader's to refuse. */
		if (cJSON_IsNumber(value) && value->valuedouble >= 0 &&
		    value->valuedouble <= (double)OPTION_MAX_NUMBER)
			seed = (uint64_t)value->valuedouble;
	}
	return seed;
}

uint64_t sweep_seed(const struct sweep *s, uint64_t run)
{
	uint64_t seed = point_seed(s, sweep_point_of(s, run)), number = run % s->seeds;

	if (!number)
		return seed;
	return splitmix64(splitmix64(seed) + number) & (uint64_t)OPTION_MAX_NUMBER;
}

/* ---- settings ---- */

static char *setting(const char *path, const cJSON *value)
{
	char *json = cJSON_PrintUnformatted(value), *text = NULL;

	if (json && asprintf(&text, "%s=%s", path, json) < 0)
		text = NULL;
	cJSON_free(json);
	return text;
}

static unsigned count_settings(const struct sweep *s, uint64_t point)
{
	unsigned n = 0;

	for (unsigned a = 0; a < s->nr_axes; a++) {
		const struct sweep_axis *axis = &s->axes[a];
		const cJSON *value = axis->values[sweep_index(s, point, a)];

		n += axis->variants ? (unsigned)cJSON_GetArraySize(
					  cJSON_GetObjectItemCaseSensitive(value, "set"))
				    : 1;
	}
	return n;
}

/* -1 when out of memory. */
static int fill_settings(const struct sweep *s, uint64_t run, char **settings, unsigned *n)
{
	uint64_t point = sweep_point_of(s, run);

	for (unsigned a = 0; a < s->nr_axes; a++) {
		const struct sweep_axis *axis = &s->axes[a];
		const cJSON *value = axis->values[sweep_index(s, point, a)], *item;

		if (!axis->variants) {
			settings[*n] = setting(axis->name, value);
			if (!settings[(*n)++])
				return -1;
			continue;
		}
		cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(value, "set")) {
			settings[*n] = setting(item->string, item);
			if (!settings[(*n)++])
				return -1;
		}
	}
	/* The first seed is in force already. */
	if (run % s->seeds == 0)
		return 0;
	if (asprintf(&settings[*n], SEED_PATH "=%" PRIu64, sweep_seed(s, run)) < 0)
		return -1;
	++*n;
	return 0;
}

char **sweep_settings(const struct sweep *s, uint64_t run, unsigned *n, struct error *err)
{
	unsigned count = count_settings(s, sweep_point_of(s, run)) + 1;
	char **settings = calloc(count, sizeof(*settings));

	*n = 0;
	if (settings && !fill_settings(s, run, settings, n))
		return settings;
	sweep_settings_free(settings, settings ? count : 0);
	error_memory(err, "the settings of a run");
	return NULL;
}

void sweep_settings_free(char **settings, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		free(settings[i]);
	free(settings);
}

/* ---- names ---- */

void sweep_write_parameters(const struct sweep *s, uint64_t point, struct json_writer *w)
{
	json_object_inline(w, "parameters");
	for (unsigned a = 0; a < s->nr_axes; a++)
		json_tree(w, s->axes[a].name, sweep_value(s, point, a));
	json_end_object(w);
}

static const char *last_part(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

const char *sweep_axis_title(const struct sweep *s, unsigned axis)
{
	const char *title = last_part(s->axes[axis].name);

	for (unsigned a = 0; a < s->nr_axes; a++)
		if (a != axis && !strcmp(last_part(s->axes[a].name), title))
			return s->axes[axis].name;
	return title;
}

char *sweep_value_text(const struct cJSON *value)
{
	char *json, *text;

	if (cJSON_IsString(value))
		return strdup(value->valuestring);
	json = cJSON_PrintUnformatted(value);
	text = json ? strdup(json) : NULL;
	cJSON_free(json);
	return text;
}

/* {"scale": 8, "of": "default"} as "scale 8 of default"; anything else as sweep_value_text(). */
static char *short_text(const cJSON *value)
{
	const cJSON *item;
	char *text = NULL, *part;
	size_t size;
	FILE *out;
	bool failed = false;

	if (!cJSON_IsObject(value))
		return sweep_value_text(value);
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	cJSON_ArrayForEach (item, value) {
		part = sweep_value_text(item);
		failed |= !part;
		fprintf(out, "%s%s %s", item == value->child ? "" : " ", item->string,
			part ? part : "");
		free(part);
	}
	if (!fclose(out) && !failed)
		return text;
	free(text);
	return NULL;
}

char *sweep_label(const struct sweep *s, uint64_t point, struct error *err)
{
	char *text = NULL, *value;
	bool failed = false;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (unsigned a = 0; out && a < s->nr_axes; a++) {
		value = short_text(sweep_value(s, point, a));
		failed |= !value;
		fprintf(out, "%s", a ? ", " : "");
		if (!s->axes[a].variants)
			fprintf(out, "%s ", sweep_axis_title(s, a));
		fputs(value ? value : "", out);
		free(value);
	}
	if (out && !s->nr_axes)
		fputs(s->name, out);
	if (!out || fclose(out) || failed) {
		free(text);
		error_memory(err, "the name of a run");
		return NULL;
	}
	return text;
}
