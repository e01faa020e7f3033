/* replay.merge: the engine's side of slab merging (merge.h). */
#include "sim/engine_internal.h"

static void describe(const struct engine *e, unsigned i, struct merge_candidate *c)
{
	const struct cache_config *want = e->binding[i].want;

	*c = (struct merge_candidate){
	    .name = e->caches[i].name ? e->caches[i].name : "",
	    .size = e->caches[i].size,
	    .align = e->caches[i].align ? e->caches[i].align : 1,
	    .never = !e->binding[i].used,
	};
	if (!want)
		return;
	c->never |=
	    want->ctor || want->typesafe_by_rcu || want->no_merge || want->sheaf_capacity > 0;
	c->flags |= want->account ? MERGE_ACCOUNT : 0;
	c->flags |= want->reclaim_account ? MERGE_RECLAIM_ACCOUNT : 0;
}

int engine_merge(struct engine *e, struct error *err)
{
	struct merge_candidate *c = calloc(e->nr_caches + 1, sizeof(*c));

	e->merge = calloc(e->nr_caches + 1, sizeof(*e->merge));
	if (!c || !e->merge) {
		free(c);
		return error_memory(err, "merged caches");
	}
	for (unsigned i = 0; i < e->nr_caches; i++)
		describe(e, i, &c[i]);
	merge_plan(e->merge, c, e->nr_caches);
	free(c);
	for (unsigned i = 0; i < e->nr_caches; i++) {
		struct cache *into = &e->caches[e->merge[i].into];

		if (e->merge[i].into == i)
			continue;
		e->binding[i].used = false;
		e->binding[i].merged = true;
		/* As the kernel does, so that kzalloc() clears all of an object. */
		if (into->object_size < e->caches[i].object_size)
			into->object_size = e->caches[i].object_size;
	}
	return 0;
}

const struct initial_cache *engine_merged_initial(const struct engine *e, unsigned i,
						  struct initial_cache *sum, uint64_t *adopted)
{
	bool known = false;

	*sum = (struct initial_cache){0};
	*adopted = 0;
	for (unsigned k = 0; k < e->nr_caches; k++) {
		const struct initial_cache *in;

		if (e->merge ? e->merge[k].into != i : k != i)
			continue;
		*adopted += e->src->info.caches[k].adopted;
		in = initial_find(&e->initial, e->caches[k].name);
		if (!in)
			continue;
		known = true;
		sum->slabs += in->slabs;
		sum->total_objects += in->total_objects;
		sum->objects += in->objects;
		sum->partial += in->partial;
		sum->objects_partial += in->objects_partial;
		sum->cpu_slabs += in->cpu_slabs;
	}
	return known ? sum : NULL;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int engine_aliases(const struct engine *e, unsigned i, struct result_cache *rc, struct error *err)
{
	if (!e->merge || e->merge[i].members == 1)
		return 0;
	rc->aliases = calloc(e->merge[i].members, sizeof(*rc->aliases));
	for (unsigned k = 0; rc->aliases && k < e->nr_caches; k++) {
		if (e->merge[k].into != i || k == i)
			continue;
		rc->aliases[rc->nr_aliases] = strdup(e->caches[k].name);
		if (!rc->aliases[rc->nr_aliases])
			return error_memory(err, "results");
		rc->nr_aliases++;
	}
	if (!rc->aliases)
		return error_memory(err, "results");
	qsort(rc->aliases, rc->nr_aliases, sizeof(*rc->aliases), compare);
	return 0;
}
