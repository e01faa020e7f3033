/* trace_open(): a stream, and what a replay wishes done to it. */
#include "workloads/trace.h"

#include "workloads/deliver.h"
#include "workloads/jitter.h"

struct trace {
	struct source src;
	struct stream *st;
	struct deliver *deliver; /* NULL: the stream's batches are passed on as they are */
};

static int trace_next(struct source *src, struct batch *batch, struct error *err)
{
	struct trace *t = (struct trace *)src;
	struct stream_batch b;
	int more;

	if (t->deliver)
		return deliver_next(t->deliver, batch, err);
	more = t->st->ops->next(t->st, &b, err);
	if (more > 0)
		*batch = (struct batch){b.events, b.time_ns, b.n};
	return more;
}

static int trace_rewind(struct source *src, struct error *err)
{
	struct trace *t = (struct trace *)src;

	return t->deliver ? deliver_rewind(t->deliver, err) : t->st->ops->rewind(t->st, err);
}

static void trace_close(struct source *src)
{
	struct trace *t = (struct trace *)src;

	deliver_free(t->deliver);
	stream_close(t->st);
	free(src->info.notes);
	free(t);
}

static const struct source_ops trace_ops = {
    .next = trace_next,
    .rewind = trace_rewind,
    .close = trace_close,
};

/* The machine that was configured may be smaller than the one recorded, if it has all it needs. */
static int check_cpus(struct stream *st, const char *file, unsigned max_cpus, struct error *err)
{
	if (!max_cpus || st->info.cpus <= max_cpus)
		return 0;
	if (st->cpus_used > max_cpus)
		return error_input(err, "%s: CPU %u, but the machine has CPUs 0 to %u", file,
				   st->cpus_used - 1, max_cpus - 1);
	st->info.cpus = st->cpus_used;
	return 0;
}

static int add_jitter(struct trace *t, const char *file, const struct trace_options *opt,
		      struct error *err)
{
	t->st = stream_jitter(t->st, opt->jitter_ns, opt->seed, err);
	return t->st ? 0 : error_prefix(err, "%s", file);
}

static int set_up(struct trace *t, const char *file, const struct trace_options *opt,
		  struct error *err)
{
	t->st = stream_open(file, opt, err);
	if (!t->st || check_cpus(t->st, file, opt->max_cpus, err))
		return -1;
	if (opt->jitter_ns && add_jitter(t, file, opt, err))
		return -1;
	if (deliver_needed(t->st, opt)) {
		t->deliver = deliver_new(t->st, opt, err);
		if (!t->deliver)
			return -1;
	}
	t->src.info = t->deliver ? *deliver_info(t->deliver) : t->st->info;
	t->src.info.notes = notes_collect(t->st->notes, &t->src.info.nr_notes);
	return t->src.info.notes ? 0 : error_memory(err, "notes on a trace");
}

struct source *trace_open(const char *file, const struct trace_options *opt, struct error *err)
{
	struct trace *t = calloc(1, sizeof(*t));

	if (!t) {
		error_memory(err, "reading a trace");
		return NULL;
	}
	t->src.ops = &trace_ops;
	if (set_up(t, file, opt, err)) {
		trace_close(&t->src);
		return NULL;
	}
	return &t->src;
}
