/* One axis of a sweep: a list of values, a range, or variants. */
#include <cjson/cJSON.h>
#include <math.h>

#include "sim/config/config.h"
#include "sim/config/option.h"
#include "sim/suggest.h"
#include "sim/sweep/sweep.h"

/* ---- which settings there are ---- */

/* "caches[2].size" to "caches[].size", as the option table has it. */
static void without_indices(const char *path, char *buf, size_t size)
{
	size_t n = 0;

	for (; *path && n + 1 < size; path++) {
		buf[n++] = *path;
		if (*path == '[')
			path += strspn(path + 1, "0123456789");
	}
	buf[n] = 0;
}

/* Does one of a and b lie within the other, or are they the same? */
static bool on_one_path(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] && a[i] == b[i])
		i++;
	return (!a[i] && (!b[i] || strchr(".[", b[i]))) || (!b[i] && strchr(".[", a[i]));
}

static bool is_setting(const char *path)
{
	char plain[256];
	size_t n;
	const struct config_option *table = config_options(&n);

	without_indices(path, plain, sizeof(plain));
	if (!strncmp(plain, "sweep", 5) || !strncmp(plain, "seeds", 5) || !*plain)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!table[i].not_written && on_one_path(plain, table[i].path))
			return true;
	return false;
}

/* Returns -1. */
static int no_setting(const char *where, const char *path, struct error *err)
{
	char hint[160] = "";
	size_t n;
	const struct config_option *table = config_options(&n);
	const char *dot;
	struct suggest s;

	suggest_init(&s, path);
	for (size_t i = 0; i < n; i++) {
		dot = strrchr(table[i].path, '.');
		/* The section left out. */
		if (dot && !strcmp(dot + 1, path) && is_setting(table[i].path))
			return error_input(err,
					   "%s: there is no setting \"%.80s\"; did you mean "
					   "\"%s\"?",
					   where, path, table[i].path);
		if (is_setting(table[i].path))
			suggest_offer(&s, table[i].path);
	}
	return error_input(err,
			   "%s: there is no setting \"%.80s\"%s (slabsim list options has all; "
			   "an axis of another name holds variants, {\"label\": \"...\", \"set\": "
			   "{PATH: VALUE}})",
			   where, path, suggest_text(&s, hint, sizeof(hint)));
}

/* ---- values ---- */

static int add_value(struct sweep_axis *axis, cJSON *value, struct error *err)
{
	/* There is room up to the next power of two. */
	bool full = !(axis->n & (axis->n - 1));
	struct cJSON **more = axis->values;

	if (value && full)
		more = reallocarray(axis->values, axis->n ? 2 * (size_t)axis->n : 1, sizeof(*more));
	if (!value || !more) {
		cJSON_Delete(value);
		return error_memory(err, "a sweep");
	}
	axis->values = more;
	more[axis->n++] = value;
	return 0;
}

/* Returns -1. */
static int same_value(const char *where, unsigned i, unsigned first, struct error *err)
{
	return error_input(err, "%s[%u]: the value of [%u] again; an axis has each value once",
			   where, i, first);
}

static int read_list(struct sweep_axis *axis, const char *where, const cJSON *json,
		     struct error *err)
{
	const cJSON *value;

	cJSON_ArrayForEach (value, json) {
		for (unsigned i = 0; i < axis->n; i++)
			if (!axis->variants && cJSON_Compare(axis->values[i], value, true))
				return same_value(where, axis->n, i, err);
		if (add_value(axis, cJSON_Duplicate(value, true), err))
			return -1;
	}
	if (!axis->n)
		return error_input(err, "%s: an axis needs a value", where);
	return 0;
}

/* ---- ranges ---- */

struct range {
	double from, to, step, times;
	bool has_from, has_to, has_step, has_times;
};

static int read_range_keys(struct range *r, const char *where, const cJSON *json, struct error *err)
{
	const struct {
		const char *key;
		double *value;
		bool *has;
	} keys[] = {
	    {"from", &r->from, &r->has_from},
	    {"to", &r->to, &r->has_to},
	    {"step", &r->step, &r->has_step},
	    {"times", &r->times, &r->has_times},
	};
	const cJSON *item;
	char hint[80];

	cJSON_ArrayForEach (item, json) {
		struct suggest s;
		size_t i;

		suggest_init(&s, item->string);
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			suggest_offer(&s, keys[i].key);
			if (!strcmp(keys[i].key, item->string))
				break;
		}
		if (i == sizeof(keys) / sizeof(keys[0]))
			return error_input(err,
					   "%s: a range has \"from\", \"to\" and \"step\" or "
					   "\"times\", no \"%.60s\"%s",
					   where, item->string,
					   suggest_text(&s, hint, sizeof(hint)));
		if (!cJSON_IsNumber(item))
			return error_input(err, "%s.%s: a number is wanted", where, item->string);
		*keys[i].value = item->valuedouble;
		*keys[i].has = true;
	}
	return 0;
}

