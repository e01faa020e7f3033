#include <inttypes.h>

#include "sim/escape.h"
#include "sim/result/report.h"

bool stat_list_has(const struct stat_list *list, enum stat_item item)
{
	unsigned i;

	for (i = 0; i < list->n; i++)
		if (list->items[i] == item)
			return true;
	return false;
}

uint64_t stat_allocations(const uint64_t stat[NR_STAT_ITEMS], bool has_alloc_pcs)
{
	uint64_t n = stat[ALLOC_FASTPATH] + stat[ALLOC_SLOWPATH];

	return has_alloc_pcs ? n + stat[ALLOC_PCS] - stat[SHEAF_REFILL] : n;
}

uint64_t stat_activity(const uint64_t stat[NR_STAT_ITEMS])
{
	return stat[ALLOC_FASTPATH] + stat[ALLOC_SLOWPATH] + stat[FREE_FASTPATH] +
	       stat[FREE_SLOWPATH] + stat[ALLOC_PCS] + stat[FREE_PCS];
}

/* value * 100 / total as slabinfo truncates it; 0 when there is no total. */
static uint64_t percent(uint64_t value, uint64_t total)
{
	return total ? (uint64_t)((unsigned __int128)value * 100 / total) : 0;
}

static void sizes_block(FILE *out, const struct result_cache *c)
{
	const struct cache_state *st = &c->state;
	int64_t slab_bytes = (int64_t)c->page_size << c->order;
	int64_t slabs = st->slabs, objects = st->objects;
	int64_t total = slabs * slab_bytes, used = objects * c->object_size;
	int pad = (int)(c->size - c->object_size);

	fputs("\nSizes (bytes)     Slabs              Debug                Memory\n", out);
	fputs("------------------------------------------------------------------------\n", out);
	fprintf(out,
		"Object : %7u  Total  : %7" PRId64 "   Sanity Checks : Off  Total: %7" PRId64 "\n",
		c->object_size, slabs, total);
	fprintf(out,
		"SlabObj: %7u  Full   : %7" PRId64 "   Redzoning     : Off  Used : %7" PRId64 "\n",
		c->size, slabs - (int64_t)st->partial - (int64_t)st->cpu_slabs, used);
	fprintf(out,
		"SlabSiz: %7" PRId64 "  Partial: %7" PRIu64
		"   Poisoning     : Off  Loss : %7" PRId64 "\n",
		slab_bytes, st->partial, total - used);
	fprintf(out,
		"Loss   : %7d  CpuSlab: %7" PRIu64 "   Tracking      : Off  Lalig: %7" PRId64 "\n",
		pad, st->cpu_slabs, pad * objects);
	fprintf(out, "Align  : %7u  Objects: %7u   Tracing       : Off  Lpadd: %7" PRId64 "\n",
		c->align, c->objects_per_slab,
		(slab_bytes - (int64_t)c->objects_per_slab * c->size) * slabs);
}

static void perf_row(FILE *out, const char *label, uint64_t alloc, uint64_t free, uint64_t allocs,
		     uint64_t frees)
{
	fprintf(out, "%-20s %8" PRIu64 " %8" PRIu64 " %3" PRIu64 " %3" PRIu64 "\n", label, alloc,
		free, percent(alloc, allocs), percent(free, frees));
}

static void perf_block(FILE *out, const uint64_t *stat)
{
	uint64_t allocs = stat[ALLOC_FASTPATH] + stat[ALLOC_SLOWPATH];
	uint64_t frees = stat[FREE_FASTPATH] + stat[FREE_SLOWPATH];

	fputs("\nSlab Perf Counter       Alloc     Free %Al %Fr\n", out);
	fputs("--------------------------------------------------\n", out);
	perf_row(out, "Fastpath", stat[ALLOC_FASTPATH], stat[FREE_FASTPATH], allocs, frees);
	perf_row(out, "Slowpath", stat[ALLOC_SLOWPATH], stat[FREE_SLOWPATH], allocs, frees);
	perf_row(out, "Page Alloc", stat[ALLOC_SLAB], stat[FREE_SLAB], allocs, frees);
	perf_row(out, "Add partial", stat[DEACTIVATE_TO_HEAD] + stat[DEACTIVATE_TO_TAIL],
		 stat[FREE_ADD_PARTIAL], allocs, frees);
	perf_row(out, "Remove partial", stat[ALLOC_FROM_PARTIAL], stat[FREE_REMOVE_PARTIAL], allocs,
		 frees);
	perf_row(out, "Cpu partial list", stat[CPU_PARTIAL_ALLOC], stat[CPU_PARTIAL_FREE], allocs,
		 frees);
	perf_row(out, "RemoteObj/SlabFrozen", stat[DEACTIVATE_REMOTE_FREES], stat[FREE_FROZEN],
		 allocs, frees);
	fprintf(out, "%-20s %8" PRIu64 " %8" PRIu64 "\n\n", "Total", allocs, frees);
}

