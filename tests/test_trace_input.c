/* Reading a file by lines: plain, gzip, zstd and xz, whole, cut and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/trace_fixture.h"
#include "workloads/input.h"

struct bytes {
	char *p;
	size_t n;
};

/* A few hundred kilobytes of lines of very different lengths. */
static struct bytes make_text(void)
{
	struct bytes b = {malloc(1 << 20), 0};
	uint32_t x = 1;

	while (b.n < 900000) {
		size_t len;

		x = x * 1664525 + 1013904223;
		len = (x >> 8) % 97 ? (x >> 16) % 200 : (x >> 12) % 60000;
		for (size_t i = 0; i < len; i++)
			b.p[b.n++] = (char)('a' + (i * 7 + len) % 26);
		b.p[b.n++] = '\n';
	}
	return b;
}

static struct bytes gzip(struct bytes in)
{
	struct bytes out = {malloc(in.n + 4096), 0};
	z_stream z = {0};

	deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	z.next_in = (unsigned char *)in.p;
	z.avail_in = (uInt)in.n;
	z.next_out = (unsigned char *)out.p;
	z.avail_out = (uInt)in.n + 4096;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	out.n = z.total_out;
	deflateEnd(&z);
	return out;
}

static struct bytes zstd(struct bytes in)
{
	struct bytes out = {malloc(ZSTD_compressBound(in.n)), 0};

	/* With a checksum, so that damage is noticed. */
	ZSTD_CCtx *cctx = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(cctx, ZSTD_c_checksumFlag, 1);
	out.n = ZSTD_compress2(cctx, out.p, ZSTD_compressBound(in.n), in.p, in.n);
	assert_false(ZSTD_isError(out.n));
	ZSTD_freeCCtx(cctx);
	return out;
}

static struct bytes xz(struct bytes in)
{
	struct bytes out = {malloc(in.n + 4096), 0};

	assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (uint8_t *)in.p, in.n,
						 (uint8_t *)out.p, &out.n, in.n + 4096),
			 LZMA_OK);
	return out;
}

static const struct {
	const char *name;
	struct bytes (*compress)(struct bytes);
} methods[] = {{"gzip", gzip}, {"zstd", zstd}, {"xz", xz}};

#define NR_METHODS (sizeof(methods) / sizeof(methods[0]))

/* Put the file's lines together again; NULL and err when reading fails. */
static char *read_lines(struct bytes file, size_t *n, struct error *err)
{
	char *path = fixture_file(file.p, file.n), *all = malloc(4 << 20);
	struct input *in = input_open(path, err);
	struct line line;
	uint64_t number = 0;
	int ret = -1;

	unlink(path);
	free(path);
	*n = 0;
	while (in && (ret = input_line(in, &line, err)) > 0) {
		assert_int_equal(line.number, ++number);
		memcpy(all + *n, line.s, line.len);
		*n += line.len;
		if (!line.cut)
			all[(*n)++] = '\n';
	}
	input_close(in);
	if (ret == 0)
		return all;
	free(all);
	return NULL;
}

static void same_lines(struct bytes file, struct bytes text)
{
	struct error err = {0};
	size_t n;
	char *got = read_lines(file, &n, &err);

	if (!got)
		fail_msg("%s", err.text);
	assert_int_equal(n, text.n);
	assert_memory_equal(got, text.p, n);
	free(got);
}

static void plain_lines(void **state)
{
	struct bytes text = make_text();

	(void)state;
	same_lines(text, text);
	/* The last newline missing. */
	text.n--;
	same_lines(text, text);
	free(text.p);
}

static void compressed_lines(void **state)
{
	struct bytes text = make_text();

	(void)state;
	for (size_t i = 0; i < NR_METHODS; i++) {
		struct bytes file = methods[i].compress(text), twice;
		struct bytes text_twice = {malloc(2 * text.n), 2 * text.n};

		same_lines(file, text);
		/* Files put one behind the other are one file. */
		memcpy(text_twice.p, text.p, text.n);
		memcpy(text_twice.p + text.n, text.p, text.n);
		twice = (struct bytes){malloc(2 * file.n), 2 * file.n};
		memcpy(twice.p, file.p, file.n);
		memcpy(twice.p + file.n, file.p, file.n);
		same_lines(twice, text_twice);
		free(twice.p);
		free(text_twice.p);
		free(file.p);
	}
	free(text.p);
}

static void skippable_zstd_frame(void **state)
{
	static const char skippable[] = "\x50\x2a\x4d\x18\x04\0\0\0abcd";
	struct bytes text = {(char *)"a\nb\n", 4}, frame = zstd(text), file;

	(void)state;
	file = (struct bytes){malloc(frame.n + 12), frame.n + 12};
	memcpy(file.p, skippable, 12);
	memcpy(file.p + 12, frame.p, frame.n);
	same_lines(file, text);
	free(file.p);
	free(frame.p);
}

