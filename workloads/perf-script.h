/* A line as "perf script" prints it, for all who have perf print them. */
#ifndef SLABSIM_PERF_SCRIPT_H
#define SLABSIM_PERF_SCRIPT_H

#include "workloads/reader.h"

/* As parse_line_fn (reader.h). */
int perf_script_line(struct reader_ctx *ctx, const struct line *line, struct record *rec,
		     struct error *err);

#endif
