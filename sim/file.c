#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/file.h"

static char *read_stream(FILE *in, const char *path, size_t max, size_t *len, struct error *err)
{
	size_t size = 0, room = 0;
	char *text = NULL;

	for (;;) {
		if (size + 1 >= room) {
			size_t more = room ? room * 2 : 4096;
			char *larger = realloc(text, more);

			if (!larger) {
				free(text);
				error_memory(err, path);
				return NULL;
			}
			text = larger;
			room = more;
		}
		size += fread(text + size, 1, room - size - 1, in);
		if (size > max || ferror(in)) {
			if (ferror(in))
				error_failed(err, "%s: %s", path, strerror(errno));
			else
				error_input(err, "%s: larger than %zu bytes", path, max);
			free(text);
			return NULL;
		}
		if (feof(in))
			break;
	}
	text[size] = 0;
	*len = size;
	return text;
}

char *file_read(const char *path, size_t max, size_t *len, struct error *err)
{
	struct stat st;
	FILE *in;
	char *text;

	if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		error_input(err, "%s: a folder, not a file", path);
		return NULL;
	}
	in = fopen(path, "re");
	if (!in) {
		error_open(err, path);
		return NULL;
	}
	text = read_stream(in, path, max, len, err);
	fclose(in);
	return text;
}

char *path_beside(const char *base, const char *name, struct error *err)
{
	const char *slash = base ? strrchr(base, '/') : NULL;
	int folder = slash && name[0] != '/' && strcmp(name, "-") ? (int)(slash - base) + 1 : 0;
	char *path;

	if (asprintf(&path, "%.*s%s", folder, base ? base : "", name) < 0) {
		error_memory(err, "a file name");
		return NULL;
	}
	return path;
}

/* ---- output ---- */

static int out_error(const char *name, struct error *err)
{
	int code = errno;

	/* A wrong name can be put right; a full disk cannot, here. */
	if (code == ENOENT || code == EACCES || code == EISDIR || code == ENOTDIR || code == EROFS)
		return error_input(err, "%s: cannot be written: %s", name, strerror(code));
	return error_failed(err, "%s: cannot be written: %s", name, strerror(code));
}

int file_write_failed(FILE *stream, const char *name, struct error *err)
{
	/* A stream that failed earlier does not say why; another write fails likewise. */
	if (!errno) {
		clearerr(stream);
		putc('\n', stream);
		fflush(stream);
	}
	if (!errno)
		errno = EIO;
	return out_error(stream == stdout ? "standard output" : name, err);
}

/* The length of the folder part of path, the slash included; 0: the current one. */
static int folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path) + 1 : 0;
}

static int open_folder(const char *path)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s.", folder_length(path), path);
	return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int file_check_writable(const char *path, struct error *err)
{
	char folder[PATH_MAX];
	struct stat st;

	if (!strcmp(path, "-"))
		return 0;
	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode))
			errno = EISDIR;
		else if (!access(path, W_OK))
			return 0;
		return out_error(path, err);
	}
	if (!*path || path[strlen(path) - 1] == '/')
		return error_input(err, "\"%s\" is not the name of a file", path);
	snprintf(folder, sizeof(folder), "%.*s.", folder_length(path), path);
	return access(folder, W_OK | X_OK) ? out_error(path, err) : 0;
}

static FILE *stream_of(int fd)
{
	FILE *stream = fdopen(fd, "w");

	if (!stream)
		close(fd);
	return stream;
}

static void descriptor_path(int fd, char *path, size_t size)
{
	snprintf(path, size, "/proc/self/fd/%d", fd);
}

