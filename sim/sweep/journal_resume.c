/* Going on with a journal that is there. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "sim/file.h"
#include "sim/sweep/journal_line.h"
#include "sim/sweep/sweep.h"

/* Which runs a record is for; at most one of a sweep, but for runs that are the same. */
struct key_index {
	journal_key_fn key;
	const void *arg;
	uint64_t *runs; /* sorted by key */
	uint64_t n;
};

static int by_key(const void *a, const void *b, void *arg)
{
	const struct key_index *x = arg;
	uint64_t l = *(const uint64_t *)a, r = *(const uint64_t *)b;
	int order = strcmp(x->key(x->arg, l), x->key(x->arg, r));

	return order ? order : (l > r) - (l < r);
}

static int index_keys(struct key_index *x, uint64_t n, journal_key_fn key, const void *arg,
		      struct error *err)
{
	*x = (struct key_index){.key = key, .arg = arg, .n = n};
	x->runs = calloc(n, sizeof(*x->runs));
	if (!x->runs)
		return error_memory(err, "a journal");
	for (uint64_t i = 0; i < n; i++)
		x->runs[i] = i;
	qsort_r(x->runs, n, sizeof(*x->runs), by_key, x);
	return 0;
}

/* The first in x->runs with that key; n when there is none. */
static uint64_t first_with_key(const struct key_index *x, const char *key)
{
	uint64_t low = 0, high = x->n;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (strcmp(x->key(x->arg, x->runs[mid]), key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < x->n && !strcmp(x->key(x->arg, x->runs[low]), key) ? low : x->n;
}

/* Give the record to every run of its key. */
static void put_by_key(struct journal *j, const struct key_index *x, const char *key,
		       const struct journal_scan *s)
{
	uint64_t i = first_with_key(x, key);

	if (i == x->n)
		j->foreign++;
	for (; i < x->n && !strcmp(x->key(x->arg, x->runs[i]), key); i++)
		journal_put_entry(j, x->runs[i], s->offset, s->length);
}

/* The records, by their keys: their numbers are those of another plan. */
static int scan_by_key(struct journal *j, struct journal_scan *s, const struct key_index *x,
		       struct error *err)
{
	struct journal_record rec;
	int more;

	while ((more = journal_scan_next(s, j->path, err)) > 0) {
		if (journal_parse_record(&rec, s->line, s->length))
			put_by_key(j, x, rec.key, s);
		else
			journal_pass_over(j, s);
	}
	journal_scan_finish(j, s);
	return more;
}

/* Give the file another name beside the journal, the first that is free. */
static int keep_old(const struct journal *j, struct error *err)
{
	size_t stem = strlen(j->path) - strlen(".jsonl");

	for (unsigned i = 1; i < 10000; i++) {
		char *name;
		int ret;

		if (asprintf(&name, "%.*s-%u.jsonl", (int)stem, j->path, i) < 0)
			return error_memory(err, "a file name");
		ret = link(j->path, name);
		if (ret && errno != EEXIST) {
			/* A file system without links. */
			ret = renameat2(AT_FDCWD, j->path, AT_FDCWD, name, RENAME_NOREPLACE);
		}
		free(name);
		if (!ret)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return journal_cannot(j->path, "kept under another name", err);
}

/* Copy the records that the sweep has, under its own numbers. */
static int write_taken_over(struct journal *j, const struct sweep *s, const char *plan, FILE *out,
			    struct journal_entry *entries, off_t *end, struct error *err)
{
	char *head = journal_head_line(s, plan, err);
	struct journal_record rec;

	if (!head)
		return -1;
	fputs(head, out);
	*end = (off_t)strlen(head);
	free(head);
	for (uint64_t run = 0; run < j->runs; run++) {
		char *line;
		int n;

		if (!j->entries[run].length)
			continue;
		line = journal_read(j, run, err);
		if (!line)
			return -1;
		if (!journal_parse_record(&rec, line, j->entries[run].length)) {
			free(line);
			return error_failed(err, "%s: changed meanwhile", j->path);
		}
		n = fprintf(out, "{\"run\":%" PRIu64 ",%s\n", run, rec.rest);
		free(line);
		if (n < 0)
			return error_failed(err, "%s: %s", j->path, strerror(errno));
		entries[run] = (struct journal_entry){*end, (size_t)n - 1};
		*end += n;
	}
	return 0;
}

static int take_over(struct journal *j, const struct sweep *s, const char *plan, struct error *err)
{
	struct journal_entry *entries = calloc(j->runs, sizeof(*entries));
	struct out_file out;
	off_t end = 0;
	int ret;

	if (!entries)
		return error_memory(err, "a journal");
	j->fd = open(j->path, O_RDONLY | O_CLOEXEC);
	if (j->fd < 0 || file_create(&out, j->path, err)) {
		free(entries);
		return journal_cannot(j->path, "read", err);
	}
	ret = write_taken_over(j, s, plan, out.stream, entries, &end, err);
	if (!ret)
		ret = keep_old(j, err);
	if (ret)
		file_abandon(&out);
	else
		ret = file_commit(&out, err);
	close(j->fd);
	j->fd = -1;
	free(j->entries);
	j->entries = entries;
	j->end = end;
	return ret;
}

static int not_this_sweep(const struct journal *j, const struct journal_head *head,
			  const struct sweep *s, struct error *err)
{
	return error_input(
	    err,
	    "%s: the journal of another sweep, or of changed settings, traces or version "
	    "(\"%.60s\", "
	    "%" PRIu64 " runs, slabsim %s); none of its runs is one of \"%.60s\"; give this sweep "
	    "a folder of its own",
	    j->path, head->name, head->runs, head->version, s->name);
}

/* A journal of another plan. */
static int resume_other(struct journal *j, struct journal_scan *scan,
			const struct journal_head *head, const struct sweep *s, const char *plan,
			journal_key_fn key, const void *arg, struct error *err)
{
	struct key_index x;
	int ret = index_keys(&x, s->nr_runs, key, arg, err);

	if (!ret)
		ret = scan_by_key(j, scan, &x, err);
	free(x.runs);
	if (ret)
		return -1;
	return j->done ? take_over(j, s, plan, err) : not_this_sweep(j, head, s, err);
}

int journal_resume(struct journal *j, const struct sweep *s, const char *plan, journal_key_fn key,
		   const void *arg, struct error *err)
{
	struct journal_head head;
	struct journal_scan scan;
	int ret;

	if (journal_make_entries(j, s->nr_runs, err) ||
	    journal_scan_begin(&scan, &head, j->path, err))
		return -1;
	if (!strcmp(head.plan, plan))
		ret = journal_scan_records(j, &scan, key, arg, err);
	else
		ret = resume_other(j, &scan, &head, s, plan, key, arg, err);
	journal_scan_end(&scan);
	journal_head_free(&head);
	return ret || journal_open_to_append(j, err) ? -1 : 0;
}
