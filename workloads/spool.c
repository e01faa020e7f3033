#include "workloads/spool.h"

#include <errno.h>
#include <unistd.h>

#include "workloads/temp-file.h"

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

int spool_flush(struct spool *sp, struct error *err)
{
	if (sp->fd < 0)
		sp->fd = temp_file_open(err);
	if (sp->fd < 0 || temp_file_write(sp->fd, sp->buf, sp->n * sizeof(*sp->buf), err))
		return -1;
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
		return error_failed(err, "cannot write the temporary file in %s: %s",
				    temp_file_directory(),
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
			error_failed(
			    err, "cannot read the temporary file in %s: %s", temp_file_directory(),
			    got < 0 ? strerror(errno) : "it is shorter than what was written");
			return NULL;
		}
		have += (size_t)got;
	}
	return scratch;
}
