/*
 * A trace file as a stream of bytes or lines. gzip, zstd and xz are recognised by their first
 * bytes and decompressed on the way; anything else is taken as it is.
 */
#ifndef SLABSIM_INPUT_H
#define SLABSIM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"

/* A longer line is an error: text traces have none. */
#define INPUT_LINE_MAX (1 << 20)

struct input;

/* A line without its newline; valid until the next call on the same input. */
struct line {
	const char *s;
	size_t len;
	uint64_t number; /* from 1 */
	bool cut;	 /* the last one, and its newline is missing */
};

/*
 * Open a file, or standard input when file is "-". NULL and err when it cannot be opened or
 * is empty.
 */
struct input *input_open(const char *file, struct error *err);
/* The same for a descriptor, which it takes, closing it even when this fails. */
struct input *input_open_fd(int fd, const char *name, struct error *err);
/* An input with nothing in it: a name for messages about what does not come from a file. */
struct input *input_nothing(const char *name, struct error *err);
void input_close(struct input *in);

/* The file's name as messages should give it. */
const char *input_name(const struct input *in);
/* The path input_open() was given. */
const char *input_path(const struct input *in);
/* "gzip", "zstd", "xz", or NULL when the file is not compressed. */
const char *input_compression(const struct input *in);

/*
 * Look at the first bytes without taking them: at most want, fewer when the file is shorter.
 * Only before the first input_line() or input_read(). The number of bytes, or -1.
 */
int64_t input_peek(struct input *in, const char **p, size_t want, struct error *err);
/* The same, but a byte order mark before them is taken and forgotten. */
int64_t input_peek_text(struct input *in, const char **p, size_t want, struct error *err);
/* The next line: 1, 0 at the end, -1 and err. */
int input_line(struct input *in, struct line *line, struct error *err);
/* Up to n of the next bytes: how many, 0 at the end, -1 and err. */
int64_t input_read(struct input *in, void *buf, size_t n, struct error *err);

/*
 * The whole (decompressed) content, for those who must read it in any order: a descriptor, to be
 * closed, that can be seeked; position 0 is the first byte. A temporary file unless the file
 * itself will do. Only after input_peek() at most; the input is at its end then. -1 and err.
 */
int input_file(struct input *in, struct error *err);

#endif
