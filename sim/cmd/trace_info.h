/* What slabsim trace info prints. */
#ifndef SLABSIM_TRACE_INFO_H
#define SLABSIM_TRACE_INFO_H

#include <stdio.h>

#include "workloads/profile.h"

enum trace_info_format { TRACE_INFO_TEXT, TRACE_INFO_JSON, TRACE_INFO_CSV };

/* all: every cache in the text, too. 0, or -1 and err. */
int trace_info_write(const struct profile *p, const struct stream *st,
		     enum trace_info_format format, bool all, FILE *out, struct error *err);

#endif
