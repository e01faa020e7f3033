/* Between the files of the journal. */
#ifndef SLABSIM_JOURNAL_LINE_H
#define SLABSIM_JOURNAL_LINE_H

#include <stdio.h>

#include "sim/sweep/journal.h"

struct journal_record {
	uint64_t run;
	char key[DIGEST_LEN + 1];
	const char *rest; /* in the line: what follows {"run":N, */
};

/* The first line, with its newline. To be freed; NULL and err. */
char *journal_head_line(const struct sweep *s, const char *plan, struct error *err);
/* Read it, where: the file. 0, or -1 and err; to be freed with journal_head_free(). */
int journal_parse_head(struct journal_head *head, const char *where, const char *line, size_t len,
		       struct error *err);
/* Is line, without its newline, a whole record? */
bool journal_parse_record(struct journal_record *rec, const char *line, size_t len);

/* A journal line by line. */
struct journal_scan {
	FILE *in;
	char *line; /* a NUL in the newline's place */
	size_t size, length;
	uint64_t number;    /* of the line, from 1 */
	off_t offset, next; /* of the line, and behind it */
};

/* Open the file and read its first line. 0, or -1 and err; then nothing is to be freed. */
int journal_scan_begin(struct journal_scan *s, struct journal_head *head, const char *path,
		       struct error *err);
/* 1: a whole line; 0: the end, or a torn line; -1 and err. */
int journal_scan_next(struct journal_scan *s, const char *path, struct error *err);
/* The records, by their numbers; key may be NULL, else a record must have that of its run. */
int journal_scan_records(struct journal *j, struct journal_scan *s, journal_key_fn key,
			 const void *arg, struct error *err);
/* Count the line, which is no record. */
void journal_pass_over(struct journal *j, const struct journal_scan *s);
/* Where the whole lines end, and whether a torn one follows. */
void journal_scan_finish(struct journal *j, const struct journal_scan *s);
void journal_scan_end(struct journal_scan *s);

int journal_make_entries(struct journal *j, uint64_t runs, struct error *err);
/* The first record of a run counts. */
void journal_put_entry(struct journal *j, uint64_t run, off_t offset, size_t length);
/* Open the file for appending, behind its last whole line. */
int journal_open_to_append(struct journal *j, struct error *err);
/* "PATH: cannot be WHAT: ..." by errno; returns -1. */
int journal_cannot(const char *path, const char *what, struct error *err);
char *journal_in_folder(const char *dir, const char *name, struct error *err);

#endif
