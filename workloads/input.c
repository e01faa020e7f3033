#include "workloads/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/escape.h"
#include "workloads/decode.h"
#include "workloads/temp-file.h"

/* The decompressed bytes at hand; small enough to stay in the second-level cache. */
#define WINDOW_SIZE (128 << 10)

struct input {
	struct raw raw;
	char *path, *name;
	const struct decoder_ops *decoder; /* NULL: not compressed */
	void *decoder_state;
	char *window;
	size_t cap, pos, len;
	uint64_t lines;
	bool eof;
};

uint64_t raw_offset(const struct raw *raw)
{
	return raw->offset + raw->pos;
}

static int64_t read_some(struct raw *raw, void *buf, size_t n, struct error *err)
{
	ssize_t got;

	do
		got = read(raw->fd, buf, n);
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno == EISDIR)
		return error_input(err, "%s: is a directory, not a trace file", raw->name);
	if (got < 0)
		return error_failed(err, "%s: cannot read: %s", raw->name, strerror(errno));
	return got;
}

int64_t raw_fill(struct raw *raw, struct error *err)
{
	int64_t got;

	if (raw->pos < raw->len || raw->eof)
		return (int64_t)(raw->len - raw->pos);
	got = read_some(raw, raw->buf, sizeof(raw->buf), err);
	if (got < 0)
		return -1;
	raw->offset += raw->len;
	raw->pos = 0;
	raw->len = (size_t)got;
	raw->eof = got == 0;
	return got;
}

/* Bytes that need no decompression: what is in raw, then straight from the file. */
static int64_t read_plain(struct raw *raw, char *dst, size_t cap, struct error *err)
{
	size_t have = raw->len - raw->pos;
	int64_t got;

	if (have) {
		have = have < cap ? have : cap;
		memcpy(dst, raw->buf + raw->pos, have);
		raw->pos += have;
		return (int64_t)have;
	}
	got = read_some(raw, dst, cap, err);
	if (got > 0)
		raw->offset += (uint64_t)got;
	return got;
}

/* Append to the window, which has room: 1, 0 at the end of the file, -1 and err. */
static int fill(struct input *in, struct error *err)
{
	char *dst = in->window + in->len;
	size_t room = in->cap - in->len;
	int64_t got;

	if (in->eof)
		return 0;
	if (in->decoder)
		got = in->decoder->read(in->decoder_state, &in->raw, dst, room, err);
	else
		got = read_plain(&in->raw, dst, room, err);
	if (got < 0)
		return -1;
	in->eof = got == 0;
	in->len += (size_t)got;
	return got > 0;
}

/* Read the first bytes of the file and choose the decoder. */
static int choose_decoder(struct input *in, struct error *err)
{
	static const struct decoder_ops *const all[] = {&decode_zstd, &decode_gzip, &decode_xz};
	struct raw *raw = &in->raw;
	int64_t got;

	/* A pipe may deliver the first bytes one by one. */
	while (raw->len < 8) {
		got = read_some(raw, raw->buf + raw->len, sizeof(raw->buf) - raw->len, err);
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		raw->len += (size_t)got;
	}
	if (raw->len == 0)
		return error_input(err, "%s: the file is empty", in->name);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!all[i]->match(raw->buf, raw->len))
			continue;
		in->decoder_state = all[i]->open(err);
		if (!in->decoder_state)
			return -1;
		in->decoder = all[i];
		break;
	}
	return 0;
}

static int open_file(struct input *in, struct error *err)
{
	if (!strcmp(in->path, "-")) {
		in->raw.fd = STDIN_FILENO;
		return 0;
	}
	in->raw.fd = open(in->path, O_RDONLY | O_CLOEXEC);
	if (in->raw.fd >= 0)
		return 0;
	if (errno == ENOENT || errno == ENOTDIR)
		return error_input(err, "%s: there is no such file", in->name);
	return error_open(err, in->name);
}

static struct input *input_new(int fd, const char *path, const char *name, struct error *err)
{
	struct input *in = calloc(1, sizeof(*in));

	if (in) {
		in->raw.fd = fd;
		in->path = strdup(path);
		in->name = strdup(name);
		in->cap = WINDOW_SIZE;
		in->window = malloc(in->cap);
		if (in->path && in->name && in->window) {
			in->raw.name = in->name;
			return in;
		}
		input_close(in);
	} else if (fd > STDIN_FILENO) {
		close(fd);
	}
	error_memory(err, "reading a file");
	return NULL;
}

struct input *input_open(const char *file, struct error *err)
{
	const char *name = strcmp(file, "-") ? file : "standard input";
	struct input *in = input_new(-1, file, name, err);

	if (in && (open_file(in, err) || choose_decoder(in, err))) {
		input_close(in);
		return NULL;
	}
	return in;
}

struct input *input_open_fd(int fd, const char *name, struct error *err)
{
	struct input *in = input_new(fd, name, name, err);

	if (in && choose_decoder(in, err)) {
		input_close(in);
		return NULL;
	}
	return in;
}

struct input *input_nothing(const char *name, struct error *err)
{
	struct input *in = input_new(-1, name, name, err);

