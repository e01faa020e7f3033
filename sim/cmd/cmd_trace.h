/* The subcommands of slabsim trace, one file each; cmd_trace.c has the table of them. */
#ifndef SLABSIM_CMD_TRACE_H
#define SLABSIM_CMD_TRACE_H

#include "sim/cmd/command.h"
#include "workloads/stream.h"

extern const struct command cmd_trace_convert, cmd_trace_cut, cmd_trace_info, cmd_trace_record;
extern const struct command cmd_trace_fit, cmd_trace_generate;

/* The value of --to: CSV, or a .slabtrace file. 0, or -1 and err. */
int trace_read_to(const char *name, bool *csv, struct error *err);

/*
 * Open a trace with everything in it, as far as it can be told: nothing reordered, objects from
 * before it kept. opt tells the rest. NULL and err.
 */
struct stream *trace_open_whole(const char *file, struct trace_options *opt, struct error *err);

/*
 * Tell on standard error what befell the trace on its way in: events, lines or records that gave
 * none, with reasons, and what was mended.
 */
void trace_tell_account(const struct stream *st);

#endif
