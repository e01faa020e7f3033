#include <zstd.h>

#include "workloads/decode.h"

struct zstd {
	ZSTD_DCtx *dctx;
	bool in_frame; /* false: between frames, where the file may end */
};

/* A frame, or a skippable frame such as pzstd puts in front. */
static bool zstd_match(const unsigned char *head, size_t n)
{
	if (n < 4 || head[3] != (head[1] == 0xb5 ? 0xfd : 0x18))
		return false;
	return (head[0] == 0x28 && head[1] == 0xb5 && head[2] == 0x2f) ||
	       ((head[0] & 0xf0) == 0x50 && head[1] == 0x2a && head[2] == 0x4d);
}

static void *zstd_open(struct error *err)
{
	struct zstd *z = calloc(1, sizeof(*z));

	if (z)
		z->dctx = ZSTD_createDCtx();
	if (!z || !z->dctx) {
		free(z);
		error_memory(err, "zstd decompression");
		return NULL;
	}
	return z;
}

static int64_t zstd_read(void *state, struct raw *raw, void *dst, size_t cap, struct error *err)
{
	struct zstd *z = state;
	ZSTD_outBuffer out = {dst, cap, 0};
	ZSTD_inBuffer in;
	int64_t avail;
	size_t ret;

	while (out.pos == 0) {
		avail = raw_fill(raw, err);
		if (avail < 0)
			return -1;
		if (avail == 0 && !z->in_frame)
			return 0;
		/*
		 * At the end of the file the decoder is asked once more, without input: it may
		 * still hold output that did not fit.
		 */
		in = (ZSTD_inBuffer){raw->buf, raw->len, raw->pos};
		ret = ZSTD_decompressStream(z->dctx, &out, &in);
		raw->pos = in.pos;
		if (ZSTD_isError(ret))
			return error_input(err, "%s: corrupt zstd data near byte %llu: %s",
					   raw->name, (unsigned long long)raw_offset(raw),
					   ZSTD_getErrorName(ret));
		z->in_frame = ret != 0;
		if (avail == 0 && out.pos == 0)
			return error_input(err,
					   "%s: the zstd data is cut short: the file ends at byte "
					   "%llu, in the middle of it",
					   raw->name, (unsigned long long)raw_offset(raw));
	}
	return (int64_t)out.pos;
}

static void zstd_close(void *state)
{
	struct zstd *z = state;

	ZSTD_freeDCtx(z->dctx);
	free(z);
}

const struct decoder_ops decode_zstd = {
    .name = "zstd",
    .match = zstd_match,
    .open = zstd_open,
    .read = zstd_read,
    .close = zstd_close,
};
