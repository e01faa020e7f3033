/* One row per cache. Columns are the JSON names, nested ones joined by a dot; no lists. */
#include <inttypes.h>

#include "sim/result/exporter.h"
#include "sim/escape.h"

/* X(column, value of cache c), behind the name. */
#define GEOMETRY(X)                                                                                \
	X("object_size", c->object_size)                                                           \
	X("size", c->size)                                                                         \
	X("align", c->align)                                                                       \
	X("order", c->order)                                                                       \
	X("objects_per_slab", c->objects_per_slab)                                                 \
	X("cpu_partial", c->cpu_partial)                                                           \
	X("cpu_partial_slabs", c->cpu_partial_slabs)                                               \
	X("min_partial", c->min_partial)                                                           \
	X("sheaf_capacity", c->sheaf_capacity)

#define STATE(X)                                                                                   \
	X("slabs", c->state.slabs)                                                                 \
	X("total_objects", c->state.total_objects)                                                 \
	X("objects", c->state.objects)                                                             \
	X("partial", c->state.partial)                                                             \
	X("objects_partial", c->state.objects_partial)                                             \
	X("cpu_slabs", c->state.cpu_slabs)                                                         \
	X("memory.total", c->state.memory_total)                                                   \
	X("memory.used", c->state.memory_used)                                                     \
	X("memory.peak_total", c->state.peak_total)                                                \
	X("memory.waste_tail", c->state.waste_tail)                                                \
	X("memory.waste_align", c->state.waste_align)                                              \
	X("memory.free", c->state.memory_free)

static void header(FILE *out, const struct stat_list *list)
{
	unsigned i;

	fputs("name", out);
#define X(column, value) fputs("," column, out);
	GEOMETRY(X)
	for (i = 0; i < list->n; i++)
		fprintf(out, ",counters.%s", stat_name(list->items[i]));
	STATE(X)
#undef X
	fputs("\r\n", out);
}

static void row(FILE *out, const struct stat_list *list, const struct result_cache *c)
{
	unsigned i;

	write_csv_field(out, c->name);
#define X(column, value) fprintf(out, ",%" PRIu64, (uint64_t)(value));
	GEOMETRY(X)
	for (i = 0; i < list->n; i++)
		fprintf(out, ",%" PRIu64, c->stat[list->items[i]]);
	STATE(X)
#undef X
	fputs("\r\n", out);
}

static void write_csv(FILE *out, const struct results *res)
{
	unsigned i;

	header(out, res->allocator->stats);
	for (i = 0; i < res->nr_caches; i++)
		row(out, res->allocator->stats, &res->caches[i]);
}

const struct exporter exporter_csv = {
    .name = "csv",
    .summary = "one row per cache",
    .write = write_csv,
};