static void cut_short(void **state)
{
	struct bytes text = make_text();

	(void)state;
	for (size_t i = 0; i < NR_METHODS; i++) {
		struct bytes file = methods[i].compress(text);
		const size_t at[] = {file.n - 1, file.n - 5, file.n / 2, 20};

		for (size_t j = 0; j < sizeof(at) / sizeof(at[0]); j++) {
			struct error err = {0};
			char offset[64];
			size_t n;

			assert_null(read_lines((struct bytes){file.p, at[j]}, &n, &err));
			assert_int_equal(err.kind, ERROR_INPUT);
			snprintf(offset, sizeof(offset), "the file ends at byte %zu", at[j]);
			assert_non_null(strstr(err.text, methods[i].name));
			assert_non_null(strstr(err.text, offset));
		}
		free(file.p);
	}
	free(text.p);
}

static void damaged(void **state)
{
	struct bytes text = make_text();

	(void)state;
	for (size_t i = 0; i < NR_METHODS; i++) {
		struct bytes file = methods[i].compress(text);
		struct error err = {0};
		size_t n;

		for (size_t j = 0; j < 16; j++)
			file.p[file.n / 2 + j] ^= 0x55;
		assert_null(read_lines(file, &n, &err));
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_non_null(strstr(err.text, "corrupt"));
		free(file.p);
	}
	free(text.p);
}

static void garbage_behind_gzip(void **state)
{
	struct bytes text = {(char *)"a\nb\n", 4}, file = gzip(text);
	struct error err = {0};
	size_t n;

	(void)state;
	memcpy(file.p + file.n, "more", 4);
	file.n += 4;
	assert_null(read_lines(file, &n, &err));
	assert_non_null(strstr(err.text, "garbage behind the gzip data"));
	free(file.p);
}

static void long_line(void **state)
{
	struct bytes text = {malloc(2 << 20), INPUT_LINE_MAX - 1};
	struct error err = {0};
	size_t n;

	(void)state;
	memset(text.p, 'x', 2 << 20);
	text.p[text.n - 1] = '\n';
	same_lines(text, text);
	text.p[text.n - 1] = 'x';
	text.n = (2 << 20) - 1;
	text.p[text.n - 1] = '\n';
	assert_null(read_lines(text, &n, &err));
	assert_non_null(strstr(err.text, ":1: a line of more than 1048576 bytes"));
	free(text.p);
}

static void peek_takes_nothing(void **state)
{
	char *path = fixture_file("one\ntwo\n", 8);
	struct error err = {0};
	struct input *in = input_open(path, &err);
	struct line line;
	const char *p;

	(void)state;
	assert_int_equal(input_peek(in, &p, 5, &err), 5);
	assert_memory_equal(p, "one\nt", 5);
	assert_int_equal(input_peek(in, &p, 1000, &err), 8);
	assert_int_equal(input_line(in, &line, &err), 1);
	assert_memory_equal(line.s, "one", 3);
	input_close(in);
	unlink(path);
	free(path);
}

static void refused(const char *path, enum error_kind kind, const char *part)
{
	struct error err = {0};

	assert_null(trace_open(path, &fixture_options, &err));
	assert_int_equal(err.kind, kind);
	if (!strstr(err.text, part))
		fail_msg("the message is: %s\nit lacks: %s", err.text, part);
}

static void no_file(void **state)
{
	struct bytes nothing = {(char *)"", 0};
	char *path = fixture_file("", 0);

	(void)state;
	refused("/nowhere/at/all", ERROR_INPUT, "/nowhere/at/all: there is no such file");
	refused("/", ERROR_INPUT, "is a directory");
	refused(path, ERROR_INPUT, "the file is empty");
	unlink(path);
	free(path);
	for (size_t i = 0; i < NR_METHODS; i++) {
		struct bytes file = methods[i].compress(nothing);

		path = fixture_file(file.p, file.n);
		refused(path, ERROR_INPUT, "nothing is in this");
		unlink(path);
		free(path);
		free(file.p);
	}
}

static void no_trace(void **state)
{
	char *path;

	(void)state;
	fixture_refused("hello\nworld\n", NULL, "no trace format recognised. Known are: csv (");
	path = fixture_file("\x7f"
			    "ELF\0\0\0\0\n",
			    9);
	refused(path, ERROR_INPUT, "binary data of no format known here");
	unlink(path);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_lines),
	    cmocka_unit_test(compressed_lines),
	    cmocka_unit_test(skippable_zstd_frame),
	    cmocka_unit_test(cut_short),
	    cmocka_unit_test(damaged),
	    cmocka_unit_test(garbage_behind_gzip),
	    cmocka_unit_test(long_line),
	    cmocka_unit_test(peek_takes_nothing),
	    cmocka_unit_test(no_file),
	    cmocka_unit_test(no_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