static void deactivation_row(FILE *out, const char *label, uint64_t value, uint64_t total)
{
	fprintf(out, "%-29s %7" PRIu64 "  %3" PRIu64 "%%\n", label, value, percent(value, total));
}

static void deactivation_block(FILE *out, const uint64_t *stat, uint64_t total)
{
	fputs("\nSlab Deactivation             Occurrences %\n", out);
	fputs("-------------------------------------------------\n", out);
	deactivation_row(out, "Slab full", stat[DEACTIVATE_FULL], total);
	deactivation_row(out, "Slab empty", stat[DEACTIVATE_EMPTY], total);
	deactivation_row(out, "Moved to head of partial list", stat[DEACTIVATE_TO_HEAD], total);
	deactivation_row(out, "Moved to tail of partial list", stat[DEACTIVATE_TO_TAIL], total);
	deactivation_row(out, "Deactivation bypass", stat[DEACTIVATE_BYPASS], total);
	/* These two are not part of the total and can exceed 100 %. */
	deactivation_row(out, "Refilled from foreign frees", stat[ALLOC_REFILL], total);
	deactivation_row(out, "Node mismatch", stat[ALLOC_NODE_MISMATCH], total);
}

static void stats(FILE *out, const uint64_t *stat)
{
	uint64_t total = stat[DEACTIVATE_FULL] + stat[DEACTIVATE_EMPTY] + stat[DEACTIVATE_TO_HEAD] +
			 stat[DEACTIVATE_TO_TAIL] + stat[DEACTIVATE_BYPASS];

	if (!stat[ALLOC_SLAB] || !(stat[ALLOC_FASTPATH] + stat[ALLOC_SLOWPATH]))
		return;
	perf_block(out, stat);
	if (stat[CPUSLAB_FLUSH])
		fprintf(out, "Flushes %8" PRIu64 "\n", stat[CPUSLAB_FLUSH]);
	if (total)
		deactivation_block(out, stat, total);
	if (stat[CMPXCHG_DOUBLE_FAIL] || stat[CMPXCHG_DOUBLE_CPU_FAIL]) {
		fputs("\nCmpxchg_double Looping\n------------------------\n", out);
		fprintf(out, "Locked Cmpxchg Double redos   %" PRIu64 "\n",
			stat[CMPXCHG_DOUBLE_FAIL]);
		fprintf(out, "Unlocked Cmpxchg Double redos %" PRIu64 "\n",
			stat[CMPXCHG_DOUBLE_CPU_FAIL]);
	}
}

void report_slabinfo(FILE *out, const struct result_cache *c)
{
	fputs("\nSlabcache: ", out);
	write_padded(out, c->name, 15);
	fprintf(out, "  Aliases: %2u Order : %2u Objects: %" PRIu64 "\n", c->nr_aliases, c->order,
		c->state.objects);
	if (c->hwcache_align)
		fputs("** Hardware cacheline aligned\n", out);
	if (c->typesafe_by_rcu)
		fputs("** Slabs are destroyed via RCU\n", out);
	sizes_block(out, c);
	putc('\n', out);
	write_plain(out, c->name);
	fputs(": No NUMA information available.\n", out);
	stats(out, c->stat);
}

/* Counters that slabinfo -r has no row for; where many would be 0, those only if they are not. */
static bool extra_counter(const struct result_cache *c, const struct allocator_ops *a,
			  enum stat_item item)
{
	if (!stat_list_has(a->stats, item))
		return false;
	if (item == CPU_PARTIAL_NODE || item == CPU_PARTIAL_DRAIN)
		return true;
	if (item == ORDER_FALLBACK)
		return c->stat[item];
	/* has a row in the deactivation block, which 7.0 leaves empty */
	if (item == ALLOC_NODE_MISMATCH)
		return !a->has_cpu_slabs && c->stat[item];
	if (item >= ALLOC_PCS)
		return c->sheaf_capacity || c->stat[item];
	return false;
}

