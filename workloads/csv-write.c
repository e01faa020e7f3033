#include "workloads/csv-write.h"

#include "sim/file.h"
#include "workloads/csv-table.h"
#include "workloads/renumber.h"
#include "workloads/slabtrace-format.h"

struct csv_writer {
	struct stream *st;
	struct renumber ids; /* object numbers are unique among all caches */
	FILE *out;
	bool times;
	uint64_t bulk;	   /* the number of the call */
	bool *bulk_open;   /* by cache: the last event has more of its call behind it */
	uint64_t *bulk_of; /* by cache: its call's number */
};

/* clang-format off */
static const char *const op_names[NR_EVENT_OPS] = {
	[EV_ALLOC] = "alloc",
	[EV_FREE] = "free",
	[EV_ALLOC_BULK] = "alloc_bulk",
	[EV_FREE_BULK] = "free_bulk",
	[EV_FREE_RCU] = "free_rcu",
	[EV_SHRINK] = "shrink",
};
/* clang-format on */

static void put_bulk(struct csv_writer *w, const struct event *ev)
{
	if (ev->op != EV_ALLOC_BULK && ev->op != EV_FREE_BULK)
		return;
	if (!w->bulk_open[ev->cache])
		w->bulk_of[ev->cache] = w->bulk++;
	w->bulk_open[ev->cache] = ev->flags & EVF_MORE;
	fprintf(w->out, "%llu", (unsigned long long)w->bulk_of[ev->cache]);
}

static int put_row(struct csv_writer *w, const struct event *ev, uint64_t time_ns,
		   struct error *err)
{
	const struct source_cache *sc = &w->st->info.caches[ev->cache];
	bool alloc = slabtrace_allocates(ev->op) || ev->op == EV_ADOPT;
	uint32_t id = 0;

	if (alloc)
		id = renumber_begin(&w->ids, ev->cache, ev->object);
	else if (ev->op != EV_SHRINK)
		id = renumber_end(&w->ids, ev->cache, ev->object);
	if (id == ID_NONE)
		return error_memory(err, "the objects of a trace");
	/* The free of an object that no row allocates says the same. */
	if (ev->op == EV_ADOPT)
		return 0;
	fprintf(w->out, "%s,%u,", op_names[ev->op], ev->cpu);
	if (ev->op != EV_SHRINK)
		fprintf(w->out, "%u", id);
	if (w->times)
		fprintf(w->out, ",%llu", (unsigned long long)time_ns);
	putc(',', w->out);
	if (ev->node >= 0)
		fprintf(w->out, "%d", ev->node);
	putc(',', w->out);
	csv_put_name(w->out, sc->name);
	putc(',', w->out);
	/* Without a name it would be taken for the size of a kmalloc. */
	if (alloc && sc->object_size && *sc->name)
		fprintf(w->out, "%u", sc->object_size);
	putc(',', w->out);
	put_bulk(w, ev);
	fputs(alloc && !(ev->flags & EVF_MAY_BLOCK) ? ",atomic\n" : ",\n", w->out);
	return 0;
}

static int put_rows(struct csv_writer *w, struct error *err)
{
	struct stream_batch b;
	int more;

	csv_put_table(w->out, w->st);
	fprintf(w->out, "op,cpu,object%s,node,cache,size,bulk,gfp\n", w->times ? ",time_ns" : "");
	while ((more = w->st->ops->next(w->st, &b, err)) > 0)
		for (size_t i = 0; i < b.n; i++)
			if (put_row(w, &b.events[i], b.time_ns ? b.time_ns[i] : 0, err))
				return -1;
	return more;
}

int csv_write(struct stream *st, const char *path, bool times, struct error *err)
{
	struct csv_writer w = {.st = st, .times = times && st->info.has_times};
	size_t caches = (size_t)st->info.nr_caches + 1;
	struct out_file out;
	int ret = -1;

	w.bulk_open = calloc(caches, sizeof(*w.bulk_open));
	w.bulk_of = calloc(caches, sizeof(*w.bulk_of));
	if (renumber_init(&w.ids, st->info.nr_caches, true) || !w.bulk_open || !w.bulk_of)
		error_memory(err, "writing a trace");
	else if (!st->ops->rewind(st, err) && !file_create(&out, path, err)) {
		w.out = out.stream;
		ret = put_rows(&w, err);
		if (ret)
			file_abandon(&out);
		else
			ret = file_commit(&out, err);
	}
	renumber_free(&w.ids);
	free(w.bulk_open);
	free(w.bulk_of);
	return ret;
}
