/* The entries of "caches". */
#include <cjson/cJSON.h>

#include "sim/config/config_internal.h"
#include "sim/escape.h"

#define PREFIX "caches[]."

static int check_name(struct option_reader *r, const char *shown, const struct cache_config *c)
{
	char path[100];

	snprintf(path, sizeof(path), "%sname", shown);
	if (!c->name)
		return option_error(r, path, "a cache needs a name");
	for (const char *p = c->name; *p;) {
		unsigned n = utf8_length(p);

		if (!n || utf8_is_control(p, n))
			return option_error(r, path, "a control character in a cache's name");
		p += n;
	}
	return 0;
}

static int check_sizes(struct option_reader *r, const char *shown, const struct cache_config *c)
{
	char path[100];

	snprintf(path, sizeof(path), "%ssize", shown);
	if (c->size >= 0 && c->size % 8)
		return option_error(r, path, "a multiple of 8 is wanted, not %lld",
				    (long long)c->size);
	if (c->size >= 0 && c->size < c->object_size)
		return option_error(r, path, "%lld is smaller than object_size, %lld",
				    (long long)c->size, (long long)c->object_size);
	snprintf(path, sizeof(path), "%smatch", shown);
	if (c->match_size >= 0 && !c->match_call_site)
		return option_error(r, path, "call_site is missing");
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int check_twins(struct option_reader *r, const char *path, const struct config *cfg)
{
	char **names = calloc(cfg->nr_caches + 1, sizeof(*names));
	int ret = 0;

	if (!names)
		return error_memory(r->err, path);
	for (unsigned i = 0; i < cfg->nr_caches; i++)
		names[i] = cfg->caches[i].name;
	qsort(names, cfg->nr_caches, sizeof(*names), compare);
	for (unsigned i = 1; i < cfg->nr_caches && !ret; i++) {
		if (!strcmp(names[i - 1], names[i]))
			ret = option_error(r, path, "two caches are named \"%.60s\"", names[i]);
	}
	free(names);
	return ret;
}

int config_read_caches(struct option_reader *r, const struct config_option *opt, const char *path,
		       const struct cJSON *value, void *base)
{
	struct config *cfg = base;
	const cJSON *item;

	if (!cJSON_IsArray(value))
		return option_type_error(r, path, opt->wants, value);
	if (cJSON_GetArraySize(value) > MAX_CACHES)
		return option_error(r, path, "more than %d caches", MAX_CACHES);
	if (!value->child)
		return 0;
	cfg->caches = calloc((size_t)cJSON_GetArraySize(value), sizeof(*cfg->caches));
	if (!cfg->caches)
		return error_memory(r->err, path);
	cJSON_ArrayForEach (item, value) {
		struct cache_config *c = &cfg->caches[cfg->nr_caches];
		char shown[64];

		snprintf(shown, sizeof(shown), "caches[%u]", cfg->nr_caches++);
		if (!cJSON_IsObject(item))
			return option_type_error(r, shown, "an object", item);
		snprintf(shown, sizeof(shown), "caches[%u].", cfg->nr_caches - 1);
		if (options_set_defaults(r, PREFIX, c) || options_read(r, PREFIX, shown, item, c) ||
		    check_name(r, shown, c) || check_sizes(r, shown, c))
			return -1;
	}
	return check_twins(r, path, cfg);
}

struct cJSON *config_write_caches(const struct config_option *opt, const struct cJSON *given,
				  const void *base, struct error *err)
{
	const struct config *cfg = base;
	cJSON *array = cJSON_CreateArray();
	struct option_reader r = {.err = err};

	(void)opt;
	r.table = config_options(&r.nr_options);
	if (!array)
		error_memory(err, "the configuration");
	for (unsigned i = 0; array && i < cfg->nr_caches; i++) {
		cJSON *entry = cJSON_CreateObject();

		if (!entry || !cJSON_AddItemToArray(array, entry) ||
		    options_write(&r, PREFIX, cJSON_GetArrayItem(given, (int)i), &cfg->caches[i],
				  true, entry)) {
			error_memory(err, "the configuration");
			cJSON_Delete(array);
			array = NULL;
		}
	}
	return array;
}
