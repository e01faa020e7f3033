#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <cjson/cJSON.h>

#include "sim/file.h"
#include "sim/json_reader.h"
#include "sim/result/report.h"
#include "sim/result/result_file.h"

#define MAX_RESULT_SIZE ((size_t)512 * 1024 * 1024)
#define MAX_EXACT	9007199254740992.0 /* 2^53: up to here a double is exact */

/*
 * cJSON keeps numbers as doubles. Whole numbers that may be too long for one are put in quotes,
 * where get_u64() finds them. text is valid JSON. NULL when out of memory.
 */
static char *quote_long_numbers(const char *text, size_t len)
{
	char *out = malloc(len + len / 8 + 3), *to = out;
	bool in_string = false, number;
	size_t n;

	for (; out && *text; text += n) {
		number = !in_string && (*text == '-' || isdigit((unsigned char)*text));
		n = number ? strspn(text, "0123456789.eE+-") : 1;
		if (*text == '"')
			in_string = !in_string;
		if (in_string && *text == '\\')
			n = 2;
		if (n < 16 || strspn(text, "0123456789") != n) {
			to = mempcpy(to, text, n);
			continue;
		}
		*to++ = '"';
		to = mempcpy(to, text, n);
		*to++ = '"';
	}
	if (out)
		*to = 0;
	return out;
}

cJSON *result_parse(const char *text, size_t len)
{
	char *quoted = quote_long_numbers(text, len);
	cJSON *tree = quoted ? cJSON_Parse(quoted) : NULL;

	free(quoted);
	return tree;
}

static cJSON *read_tree(const char *file, struct error *err)
{
	size_t len;
	char *text = file_read(file, MAX_RESULT_SIZE, &len, err);
	cJSON *tree;

	if (!text)
		return NULL;
	/* strictly, for the sake of the messages */
	tree = json_parse(text, len, file, err);
	if (tree) {
		cJSON_Delete(tree);
		tree = result_parse(text, len);
		if (!tree)
			error_memory(err, file);
	}
	free(text);
	return tree;
}

/* A whole number that is not negative, exactly. */
static int get_u64(const cJSON *item, uint64_t *value, const char *path, struct error *err)
{
	double d;

	if (cJSON_IsString(item) && isdigit((unsigned char)item->valuestring[0])) {
		char *end;

		errno = 0;
		*value = strtoull(item->valuestring, &end, 10);
		if (!errno && !*end)
			return 0;
		return error_input(err, "%s: \"%.40s\" is no number below 2^64", path,
				   item->valuestring);
	}
	d = cJSON_IsNumber(item) ? item->valuedouble : -1;
	if (!(d >= 0 && d <= MAX_EXACT) || d != (double)(uint64_t)d)
		return error_input(err, "%s: should be a whole number, 0 or more", path);
	*value = (uint64_t)d;
	return 0;
}

static int get_member(const cJSON *object, const char *key, uint64_t *value, const char *path,
		      struct error *err)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	char where[160];

	snprintf(where, sizeof(where), "%.100s.%.40s", path, key);
	if (!item)
		return error_input(err, "%s: is missing", where);
	return get_u64(item, value, where, err);
}

static int get_unsigned(const cJSON *object, const char *key, unsigned *value, const char *path,
			struct error *err)
{
	uint64_t v;

	if (get_member(object, key, &v, path, err))
		return -1;
	if (v > INT32_MAX)
		return error_input(err, "%s.%s: %llu is too large", path, key,
				   (unsigned long long)v);
	*value = (unsigned)v;
	return 0;
}

static const cJSON *get_object(const cJSON *object, const char *key, const char *path,
			       struct error *err)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (cJSON_IsObject(item))
		return item;
	error_input(err,
		    "%s.%s: should be an object; is this a result of slabsim run "
		    "--format json?",
		    path, key);
	return NULL;
}

static int stat_find(const char *name)
{
	int i;

	for (i = 0; i < NR_STAT_ITEMS; i++)
		if (strcmp(stat_name(i), name) == 0)
			return i;
	return -1;
}

static int read_counters(struct loaded_cache *lc, const cJSON *cache, const char *path,
			 struct error *err)
{
	const cJSON *counters = get_object(cache, "counters", path, err), *item;
	char where[160];
	int i;

