#include "workloads/temp-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

const char *temp_file_directory(void)
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

int temp_file_open(struct error *err)
{
	int fd = open_unlinked(temp_file_directory());

	if (fd < 0)
		error_failed(err,
			     "cannot create a temporary file in %s: %s; set TMPDIR to a directory "
			     "that can hold one",
			     temp_file_directory(), strerror(errno));
	return fd;
}

int temp_file_write(int fd, const void *buf, size_t n, struct error *err)
{
	const char *p = buf;
	ssize_t put;

	while (n) {
		put = write(fd, p, n);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return error_failed(err,
					    "cannot write the temporary file in %s: %s; set TMPDIR "
					    "to a directory with more room",
					    temp_file_directory(), strerror(errno));
		p += put;
		n -= (size_t)put;
	}
	return 0;
}
