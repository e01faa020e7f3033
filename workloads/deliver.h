/*
 * What a replay wishes done to a stream's events: simultaneous ones in order, objects from before
 * the trace left out, caches told by call site. Objects get new ids on the way, which are dense
 * again.
 */
#ifndef SLABSIM_DELIVER_H
#define SLABSIM_DELIVER_H

#include "workloads/stream.h"

struct deliver;

/* Is there anything to do? If not, the stream's batches can be passed on as they are. */
bool deliver_needed(const struct stream *st, const struct trace_options *opt);
/* st is the caller's, and opt is read only here. NULL and err. */
struct deliver *deliver_new(struct stream *st, const struct trace_options *opt, struct error *err);
void deliver_free(struct deliver *d);

/* The events as a replay sees them: caches, counts and notes; d keeps what it points to. */
const struct source_info *deliver_info(const struct deliver *d);
/* From the next deliver_rewind() on, deliver_sites() tells the last batch's call sites. */
void deliver_want_sites(struct deliver *d);
const uint32_t *deliver_sites(const struct deliver *d);
/* As of struct source_ops. */
int deliver_next(struct deliver *d, struct batch *batch, struct error *err);
int deliver_rewind(struct deliver *d, struct error *err);

/*
 * The stream with its simultaneous events in the order that a replay gives them by default, as an
 * operation list; st becomes part of it, and is closed with it, or when this fails. NULL and err.
 */
struct stream *stream_in_order(struct stream *st, struct error *err);

#endif
