/* Recordings in any format but .slabtrace: read once, resolved, and kept in the spool. */
#ifndef SLABSIM_IMPORT_H
#define SLABSIM_IMPORT_H

#include "workloads/reader.h"
#include "workloads/resolve.h"
#include "workloads/stream.h"

/* Read the whole input, which stays the caller's. NULL and err. */
struct stream *import_trace(struct input *in, const struct reader_ops *ops,
			    const struct trace_options *opt, struct error *err);

/* For a recording that brings its records itself: the reader's context and the resolver. */
struct import {
	struct reader_ctx ctx;
	struct resolver resolver;
};

/* in names the recording in messages, and stays the caller's. */
int import_begin(struct import *im, struct input *in, const struct trace_options *opt,
		 struct error *err);
/* After the last record (resolver_add): the stream, or NULL and err. */
struct stream *import_finish(struct import *im, struct error *err);
void import_free(struct import *im);

#endif