/* A file without a name in the folder of path; -1: not here. */
static int open_unnamed(const char *path, mode_t mode)
{
	char name[PATH_MAX];
	int fd;

	snprintf(name, sizeof(name), "%.*s.", folder_length(path), path);
	fd = open(name, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	if (fd < 0)
		return -1;
	/* by which it gets a name later */
	descriptor_path(fd, name, sizeof(name));
	if (!access(name, F_OK))
		return fd;
	close(fd);
	return -1;
}

/* Give the file fd, or if that is -1 a new one, a temporary name beside out->path. */
static int name_temp(struct out_file *out, int fd, mode_t mode)
{
	char link[64];
	int ret = -1;

	descriptor_path(fd, link, sizeof(link));
	for (unsigned i = 0; i < 1000; i++) {
		if (asprintf(&out->temp, "%s.tmp-%ld-%u", out->path, (long)getpid(), i) < 0) {
			out->temp = NULL;
			errno = ENOMEM;
			return -1;
		}
		if (fd < 0)
			ret = open(out->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		else
			ret = linkat(AT_FDCWD, link, AT_FDCWD, out->temp, AT_SYMLINK_FOLLOW);
		if (ret >= 0)
			return ret;
		free(out->temp);
		out->temp = NULL;
		if (errno != EEXIST)
			break;
	}
	return ret;
}

/* A new file beside out->path, with the mode the old one had, or else the usual one. */
static FILE *create_temp(struct out_file *out, mode_t mode)
{
	int fd = open_unnamed(out->path, mode);

	if (fd < 0)
		fd = name_temp(out, -1, mode);
	return fd < 0 ? NULL : stream_of(fd);
}

int file_check_not_input(const char *output, const char *input, struct error *err)
{
	struct stat out, in;

	if (!output || !input || stat(output, &out) || stat(input, &in) || !S_ISREG(in.st_mode) ||
	    out.st_dev != in.st_dev || out.st_ino != in.st_ino)
		return 0;
	return error_input(err, "%s: is read as %s, and would be overwritten; name another output",
			   output, input);
}

int file_create(struct out_file *out, const char *path, struct error *err)
{
	struct stat st;
	bool exists;

	*out = (struct out_file){.name = path};
	if (!strcmp(path, "-")) {
		out->stream = stdout;
		return 0;
	}
	if (file_check_writable(path, err))
		return -1;
	exists = !stat(path, &st);
	if (exists && !S_ISREG(st.st_mode)) {
		out->stream = fopen(path, "we");
		return out->stream ? 0 : out_error(path, err);
	}
	out->path = exists ? realpath(path, NULL) : strdup(path);
	if (!out->path)
		return out_error(path, err);
	out->stream = create_temp(out, exists ? st.st_mode & 0777 : 0666);
	if (!out->stream) {
		out_error(path, err);
		file_abandon(out);
		return -1;
	}
	return 0;
}

static int replace(struct out_file *out)
{
	int folder;

	if (rename(out->temp, out->path))
		return -1;
	free(out->temp);
	out->temp = NULL;
	/* The new name has to reach the disk, too; a file system may not offer that. */
	folder = open_folder(out->path);
	if (folder >= 0) {
		fsync(folder);
		close(folder);
	}
	return 0;
}

int file_commit(struct out_file *out, struct error *err)
{
	int ret;

	errno = 0;
	ret = fflush(out->stream) || ferror(out->stream) ? -1 : 0;
	if (!ret && out->path)
		ret = fsync(fileno(out->stream));
	if (!ret && out->path && !out->temp)
		ret = name_temp(out, fileno(out->stream), 0);
	if (ret)
		file_write_failed(out->stream, out->name, err);
	if (out->stream != stdout && fclose(out->stream) && !ret)
		ret = out_error(out->name, err);
	out->stream = NULL;
	if (!ret && out->path && replace(out))
		ret = out_error(out->name, err);
	file_abandon(out);
	return ret;
}

void file_abandon(struct out_file *out)
{
	if (out->stream && out->stream != stdout)
		fclose(out->stream);
	if (out->temp)
		unlink(out->temp);
	free(out->temp);
	free(out->path);
	*out = (struct out_file){0};
}

int file_write(const char *path, const void *bytes, size_t n, struct error *err)
{
	struct out_file out;

	if (file_create(&out, path, err))
		return -1;
	fwrite(bytes, 1, n, out.stream);
	return file_commit(&out, err);
}
