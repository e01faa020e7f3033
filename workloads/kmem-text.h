/*
 * The text of a kmem event, "call_site=... ptr=... ..." (facts 8.1), as kernels 3.x to 7.x
 * print it and as trace-cmd and perf script do. Shared by all text readers.
 */
#ifndef SLABSIM_KMEM_TEXT_H
#define SLABSIM_KMEM_TEXT_H

#include "workloads/reader.h"
#include "workloads/task-line.h"

/*
 * Parse an event's fields into rec, whose kind and line are set: 1; 0 when the text is not
 * what the event prints; -1 and err when pointers are hidden, or memory ran out.
 */
int kmem_text_parse(struct reader_ctx *ctx, const char *s, const char *end, struct record *rec,
		    struct error *err);

/*
 * The same for a line whose front is parsed already. Everything but an allocation or free is
 * counted in ctx's notes: 1: a record; 0: counted and skipped; -1 and err.
 */
int kmem_text_line(struct reader_ctx *ctx, const struct line *line, const struct task_line *tl,
		   struct record *rec, struct error *err);

#endif