static int check_range(const struct range *r, const char *where, struct error *err)
{
	if (!r->has_from || !r->has_to)
		return error_input(err, "%s: a range needs \"from\" and \"to\"", where);
	if (r->has_step && r->has_times)
		return error_input(err, "%s: \"step\" or \"times\", not both", where);
	if (r->to < r->from)
		return error_input(err, "%s: \"to\" comes before \"from\"", where);
	if (r->has_step && !(r->step > 0))
		return error_input(err, "%s.step: a number above 0 is wanted", where);
	if (r->has_times && !(r->times > 1 && r->from > 0))
		return error_input(err, "%s: \"times\" must be above 1, and \"from\" above 0",
				   where);
	return 0;
}

/* Steps of a tenth do not add up exactly; nobody means 0.30000000000000004. */
static double rounded(double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.14g", value);
	return strtod(text, NULL);
}

/* How many values, give or take one. */
static double range_size(const struct range *r)
{
	return r->has_times ? log(r->to / r->from) / log(r->times) : (r->to - r->from) / r->step;
}

/* The last value is "to" when the steps meet it, rounding aside. */
static int read_range(struct sweep_axis *axis, const char *where, const cJSON *json,
		      struct error *err)
{
	struct range r = {.step = 1};
	double value, slack;

	if (read_range_keys(&r, where, json, err) || check_range(&r, where, err))
		return -1;
	/* Before they are made. */
	if (range_size(&r) > SWEEP_MAX_RUNS)
		return error_input(err, "%s: more than %d values", where, SWEEP_MAX_RUNS);
	slack = r.has_times ? fabs(r.to) * 1e-9 : r.step * 1e-9;
	for (value = r.from; value <= r.to + slack;) {
		if (axis->n == SWEEP_MAX_RUNS)
			return error_input(err, "%s: more than %d values", where, SWEEP_MAX_RUNS);
		if (add_value(axis, cJSON_CreateNumber(rounded(value)), err))
			return -1;
		value = r.has_times ? value * r.times : r.from + r.step * axis->n;
	}
	return 0;
}

/* ---- variants ---- */

static bool is_variant(const cJSON *value)
{
	return cJSON_IsObject(value) && cJSON_GetObjectItemCaseSensitive(value, "label");
}

static int check_variant(const char *where, const cJSON *value, struct error *err)
{
	const cJSON *label = cJSON_GetObjectItemCaseSensitive(value, "label");
	const cJSON *set = cJSON_GetObjectItemCaseSensitive(value, "set"), *item;

	if (!cJSON_IsString(label) || !*label->valuestring)
		return error_input(err, "%s.label: a string is wanted, which names the variant",
				   where);
	if (!cJSON_IsObject(set))
		return error_input(err, "%s.set: an object {PATH: VALUE, ...} is wanted", where);
	cJSON_ArrayForEach (item, value)
		if (item != label && item != set)
			return error_input(err,
					   "%s: a variant has \"label\" and \"set\", no "
					   "\"%.60s\"; settings stand in \"set\"",
					   where, item->string);
	cJSON_ArrayForEach (item, set)
		if (!is_setting(item->string))
			return no_setting(where, item->string, err);
	return 0;
}

static const char *label_of(const struct sweep_axis *axis, unsigned i)
{
	return cJSON_GetObjectItemCaseSensitive(axis->values[i], "label")->valuestring;
}

static bool same_member(const struct sweep_axis *axis, unsigned i, unsigned j, const char *member)
{
	return cJSON_Compare(cJSON_GetObjectItemCaseSensitive(axis->values[i], member),
			     cJSON_GetObjectItemCaseSensitive(axis->values[j], member), true);
}

static int read_variants(struct sweep_axis *axis, const char *where, const cJSON *json,
			 struct error *err)
{
	char here[300];

	axis->variants = true;
	if (read_list(axis, where, json, err))
		return -1;
	for (unsigned i = 0; i < axis->n; i++) {
		snprintf(here, sizeof(here), "%.280s[%u]", where, i);
		if (check_variant(here, axis->values[i], err))
			return -1;
		for (unsigned j = 0; j < i; j++) {
			if (same_member(axis, i, j, "label"))
				return error_input(err, "%s: two variants are called \"%.80s\"",
						   here, label_of(axis, i));
			if (same_member(axis, i, j, "set"))
				return error_input(err, "%s: \"%.80s\" sets the same as \"%.80s\"",
						   here, label_of(axis, i), label_of(axis, j));
		}
	}
	return 0;
}

int sweep_read_axis(struct sweep_axis *axis, const char *where, const struct cJSON *json,
		    struct error *err)
{
	bool setting = is_setting(json->string);

	axis->name = strdup(json->string);
	if (!axis->name)
		return error_memory(err, "a sweep");
	if (setting && cJSON_IsObject(json))
		return read_range(axis, where, json, err);
	if (setting && cJSON_IsArray(json))
		return read_list(axis, where, json, err);
	if (setting)
		return error_input(err,
				   "%s: an array of values is wanted, or a range {\"from\": 1, "
				   "\"to\": 64, \"times\": 2}",
				   where);
	if (!cJSON_IsArray(json) || !is_variant(json->child))
		return no_setting(where, json->string, err);
	return read_variants(axis, where, json, err);
}
