/* The table of caches, once it is known what each class is called. */
#include "workloads/naming.h"

static bool has_events(const struct class *c)
{
	return c->allocs || c->frees || c->shrinks;
}

static int name_cache(const struct classes *cl, struct source_cache *sc, uint32_t name,
		      struct error *err)
{
	sc->name = strdup(intern_str(cl->strings, name));
	return sc->name ? 0 : error_memory(err, "the table of caches");
}

/* The caches that the header tells of come first, as it has them. */
static int take_told(const struct classes *cl, struct source_info *info, uint32_t *cache_of,
		     struct error *err)
{
	for (unsigned i = 0; i < cl->nr_told; i++) {
		struct source_cache *sc = &info->caches[info->nr_caches];

		sc->object_size = cl->told[i].object_size;
		sc->size = cl->told[i].size;
		cache_of[cl->told[i].name] = info->nr_caches++;
		if (name_cache(cl, sc, cl->told[i].name, err))
			return -1;
	}
	return 0;
}

/* Give every name that has events a cache, in the order in which they first occur. */
static int make_caches(struct classes *cl, const char *file, struct source_info *info,
		       struct error *err)
{
	uint32_t names = intern_count(cl->strings);
	uint32_t *cache_of = malloc(names * sizeof(*cache_of));
	int ret;

	info->caches = calloc((size_t)cl->n + cl->nr_told + 1, sizeof(*info->caches));
	if (!cache_of || !info->caches) {
		free(cache_of);
		return error_memory(err, "the table of caches");
	}
	memset(cache_of, 0xff, names * sizeof(*cache_of));
	ret = take_told(cl, info, cache_of, err);
	for (uint32_t i = 0; i < cl->n && !ret; i++) {
		struct class *c = &cl->class[i];
		uint32_t *cache = &cache_of[c->name];
		struct source_cache *sc;

		c->cache = UINT16_MAX;
		if (!has_events(c))
			continue;
		if (*cache == UINT32_MAX) {
			if (info->nr_caches == MAX_CACHES) {
				ret = error_input(err, "%s: more than %d caches", file, MAX_CACHES);
				break;
			}
			*cache = info->nr_caches++;
			ret = name_cache(cl, &info->caches[*cache], c->name, err);
		}
		c->cache = (uint16_t)*cache;
		sc = &info->caches[*cache];
		sc->allocs += c->allocs;
		sc->frees += c->frees;
		sc->adopted += c->adopted;
	}
	free(cache_of);
	return ret;
}

/* In a CSV file, two sizes for one cache are a mistake. */
static int check_csv_sizes(const struct classes *cl, const char *file,
			   const struct source_info *info, struct error *err)
{
	const struct class **first = calloc(info->nr_caches + 1, sizeof(*first));
	int ret = 0;

	if (!first)
		return error_memory(err, "the table of caches");
	for (uint32_t i = 0; i < cl->n && !ret; i++) {
		const struct class *c = &cl->class[i];
		unsigned told;

		if (c->key.type != CLASS_CSV || !c->allocs || !c->key.bytes_req)
			continue;
		told = c->cache < cl->nr_told ? cl->told[c->cache].object_size : 0;
		if (told && told != c->key.bytes_req)
			ret = error_input(err,
					  "%s:%llu: column size: cache %s has objects of %u bytes "
					  "here, but of %u bytes in its line above the header",
					  file, (unsigned long long)c->line,
					  info->caches[c->cache].name, c->key.bytes_req, told);
		else if (!first[c->cache])
			first[c->cache] = c;
		else if (first[c->cache]->key.bytes_req != c->key.bytes_req)
			ret = error_input(
			    err,
			    "%s:%llu: column size: cache %s has objects of %u bytes "
			    "here, but of %u bytes in line %llu; a cache has one size",
			    file, (unsigned long long)c->line, info->caches[c->cache].name,
			    c->key.bytes_req, first[c->cache]->key.bytes_req,
			    (unsigned long long)first[c->cache]->line);
	}
	free(first);
	return ret;
}

int naming_make_caches(struct classes *cl, const char *file, struct source_info *info,
		       struct error *err)
{
	return make_caches(cl, file, info, err) || check_csv_sizes(cl, file, info, err) ? -1 : 0;
}
