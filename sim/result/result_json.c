/* Everything a run found, under the names of /sys/kernel/slab. */
#include <cjson/cJSON.h>

#include "sim/result/exporter.h"
#include "sim/json_writer.h"
#include "sim/result/result_timing.h"
#include "sim/version.h"

static void events(struct json_writer *w, const struct results *res)
{
	int skipped;
	unsigned i;

	json_object(w, "events");
	json_u64(w, "replayed", res->replayed);
	json_u64(w, "skipped", res->skipped);
	for (skipped = 0; skipped <= 1; skipped++) {
		json_object(w, skipped ? "skips" : "repairs");
		for (i = 0; i < res->nr_notes; i++)
			if (res->notes[i].skipped == skipped)
				json_u64(w, res->notes[i].name, res->notes[i].count);
		json_end_object(w);
	}
	json_end_object(w);
}

static void counters(struct json_writer *w, const struct stat_list *list, const uint64_t *stat)
{
	unsigned i;

	json_object(w, "counters");
	for (i = 0; i < list->n; i++)
		json_u64(w, stat_name(list->items[i]), stat[list->items[i]]);
	json_end_object(w);
}

static void per_cpu(struct json_writer *w, const struct results *res, const struct result_cache *c)
{
	const struct stat_list *list = res->allocator->stats;
	char key[16];
	uint64_t value;
	unsigned i, cpu;
	bool open;

	json_object(w, "per_cpu");
	for (i = 0; i < list->n && c->stat_per_cpu; i++) {
		open = false;
		for (cpu = 0; cpu < res->cpus; cpu++) {
			value = c->stat_per_cpu[(size_t)cpu * NR_STAT_ITEMS + list->items[i]];
			if (!value)
				continue;
			if (!open)
				json_object_inline(w, stat_name(list->items[i]));
			open = true;
			snprintf(key, sizeof(key), "%u", cpu);
			json_u64(w, key, value);
		}
		if (open)
			json_end_object(w);
	}
	json_end_object(w);
}

/* The memory of one cache, or the sum of all. */
static void memory(struct json_writer *w, const struct cache_state *st)
{
	json_object(w, "memory");
	json_u64(w, "total", st->memory_total);
	json_u64(w, "used", st->memory_used);
	json_u64(w, "peak_total", st->peak_total);
	json_u64(w, "waste_tail", st->waste_tail);
	json_u64(w, "waste_align", st->waste_align);
	json_u64(w, "free", st->memory_free);
	json_end_object(w);
}

static void series_array(struct json_writer *w, const char *key, const struct result_cache *c,
			 size_t member)
{
	unsigned i;

	json_array_inline(w, key);
	for (i = 0; i < c->nr_series; i++)
		json_u64(w, NULL, *(const uint64_t *)((const char *)&c->series[i] + member));
	json_end_array(w);
}

static void series(struct json_writer *w, const struct results *res, const struct result_cache *c)
{
	json_object(w, "series");
	series_array(w, "event", c, offsetof(struct series_point, event));
	if (res->has_times)
		series_array(w, "time_ns", c, offsetof(struct series_point, time_ns));
	series_array(w, "memory_total", c, offsetof(struct series_point, memory_total));
	series_array(w, "objects", c, offsetof(struct series_point, objects));
	series_array(w, "partial", c, offsetof(struct series_point, partial));
	json_end_object(w);
}

static void cache(struct json_writer *w, const struct results *res, const struct result_cache *c)
{
	const struct cache_state *st = &c->state;

	json_object(w, NULL);
	json_string(w, "name", c->name);
	if (c->nr_aliases) {
		json_array_inline(w, "aliases");
		for (unsigned i = 0; i < c->nr_aliases; i++)
			json_string(w, NULL, c->aliases[i]);
		json_end_array(w);
	}
	json_u64(w, "object_size", c->object_size);
	json_u64(w, "size", c->size);
	json_u64(w, "align", c->align);
	json_u64(w, "order", c->order);
	json_u64(w, "objects_per_slab", c->objects_per_slab);
	json_u64(w, "cpu_partial", c->cpu_partial);
	json_u64(w, "cpu_partial_slabs", c->cpu_partial_slabs);
	json_u64(w, "min_partial", c->min_partial);
	json_u64(w, "sheaf_capacity", c->sheaf_capacity);
	counters(w, res->allocator->stats, c->stat);
	per_cpu(w, res, c);
	json_u64(w, "slabs", st->slabs);
	json_u64(w, "total_objects", st->total_objects);
	json_u64(w, "objects", st->objects);
	json_u64(w, "partial", st->partial);
	json_u64(w, "objects_partial", st->objects_partial);
	json_u64(w, "cpu_slabs", st->cpu_slabs);
	memory(w, st);
	if (c->series)
		series(w, res, c);
	json_end_object(w);
}

/* peak_total is the sum of the caches' peaks, which may come at different times. */
static void totals(struct json_writer *w, const struct results *res)
{
	uint64_t stat[NR_STAT_ITEMS] = {0};
	struct cache_state sum = {0};
	unsigned i, item;

	for (i = 0; i < res->nr_caches; i++) {
		const struct cache_state *st = &res->caches[i].state;

		for (item = 0; item < NR_STAT_ITEMS; item++)
			stat[item] += res->caches[i].stat[item];
		sum.slabs += st->slabs;
		sum.memory_total += st->memory_total;
		sum.memory_used += st->memory_used;
		sum.peak_total += st->peak_total;
		sum.waste_tail += st->waste_tail;
		sum.waste_align += st->waste_align;
		sum.memory_free += st->memory_free;
	}
	json_object(w, "totals");
	json_u64(w, "slabs", sum.slabs);
	memory(w, &sum);
	counters(w, res->allocator->stats, stat);
	json_end_object(w);
}

static void write_json(FILE *out, const struct results *res)
{
	struct json_writer w;
	unsigned i;

	json_init(&w, out);
	json_object(&w, NULL);
	json_string(&w, "slabsim", SLABSIM_VERSION);
	json_string(&w, "name", res->name ? res->name : "");
	json_tree(&w, "config", res->config);
	events(&w, res);
	json_array(&w, "caches");
	for (i = 0; i < res->nr_caches; i++)
		cache(&w, res, &res->caches[i]);
	json_end_array(&w);
	totals(&w, res);
	result_timing_json(&w, res);
	json_end_object(&w);
}

const struct exporter exporter_json = {
    .name = "json",
    .summary = "everything, under the names of /sys/kernel/slab",
    .write = write_json,
};
