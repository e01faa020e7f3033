#include "sim/initial.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

#include "sim/json_reader.h"
#include "sim/slabinfo_file.h"

/* Slabs of one cache: more than machines have (64 GiB of single pages), and soon laid out. */
#define MAX_SLABS (UINT64_C(1) << 24)

static int read_count(const cJSON *before, const char *cache, const char *key, uint64_t *value,
		      struct error *err)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(before, key);

	if (!item) {
		*value = 0;
		return 0;
	}
	if (!cJSON_IsNumber(item) || item->valuedouble < 0 ||
	    item->valuedouble >= (double)(MAX_SLABS * 32768) ||
	    item->valuedouble != (double)(uint64_t)item->valuedouble)
		return error_input(err, "caches.%s.before.%s is not a count", cache, key);
	*value = (uint64_t)item->valuedouble;
	return 0;
}

static int check(struct initial_cache *ic, struct error *err)
{
	/* A running kernel's files are not read at one instant, so they may disagree a little. */
	if (ic->objects > ic->total_objects)
		ic->objects = ic->total_objects;
	if (ic->objects_partial > ic->objects)
		ic->objects_partial = ic->objects;
	if (ic->cpu_slabs > ic->slabs)
		ic->cpu_slabs = ic->slabs;
	if (ic->partial > ic->slabs - ic->cpu_slabs)
		ic->partial = ic->slabs - ic->cpu_slabs;
	if (ic->slabs > MAX_SLABS)
		return error_input(err, "cache %s: %" PRIu64 " slabs; %" PRIu64 " at most",
				   ic->name, ic->slabs, MAX_SLABS);
	if (ic->total_objects < ic->slabs)
		return error_input(err,
				   "cache %s: a state that cannot be: %" PRIu64
				   " slabs with room for %" PRIu64 " objects",
				   ic->name, ic->slabs, ic->total_objects);
	return 0;
}

static int read_before(struct initial_cache *ic, const cJSON *cache, struct error *err)
{
	const cJSON *before = cJSON_GetObjectItemCaseSensitive(cache, "before");
	const struct {
		const char *key;
		uint64_t *value;
	} fields[] = {
	    {"slabs", &ic->slabs},
	    {"total_objects", &ic->total_objects},
	    {"objects", &ic->objects},
	    {"partial", &ic->partial},
	    {"objects_partial", &ic->objects_partial},
	    {"cpu_slabs", &ic->cpu_slabs},
	};

	if (!cJSON_IsObject(before))
		return error_input(err, "caches.%s has no \"before\"", cache->string);
	ic->name = strdup(cache->string);
	if (!ic->name)
		return error_memory(err, "the initial state");
	for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (read_count(before, ic->name, fields[i].key, fields[i].value, err))
			return -1;
	return check(ic, err);
}

static int read_json(struct initial *in, const char *file, struct error *err)
{
	cJSON *json = json_read_file(file, err);
	const cJSON *caches = cJSON_GetObjectItemCaseSensitive(json, "caches"), *cache;
	int ret = 0;

	if (!json)
		return -1;
	if (!cJSON_IsObject(caches)) {
		ret = error_input(err, "%s: no object \"caches\" of cache names", file);
	} else {
		in->caches = calloc((size_t)cJSON_GetArraySize(caches) + 1, sizeof(*in->caches));
		if (!in->caches)
			ret = error_memory(err, "the initial state");
	}
	if (!ret) {
		cJSON_ArrayForEach (cache, caches) {
			ret = read_before(&in->caches[in->n++], cache, err);
			if (ret) {
				error_prefix(err, "%s", file);
				break;
			}
		}
	}
	cJSON_Delete(json);
	return ret;
}

static int read_slabinfo(struct initial *in, const char *file, unsigned cpus, struct error *err)
{
	struct slabinfo info;
	int ret = 0;

	if (slabinfo_read(&info, file, err))
		return -1;
	in->caches = calloc((size_t)info.n + 1, sizeof(*in->caches));
	if (!in->caches)
		ret = error_memory(err, "the initial state");
	for (unsigned i = 0; !ret && i < info.n; i++) {
		const struct slabinfo_cache *sc = &info.caches[i];
		struct initial_cache *ic = &in->caches[in->n++];
		uint64_t nr_free = sc->num_objs - sc->active_objs;

		*ic = (struct initial_cache){
		    .name = strdup(sc->name),
		    .slabs = sc->num_slabs,
		    .total_objects = sc->num_objs,
		    .objects = sc->active_objs,
		    .partial = (nr_free + sc->objects_per_slab - 1) / sc->objects_per_slab,
		};
		if (ic->partial > ic->slabs)
			ic->partial = ic->slabs;
		ic->objects_partial = ic->partial * sc->objects_per_slab;
		ic->objects_partial -=
		    ic->objects_partial > nr_free ? nr_free : ic->objects_partial;
		ic->cpu_slabs = ic->slabs - ic->partial;
		if (ic->cpu_slabs > cpus)
			ic->cpu_slabs = cpus;
		ret = ic->name ? check(ic, err) : error_memory(err, "the initial state");
	}
	slabinfo_free(&info);
	return ret ? error_prefix(err, "%s", file) : 0;
}

int initial_read(struct initial *in, const char *file, unsigned cpus, struct error *err)
{
	size_t len = strlen(file);
	int ret;

	*in = (struct initial){0};
	if (len > 5 && !strcmp(file + len - 5, ".json"))
		ret = read_json(in, file, err);
	else
		ret = read_slabinfo(in, file, cpus, err);
	if (ret)
		initial_free(in);
	return ret;
}

void initial_free(struct initial *in)
{
	for (unsigned i = 0; i < in->n; i++)
		free(in->caches[i].name);
	free(in->caches);
	*in = (struct initial){0};
}

const struct initial_cache *initial_find(const struct initial *in, const char *name)
{
	for (unsigned i = 0; i < in->n; i++)
		if (!strcmp(in->caches[i].name, name))
			return &in->caches[i];
	return NULL;
}
