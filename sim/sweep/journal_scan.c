/* A journal read. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/sweep/journal_line.h"

/* 1: a whole line; 0: the end, or a torn line; -1 and err. */
int journal_scan_next(struct journal_scan *s, const char *path, struct error *err)
{
	ssize_t n;

	errno = 0;
	s->offset = s->next;
	n = getline(&s->line, &s->size, s->in);
	if (n < 0 && ferror(s->in))
		return error_failed(err, "%s: %s", path, strerror(errno));
	if (n < 0 && !feof(s->in))
		return error_memory(err, "a journal's line");
	if (n <= 0 || s->line[n - 1] != '\n')
		return 0;
	s->line[n - 1] = 0;
	s->length = (size_t)n - 1;
	s->next += n;
	s->number++;
	return 1;
}

void journal_scan_end(struct journal_scan *s)
{
	if (s->in)
		fclose(s->in);
	free(s->line);
}

int journal_scan_begin(struct journal_scan *s, struct journal_head *head, const char *path,
		       struct error *err)
{
	int more;

	*s = (struct journal_scan){0};
	*head = (struct journal_head){0};
	s->in = fopen(path, "re");
	if (!s->in)
		return journal_cannot(path, "read", err);
	more = journal_scan_next(s, path, err);
	if (!more)
		error_input(err, "%s: the first line of a sweep's journal is missing", path);
	if (more > 0 && !journal_parse_head(head, path, s->line, s->length, err))
		return 0;
	journal_head_free(head);
	journal_scan_end(s);
	return -1;
}

int journal_make_entries(struct journal *j, uint64_t runs, struct error *err)
{
	free(j->entries);
	j->entries = calloc(runs, sizeof(*j->entries));
	j->runs = runs;
	j->done = 0;
	return j->entries ? 0 : error_memory(err, "a journal");
}

void journal_put_entry(struct journal *j, uint64_t run, off_t offset, size_t length)
{
	if (j->entries[run].length)
		return;
	j->entries[run] = (struct journal_entry){offset, length};
	j->done++;
}

void journal_pass_over(struct journal *j, const struct journal_scan *s)
{
	if (!j->spoilt++)
		j->first_spoilt = s->number;
}

void journal_scan_finish(struct journal *j, const struct journal_scan *s)
{
	struct stat st;

	j->end = s->next;
	j->torn = !fstat(fileno(s->in), &st) && st.st_size > j->end;
}

int journal_scan_records(struct journal *j, struct journal_scan *s, journal_key_fn key,
			 const void *arg, struct error *err)
{
	struct journal_record rec;
	int more;

	while ((more = journal_scan_next(s, j->path, err)) > 0) {
		if (!journal_parse_record(&rec, s->line, s->length))
			journal_pass_over(j, s);
		else if (rec.run < j->runs && (!key || !strcmp(key(arg, rec.run), rec.key)))
			journal_put_entry(j, rec.run, s->offset, s->length);
		else
			j->foreign++;
	}
	journal_scan_finish(j, s);
	return more;
}

int journal_open(struct journal *j, struct journal_head *head, const char *dir, struct error *err)
{
	struct journal_scan s;
	int ret;

	*j = (struct journal){.fd = -1, .lock = -1};
	*head = (struct journal_head){0};
	j->path = journal_in_folder(dir, JOURNAL_NAME, err);
	if (!j->path || journal_scan_begin(&s, head, j->path, err))
		return -1;
	ret = journal_make_entries(j, head->runs, err);
	if (!ret)
		ret = journal_scan_records(j, &s, NULL, NULL, err);
	journal_scan_end(&s);
	if (ret)
		return -1;
	j->fd = open(j->path, O_RDONLY | O_CLOEXEC);
	return j->fd < 0 ? journal_cannot(j->path, "read", err) : 0;
}

int journal_exists(const struct journal *j, struct error *err)
{
	struct journal_head head;
	struct journal_record rec;
	struct journal_scan s;
	int more;

	if (access(j->path, F_OK) && errno == ENOENT)
		return 0;
	if (journal_scan_begin(&s, &head, j->path, err))
		return -1;
	journal_head_free(&head);
	while ((more = journal_scan_next(&s, j->path, err)) > 0)
		if (journal_parse_record(&rec, s.line, s.length))
			break;
	journal_scan_end(&s);
	return more;
}

char *journal_read(const struct journal *j, uint64_t run, struct error *err)
{
	const struct journal_entry *e = &j->entries[run];
	char *text = malloc(e->length + 1);
	size_t done = 0;

	if (!text) {
		error_memory(err, "a journal's line");
		return NULL;
	}
	while (done < e->length) {
		ssize_t n = pread(j->fd, text + done, e->length - done, e->offset + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			error_failed(err, "%s: %s", j->path,
				     n ? strerror(errno) : "became shorter meanwhile");
			free(text);
			return NULL;
		}
		done += (size_t)n;
	}
	text[done] = 0;
	return text;
}
