/* A stream whose simultaneous events are in order. */
#include "workloads/deliver.h"

struct ordered {
	struct stream st;
	struct stream *inner;
	struct deliver *d;
};

static int ordered_next(struct stream *st, struct stream_batch *batch, struct error *err)
{
	struct ordered *o = (struct ordered *)st;
	struct batch b;
	int more = deliver_next(o->d, &b, err);

	if (more > 0)
		*batch = (struct stream_batch){.events = b.events,
					       .time_ns = b.time_ns,
					       .site = deliver_sites(o->d),
					       .n = b.n};
	return more;
}

static int ordered_rewind(struct stream *st, struct error *err)
{
	return deliver_rewind(((struct ordered *)st)->d, err);
}

static void ordered_close(struct stream *st)
{
	struct ordered *o = (struct ordered *)st;

	deliver_free(o->d);
	stream_close(o->inner);
	free(o);
}

static const struct stream_ops ordered_ops = {
    .next = ordered_next,
    .rewind = ordered_rewind,
    .close = ordered_close,
};

struct stream *stream_in_order(struct stream *st, struct error *err)
{
	const struct trace_options opt = {.reorder_ns = 0, .adopt = true, .may_block = -1};
	struct ordered *o;

	if (!deliver_needed(st, &opt)) {
		st->in_order = true;
		return st;
	}
	o = calloc(1, sizeof(*o));
	if (!o) {
		stream_close(st);
		error_memory(err, "a trace");
		return NULL;
	}
	o->inner = st;
	o->d = deliver_new(st, &opt, err);
	if (!o->d) {
		ordered_close(&o->st);
		return NULL;
	}
	deliver_want_sites(o->d);
	/* All but the events is the inner stream's, and stays it. */
	o->st = *st;
	o->st.ops = &ordered_ops;
	o->st.info = *deliver_info(o->d);
	o->st.in_order = true;
	/* An adopted object has its id before the events that are delivered before it. */
	o->st.ids_settled = false;
	if (deliver_rewind(o->d, err)) {
		ordered_close(&o->st);
		return NULL;
	}
	return &o->st;
}
