#include "sim/sweep/sweep.h"

#include <cjson/cJSON.h>

#include "sim/suggest.h"

/* More combinations than this are not even looked at for exclusions. */
#define MAX_PRODUCT (UINT64_C(50) * SWEEP_MAX_RUNS)

unsigned sweep_find_axis(const struct sweep *s, const char *name)
{
	unsigned i;

	for (i = 0; i < s->nr_axes; i++)
		/* An axis has a name as soon as it is counted. */
		/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
		if (!strcmp(s->axes[i].name, name))
			break;
	return i;
}

/* The axis that "zip" or "exclude" name; nr_axes and err. */
static unsigned named_axis(const struct sweep *s, const char *where, const char *name,
			   struct error *err)
{
	unsigned axis = sweep_find_axis(s, name);
	char hint[160];
	struct suggest g;

	if (axis < s->nr_axes)
		return axis;
	suggest_init(&g, name);
	for (unsigned i = 0; i < s->nr_axes; i++)
		suggest_offer(&g, s->axes[i].name);
	error_input(err, "%s: the sweep has no axis \"%.80s\"%s", where, name,
		    suggest_text(&g, hint, sizeof(hint)));
	return axis;
}

static bool is_axis(const cJSON *item)
{
	return strcmp(item->string, "zip") && strcmp(item->string, "exclude") &&
	       !cJSON_IsNull(item);
}

static int read_axes(struct sweep *s, const char *where, struct error *err)
{
	const cJSON *item;
	char here[300];

	s->axes = calloc((size_t)cJSON_GetArraySize(s->json) + 1, sizeof(*s->axes));
	if (!s->axes)
		return error_memory(err, "a sweep");
	cJSON_ArrayForEach (item, s->json) {
		if (!is_axis(item))
			continue;
		snprintf(here, sizeof(here), "%.150ssweep.%.100s", where, item->string);
		if (sweep_read_axis(&s->axes[s->nr_axes++], here, item, err))
			return -1;
	}
	return 0;
}

/* ---- zip ---- */

/* number: of the group, from 1. */
static int zip_group(struct sweep *s, const char *where, const cJSON *group, unsigned number,
		     struct error *err)
{
	const struct sweep_axis *first = NULL;
	const cJSON *item;

	if (!cJSON_IsArray(group) || cJSON_GetArraySize(group) < 2)
		return error_input(err, "%s: an array of two axes or more is wanted", where);
	cJSON_ArrayForEach (item, group) {
		struct sweep_axis *axis;
		unsigned i;

		if (!cJSON_IsString(item))
			return error_input(err, "%s: names of axes are wanted", where);
		i = named_axis(s, where, item->valuestring, err);
		if (i == s->nr_axes)
			return -1;
		axis = &s->axes[i];
		if (axis->zip)
			return error_input(err, "%s: \"%.80s\" is zipped already", where,
					   axis->name);
		if (!first)
			first = axis;
		if (axis->n != first->n)
			return error_input(err,
					   "%s: \"%.80s\" has %u values and \"%.80s\" %u; axes "
					   "zipped together have as many",
					   where, first->name, first->n, axis->name, axis->n);
		axis->zip = number;
	}
	return 0;
}

static int number_dimensions(struct sweep *s, struct error *err)
{
	s->steps = calloc((size_t)s->nr_axes + 1, sizeof(*s->steps));
	if (!s->steps)
		return error_memory(err, "a sweep");
	for (unsigned i = 0; i < s->nr_axes; i++) {
		struct sweep_axis *axis = &s->axes[i];
		unsigned j;

		for (j = 0; j < i; j++)
			if (axis->zip && s->axes[j].zip == axis->zip)
				break;
		if (j < i) {
			axis->dimension = s->axes[j].dimension;
		} else {
			axis->dimension = s->nr_dimensions;
			s->steps[s->nr_dimensions++] = axis->n;
		}
	}
	return 0;
}

static int read_zip(struct sweep *s, const char *where, struct error *err)
{
	const cJSON *zip = cJSON_GetObjectItemCaseSensitive(s->json, "zip"), *group;
	char here[200];
	unsigned i = 0;

	if (zip && !cJSON_IsNull(zip) && !cJSON_IsArray(zip))
		return error_input(err,
				   "%ssweep.zip: an array of groups of axes is wanted: "
				   "[[\"a\", \"b\"]]",
				   where);
	cJSON_ArrayForEach (group, zip) {
		snprintf(here, sizeof(here), "%.150ssweep.zip[%u]", where, i++);
		if (zip_group(s, here, group, i, err))
			return -1;
	}
	return number_dimensions(s, err);
}

/* ---- exclude ---- */

static const cJSON *shown(const struct sweep_axis *axis, unsigned i)
{
	return axis->variants ? cJSON_GetObjectItemCaseSensitive(axis->values[i], "label")
			      : axis->values[i];
}

/* Is value what the condition names, or one of what it lists? */
static bool matches(const cJSON *condition, const cJSON *value)
{
	const cJSON *item;

	if (cJSON_Compare(condition, value, true))
		return true;
	if (cJSON_IsArray(condition))
		cJSON_ArrayForEach (item, condition)
			if (cJSON_Compare(item, value, true))
				return true;
	return false;
}

