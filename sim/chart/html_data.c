/*
 * The runs of a report as compact JSON, from which its script makes slabinfo's reports and the
 * configurations when they are asked for:
 *
 *   "counters": names; "caches": names; "base": the configuration of the first run;
 *   "runs": [{"l": label, "s": seed, "p": point, "v": what differs from base, as [path, value],
 *             "c": [[cache, object_size, size, align, order, objects_per_slab, slabs, objects,
 *                    partial, cpu_slabs, peak, memory, counter...], ...]}]
 *
 * A counter that a kernel does not have is -1.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>

#include "sim/chart/html.h"
#include "sim/chart/html_report.h"
#include "sim/json_writer.h"
#include "sim/version.h"

/* Of all caches together; where there are more, the busiest are in the page. */
#define MAX_CACHE_ROWS 20000

struct data {
	const struct report *r;
	struct json_writer w;
	bool counter[NR_STAT_ITEMS]; /* some run has it */
	char **names;		     /* of caches, borrowed */
	uint64_t *activity;
	unsigned nr_names, kept;
};

/* ---- what differs ---- */

static void path(struct json_writer *w, const char *const *keys, unsigned depth)
{
	json_array(w, NULL);
	for (unsigned i = 0; i < depth; i++)
		json_string(w, NULL, keys[i]);
	json_end_array(w);
}

#define MAX_PATH 16

/* [path, value] of everything in which b differs from a; [path] of what it does not have. */
static void differences(struct json_writer *w, const cJSON *a, const cJSON *b, const char **keys,
			unsigned depth)
{
	const cJSON *item, *other;

	cJSON_ArrayForEach (item, b) {
		other = cJSON_GetObjectItemCaseSensitive(a, item->string);
		keys[depth] = item->string;
		if (other && cJSON_Compare(item, other, true))
			continue;
		if (cJSON_IsObject(item) && cJSON_IsObject(other) && depth + 1 < MAX_PATH) {
			differences(w, other, item, keys, depth + 1);
			continue;
		}
		json_array(w, NULL);
		path(w, keys, depth + 1);
		json_tree(w, NULL, item);
		json_end_array(w);
	}
	cJSON_ArrayForEach (item, a) {
		if (cJSON_GetObjectItemCaseSensitive(b, item->string))
			continue;
		keys[depth] = item->string;
		json_array(w, NULL);
		path(w, keys, depth + 1);
		json_end_array(w);
	}
}

/* ---- caches ---- */

static unsigned find_name(const struct data *d, const char *name)
{
	unsigned i;

	for (i = 0; i < d->nr_names; i++)
		if (!strcmp(d->names[i], name))
			break;
	return i;
}

static int add_name(struct data *d, char *name, uint64_t activity, struct error *err)
{
	unsigned i = find_name(d, name);

	if (i == d->nr_names) {
		char **names = reallocarray(d->names, (size_t)i + 1, sizeof(*names));
		uint64_t *more;

		if (!names)
			return error_memory(err, "the names of caches");
		d->names = names;
		more = reallocarray(d->activity, (size_t)i + 1, sizeof(*more));
		if (!more)
			return error_memory(err, "the names of caches");
		d->activity = more;
		names[i] = name;
		more[i] = 0;
		d->nr_names++;
	}
	d->activity[i] += activity;
	return 0;
}

/* The busiest first. */
static void sort_names(struct data *d)
{
	for (unsigned i = 1; i < d->nr_names; i++)
		for (unsigned j = i; j > 0 && d->activity[j] > d->activity[j - 1]; j--) {
			uint64_t activity = d->activity[j];
			char *name = d->names[j];

			d->activity[j] = d->activity[j - 1];
			d->names[j] = d->names[j - 1];
			d->activity[j - 1] = activity;
			d->names[j - 1] = name;
		}
}

