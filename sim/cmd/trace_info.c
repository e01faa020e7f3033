#include "sim/cmd/trace_info.h"

#include <inttypes.h>
#include <math.h>

#include "sim/json_writer.h"
#include "sim/table.h"
#include "sim/version.h"

/* Caches shown in the text unless all are asked for. */
#define SHOWN 20

struct info {
	const struct profile *p;
	const struct stream *st;
	unsigned *order; /* of caches: most events first */
	struct source_note *notes;
	unsigned nr_notes;
};

static const struct {
	const char *name;
	double q;
} quantiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1}};

#define NR_QUANTILES (sizeof(quantiles) / sizeof(quantiles[0]))

static uint64_t cache_events(const struct profile_cache *c)
{
	return c->allocs + c->frees + c->adopted + c->shrinks;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

/* Objects freed whose allocation is in the trace. */
static uint64_t known_frees(const struct profile_cache *c)
{
	return c->lifetime_events ? c->lifetime_events->count : 0;
}

static bool is_loss(const char *note)
{
	return !strcmp(note, note_name(NOTE_LOST_EVENTS)) ||
	       !strcmp(note, note_name(NOTE_OVERWRITTEN)) || !strcmp(note, note_name(NOTE_DAMAGED));
}

/* ---- text and CSV ---- */

/* "1.23 ms" */
static const char *duration(char *buf, size_t size, double ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
	size_t i = 0;

	while (i < 3 && ns < units[i].ns)
		i++;
	snprintf(buf, size, "%.3g %s", ns / units[i].ns, units[i].name);
	return buf;
}

static void add_columns(struct table *t, bool times, bool csv)
{
	static const char *const columns[][2] = {
	    {"name", "Cache"},	     {"object_size", "Objsize"},   {"size", "Size"},
	    {"events", "Events"},    {"share", "Share %"},	   {"allocs", "Allocs"},
	    {"frees", "Frees"},	     {"adopted", "Before"},	   {"peak", "Peak"},
	    {"live", "Live at end"}, {"remote_share", "Remote %"},
	};
	char key[64], title[64];

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_column(t, columns[i][0], columns[i][1]);
	for (size_t i = 0; i < NR_QUANTILES; i++) {
		if (csv || !times) {
			snprintf(key, sizeof(key), "lifetime_events.%s", quantiles[i].name);
			snprintf(title, sizeof(title), "Life %s", quantiles[i].name);
			table_column(t, key, title);
		}
	}
	for (size_t i = 0; i < NR_QUANTILES && times; i++) {
		snprintf(key, sizeof(key), "lifetime_ns.%s", quantiles[i].name);
		snprintf(title, sizeof(title), "Life %s", quantiles[i].name);
		table_column(t, key, title);
	}
}

static void add_quantiles(struct table *t, const struct histogram *h, bool as_time)
{
	char buf[32];

	for (size_t i = 0; i < NR_QUANTILES; i++) {
		if (!h)
			table_missing(t);
		else if (as_time)
			table_string(t, duration(buf, sizeof(buf),
						 (double)histogram_quantile(h, quantiles[i].q)));
		else
			table_u64(t, histogram_quantile(h, quantiles[i].q));
	}
}

static void add_row(struct table *t, const struct info *info, unsigned i, bool csv)
{
	const struct profile_cache *c = &info->p->caches[i];
	const struct source_cache *sc = &info->st->info.caches[i];
	bool times = info->st->info.has_times;

	table_row(t);
	table_string(t, *sc->name ? sc->name : "(no name)");
	table_u64(t, sc->object_size);
	table_u64(t, sc->size);
	table_u64(t, cache_events(c));
	table_real(t, 100 * share(cache_events(c), info->p->events), 2);
	table_u64(t, c->allocs);
	table_u64(t, c->frees);
	table_u64(t, c->adopted);
	table_u64(t, c->peak);
	table_u64(t, c->live);
	table_real(t, 100 * share(c->remote_frees, known_frees(c)), 2);
	if (csv || !times)
		add_quantiles(t, c->lifetime_events, false);
	if (times)
		add_quantiles(t, c->lifetime_ns, !csv);
}

static void note_machine(struct table *t, const struct info *info)
{
	const struct stream *st = info->st;
	char nodes[64] = "";
	char busy[32] = "";

	if (st->info.nodes)
		snprintf(nodes, sizeof(nodes), ", %u node%s", st->info.nodes,
			 st->info.nodes > 1 ? "s" : "");
	if (st->cpus_used < st->info.cpus)
		snprintf(busy, sizeof(busy), " (events on 0 to %u)", st->cpus_used - 1);
	table_note(t, "machine: %u CPU%s%s%s, pages of %u bytes%s", st->info.cpus,
		   st->info.cpus > 1 ? "s" : "", busy, nodes, st->page_size,
		   st->slabinfo_before ? "; slabinfo before and after" : "");
}

static void note_trace(struct table *t, const struct info *info)
{
	const struct profile *p = info->p;
	char span[32];

	if (info->st->info.has_times)
		table_note(t, "%" PRIu64 " events in %s", p->events,
			   duration(span, sizeof(span), (double)(p->last_ns - p->first_ns)));
	else
		table_note(t, "%" PRIu64 " events, without times", p->events);
	if (info->st->in_order)
		table_note(t, "an operation list: its order is that of the operations");
	note_machine(t, info);
	for (unsigned i = 0; i < info->nr_notes; i++)
		table_note(t, "%s%s: %" PRIu64 " (%s)", info->notes[i].skipped ? "skipped, " : "",
			   info->notes[i].name, info->notes[i].count, info->notes[i].help);
}

static int write_table(const struct info *info, bool csv, bool all, FILE *out, struct error *err)
{
	unsigned n = info->p->nr_caches, shown = all || csv || n < SHOWN ? n : SHOWN;
	char title[64];
	struct table t;
	int ret;

	table_init(&t, "trace");
	add_columns(&t, info->st->info.has_times, csv);
	note_trace(&t, info);
	snprintf(title, sizeof(title),
		 shown < n ? "%u caches; the largest %u (--all: all)" : "%u caches", n, shown);
	table_group(&t, csv ? "" : title);
	for (unsigned i = 0; i < shown; i++)
		add_row(&t, info, info->order[i], csv);
	ret = table_write(&t, csv ? TABLE_CSV : TABLE_TEXT, out, err);
	table_free(&t);
	return ret;
}

/* ---- JSON ---- */

static void put_quantiles(struct json_writer *w, const char *key, const struct histogram *h)
{
	json_object_inline(w, key);
	json_u64(w, "count", h->count);
	for (size_t i = 0; i < NR_QUANTILES; i++)
		json_u64(w, quantiles[i].name, histogram_quantile(h, quantiles[i].q));
	json_end_object(w);
}

static void put_cache(struct json_writer *w, const struct info *info, unsigned i)
{
	const struct profile_cache *c = &info->p->caches[i];
	const struct source_cache *sc = &info->st->info.caches[i];

	json_object(w, NULL);
	json_string(w, "name", sc->name);
	json_u64(w, "object_size", sc->object_size);
	json_u64(w, "size", sc->size);
	json_u64(w, "events", cache_events(c));
	json_double(w, "share", share(cache_events(c), info->p->events));
	json_u64(w, "allocs", c->allocs);
	json_u64(w, "frees", c->frees);
	json_u64(w, "adopted", c->adopted);
	json_u64(w, "shrinks", c->shrinks);
	json_u64(w, "may_block", c->may_block);
	json_u64(w, "peak", c->peak);
	json_u64(w, "live", c->live);
	json_u64(w, "remote_frees", c->remote_frees);
	json_double(w, "remote_share", share(c->remote_frees, known_frees(c)));
	if (c->lifetime_events)
		put_quantiles(w, "lifetime_events", c->lifetime_events);
	if (c->lifetime_ns)
		put_quantiles(w, "lifetime_ns", c->lifetime_ns);
	json_end_object(w);
}

static void put_machine(struct json_writer *w, const struct stream *st)
{
	json_object(w, "machine");
	json_u64(w, "cpus", st->info.cpus);
	if (st->info.nodes)
		json_u64(w, "nodes", st->info.nodes);
	json_u64(w, "page_size", st->page_size);
	if (st->node_of_cpu && st->info.nodes > 1) {
		json_array(w, "cpus_of_node");
		for (unsigned node = 0; node < st->info.nodes; node++) {
			json_array_inline(w, NULL);
			for (unsigned cpu = 0; cpu < st->info.cpus; cpu++)
				if (st->node_of_cpu[cpu] == node)
					json_u64(w, NULL, cpu);
			json_end_array(w);
		}
		json_end_array(w);
	}
	json_end_object(w);
}

/* kind: 0 mended, 1 skipped, 2 lost. */
static void put_notes(struct json_writer *w, const struct info *info, const char *key, int kind)
{
	json_object(w, key);
	for (unsigned i = 0; i < info->nr_notes; i++) {
		const struct source_note *n = &info->notes[i];

		if ((is_loss(n->name) ? 2 : n->skipped) == kind)
			json_u64(w, n->name, n->count);
	}
	json_end_object(w);
}

static void write_json(const struct info *info, FILE *out)
{
	const struct stream *st = info->st;
	const struct profile *p = info->p;
	struct json_writer w;

	json_init(&w, out);
	json_object(&w, NULL);
	json_string(&w, "slabsim", SLABSIM_VERSION);
	json_u64(&w, "events", p->events);
	json_bool(&w, "has_times", st->info.has_times);
	if (st->info.has_times) {
		json_u64(&w, "first_ns", p->first_ns);
		json_u64(&w, "span_ns", p->last_ns - p->first_ns);
	}
	json_bool(&w, "operation_list", st->in_order);
	/* As a config takes it. */
	put_machine(&w, st);
	json_object_inline(&w, "events_of_cpu");
	for (unsigned cpu = 0; cpu < st->cpus_used; cpu++) {
		char number[16];

		snprintf(number, sizeof(number), "%u", cpu);
		json_u64(&w, number, p->of_cpu[cpu]);
	}
	json_end_object(&w);
	json_bool(&w, "slabinfo", st->slabinfo_before != NULL);
	put_notes(&w, info, "repairs", 0);
	put_notes(&w, info, "skipped", 1);
	put_notes(&w, info, "lost", 2);
	json_array(&w, "caches");
	for (unsigned i = 0; i < p->nr_caches; i++)
		put_cache(&w, info, info->order[i]);
	json_end_array(&w);
	json_end_object(&w);
}

/* ---- order ---- */

struct ranked {
	uint64_t events;
	unsigned cache;
};

static int by_events(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->events != b->events)
		return a->events < b->events ? 1 : -1;
	return a->cache < b->cache ? -1 : a->cache > b->cache;
}

static int sort_caches(struct info *info)
{
	unsigned n = info->p->nr_caches;
	struct ranked *r = calloc((size_t)n + 1, sizeof(*r));
	int ret;

	info->order = calloc((size_t)n + 1, sizeof(*info->order));
	for (unsigned i = 0; r && i < n; i++)
		r[i] = (struct ranked){cache_events(&info->p->caches[i]), i};
	if (r)
		qsort(r, n, sizeof(*r), by_events);
	for (unsigned i = 0; r && info->order && i < n; i++)
		info->order[i] = r[i].cache;
	ret = r && info->order ? 0 : -1;
	free(r);
	return ret;
}

int trace_info_write(const struct profile *p, const struct stream *st,
		     enum trace_info_format format, bool all, FILE *out, struct error *err)
{
	struct info info = {.p = p, .st = st};
	int ret = 0;

	info.notes = notes_collect(st->notes, &info.nr_notes);
	if (!info.notes || sort_caches(&info))
		ret = error_memory(err, "the caches of a trace");
	else if (format == TRACE_INFO_JSON)
		write_json(&info, out);
	else
		ret = write_table(&info, format == TRACE_INFO_CSV, all, out, err);
	free(info.notes);
	free(info.order);
	return ret;
}
