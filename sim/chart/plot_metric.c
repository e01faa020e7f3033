#include "sim/chart/plot_metric.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "sim/suggest.h"

const char *metric_name(unsigned metric)
{
	if (metric == METRIC_LIST_LOCK)
		return "list_lock.wait";
	if (metric == METRIC_NODE_LISTS)
		return "node_lists.moves";
	return figure_name((enum figure)metric);
}

unsigned metric_find(const char *name, struct error *err)
{
	unsigned m = (unsigned)figure_find(name);
	struct suggest s;
	char buf[80];

	if (m < NR_FIGURES)
		return m;
	for (; m < NR_METRICS; m++)
		if (strcmp(metric_name(m), name) == 0)
			return m;
	suggest_init(&s, name);
	for (m = 0; m < NR_METRICS; m++)
		suggest_offer(&s, metric_name(m));
	error_input(
	    err,
	    "--metric: there is none named \"%.100s\"%s; there are the counters, "
	    "slow_path_percent, memory.peak_total and others that slabsim plot --help lists",
	    name, suggest_text(&s, buf, sizeof(buf)));
	return NR_METRICS;
}

const char *metric_title(unsigned metric)
{
	static const char *const titles[NR_METRICS] = {
	    [FIGURE_ALLOCATIONS] = "objects allocated",
	    [FIGURE_SLOW_PATH] = "operations on slow paths",
	    [FIGURE_SLABS] = "slabs at the end",
	    [FIGURE_PARTIAL] = "slabs on node partial lists at the end",
	    [FIGURE_CPU_SLABS] = "slabs on CPUs at the end",
	    [FIGURE_MEMORY_TOTAL] = "memory of slabs at the end",
	    [FIGURE_MEMORY_PEAK] = "peak memory of slabs",
	    [FIGURE_MEMORY_WASTE_TAIL] = "waste at the ends of slabs",
	    [FIGURE_MEMORY_WASTE_ALIGN] = "waste by alignment",
	    [FIGURE_MEMORY_FREE] = "free objects at the end",
	    [FIGURE_END] = "time to the last operation",
	    [FIGURE_RATE] = "operations per second",
	    [FIGURE_MEAN] = "mean latency",
	    [FIGURE_P99] = "99th percentile of latency",
	    [FIGURE_LOCK_WAIT] = "waiting for locks, per operation",
	    [FIGURE_READ_ERROR] = "error of slabinfo's free objects",
	    [METRIC_LIST_LOCK] = "waiting for list_lock, per operation",
	    [METRIC_NODE_LISTS] = "slabs on and off node partial lists",
	};

	return titles[metric] ? titles[metric] : stat_name((enum stat_item)metric);
}

enum metric_unit metric_unit(unsigned metric)
{
	if (metric < NR_STAT_ITEMS || metric == METRIC_NODE_LISTS)
		return UNIT_ALLOCS;
	switch (metric) {
	case FIGURE_SLOW_PATH:
	case FIGURE_READ_ERROR:
		return UNIT_PERCENT;
	case FIGURE_MEMORY_TOTAL:
	case FIGURE_MEMORY_PEAK:
	case FIGURE_MEMORY_WASTE_TAIL:
	case FIGURE_MEMORY_WASTE_ALIGN:
	case FIGURE_MEMORY_FREE:
		return UNIT_BYTES;
	case FIGURE_RATE:
		return UNIT_RATE;
	case FIGURE_END:
	case FIGURE_MEAN:
	case FIGURE_P99:
	case FIGURE_LOCK_WAIT:
	case METRIC_LIST_LOCK:
		return UNIT_NS;
	default:
		return UNIT_COUNT;
	}
}

bool metric_less_is_better(unsigned metric)
{
	return metric != FIGURE_RATE && metric != ALLOC_FASTPATH && metric != FREE_FASTPATH &&
	       metric != ALLOC_PCS && metric != FREE_PCS && metric != BARN_GET &&
	       metric != BARN_PUT && metric != FIGURE_ALLOCATIONS;
}

const struct scale *metric_scale(enum metric_unit unit, double most)
{
	static const struct scale scales[][4] = {
	    [UNIT_ALLOCS] = {{1, "% of objects allocated"}},
	    [UNIT_PERCENT] = {{1, "%"}},
	    [UNIT_COUNT] = {{1, ""}, {1e3, "thousands"}, {1e6, "millions"}, {1e9, "billions"}},
	    [UNIT_BYTES] = {{1, "bytes"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}},
	    [UNIT_NS] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}},
	    [UNIT_RATE] = {{1, "per s"},
			   {1e3, "thousand per s"},
			   {1e6, "million per s"},
			   {1e9, "billion per s"}},
	};
	unsigned i;

	for (i = 3; i > 0; i--)
		if (scales[unit][i].text && most >= scales[unit][i].by * 1.5)
			break;
	return &scales[unit][i];
}

void number_text(double value, char *buf, size_t size)
{
	double a = fabs(value);

	if (!isfinite(value))
		snprintf(buf, size, "-");
	else if (value == floor(value) && a < 1e5)
		snprintf(buf, size, "%.0f", value);
	else if (a >= 99.95)
		snprintf(buf, size, "%.0f", value);
	else if (a >= 9.995)
		snprintf(buf, size, "%.1f", value);
	else if (a >= 0.0995)
		snprintf(buf, size, "%.2f", value);
	else
		snprintf(buf, size, "%.2g", value);
}

void metric_text(unsigned metric, double value, char *buf, size_t size)
{
	enum metric_unit unit = metric_unit(metric);
	const struct scale *s = metric_scale(unit, fabs(value));
	char number[32];

	number_text(unit == UNIT_COUNT ? value : value / s->by, number, sizeof(number));
	if (unit == UNIT_ALLOCS || unit == UNIT_PERCENT)
		snprintf(buf, size, "%s %%", number);
	else if (unit == UNIT_COUNT)
		snprintf(buf, size, "%s", number);
	else
		snprintf(buf, size, "%s %s", number, s->text);
}

