#include "sim/sweep/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/file.h"
#include "sim/sweep/journal_line.h"
#include "sim/sweep/sweep.h"

int journal_cannot(const char *path, const char *what, struct error *err)
{
	int code = errno;

	/* A wrong name can be put right; a full disk cannot, here. */
	if (code == ENOENT || code == EACCES || code == EISDIR || code == ENOTDIR ||
	    code == EROFS || code == EPERM || code == EEXIST || code == ENAMETOOLONG)
		return error_input(err, "%s: cannot be %s: %s", path, what, strerror(code));
	return error_failed(err, "%s: cannot be %s: %s", path, what, strerror(code));
}

/* ---- the folder and its lock ---- */

static int make_folders(const char *dir, struct error *err)
{
	char *path = strdup(dir), *slash;
	struct stat st;
	int ret = 0;

	if (!path)
		return error_memory(err, "a folder's name");
	for (slash = path + 1; !ret && *path; slash++) {
		if (*slash && *slash != '/')
			continue;
		if (*slash == '/') {
			*slash = 0;
			if (mkdir(path, 0777) && errno != EEXIST)
				ret = journal_cannot(path, "made", err);
			*slash = '/';
		} else {
			if (mkdir(path, 0777) && errno != EEXIST)
				ret = journal_cannot(path, "made", err);
			break;
		}
	}
	if (!ret && (stat(path, &st) || !S_ISDIR(st.st_mode)))
		ret = error_input(err, "%s: not a folder", path);
	free(path);
	return ret;
}

char *journal_in_folder(const char *dir, const char *name, struct error *err)
{
	char *path;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		error_memory(err, "a file name");
		return NULL;
	}
	return path;
}

static int take_lock(struct journal *j, const char *dir, struct error *err)
{
	struct flock want = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	/* Not inherited by workers, and gone with the process, however it ends. */
	if (!fcntl(j->lock, F_SETLK, &want))
		return 0;
	if (errno == EACCES || errno == EAGAIN) {
		long pid = fcntl(j->lock, F_GETLK, &want) ? 0 : (long)want.l_pid;

		return error_input(err,
				   "%s: another sweep is at work in it (process %ld); give this "
				   "one a folder of its own",
				   dir, pid);
	}
	/* A file system without locks: better a sweep than none. */
	return errno == ENOLCK ? 0 : journal_cannot(dir, "locked", err);
}

/* Files half written by a sweep that was killed, under the names file_create() gives them. */
static void sweep_up(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d)))
		if (!fnmatch(JOURNAL_NAME ".tmp-*", entry->d_name, 0) ||
		    !fnmatch("results.*.tmp-*", entry->d_name, 0))
			unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		closedir(d);
}

int journal_lock(struct journal *j, const char *dir, struct error *err)
{
	char *path;

	*j = (struct journal){.fd = -1, .lock = -1};
	if (make_folders(dir, err))
		return -1;
	j->path = journal_in_folder(dir, JOURNAL_NAME, err);
	path = j->path ? journal_in_folder(dir, ".lock", err) : NULL;
	if (!path)
		return -1;
	j->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (j->lock < 0)
		journal_cannot(dir, "written", err);
	free(path);
	if (j->lock < 0 || take_lock(j, dir, err))
		return -1;
	sweep_up(dir);
	return 0;
}

void journal_close(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	if (j->lock >= 0)
		close(j->lock);
	free(j->entries);
	free(j->path);
	*j = (struct journal){.fd = -1, .lock = -1};
}

/* ---- writing ---- */

int journal_open_to_append(struct journal *j, struct error *err)
{
	struct stat st;

	j->fd = open(j->path, O_RDWR | O_APPEND | O_CLOEXEC);
	if (j->fd < 0 || fstat(j->fd, &st))
		return journal_cannot(j->path, "written", err);
	if (st.st_size > j->end && (ftruncate(j->fd, j->end) || fdatasync(j->fd)))
		return journal_cannot(j->path, "written", err);
	return 0;
}

int journal_create(struct journal *j, const struct sweep *s, const char *plan, struct error *err)
{
	char *line = journal_head_line(s, plan, err);
	struct out_file out;

	if (!line)
		return -1;
	if (journal_make_entries(j, s->nr_runs, err) || file_create(&out, j->path, err)) {
		free(line);
		return -1;
	}
	fputs(line, out.stream);
	j->end = (off_t)strlen(line);
	free(line);
	return file_commit(&out, err) || journal_open_to_append(j, err) ? -1 : 0;
}

static int append_all(struct journal *j, const char *text, size_t len)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = write(j->fd, text + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

int journal_append(struct journal *j, uint64_t run, const char *text, size_t len, struct error *err)
{
	char *line;
	int n = asprintf(&line, "{\"run\":%" PRIu64 ",%.*s}\n", run, (int)len, text);

	if (n < 0)
		return error_memory(err, "a journal's line");
	if (append_all(j, line, (size_t)n)) {
		journal_cannot(j->path, "written", err);
		/* What came through is half a line; the next record must not follow it. */
		if (ftruncate(j->fd, j->end))
			error_prefix(err, "(and half a line is left in it)");
		free(line);
		return -1;
	}
	free(line);
	journal_put_entry(j, run, j->end, (size_t)n - 1);
	j->end += n;
	return 0;
}

int journal_sync(struct journal *j, struct error *err)
{
	return fdatasync(j->fd) ? journal_cannot(j->path, "written", err) : 0;
}