	if (!counters)
		return -1;
	cJSON_ArrayForEach (item, counters) {
		i = stat_find(item->string);
		snprintf(where, sizeof(where), "%.100s.counters.%.40s", path, item->string);
		if (i < 0)
			return error_input(err, "%s: no kernel has a counter of this name", where);
		if (get_u64(item, &lc->c.stat[i], where, err))
			return -1;
		lc->has[i] = true;
	}
	if (!lc->has[ALLOC_FASTPATH] || !lc->has[ALLOC_SLOWPATH])
		return error_input(err, "%s.counters: alloc_fastpath or alloc_slowpath is missing",
				   path);
	return 0;
}

static int read_state(struct cache_state *st, const cJSON *cache, const char *path,
		      struct error *err)
{
	const cJSON *memory = get_object(cache, "memory", path, err);
	char where[128];

	if (!memory)
		return -1;
	snprintf(where, sizeof(where), "%.100s.memory", path);
	return get_member(cache, "slabs", &st->slabs, path, err) ||
		       get_member(cache, "total_objects", &st->total_objects, path, err) ||
		       get_member(cache, "objects", &st->objects, path, err) ||
		       get_member(cache, "partial", &st->partial, path, err) ||
		       get_member(cache, "objects_partial", &st->objects_partial, path, err) ||
		       get_member(cache, "cpu_slabs", &st->cpu_slabs, path, err) ||
		       get_member(memory, "total", &st->memory_total, where, err) ||
		       get_member(memory, "used", &st->memory_used, where, err) ||
		       get_member(memory, "peak_total", &st->peak_total, where, err) ||
		       get_member(memory, "waste_tail", &st->waste_tail, where, err) ||
		       get_member(memory, "waste_align", &st->waste_align, where, err) ||
		       get_member(memory, "free", &st->memory_free, where, err)
		   ? -1
		   : 0;
}

static int read_geometry(struct result_cache *c, const cJSON *cache, const char *path,
			 struct error *err)
{
	return get_unsigned(cache, "object_size", &c->object_size, path, err) ||
		       get_unsigned(cache, "size", &c->size, path, err) ||
		       get_unsigned(cache, "align", &c->align, path, err) ||
		       get_unsigned(cache, "order", &c->order, path, err) ||
		       get_unsigned(cache, "objects_per_slab", &c->objects_per_slab, path, err) ||
		       get_unsigned(cache, "cpu_partial", &c->cpu_partial, path, err)
		   ? -1
		   : 0;
}

static int read_series_array(struct result_cache *c, const cJSON *series, const char *key,
			     size_t member, const char *path, struct error *err)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(series, key), *item;
	char where[160];
	unsigned i = 0;

	snprintf(where, sizeof(where), "%.100s.series.%s", path, key);
	if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != (int)c->nr_series)
		return error_input(err,
				   "%s: should be a list as long as series.event, which has "
				   "%u numbers",
				   where, c->nr_series);
	cJSON_ArrayForEach (item, array)
		if (get_u64(item, (uint64_t *)((char *)&c->series[i++] + member), where, err))
			return -1;
	return 0;
}

#define SERIES_ARRAY(key)                                                                          \
	read_series_array(c, series, #key, offsetof(struct series_point, key), path, err)

/* A result without a series is fine; it has no curve. */
static int read_series(struct loaded_result *r, struct result_cache *c, const cJSON *cache,
		       const char *path, struct error *err)
{
	const cJSON *series = cJSON_GetObjectItemCaseSensitive(cache, "series");
	const cJSON *event = cJSON_GetObjectItemCaseSensitive(series, "event");

	if (!series)
		return 0;
	if (!cJSON_IsArray(event))
		return error_input(err, "%s.series.event: should be a list of numbers", path);
	c->nr_series = (unsigned)cJSON_GetArraySize(event);
	c->series = calloc(c->nr_series + 1, sizeof(*c->series));
	if (!c->series)
		return error_memory(err, "a series");
	if (SERIES_ARRAY(event) || SERIES_ARRAY(memory_total) || SERIES_ARRAY(objects) ||
	    SERIES_ARRAY(partial))
		return -1;
	if (!cJSON_GetObjectItemCaseSensitive(series, "time_ns")) {
		r->has_times = false;
		return 0;
	}
	return SERIES_ARRAY(time_ns);
}

static int read_cache(struct loaded_result *r, struct loaded_cache *lc, const cJSON *cache,
		      unsigned i, struct error *err)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(cache, "name");
	char path[64];

	snprintf(path, sizeof(path), "caches[%u]", i);
	if (!cJSON_IsString(name))
		return error_input(err, "%s.name: should be a string", path);
	lc->c.name = strdup(name->valuestring);
	if (!lc->c.name)
		return error_memory(err, "a cache's name");
	if (read_geometry(&lc->c, cache, path, err) || read_counters(lc, cache, path, err) ||
	    read_state(&lc->c.state, cache, path, err) || read_series(r, &lc->c, cache, path, err))
		return -1;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct loaded_cache *)a)->c.name,
		      ((const struct loaded_cache *)b)->c.name);
}

