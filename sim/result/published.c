#include <cjson/cJSON.h>

#include "sim/file.h"
#include "sim/json_reader.h"
#include "sim/result/published.h"

/* Memory figures, as slabinfo calls them; sysfs counts free objects on CPUs as used. */
static const char *const memory_names[] = {
    "slabs", "total_objects", "objects", "partial", "cpu_slabs", "memory_total", "memory_used",
};
#define NR_MEMORY (sizeof(memory_names) / sizeof(memory_names[0]))

static uint64_t memory_figure(const struct loaded_cache *c, const char *name)
{
	const struct cache_state *st = &c->c.state;
	const uint64_t figures[NR_MEMORY] = {
	    st->slabs,
	    st->total_objects,
	    st->objects,
	    st->partial,
	    st->cpu_slabs,
	    st->memory_total,
	    st->objects * c->c.object_size,
	};
	size_t i;

	for (i = 0; i < NR_MEMORY; i++)
		if (strcmp(memory_names[i], name) == 0)
			return figures[i];
	return 0;
}

/* The stat item named by the n bytes at name, or -1. */
static int stat_find(const char *name, size_t n)
{
	int i;

	for (i = 0; i < NR_STAT_ITEMS; i++)
		if (strlen(stat_name(i)) == n && strncmp(stat_name(i), name, n) == 0)
			return i;
	return -1;
}

/* The sum of the counters of a "+" list; false when one is not in c. c may be NULL. */
static bool counters_sum(const char *list, const struct loaded_cache *c, uint64_t *sum)
{
	size_t n;
	int i;

	for (*sum = 0; *list; list += n + (list[n] == '+')) {
		n = strcspn(list, "+");
		i = stat_find(list, n);
		if (i < 0 || (c && !c->has[i]))
			return false;
		if (c)
			*sum += c->c.stat[i];
	}
	return true;
}

bool published_ours(const struct published_row *row, const struct loaded_cache *c, uint64_t *value)
{
	if (row->counter)
		return counters_sum(row->name, c, value);
	*value = memory_figure(c, row->name);
	return true;
}

bool published_matches(const struct published_column *col, const struct loaded_result *r,
		       const struct loaded_cache *c)
{
	const cJSON *policy = cJSON_GetObjectItemCaseSensitive(r->config, "policy"), *want, *have;

	cJSON_ArrayForEach (want, col->policy) {
		have = cJSON_GetObjectItemCaseSensitive(policy, want->string);
		if (have && cJSON_Compare(want, have, true))
			continue;
		/* whatever way the limit was configured, this is what it came to */
		if (strcmp(want->string, "cpu_partial") == 0 && cJSON_IsNumber(want) &&
		    want->valuedouble == c->c.cpu_partial)
			continue;
		return false;
	}
	return col->policy != NULL;
}

static struct published_row *find_row(struct published_column *col, const char *name)
{
	unsigned i;

	for (i = 0; i < col->nr_rows; i++)
		if (strcmp(col->rows[i].name, name) == 0)
			return &col->rows[i];
	return NULL;
}

static struct published_row *add_row(struct published_column *col, const char *name, bool counter,
				     struct error *err)
{
	struct published_row *rows, *row = find_row(col, name);

	if (row)
		return row;
	rows = reallocarray(col->rows, col->nr_rows + 1, sizeof(*rows));
	if (rows) {
		col->rows = rows;
		row = &rows[col->nr_rows];
		*row = (struct published_row){.name = strdup(name), .counter = counter};
	}
	if (!rows || !row->name) {
		error_memory(err, "a published table");
		return NULL;
	}
	col->nr_rows++;
	return row;
}

static int number(const cJSON *item, const char *where, double *value, struct error *err)
{
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble < 1e19))
		return error_input(err, "columns.%s.%s: should be a number, 0 or more", where,
				   item && item->string ? item->string : "alloc_fastpath");
	*value = item->valuedouble;
	return 0;
}

/* Objects allocated by the published counters: the two paths of allocation (facts 3.7, I7). */
static int allocations(const cJSON *counters, const char *where, double *allocs, struct error *err)
{
	double fast = 0, slow = 0;

	if (number(cJSON_GetObjectItemCaseSensitive(counters, "alloc_fastpath"), where, &fast,
		   err) ||
	    number(cJSON_GetObjectItemCaseSensitive(counters, "alloc_slowpath"), where, &slow, err))
		return -1;
	*allocs = fast + slow;
	return 0;
}

/* Fold one run's value into a row that holds the mean of the runs before it. */
static void fold(struct published_row *row, double value, double share, unsigned run)
{
	if (run == 0) {
		row->value = value;
		row->share = row->min_share = row->max_share = share;
		return;
	}
	row->value += (value - row->value) / (run + 1);
	row->share += (share - row->share) / (run + 1);
	row->min_share = share < row->min_share ? share : row->min_share;
	row->max_share = share > row->max_share ? share : row->max_share;
}

static int read_counters(struct published_column *col, const cJSON *counters, unsigned run,
			 struct error *err)
{
	struct published_row *row;
	double allocs = 0, value = 0;
	const cJSON *item;
	uint64_t unused;