/* Every value that an exclusion names must be there, or it is a slip. */
static int check_condition(const struct sweep_axis *axis, const char *where, const cJSON *condition,
			   struct error *err)
{
	const cJSON *item;
	unsigned i, found = 0, wanted = 0;
	char *text;

	for (i = 0; i < axis->n; i++)
		if (cJSON_Compare(condition, shown(axis, i), true))
			return 0;
	if (cJSON_IsArray(condition)) {
		cJSON_ArrayForEach (item, condition) {
			wanted++;
			for (i = 0; i < axis->n; i++) {
				if (cJSON_Compare(item, shown(axis, i), true)) {
					found++;
					break;
				}
			}
		}
	}
	if (wanted && found == wanted)
		return 0;
	text = cJSON_PrintUnformatted(condition);
	error_input(err, "%s.%.80s: %.100s is not among the axis's values", where, axis->name,
		    text ? text : "that");
	cJSON_free(text);
	return -1;
}

static int check_exclusions(struct sweep *s, const char *where, struct error *err)
{
	const cJSON *exclude = cJSON_GetObjectItemCaseSensitive(s->json, "exclude"), *rule, *item;
	char here[200];
	int n = 0;

	if (exclude && !cJSON_IsNull(exclude) && !cJSON_IsArray(exclude))
		return error_input(err,
				   "%ssweep.exclude: an array of objects {AXIS: VALUE, ...} is "
				   "wanted",
				   where);
	cJSON_ArrayForEach (rule, exclude) {
		snprintf(here, sizeof(here), "%.150ssweep.exclude[%d]", where, n++);
		if (!cJSON_IsObject(rule) || !rule->child)
			return error_input(err, "%s: an object {AXIS: VALUE, ...} is wanted", here);
		cJSON_ArrayForEach (item, rule) {
			unsigned axis = named_axis(s, here, item->string, err);

			if (axis == s->nr_axes || check_condition(&s->axes[axis], here, item, err))
				return -1;
		}
	}
	return 0;
}

/* A combination's step of a dimension; the last dimension varies fastest. */
static unsigned step_of(const struct sweep *s, uint64_t combination, unsigned dimension)
{
	for (unsigned d = s->nr_dimensions; --d > dimension;)
		combination /= s->steps[d];
	return (unsigned)(combination % s->steps[dimension]);
}

static bool excluded(const struct sweep *s, uint64_t combination)
{
	const cJSON *exclude = cJSON_GetObjectItemCaseSensitive(s->json, "exclude"), *rule, *item;

	cJSON_ArrayForEach (rule, exclude) {
		bool all = true;

		cJSON_ArrayForEach (item, rule) {
			const struct sweep_axis *axis = &s->axes[sweep_find_axis(s, item->string)];

			all &= matches(item, shown(axis, step_of(s, combination, axis->dimension)));
		}
		if (all)
			return true;
	}
	return false;
}

/* ---- points ---- */

static int too_many(const char *where, struct error *err)
{
	return error_input(err, "%ssweep: more than %d runs", where, SWEEP_MAX_RUNS);
}

static int make_points(struct sweep *s, const char *where, struct error *err)
{
	uint64_t product = 1;

	for (unsigned d = 0; d < s->nr_dimensions; d++) {
		product *= s->steps[d];
		if (product > MAX_PRODUCT)
			return too_many(where, err);
	}
	s->points = calloc(product < SWEEP_MAX_RUNS ? product : SWEEP_MAX_RUNS, sizeof(uint64_t));
	if (!s->points)
		return error_memory(err, "a sweep");
	for (uint64_t i = 0; i < product; i++) {
		if (excluded(s, i))
			continue;
		if (s->nr_points == SWEEP_MAX_RUNS)
			return too_many(where, err);
		s->points[s->nr_points++] = i;
	}
	s->nr_runs = s->nr_points * s->seeds;
	if (s->nr_runs > SWEEP_MAX_RUNS)
		return too_many(where, err);
	if (!s->nr_runs)
		return error_input(err, "%ssweep.exclude: every point is excluded", where);
	return 0;
}

int sweep_init(struct sweep *s, const char *where, const char *name, const struct cJSON *json,
	       unsigned seeds, uint64_t base_seed, struct error *err)
{
	*s = (struct sweep){.seeds = seeds ? seeds : 1, .base_seed = base_seed};
	s->name = strdup(name);
	s->json = json ? cJSON_Duplicate(json, true) : NULL;
	if (!s->name || (json && !s->json))
		return error_memory(err, "a sweep");
	if (read_axes(s, where, err) || read_zip(s, where, err) ||
	    check_exclusions(s, where, err) || make_points(s, where, err))
		return -1;
	return 0;
}

void sweep_free(struct sweep *s)
{
	for (unsigned i = 0; i < s->nr_axes; i++) {
		for (unsigned j = 0; j < s->axes[i].n; j++)
			cJSON_Delete(s->axes[i].values[j]);
		free(s->axes[i].values);
		free(s->axes[i].name);
	}
	free(s->axes);
	free(s->steps);
	free(s->points);
	free(s->name);
	cJSON_Delete(s->json);
	*s = (struct sweep){0};
}

unsigned sweep_index(const struct sweep *s, uint64_t point, unsigned axis)
{
	return step_of(s, s->points[point], s->axes[axis].dimension);
}

const struct cJSON *sweep_value(const struct sweep *s, uint64_t point, unsigned axis)
{
	return shown(&s->axes[axis], sweep_index(s, point, axis));
}