static int read_caches(struct loaded_result *r, const cJSON *caches, struct error *err)
{
	const cJSON *cache;
	unsigned i;

	r->caches = calloc((size_t)cJSON_GetArraySize(caches) + 1, sizeof(*r->caches));
	if (!r->caches)
		return error_memory(err, "the caches");
	r->has_times = true;
	cJSON_ArrayForEach (cache, caches) {
		i = r->nr_caches++;
		if (read_cache(r, &r->caches[i], cache, i, err))
			return -1;
	}
	qsort(r->caches, r->nr_caches, sizeof(*r->caches), by_name);
	for (i = 1; i < r->nr_caches; i++)
		if (by_name(&r->caches[i - 1], &r->caches[i]) == 0)
			return error_input(err, "caches: two of them are named \"%.100s\"",
					   r->caches[i].c.name);
	return 0;
}

int result_load_tree(struct loaded_result *r, cJSON *tree, const char *file, struct error *err)
{
	const cJSON *name, *caches;

	*r = (struct loaded_result){.tree = tree};
	name = cJSON_GetObjectItemCaseSensitive(r->tree, "name");
	caches = cJSON_GetObjectItemCaseSensitive(r->tree, "caches");
	if (!cJSON_IsString(name) || !cJSON_IsArray(caches)) {
		error_input(err, "no \"name\" and \"caches\" in it; a result is what slabsim run "
				 "--format json writes");
		return error_prefix(err, "%s", file);
	}
	r->name = name->valuestring;
	r->config = cJSON_GetObjectItemCaseSensitive(r->tree, "config");
	if (read_caches(r, caches, err))
		return error_prefix(err, "%s", file);
	return 0;
}

static int load(struct loaded_result *r, const char *file, struct error *err)
{
	cJSON *tree = read_tree(file, err);

	return tree ? result_load_tree(r, tree, file, err) : -1;
}

struct loaded_result *results_load(char *const *files, unsigned n, struct error *err)
{
	struct loaded_result *r = calloc(n, sizeof(*r));
	unsigned i;

	if (!r) {
		error_memory(err, "the results");
		return NULL;
	}
	for (i = 0; i < n; i++) {
		if (load(&r[i], files[i], err)) {
			loaded_results_free(r, n);
			return NULL;
		}
	}
	if (results_label(r, n, err)) {
		loaded_results_free(r, n);
		return NULL;
	}
	return r;
}

void loaded_cache_free(struct loaded_cache *c)
{
	free(c->c.name);
	free(c->c.series);
	memset(c, 0, sizeof(*c));
}

void loaded_result_free(struct loaded_result *r)
{
	for (unsigned i = 0; i < r->nr_caches; i++)
		loaded_cache_free(&r->caches[i]);
	free(r->caches);
	free(r->label);
	cJSON_Delete(r->tree);
	memset(r, 0, sizeof(*r));
}

double result_number(const cJSON *tree, const char *path)
{
	char part[40];
	size_t n;

	for (; tree && *path; path += n + (path[n] == '.')) {
		n = strcspn(path, ".");
		snprintf(part, sizeof(part), "%.*s", (int)n, path);
		tree = cJSON_GetObjectItemCaseSensitive(tree, part);
	}
	return cJSON_IsNumber(tree) ? tree->valuedouble : NAN;
}

void loaded_results_free(struct loaded_result *r, unsigned n)
{
	for (unsigned i = 0; r && i < n; i++)
		loaded_result_free(&r[i]);
	free(r);
}

const struct loaded_cache *loaded_cache_find(const struct loaded_result *r, const char *name)
{
	struct loaded_cache key = {.c.name = (char *)name};

	return bsearch(&key, r->caches, r->nr_caches, sizeof(*r->caches), by_name);
}

uint64_t loaded_allocations(const struct loaded_cache *c)
{
	return stat_allocations(c->c.stat, c->has[ALLOC_PCS]);
}