static void extra_counters(FILE *out, const struct result_cache *c, const struct allocator_ops *a)
{
	uint64_t allocs = stat_allocations(c->stat, stat_list_has(a->stats, ALLOC_PCS));
	unsigned i;

	fprintf(out, "\n%-29s %11s %6s\n", "Not in slabinfo", "Occurrences", "%Al");
	fputs("-------------------------------------------------\n", out);
	fprintf(out, "%-29s %11" PRIu64 "\n", "Objects allocated", allocs);
	for (i = 0; i < a->stats->n; i++) {
		enum stat_item item = a->stats->items[i];

		if (!extra_counter(c, a, item))
			continue;
		fprintf(out, "%-29s %11" PRIu64, stat_name(item), c->stat[item]);
		if (allocs)
			fprintf(out, " %6.2f", 100.0 * (double)c->stat[item] / (double)allocs);
		putc('\n', out);
	}
}

static void memory_row(FILE *out, const char *label, uint64_t bytes)
{
	fprintf(out, "%-29s %11" PRIu64 "\n", label, bytes);
}

static void extra_memory(FILE *out, const struct result_cache *c)
{
	const struct cache_state *st = &c->state;
	/* sysfs counts objects that wait on a CPU as used */
	uint64_t on_cpus = st->objects > st->live ? st->objects - st->live : 0;

	fprintf(out, "\n%-29s %11s\n", "Memory", "Bytes");
	fputs("-------------------------------------------------\n", out);
	memory_row(out, "Peak of slabs", st->peak_total);
	memory_row(out, "Slabs now", st->memory_total);
	memory_row(out, "Live objects", st->live * c->object_size);
	memory_row(out, "Waste at slabs' tails", st->waste_tail);
	memory_row(out, "Waste by alignment", st->waste_align);
	memory_row(out, "Free objects", st->memory_free);
	fprintf(out, "\n%-29s %11s\n", "Objects", "Number");
	fputs("-------------------------------------------------\n", out);
	memory_row(out, "Live", st->live);
	memory_row(out, "Free, on CPUs", on_cpus);
	if (c->sheaf_capacity)
		memory_row(out, "  of these in sheaves", st->sheaf_objects);
	memory_row(out, "Free, on node lists",
		   st->total_objects > st->objects ? st->total_objects - st->objects : 0);
}

void report_extra(FILE *out, const struct result_cache *c, const struct allocator_ops *a)
{
	extra_counters(out, c, a);
	extra_memory(out, c);
}

/* slabinfo's store_size(): decimal units, one digit, truncated. */
static void size_text(char *text, size_t n, uint64_t value)
{
	uint64_t tenth = 0;
	char unit = 0;

	if (value > 1000000000) {
		tenth = value / 100000000;
		unit = 'G';
	} else if (value > 1000000) {
		tenth = value / 100000;
		unit = 'M';
	} else if (value > 1000) {
		tenth = value / 100;
		unit = 'K';
	}
	if (unit)
		snprintf(text, n, "%" PRIu64 ".%u%c", tenth / 10, (unsigned)(tenth % 10), unit);
	else
		snprintf(text, n, "%" PRIu64, value);
}

void report_listing_header(FILE *out)
{
	fputs(
	    "Name                   Objects Objsize           Space Slabs/Part/Cpu  O/S O %Fr %Ef "
	    "Flg\n",
	    out);
}

void report_listing_row(FILE *out, const struct result_cache *c)
{
	const struct cache_state *st = &c->state;
	uint64_t bytes = st->slabs * ((uint64_t)c->page_size << c->order);
	char space[24], dist[72];

	size_text(space, sizeof(space), bytes);
	snprintf(dist, sizeof(dist), "%" PRId64 "/%" PRIu64 "/%" PRIu64,
		 (int64_t)(st->slabs - st->cpu_slabs), st->partial, st->cpu_slabs);
	write_padded(out, c->name, 21);
	fprintf(out, " %8" PRIu64 " %7u %15s %14s %4u %1u %3" PRIu64 " %3" PRIu64 " %s\n",
		st->objects, c->object_size, space, dist, c->objects_per_slab, c->order,
		st->slabs ? percent(st->partial, st->slabs) : 100,
		st->slabs ? percent(st->objects * c->object_size, bytes) : 100,
		c->hwcache_align ? "A" : "");
}
