#include "workloads/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

int spool_init(struct spool *sp, struct error *err)
{
	*sp = (struct spool){.fd = -1};
	sp->buf = malloc(SPOOL_BUFFER * sizeof(*sp->buf));
	return sp->buf ? 0 : error_memory(err, "the events of a trace");
}

void spool_free(struct spool *sp)
{
	if (sp->fd >= 0)
		close(sp->fd);
	free(sp->buf);
	*sp = (struct spool){.fd = -1};
}

static const char *directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/var/tmp";
}

/* A file without a name in dir; -1 and errno. */
static int open_unlinked(const char *dir)
{
	char path[PATH_MAX];
	int fd;

#ifdef O_TMPFILE
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
#endif
	/* Some file systems cannot do that. */
	if (snprintf(path, sizeof(path), "%s/slabsim-XXXXXX", dir) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int spool_flush(struct spool *sp, struct error *err)
{
	const char *p = (const char *)sp->buf;
	size_t left = sp->n * sizeof(*sp->buf);
	ssize_t put;

	if (sp->fd < 0)
		sp->fd = open_unlinked(directory());
	if (sp->fd < 0)
		return error_failed(err,
				    "cannot create a temporary file in %s: %s; set TMPDIR to a "
				    "directory that can hold one",
				    directory(), strerror(errno));
	while (left) {
		put = write(sp->fd, p, left);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return error_failed(err,
					    "cannot write the temporary file in %s: %s; set TMPDIR "
					    "to a directory with more room",
					    directory(), strerror(errno));
		p += put;
		left -= (size_t)put;
	}
	sp->written += sp->n;
	sp->n = 0;
	return 0;
}

int spool_set_class(struct spool *sp, uint64_t event, uint32_t class, struct error *err)
{
	off_t at = (off_t)(event * sizeof(*sp->buf) + offsetof(struct spool_event, class));
	ssize_t put;

	if (event >= sp->written) {
		sp->buf[event - sp->written].class = class;
		return 0;
	}
	do
		put = pwrite(sp->fd, &class, sizeof(class), at);
	while (put < 0 && errno == EINTR);
	if (put != (ssize_t)sizeof(class))
		return error_failed(err, "cannot write the temporary file in %s: %s", directory(),
				    put < 0 ? strerror(errno) : "the disk is full");
	return 0;
}

const struct spool_event *spool_get(struct spool *sp, uint64_t first, size_t max,
				    struct spool_event *scratch, size_t *n, struct error *err)
{
	size_t want, have = 0;
	ssize_t got;

	if (first >= sp->written) {
		*n = spool_count(sp) - first < max ? (size_t)(spool_count(sp) - first) : max;
		return sp->buf + (first - sp->written);
	}
	*n = sp->written - first < max ? (size_t)(sp->written - first) : max;
	want = *n * sizeof(*scratch);
	while (have < want) {
		got = pread(sp->fd, (char *)scratch + have, want - have,
			    (off_t)(first * sizeof(*scratch) + have));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			error_failed(err, "cannot read the temporary file in %s: %s", directory(),
				     got < 0 ? strerror(errno)
					     : "it is shorter than what was written");
			return NULL;
		}
		have += (size_t)got;
	}
	return scratch;
}
