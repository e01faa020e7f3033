/* The native trace format; docs/slabtrace.md tells every byte of it. */
#ifndef SLABSIM_SLABTRACE_H
#define SLABSIM_SLABTRACE_H

#include <stdio.h>

#include "workloads/stream.h"

struct slabtrace_options {
	bool times; /* write them, when the stream has any */
};

/*
 * Write a stream, from its first event on, to a file that comes into being whole or not at all;
 * "-": standard output. *bytes, unless NULL: its size. 0, or -1 and err.
 */
int slabtrace_write(struct stream *st, const char *path, const struct slabtrace_options *opt,
		    uint64_t *bytes, struct error *err);

/* The same, to what is open already. */
int slabtrace_write_to(struct stream *st, FILE *out, const struct slabtrace_options *opt,
		       struct error *err);

#endif