static int collect(struct data *d, struct error *err)
{
	const struct runs *runs = d->r->runs;

	for (unsigned i = 0; i < runs->nr; i++)
		for (unsigned j = 0; j < runs->r[i].nr_caches; j++) {
			const struct loaded_cache *c = &runs->r[i].caches[j];

			for (unsigned item = 0; item < NR_STAT_ITEMS; item++)
				d->counter[item] |= c->has[item];
			if (add_name(d, c->c.name, loaded_allocations(c), err))
				return -1;
		}
	sort_names(d);
	d->kept = d->nr_names;
	if (d->kept > MAX_CACHE_ROWS / (runs->nr + 1) + 1)
		d->kept = MAX_CACHE_ROWS / (runs->nr + 1) + 1;
	return 0;
}

static void cache(struct data *d, const struct loaded_cache *c)
{
	const struct result_cache *rc = &c->c;
	const uint64_t numbers[] = {
	    rc->object_size,
	    rc->size,
	    rc->align,
	    rc->order,
	    rc->objects_per_slab,
	    rc->state.slabs,
	    rc->state.objects,
	    rc->state.partial,
	    rc->state.cpu_slabs,
	    rc->state.peak_total,
	    rc->state.memory_total,
	};
	unsigned name = find_name(d, rc->name);

	if (name >= d->kept)
		return;
	json_array(&d->w, NULL);
	json_u64(&d->w, NULL, name);
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_u64(&d->w, NULL, numbers[i]);
	for (unsigned item = 0; item < NR_STAT_ITEMS; item++) {
		if (!d->counter[item])
			continue;
		if (c->has[item])
			json_u64(&d->w, NULL, rc->stat[item]);
		else
			json_i64(&d->w, NULL, -1);
	}
	json_end_array(&d->w);
}

static void run(struct data *d, unsigned point, unsigned i)
{
	const struct runs *runs = d->r->runs;
	const char *keys[MAX_PATH];

	json_object(&d->w, NULL);
	/* the label is the point's; the seed tells its runs apart */
	if (i == runs->points[point].first)
		json_string(&d->w, "l", runs->points[point].label);
	json_u64(&d->w, "p", point);
	json_u64(&d->w, "s", runs->seed[i]);
	json_array(&d->w, "v");
	differences(&d->w, runs->r[0].config, runs->r[i].config, keys, 0);
	json_end_array(&d->w);
	json_array(&d->w, "c");
	for (unsigned j = 0; j < runs->r[i].nr_caches; j++)
		cache(d, &runs->r[i].caches[j]);
	json_end_array(&d->w);
	json_end_object(&d->w);
}

static void write_data(struct data *d)
{
	const struct runs *runs = d->r->runs;
	struct json_writer *w = &d->w;

	json_object_inline(w, NULL);
	json_string(w, "slabsim", SLABSIM_VERSION);
	json_u64(w, "seeds", runs->seeds);
	json_u64(w, "all_caches", d->nr_names);
	json_array(w, "counters");
	for (unsigned item = 0; item < NR_STAT_ITEMS; item++)
		if (d->counter[item])
			json_string(w, NULL, stat_name(item));
	json_end_array(w);
	json_array(w, "caches");
	for (unsigned i = 0; i < d->kept; i++)
		json_string(w, NULL, d->names[i]);
	json_end_array(w);
	json_tree(w, "base", runs->r[0].config);
	json_array(w, "runs");
	for (unsigned p = 0; p < runs->nr_points; p++)
		for (unsigned i = 0; i < runs->points[p].nr; i++)
			run(d, p, runs->points[p].first + i);
	json_end_array(w);
	json_end_object(w);
}

int report_data(FILE *out, const struct report *r, struct error *err)
{
	struct data d = {.r = r};
	char *json = NULL;
	size_t size;
	FILE *mem = open_memstream(&json, &size);
	int ret = mem ? collect(&d, err) : error_memory(err, "the page's data");

	if (!ret) {
		json_init(&d.w, mem);
		write_data(&d);
	}
	if (mem && fclose(mem) && !ret)
		ret = error_memory(err, "the page's data");
	if (!ret) {
		fputs("<script type=\"application/json\" id=\"data\">", out);
		html_json(out, json);
		fputs("</script>\n", out);
	}
	free(json);
	free(d.names);
	free(d.activity);
	return ret;
}