	if (allocations(counters, col->name, &allocs, err))
		return -1;
	col->allocations += (allocs - col->allocations) / (run + 1);
	cJSON_ArrayForEach (item, counters) {
		if (!counters_sum(item->string, NULL, &unused))
			return error_input(err,
					   "columns.%s: \"%s\" is no counter, nor a sum of some",
					   col->name, item->string);
		row = add_row(col, item->string, true, err);
		if (!row || number(item, col->name, &value, err))
			return -1;
		fold(row, value, allocs > 0 ? 100 * value / allocs : 0, run);
	}
	return 0;
}

static int read_memory(struct published_column *col, const cJSON *object, unsigned run,
		       struct error *err)
{
	struct published_row *row;
	const cJSON *item;
	double value = 0;
	size_t i;

	for (i = 0; i < NR_MEMORY; i++) {
		item = cJSON_GetObjectItemCaseSensitive(object, memory_names[i]);
		if (!item)
			continue;
		row = add_row(col, memory_names[i], false, err);
		if (!row || number(item, col->name, &value, err))
			return -1;
		fold(row, value, 0, run);
	}
	return 0;
}

/* "runs": [{CACHE: {"counters": ..., "after": ...}}, ...] */
static int read_runs(struct published *p, struct published_column *col, const cJSON *runs,
		     struct error *err)
{
	const cJSON *run, *cache;

	cJSON_ArrayForEach (run, runs) {
		if (!p->cache && run->child)
			p->cache = run->child->string;
		cache = p->cache ? cJSON_GetObjectItemCaseSensitive(run, p->cache) : NULL;
		if (!cache)
			return error_input(err, "columns.%s.runs[%u]: has no cache \"%s\"",
					   col->name, col->nr_runs, p->cache ? p->cache : "");
		if (read_counters(col, cJSON_GetObjectItemCaseSensitive(cache, "counters"),
				  col->nr_runs, err) ||
		    read_memory(col, cJSON_GetObjectItemCaseSensitive(cache, "after"), col->nr_runs,
				err))
			return -1;
		col->nr_runs++;
	}
	return 0;
}

static int read_column(struct published *p, const cJSON *item, struct error *err)
{
	struct published_column *col = &p->columns[p->nr_columns++];
	const cJSON *runs = cJSON_GetObjectItemCaseSensitive(item, "runs");
	const cJSON *counters = cJSON_GetObjectItemCaseSensitive(item, "counters");

	col->name = item->string;
	col->policy = cJSON_GetObjectItemCaseSensitive(item, "policy");
	if (cJSON_IsArray(runs) && runs->child)
		return read_runs(p, col, runs, err);
	if (!cJSON_IsObject(counters))
		return error_input(err, "columns.%s: has neither \"counters\" nor \"runs\"",
				   col->name);
	col->nr_runs = 1;
	if (read_counters(col, counters, 0, err) || read_memory(col, item, 0, err))
		return -1;
	return 0;
}

static int read_columns(struct published *p, const cJSON *columns, struct error *err)
{
	const cJSON *item;

	p->columns = calloc((size_t)cJSON_GetArraySize(columns), sizeof(*p->columns));
	if (!p->columns)
		return error_memory(err, "a published table");
	cJSON_ArrayForEach (item, columns)
		if (read_column(p, item, err))
			return -1;
	return 0;
}

/* The cache a table of one cache is about. */
static int set_cache(struct published *p, const char *cache, struct error *err)
{
	const cJSON *setup = cJSON_GetObjectItemCaseSensitive(p->tree, "setup");
	const cJSON *only = cJSON_GetObjectItemCaseSensitive(setup, "cache");

	p->cache = cache;
	if (!cJSON_IsString(only))
		return 0;
	if (cache && strcmp(cache, only->valuestring) != 0)
		return error_input(err, "is about cache \"%s\", not \"%s\"", only->valuestring,
				   cache);
	p->cache = only->valuestring;
	return 0;
}

int published_load(struct published *p, const char *file, const char *cache, struct error *err)
{
	const cJSON *title, *columns;

	memset(p, 0, sizeof(*p));
	p->tree = json_read_file(file, err);
	if (!p->tree)
		return -1;
	title = cJSON_GetObjectItemCaseSensitive(p->tree, "title");
	columns = cJSON_GetObjectItemCaseSensitive(p->tree, "columns");
	p->title = cJSON_IsString(title) ? title->valuestring : file;
	if (!cJSON_IsObject(columns) || !columns->child) {
		error_input(err,
			    "has no \"columns\" with counters to compare results with; one about "
			    "slab orders goes with slabsim order --published");
		goto failed;
	}
	if (set_cache(p, cache, err) || read_columns(p, columns, err))
		goto failed;
	return 0;
failed:
	published_free(p);
	return error_prefix(err, "%s", file);
}

void published_free(struct published *p)
{
	unsigned i, j;

	for (i = 0; i < p->nr_columns; i++) {
		for (j = 0; j < p->columns[i].nr_rows; j++)
			free(p->columns[i].rows[j].name);
		free(p->columns[i].rows);
	}
	free(p->columns);
	cJSON_Delete(p->tree);
	memset(p, 0, sizeof(*p));
}
