#include "sim/sweep/sweep_alike.h"

#include <inttypes.h>

/* A point, and what it is compared with others by. */
struct item {
	uint64_t line; /* points that differ in one dimension only have the same */
	uint64_t point;
	struct digest used;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_digests(const struct digest *a, const struct digest *b)
{
	int order = compare_numbers(a->crc64, b->crc64);

	return order ? order : compare_numbers(a->crc32, b->crc32);
}

static int by_line(const void *a, const void *b)
{
	const struct item *l = a, *r = b;
	int order = compare_numbers(l->line, r->line);

	return order ? order : compare_numbers(l->point, r->point);
}

static int by_digest(const void *a, const void *b)
{
	const struct item *l = a, *r = b;
	int order = compare_digests(&l->used, &r->used);

	return order ? order : compare_numbers(l->point, r->point);
}

/* Every point, with its line in a dimension. */
static void fill(const struct sweep_plan *p, unsigned dimension, struct item *items)
{
	const struct sweep *s = &p->sweep;
	uint64_t stride = 1;

	for (unsigned d = s->nr_dimensions; --d > dimension;)
		stride *= s->steps[d];
	for (uint64_t i = 0; i < s->nr_points; i++) {
		uint64_t step = s->points[i] / stride % s->steps[dimension];

		items[i] = (struct item){s->points[i] - step * stride, i, p->used[i]};
	}
}

/* Are points that differ in the dimension only all the same? Not when there are none. */
static bool without_effect(const struct sweep_plan *p, unsigned dimension, struct item *items)
{
	uint64_t pairs = 0;

	fill(p, dimension, items);
	qsort(items, p->sweep.nr_points, sizeof(*items), by_line);
	for (uint64_t i = 1; i < p->sweep.nr_points; i++) {
		if (items[i - 1].line != items[i].line)
			continue;
		if (compare_digests(&items[i - 1].used, &items[i].used))
			return false;
		pairs++;
	}
	return pairs;
}

static void tell_dimension(const struct sweep *s, unsigned dimension,
			   void (*note)(const char *fmt, ...))
{
	for (unsigned a = 0; a < s->nr_axes; a++)
		if (s->axes[a].dimension == dimension)
			note("sweep.%.200s: its %u values make no difference", s->axes[a].name,
			     s->axes[a].n);
}

static int tell_points(const struct sweep_plan *p, struct item *items,
		       void (*note)(const char *fmt, ...), struct error *err)
{
	uint64_t n = p->sweep.nr_points, alike = 0, first = 0;
	char *a, *b;
	int ret = 0;

	fill(p, 0, items);
	qsort(items, n, sizeof(*items), by_digest);
	for (uint64_t i = 1; i < n; i++) {
		if (compare_digests(&items[i - 1].used, &items[i].used))
			continue;
		if (!alike++)
			first = i;
	}
	if (!alike)
		return 0;
	a = sweep_label(&p->sweep, items[first - 1].point, err);
	b = a ? sweep_label(&p->sweep, items[first].point, err) : NULL;
	if (b)
		note("%" PRIu64 " of %" PRIu64 " points can only repeat another: \"%.300s\" is as "
		     "\"%.300s\"%s",
		     alike, n, b, a, alike > 1 ? ", for example" : "");
	else
		ret = -1;
	free(a);
	free(b);
	return ret;
}

int sweep_tell_alike(const struct sweep_plan *p, void (*note)(const char *fmt, ...),
		     struct error *err)
{
	struct item *items = calloc(p->sweep.nr_points, sizeof(*items));
	unsigned told = 0;
	int ret = 0;

	if (!items)
		return error_memory(err, "a sweep");
	for (unsigned i = 0; i < NR_SETTING_USES; i++)
		if (p->uses[i].given && !p->uses[i].used)
			note("%s is set, but not used: %s", p->uses[i].path, p->uses[i].why);
	for (unsigned d = 0; d < p->sweep.nr_dimensions; d++) {
		if (!without_effect(p, d, items))
			continue;
		tell_dimension(&p->sweep, d, note);
		told++;
	}
	if (!told && p->sweep.nr_dimensions)
		ret = tell_points(p, items, note, err);
	free(items);
	return ret;
}
