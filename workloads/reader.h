/*
 * Readers: one file per trace format, reader-*.c, each ending in its ops struct and
 * READER(ops); nothing else names it. A reader turns a file into records; what they mean is
 * resolve.c's business.
 */
#ifndef SLABSIM_READER_H
#define SLABSIM_READER_H

#include "workloads/input.h"
#include "workloads/intern.h"
#include "workloads/note.h"
#include "workloads/record.h"

struct stream;
struct trace_options;

/* How much of the (decompressed) file a probe sees. */
#define PROBE_SIZE (64 << 10)

/* Events that are not ours, by name, for the message about a trace without allocations. */
#define CENSUS_SIZE 12

struct census {
	struct {
		char name[32];
		uint64_t count;
	} event[CENSUS_SIZE];
	unsigned n, last;
	uint64_t others; /* of names that found no place */
};

/* A cache as the trace's header describes it; 0: not known. */
struct told_cache {
	uint32_t name; /* interned */
	unsigned object_size, size;
};

/* What a reader works with, and what it reports besides records. */
struct reader_ctx {
	struct input *in;
	struct intern *strings; /* cache names and call sites */
	struct gfp_cache *gfp;
	uint64_t notes[NR_NOTES];
	struct census census;
	unsigned cpus;		   /* as the header says; 0: it does not */
	unsigned nodes;		   /* the same */
	unsigned page_size;	   /* the same */
	struct told_cache *caches; /* all of the trace, in their order; those it does not tell of
				      follow */
	unsigned nr_caches;
	bool missing_time; /* some event had no time that means anything in nanoseconds */
};

struct reader_ops {
	const char *name;
	const char *summary; /* one line: what writes such files, how they look */
	/*
	 * How sure is it that these first bytes are of this format: 0, not at all, to 100. len is
	 * PROBE_SIZE, or less for a short file.
	 */
	int (*probe)(const char *head, size_t len);
	void *(*open)(struct reader_ctx *ctx, struct error *err);
	/* Up to cap records (at least 1): how many, 0 at the end, -1 and err. */
	int64_t (*next)(void *state, struct record *rec, size_t cap, struct error *err);
	void (*close)(void *state);
	/*
	 * Instead of the three above, for files whose events need no resolving: the whole stream;
	 * in is closed when it returns.
	 */
	struct stream *(*open_stream)(struct input *in, const struct trace_options *opt,
				      struct error *err);
};

#define READER(ops)                                                                                \
	static const struct reader_ops *const reader_##ops                                         \
	    __attribute__((used, section("slabsim_readers"))) = &(ops)

/* The reader for the file, by its first bytes; NULL and err when there is none. */
const struct reader_ops *reader_choose(struct input *in, struct error *err);
/* In order of name; NULL behind the last. */
const struct reader_ops *reader_nth(size_t i);

/*
 * next() for text: hands each line to parse, which makes a record of it (1), or counts why it
 * does not (0), or fails (-1). Empty lines are counted here, and so is a last line without its
 * newline: whoever wrote it was interrupted, and what is there may be half a number.
 */
typedef int (*parse_line_fn)(struct reader_ctx *ctx, const struct line *line, struct record *rec,
			     struct error *err);
int64_t reader_next_lines(struct reader_ctx *ctx, parse_line_fn parse, struct record *rec,
			  size_t cap, struct error *err);

/* open() and close() of readers that need no state but ctx. */
void *reader_open_lines(struct reader_ctx *ctx, struct error *err);
void reader_close_lines(void *state);

void census_add(struct census *c, const char *name, size_t len);
/* count of them at once, 0 too. */
void census_put(struct census *c, const char *name, uint64_t count);
/* "kfree 12, sched_switch 3" into buf. */
void census_text(const struct census *c, char *buf, size_t size);

#endif