static double list_lock_wait(const struct loaded_result *r)
{
	const cJSON *timing = cJSON_GetObjectItemCaseSensitive(r->tree, "timing");
	const cJSON *lock, *locks = cJSON_GetObjectItemCaseSensitive(timing, "list_lock");
	double sum = 0;

	if (!cJSON_IsArray(locks))
		return NAN;
	cJSON_ArrayForEach (lock, locks)
		sum += result_number(lock, "wait_total");
	return sum;
}

static void timing(double value[NR_METRICS], const struct loaded_result *r)
{
	double operations = result_number(r->tree, "timing.operations");

	for (unsigned m = FIGURE_END; m <= FIGURE_READ_ERROR; m++)
		value[m] = result_number(r->tree, figure_name((enum figure)m));
	value[FIGURE_LOCK_WAIT] = operations > 0 ? value[FIGURE_LOCK_WAIT] / operations : NAN;
	value[FIGURE_READ_ERROR] *= 100;
	if (!(result_number(r->tree, "timing.readers.readings") > 0))
		value[FIGURE_READ_ERROR] = NAN;
	value[METRIC_LIST_LOCK] = operations > 0 ? list_lock_wait(r) / operations : NAN;
}

static int read_run(struct metrics *m, unsigned run, struct error *err)
{
	const struct loaded_result *r = &m->runs->r[run];
	const struct loaded_cache *c = r->nr_caches == 1 ? &r->caches[0] : NULL;
	double *value = m->value[run];
	struct loaded_cache sum = {0};

	if (m->cache)
		c = loaded_cache_find(r, m->cache);
	if (m->cache && !c)
		return error_input(err, "%s: has no cache \"%s\"", r->name, m->cache);
	if (!c && loaded_cache_sum(r, &sum, err))
		return -1;
	for (unsigned i = 0; i < NR_METRICS; i++)
		value[i] = NAN;
	figures_of_cache(c ? c : &sum, value);
	loaded_cache_free(&sum);
	for (unsigned i = 0; i < NR_STAT_ITEMS; i++)
		value[i] = value[FIGURE_ALLOCATIONS] > 0
			       ? 100 * value[i] / value[FIGURE_ALLOCATIONS]
			       : NAN;
	/*
	 * Every slab that comes or goes does so under list_lock (facts 3.7, I4). Without cpu
	 * slabs, kernels do not count them all.
	 */
	value[METRIC_NODE_LISTS] = value[ALLOC_FROM_PARTIAL] + value[CPU_PARTIAL_NODE] +
				   value[FREE_ADD_PARTIAL] + value[FREE_REMOVE_PARTIAL] +
				   value[DEACTIVATE_TO_HEAD] + value[DEACTIVATE_TO_TAIL];
	timing(value, r);
	return 0;
}

static const char *title(const struct runs *runs)
{
	for (unsigned i = 0; i < runs->nr; i++)
		if (runs->r[i].nr_caches != 1 ||
		    strcmp(runs->r[i].caches[0].c.name, runs->r[0].caches[0].c.name) != 0)
			return "all caches";
	return runs->r[0].caches[0].c.name;
}

int metrics_init(struct metrics *m, const struct runs *runs, const char *cache, struct error *err)
{
	*m = (struct metrics){.runs = runs, .cache = cache};
	m->title = strdup(cache ? cache : title(runs));
	m->value = calloc(runs->nr, sizeof(*m->value));
	if (!m->title || !m->value)
		return error_memory(err, "the figures");
	for (unsigned i = 0; i < runs->nr; i++)
		if (read_run(m, i, err))
			return -1;
	return 0;
}

void metrics_free(struct metrics *m)
{
	free(m->title);
	free(m->value);
	m->title = NULL;
	m->value = NULL;
}

struct estimate metrics_of_point(const struct metrics *m, unsigned point, unsigned metric)
{
	const struct run_point *p = &m->runs->points[point];
	double few[64], *values = p->nr <= 64 ? few : calloc(p->nr, sizeof(*values));
	struct estimate e = {NAN, NAN};
	unsigned n = 0;

	if (!values)
		return e;
	for (unsigned i = p->first; i < p->first + p->nr; i++)
		if (isfinite(m->value[i][metric]))
			values[n++] = m->value[i][metric];
	if (n)
		e = estimate(values, n);
	if (values != few)
		free(values);
	return e;
}

unsigned metrics_default(const struct metrics *m)
{
	static const unsigned candidates[] = {METRIC_LIST_LOCK, METRIC_NODE_LISTS};
	unsigned least = 0, most = 0;

	for (unsigned i = 0; i < 2; i++) {
		bool all = metrics_range(m, candidates[i], &least, &most);

		for (unsigned run = 0; run < m->runs->nr; run++)
			all &= isfinite(m->value[run][candidates[i]]) != 0;
		if (all && metrics_of_point(m, most, candidates[i]).mean > 0)
			return candidates[i];
	}
	return FIGURE_SLOW_PATH;
}

bool metrics_range(const struct metrics *m, unsigned metric, unsigned *least, unsigned *most)
{
	double low = INFINITY, high = -INFINITY;

	for (unsigned p = 0; p < m->runs->nr_points; p++) {
		double mean = metrics_of_point(m, p, metric).mean;

		if (!isfinite(mean))
			continue;
		if (mean < low) {
			low = mean;
			*least = p;
		}
		if (mean > high) {
			high = mean;
			*most = p;
		}
	}
	return isfinite(low);
}
