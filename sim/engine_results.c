/* What a run found, copied out of the engine. */
#include <cjson/cJSON.h>

#include "sim/engine_timed.h"

static int copy_cache(const struct engine *e, unsigned i, struct result_cache *rc,
		      struct error *err)
{
	const struct cache_config *want = e->binding[i].want;
	const struct cache *c = &e->caches[i];
	const struct series *s = &e->series[i];

	*rc = (struct result_cache){
	    .object_size = c->object_size,
	    .size = c->size,
	    .align = c->align,
	    .order = c->order,
	    .objects_per_slab = c->objects,
	    .cpu_partial = c->cpu_partial,
	    .cpu_partial_slabs = c->cpu_partial_slabs,
	    .min_partial = c->min_partial,
	    .sheaf_capacity = c->sheaf_capacity,
	    .hwcache_align = want && want->hwcache_align,
	    .typesafe_by_rcu = want && want->typesafe_by_rcu,
	    .page_size = e->machine.page_size,
	};
	rc->name = strdup(c->name);
	rc->stat_per_cpu = calloc((size_t)e->machine.cpus * NR_STAT_ITEMS, sizeof(uint64_t));
	rc->series = calloc(s->nr ? s->nr : 1, sizeof(*rc->series));
	if (!rc->name || !rc->stat_per_cpu || !rc->series)
		return error_memory(err, "results");
	if (engine_aliases(e, i, rc, err))
		return -1;
	for (unsigned cpu = 0; cpu < e->machine.cpus; cpu++)
		memcpy(&rc->stat_per_cpu[(size_t)cpu * NR_STAT_ITEMS], c->cpu[cpu].stat,
		       sizeof(c->cpu[cpu].stat));
	for (unsigned item = 0; item < NR_STAT_ITEMS; item++)
		rc->stat[item] = cache_stat(c, item);
	cache_read_state(c, &rc->state);
	memcpy(rc->series, s->points, s->nr * sizeof(*rc->series));
	rc->nr_series = s->nr;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct result_cache *)a)->name,
		      ((const struct result_cache *)b)->name);
}

static int copy_notes(const struct engine *e, struct results *res, struct error *err)
{
	const struct source_info *info = &e->src->info;

	res->notes = calloc(info->nr_notes + 1, sizeof(*res->notes));
	if (!res->notes)
		return error_memory(err, "results");
	for (unsigned i = 0; i < info->nr_notes; i++)
		if (info->notes[i].count)
			res->notes[res->nr_notes++] = info->notes[i];
	if (e->left_out)
		res->notes[res->nr_notes++] = (struct source_note){
		    .name = "event_of_cache_left_out",
		    .help = "events of caches that replay.only leaves out",
		    .count = e->left_out,
		    .skipped = true,
		};
	for (unsigned i = 0; i < res->nr_notes; i++)
		if (res->notes[i].skipped)
			res->skipped += res->notes[i].count;
	return 0;
}

int engine_results(const struct engine *e, struct results *res, struct error *err)
{
	*res = (struct results){
	    .allocator = (const struct allocator_ops *)e->cfg->policy.choice[AXIS_ALLOCATOR].policy,
	    .cpus = e->machine.cpus,
	    .has_times = e->src->info.has_times,
	    .replayed = e->seen - e->left_out,
	};
	res->name = strdup(e->cfg->name ? e->cfg->name : "");
	res->config = cJSON_Duplicate(e->cfg->effective, true);
	res->caches = calloc(e->nr_caches ? e->nr_caches : 1, sizeof(*res->caches));
	if (!res->name || !res->config || !res->caches) {
		error_memory(err, "results");
		goto fail;
	}
	for (unsigned i = 0; i < e->nr_caches; i++) {
		const struct cache *c = &e->caches[i];

		if (!e->binding[i].used || !(c->allocs + c->frees + c->shrunk))
			continue;
		if (copy_cache(e, i, &res->caches[res->nr_caches++], err))
			goto fail;
	}
	qsort(res->caches, res->nr_caches, sizeof(*res->caches), by_name);
	if (copy_notes(e, res, err) || (e->timed && engine_timed_results(e, res, err)))
		goto fail;
	return 0;
fail:
	results_free(res);
	return -1;
}
