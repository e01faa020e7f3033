/* Whole files: read at once, and written so that a reader never sees half of one. */
#ifndef SLABSIM_FILE_H
#define SLABSIM_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "sim/error.h"

/*
 * The contents of a file of at most max bytes, with a NUL behind them that *len does not count;
 * NULL and err otherwise. To be freed.
 */
char *file_read(const char *path, size_t max, size_t *len, struct error *err);

/* name, unless absolute or "-", seen from the folder that the file base is in. To be freed. */
char *path_beside(const char *base, const char *name, struct error *err);

/*
 * A file being written. The bytes go to a temporary file beside it, which has no name, so that
 * nothing is left if we are killed, where the file system can do that; it takes the file's place in
 * file_commit(), synced; before that, or after an error, the old file is as it was. What is not
 * a regular file (/dev/stdout, a pipe) is written directly, and "-" is standard output.
 */
struct out_file {
	FILE *stream;
	char *path;	  /* what is replaced, symbolic links followed; NULL: written directly */
	char *temp;	  /* the temporary file's name while it has one, or NULL */
	const char *name; /* as the caller called it; borrowed */
};

/* Could path be written? To be asked before long work. 0, or -1 and err. */
int file_check_writable(const char *path, struct error *err);
/* Would writing output overwrite the file that is read as input? Either may be NULL. 0, or -1. */
int file_check_not_input(const char *output, const char *input, struct error *err);
int file_create(struct out_file *out, const char *path, struct error *err);
int file_commit(struct out_file *out, struct error *err);
/*
 * "NAME: cannot be written: WHY", of standard output by its name, after a write to the stream has
 * failed: by errno, or when that is 0, as after an earlier failure, by trying again. Returns -1.
 */
int file_write_failed(FILE *stream, const char *name, struct error *err);
/* Give up: the temporary file is removed. Does nothing after file_commit(). */
void file_abandon(struct out_file *out);
/* All of it, as above: the file has the n bytes, or is as it was. 0, or -1 and err. */
int file_write(const char *path, const void *bytes, size_t n, struct error *err);

#endif
