#include <math.h>

#include "sim/result/compare.h"

/* One cache over the results; NULL where a result does not have it. */
struct side_by_side {
	const struct loaded_cache **cache;
	unsigned n;
};

/* Numbered, so that no label can be taken for another column. */
static void column(struct table *t, unsigned number, const char *label, const char *what,
		   const char *title)
{
	char *key;

	if (asprintf(&key, "[%u] %s%s", number, label, what) < 0) {
		t->failed = true;
		return;
	}
	table_column(t, key, title);
	free(key);
}

static void columns(struct table *t, const struct loaded_result *r, unsigned n)
{
	char title[32];
	unsigned i;

	if (results_shared_name(r, n))
		table_note(t, "%s", results_shared_name(r, n));
	table_column(t, "figure", "");
	for (i = 0; i < n; i++) {
		table_note(t, "[%u] %s%s", i + 1, r[i].label,
			   i == 0 && n > 1 ? "  (baseline)" : "");
		snprintf(title, sizeof(title), "[%u]", i + 1);
		column(t, i + 1, r[i].label, "", title);
		if (i == 0)
			continue;
		snprintf(title, sizeof(title), "[%u]-[1]", i + 1);
		column(t, i + 1, r[i].label, " difference", title);
		column(t, i + 1, r[i].label, " change_percent", "change");
	}
}

/* A row of n figures; has[i] is false where there is none. */
static void row(struct table *t, const char *name, const uint64_t *value, const bool *has,
		unsigned n)
{
	unsigned i;

	table_row(t);
	table_string(t, name);
	for (i = 0; i < n; i++) {
		if (has[i])
			table_u64(t, value[i]);
		else
			table_missing(t);
		if (i == 0)
			continue;
		if (has[0] && has[i]) {
			table_difference(t, value[i], value[0]);
			table_change(t, (double)value[i], (double)value[0]);
		} else {
			table_missing(t);
			table_missing(t);
		}
	}
}

static void memory_row(struct table *t, const char *name, const struct side_by_side *s,
		       size_t member)
{
	uint64_t *value = calloc(s->n, sizeof(*value));
	bool *has = calloc(s->n, sizeof(*has));
	unsigned i;

	if (value && has) {
		for (i = 0; i < s->n; i++) {
			has[i] = s->cache[i] != NULL;
			if (has[i])
				value[i] = *(const uint64_t *)((const char *)&s->cache[i]->c.state +
							       member);
		}
		row(t, name, value, has, s->n);
	} else {
		t->failed = true;
	}
	free(value);
	free(has);
}

static bool negligible(uint64_t value, uint64_t allocations)
{
	return (unsigned __int128)value * COMPARE_NEGLIGIBLE < allocations || !value;
}

/* The largest relative change to the first result; of something to nothing, or back, 1. */
static double effect(const struct side_by_side *s, unsigned item)
{
	const struct loaded_cache *first = s->cache[0];
	double base = first && first->has[item] ? (double)first->c.stat[item] : 0, most = 0;

	for (unsigned i = 1; i < s->n; i++) {
		const struct loaded_cache *c = s->cache[i];
		double value = c && c->has[item] ? (double)c->c.stat[item] : 0;
		double change = base > 0 ? fabs(value / base - 1) : value > 0;

		if (change > most)
			most = change;
	}
	return most;
}

/* The counters in the order of their rows: the kernel's, or by their effect. */
static void order_items(unsigned order[NR_STAT_ITEMS], const struct side_by_side *s, bool by_effect)
{
	double effects[NR_STAT_ITEMS];

	for (unsigned item = 0; item < NR_STAT_ITEMS; item++) {
		unsigned i = item;

		effects[item] = by_effect ? effect(s, item) : 0;
		for (; i > 0 && effects[order[i - 1]] < effects[item]; i--)
			order[i] = order[i - 1];
		order[i] = item;
	}
}

static void counter_rows(struct table *t, const struct side_by_side *s,
			 const struct compare_options *opt)
{
	unsigned order[NR_STAT_ITEMS];
	uint64_t *value = calloc(s->n, sizeof(*value)), *allocs = calloc(s->n, sizeof(*allocs));
	bool *has = calloc(s->n, sizeof(*has)), show, any;
	unsigned nth, item, i;

	order_items(order, s, opt->by_effect);
	if (!value || !allocs || !has)
		t->failed = true;
	for (i = 0; !t->failed && i < s->n; i++) {
		has[i] = s->cache[i] != NULL;
		allocs[i] = has[i] ? loaded_allocations(s->cache[i]) : 0;
	}
	if (!t->failed)
		row(t, "objects allocated", allocs, has, s->n);
	for (nth = 0; !t->failed && nth < NR_STAT_ITEMS; nth++) {
		item = order[nth];
		for (i = 0, show = any = false; i < s->n; i++) {
			has[i] = s->cache[i] && s->cache[i]->has[item];
			value[i] = has[i] ? s->cache[i]->c.stat[item] : 0;
			any |= has[i];
			show |= has[i] && !negligible(value[i], allocs[i]);
		}
		if (show || (opt->all && any))
			row(t, stat_name(item), value, has, s->n);
	}
	free(value);
	free(allocs);
	free(has);
}

static void cache_rows(struct table *t, const struct side_by_side *s, const char *name,
		       const struct compare_options *opt)
{
	table_group(t, name);
	counter_rows(t, s, opt);
	memory_row(t, "memory.peak_total", s, offsetof(struct cache_state, peak_total));
	memory_row(t, "memory.total", s, offsetof(struct cache_state, memory_total));
	memory_row(t, "slabs", s, offsetof(struct cache_state, slabs));
}

/* Is name in one of the results before number i? */
static bool seen(const struct loaded_result *r, unsigned i, const char *name)
{
	while (i--)
		if (loaded_cache_find(&r[i], name))
			return true;
	return false;
}

int compare_results(struct table *t, const struct loaded_result *r, unsigned n,
		    const struct compare_options *opt, struct error *err)
{
	struct side_by_side s = {.cache = calloc(n, sizeof(*s.cache)), .n = n};
	unsigned i, j, k;

	if (!s.cache)
		return error_memory(err, "a comparison");
	columns(t, r, n);
	for (i = 0; i < n; i++) {
		for (j = 0; j < r[i].nr_caches; j++) {
			const char *name = r[i].caches[j].c.name;

			if ((opt->cache && strcmp(opt->cache, name) != 0) || seen(r, i, name))
				continue;
			for (k = 0; k < n; k++)
				s.cache[k] = loaded_cache_find(&r[k], name);
			cache_rows(t, &s, name, opt);
		}
	}
	free(s.cache);
	if (!t->nr_groups && opt->cache)
		return error_input(err, "no result has a cache named \"%s\"", opt->cache);
	return 0;
}
