/* Traces written in a test, opened as a source, and looked at. */
#ifndef SLABSIM_TESTS_TRACE_FIXTURE_H
#define SLABSIM_TESTS_TRACE_FIXTURE_H

#include "workloads/trace.h"

/* 4 KiB pages, what the trace says of blocking, any CPU, events in the order of the text. */
extern const struct trace_options fixture_options;

/* A temporary file with this content; its path is to be unlinked and freed. */
char *fixture_file(const void *data, size_t len);

/* Open a trace of this text; opt may be NULL. The test fails when it is refused. */
struct source *fixture_open(const char *text, const struct trace_options *opt);
void fixture_close(struct source *src);
/* The test fails unless the text is refused as wrong input with a message that has part. */
void fixture_refused(const char *text, const struct trace_options *opt, const char *part);
void fixture_refused_bytes(const void *data, size_t len, const struct trace_options *opt,
			   const char *part);

/* All events from the first on, in one array to be freed; info.events of them. times may be NULL.
 */
struct event *fixture_events(struct source *src, uint64_t **times);
/* The count of a note; 0 when it is not there. */
uint64_t fixture_note(const struct source *src, const char *name);
/* The index of a cache; -1 when there is none. */
int fixture_cache(const struct source *src, const char *name);
/* The test fails unless every line of the text is an event or counted as skipped. */
void fixture_accounts_for(const struct source *src, const char *text);

/* A trace's file as a .slabtrace file; its path is to be unlinked and freed. */
char *fixture_convert(const char *file, bool times);
/* The whole of a file of at most 16 MiB, to be freed. */
char *fixture_read(const char *file, size_t *n);
/* The test fails unless both sources have the same caches, events and times. */
void fixture_same(struct source *a, struct source *b);

#endif
