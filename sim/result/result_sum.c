/* All caches of a result as one. */
#include "sim/result/result_file.h"

static void add_state(struct cache_state *sum, const struct cache_state *st)
{
	sum->slabs += st->slabs;
	sum->total_objects += st->total_objects;
	sum->objects += st->objects;
	sum->partial += st->partial;
	sum->objects_partial += st->objects_partial;
	sum->cpu_slabs += st->cpu_slabs;
	sum->memory_total += st->memory_total;
	sum->memory_used += st->memory_used;
	sum->peak_total += st->peak_total;
	sum->waste_tail += st->waste_tail;
	sum->waste_align += st->waste_align;
	sum->memory_free += st->memory_free;
}

/* Series can be added when they have points at the same events, as those of one run do. */
static bool same_events(const struct result_cache *a, const struct result_cache *b)
{
	unsigned i;

	if (a->nr_series != b->nr_series)
		return false;
	for (i = 0; i < a->nr_series; i++)
		if (a->series[i].event != b->series[i].event)
			return false;
	return true;
}

static int add_series(struct result_cache *sum, const struct result_cache *c, bool first,
		      struct error *err)
{
	unsigned i;

	if (first) {
		sum->series = calloc(c->nr_series + 1, sizeof(*sum->series));
		if (!sum->series)
			return error_memory(err, "a series");
		sum->nr_series = c->nr_series;
		for (i = 0; i < c->nr_series; i++) {
			sum->series[i].event = c->series[i].event;
			sum->series[i].time_ns = c->series[i].time_ns;
		}
	}
	if (!same_events(sum, c)) {
		sum->nr_series = 0;
		return 0;
	}
	for (i = 0; i < c->nr_series; i++) {
		sum->series[i].memory_total += c->series[i].memory_total;
		/* in bytes: objects of several sizes cannot be added otherwise */
		sum->series[i].objects += c->series[i].objects * c->object_size;
		sum->series[i].partial += c->series[i].partial;
	}
	return 0;
}

int loaded_cache_sum(const struct loaded_result *r, struct loaded_cache *sum, struct error *err)
{
	unsigned i, item;

	memset(sum, 0, sizeof(*sum));
	sum->c.object_size = 1;
	for (i = 0; i < r->nr_caches; i++) {
		const struct loaded_cache *lc = &r->caches[i];

		for (item = 0; item < NR_STAT_ITEMS; item++) {
			sum->c.stat[item] += lc->c.stat[item];
			sum->has[item] |= lc->has[item];
		}
		add_state(&sum->c.state, &lc->c.state);
		if (add_series(&sum->c, &lc->c, i == 0, err)) {
			loaded_cache_free(sum);
			return -1;
		}
	}
	return 0;
}
