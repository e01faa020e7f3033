/*
 * DIR/journal.jsonl, what a sweep has done so far. The first line tells of the sweep:
 *
 *   {"slabsim": VERSION, "journal": 1, "plan": DIGEST, "name": ..., "runs": N, "seed": N,
 *    "seeds": N, "sweep": {...}}
 *
 * and then every finished run has a line, in the order in which they finished:
 *
 *   {"run": 12, "key": DIGEST, "result": {as of slabsim run --format json}}
 *   {"run": 13, "key": DIGEST, "error": "why it cannot be run"}
 *
 * A line is appended in one write and synced before the run counts. A last line that a crash
 * tore is cut off when the journal is opened again. One process writes a journal at a time.
 */
#ifndef SLABSIM_JOURNAL_H
#define SLABSIM_JOURNAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "sim/digest.h"

struct sweep;

#define JOURNAL_NAME "journal.jsonl"

/* Where the line of a run is; length 0: the run is not done. */
struct journal_entry {
	off_t offset;
	size_t length; /* without the newline */
};

/* What a journal's first line says. */
struct journal_head {
	char version[32];
	char plan[DIGEST_LEN + 1];
	char *name;
	uint64_t runs;
	struct sweep *sweep; /* as it was expanded */
};

struct journal {
	char *path;
	int fd;
	int lock; /* of DIR/.lock, held as long as the journal is open for writing */
	off_t end;
	struct journal_entry *entries; /* [runs] */
	uint64_t runs, done;
	bool torn;	       /* a torn last line was cut off */
	uint64_t spoilt;       /* lines that are no record, passed over */
	uint64_t first_spoilt; /* number of the first of them, from 1 */
	uint64_t foreign;      /* records of runs that the sweep does not have */
};

/* Make the folder DIR, and those above it, and lock it against other sweeps. 0, or -1 and err. */
int journal_lock(struct journal *j, const char *dir, struct error *err);
/* Is there a journal with a record in it? 1, 0, or -1 and err. After journal_lock(). */
int journal_exists(const struct journal *j, struct error *err);

/* The key of every run, for journal_create() and journal_resume(). */
typedef const char *(*journal_key_fn)(const void *arg, uint64_t run);

/* Begin a journal of its own for the sweep, in place of what may be there. */
int journal_create(struct journal *j, const struct sweep *s, const char *plan, struct error *err);
/*
 * Go on with the journal that is there. Where it was written for another plan, the runs that
 * both have are taken over and the old file is kept beside it; when there are none, that is an
 * error, and nothing is changed.
 */
int journal_resume(struct journal *j, const struct sweep *s, const char *plan, journal_key_fn key,
		   const void *arg, struct error *err);
void journal_close(struct journal *j);

/*
 * Append the record of a run: text is what follows its number, {"run": N, TEXT}. What cannot be
 * written whole is taken back. It does not count before journal_sync().
 */
int journal_append(struct journal *j, uint64_t run, const char *text, size_t len,
		   struct error *err);
int journal_sync(struct journal *j, struct error *err);
/* The line of a run that is done, to be freed, a NUL behind it. */
char *journal_read(const struct journal *j, uint64_t run, struct error *err);

/*
 * Open the journal of DIR for reading: what the first line says, and which runs are done. Both
 * to be closed and freed. 0, or -1 and err.
 */
int journal_open(struct journal *j, struct journal_head *head, const char *dir, struct error *err);
void journal_head_free(struct journal_head *head);

#endif