	if (in)
		in->eof = true;
	return in;
}

void input_close(struct input *in)
{
	if (!in)
		return;
	if (in->decoder)
		in->decoder->close(in->decoder_state);
	if (in->raw.fd > STDIN_FILENO)
		close(in->raw.fd);
	free(in->window);
	free(in->path);
	free(in->name);
	free(in);
}

const char *input_name(const struct input *in)
{
	return in->name;
}

const char *input_path(const struct input *in)
{
	return in->path;
}

const char *input_compression(const struct input *in)
{
	return in->decoder ? in->decoder->name : NULL;
}

int64_t input_peek(struct input *in, const char **p, size_t want, struct error *err)
{
	int ret = 1;

	while (in->len - in->pos < want && in->len < in->cap && ret > 0)
		ret = fill(in, err);
	if (ret < 0)
		return -1;
	*p = in->window + in->pos;
	return (int64_t)(in->len - in->pos < want ? in->len - in->pos : want);
}

int64_t input_peek_text(struct input *in, const char **p, size_t want, struct error *err)
{
	int64_t len = input_peek(in, p, want, err);

	if (len <= 0 || !utf8_mark(*p, (size_t)len))
		return len;
	in->pos += utf8_mark(*p, (size_t)len);
	return input_peek(in, p, want, err);
}

/* Make room behind the bytes at hand: move them to the front, or enlarge a window full of them. */
static int make_room(struct input *in, struct error *err)
{
	char *larger;

	if (in->pos) {
		memmove(in->window, in->window + in->pos, in->len - in->pos);
		in->len -= in->pos;
		in->pos = 0;
	}
	if (in->len < in->cap)
		return 0;
	if (in->cap >= INPUT_LINE_MAX)
		return error_input(err,
				   "%s:%llu: a line of more than %d bytes; this is no text trace",
				   in->name, (unsigned long long)in->lines + 1, INPUT_LINE_MAX);
	larger = realloc(in->window, in->cap * 2);
	if (!larger)
		return error_memory(err, "a long line");
	in->window = larger;
	in->cap *= 2;
	return 0;
}

/* The bytes at hand hold no newline: read until they do. */
static int line_slow(struct input *in, struct line *line, struct error *err)
{
	size_t searched;
	const char *nl;
	int ret;

	for (;;) {
		if (make_room(in, err))
			return -1;
		searched = in->len;
		ret = fill(in, err);
		if (ret < 0)
			return -1;
		if (ret == 0)
			break;
		nl = memchr(in->window + searched, '\n', in->len - searched);
		if (nl) {
			*line = (struct line){in->window, (size_t)(nl - in->window), ++in->lines,
					      false};
			in->pos = line->len + 1;
			return 1;
		}
	}
	if (in->pos == in->len)
		return 0;
	*line = (struct line){in->window + in->pos, in->len - in->pos, ++in->lines, true};
	in->pos = in->len;
	return 1;
}

int input_line(struct input *in, struct line *line, struct error *err)
{
	const char *s = in->window + in->pos;
	const char *nl = memchr(s, '\n', in->len - in->pos);

	if (!nl)
		return line_slow(in, line, err);
	*line = (struct line){s, (size_t)(nl - s), ++in->lines, false};
	in->pos += line->len + 1;
	return 1;
}

int64_t input_read(struct input *in, void *buf, size_t n, struct error *err)
{
	int ret;

	if (in->pos == in->len) {
		in->pos = in->len = 0;
		ret = fill(in, err);
		if (ret <= 0)
			return ret;
	}
	n = n < in->len - in->pos ? n : in->len - in->pos;
	memcpy(buf, in->window + in->pos, n);
	in->pos += n;
	return (int64_t)n;
}

/* Can the descriptor itself be read anywhere, and does it begin with the first byte? */
static bool is_seekable(const struct input *in)
{
	off_t at = lseek(in->raw.fd, 0, SEEK_CUR);
	struct stat st;

	return !in->decoder && !fstat(in->raw.fd, &st) && S_ISREG(st.st_mode) &&
	       at == (off_t)(in->raw.offset + in->raw.len);
}

int input_file(struct input *in, struct error *err)
{
	char buf[1 << 16];
	int64_t got;
	int fd;

	if (is_seekable(in)) {
		fd = fcntl(in->raw.fd, F_DUPFD_CLOEXEC, 0);
		if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
			return error_failed(err, "%s: cannot read: %s", in->name, strerror(errno));
		in->eof = true;
		in->pos = in->len = 0;
		return fd;
	}
	fd = temp_file_open(err);
	if (fd < 0)
		return -1;
	while ((got = input_read(in, buf, sizeof(buf), err)) > 0) {
		if (temp_file_write(fd, buf, (size_t)got, err)) {
			got = -1;
			break;
		}
	}
	if (got == 0 && lseek(fd, 0, SEEK_SET) < 0)
		got = error_failed(err, "%s: cannot read a temporary copy: %s", in->name,
				   strerror(errno));
	if (got < 0) {
		close(fd);
		return -1;
	}
	return fd;
}
