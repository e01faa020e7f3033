#include "workloads/stream.h"

#include "workloads/input.h"
#include "workloads/import.h"

void stream_release(struct stream *st)
{
	for (unsigned i = 0; i < st->info.nr_caches; i++)
		free(st->info.caches[i].name);
	free(st->info.caches);
	free(st->info.notes);
	for (uint32_t i = 0; i < st->nr_sites; i++)
		free(st->sites[i]);
	free(st->sites);
	free(st->node_of_cpu);
	free(st->slabinfo_before);
	free(st->slabinfo_after);
}

struct stream *stream_open(const char *file, const struct trace_options *opt, struct error *err)
{
	struct input *in = input_open(file, err);
	const struct reader_ops *ops = in ? reader_choose(in, err) : NULL;
	struct stream *st = NULL;

	if (ops && ops->open_stream)
		st = ops->open_stream(in, opt, err);
	else if (ops)
		st = import_trace(in, ops, opt, err);
	input_close(in);
	return st;
}

/* ---- any source ---- */

struct wrapped {
	struct stream st;
	struct source *src;
};

static int wrapped_next(struct stream *st, struct stream_batch *batch, struct error *err)
{
	struct source *src = ((struct wrapped *)st)->src;
	struct batch b;
	int more = src->ops->next(src, &b, err);

	if (more > 0)
		*batch = (struct stream_batch){.events = b.events, .time_ns = b.time_ns, .n = b.n};
	return more;
}

static int wrapped_rewind(struct stream *st, struct error *err)
{
	struct source *src = ((struct wrapped *)st)->src;

	return src->ops->rewind(src, err);
}

static void wrapped_close(struct stream *st)
{
	stream_release(st);
	free(st);
}

static const struct stream_ops wrapped_ops = {
    .next = wrapped_next,
    .rewind = wrapped_rewind,
    .close = wrapped_close,
};

static int copy_caches(struct stream *st, const struct source_info *info)
{
	st->info.caches = calloc((size_t)info->nr_caches + 1, sizeof(*st->info.caches));
	if (!st->info.caches)
		return -1;
	for (unsigned i = 0; i < info->nr_caches; i++) {
		st->info.caches[i] = info->caches[i];
		st->info.caches[i].name = strdup(info->caches[i].name);
		if (!st->info.caches[i].name)
			return -1;
		st->info.nr_caches++;
	}
	return 0;
}

struct stream *stream_of_source(struct source *src, struct error *err)
{
	struct wrapped *w = calloc(1, sizeof(*w));
	struct stream *st = w ? &w->st : NULL;

	if (st) {
		*st = (struct stream){.ops = &wrapped_ops,
				      .in_order = true,
				      .has_shrinks = true,
				      .names_settled = true};
		st->info = src->info;
		st->info.caches = NULL;
		st->info.notes = NULL;
		st->info.nr_caches = st->info.nr_notes = 0;
		st->cpus_used = src->info.cpus;
		w->src = src;
		if (!copy_caches(st, &src->info))
			return st;
		wrapped_close(st);
	}
	error_memory(err, "a trace");
	return NULL;
}
