#include <lzma.h>

#include "workloads/decode.h"

/* xz -9 asks for 65 MiB; a file that asks for more than this is refused. */
#define XZ_MEMORY (512ull << 20)

struct xz {
	lzma_stream lzma;
	bool ended;
};

static bool xz_match(const unsigned char *head, size_t n)
{
	return n >= 6 && !memcmp(head,
				 "\xfd"
				 "7zXZ\0",
				 6);
}

static void *xz_open(struct error *err)
{
	struct xz *x = calloc(1, sizeof(*x));

	if (!x || lzma_stream_decoder(&x->lzma, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK) {
		free(x);
		error_memory(err, "xz decompression");
		return NULL;
	}
	return x;
}

static int xz_error(const struct raw *raw, lzma_ret ret, struct error *err)
{
	unsigned long long at = raw_offset(raw);

	switch (ret) {
	case LZMA_BUF_ERROR:
		return error_input(err,
				   "%s: the xz data is cut short: the file ends at byte %llu, in "
				   "the middle of it",
				   raw->name, at);
	case LZMA_MEMLIMIT_ERROR:
		return error_input(err, "%s: decompressing this xz file takes more than %llu MiB",
				   raw->name, XZ_MEMORY >> 20);
	case LZMA_MEM_ERROR:
		return error_memory(err, "xz decompression");
	default:
		return error_input(err, "%s: corrupt xz data near byte %llu", raw->name, at);
	}
}

static int64_t xz_read(void *state, struct raw *raw, void *dst, size_t cap, struct error *err)
{
	struct xz *x = state;
	int64_t avail;
	lzma_ret ret;

	x->lzma.next_out = dst;
	x->lzma.avail_out = cap;
	while (x->lzma.avail_out == cap && !x->ended) {
		avail = raw_fill(raw, err);
		if (avail < 0)
			return -1;
		x->lzma.next_in = raw->buf + raw->pos;
		x->lzma.avail_in = (size_t)avail;
		ret = lzma_code(&x->lzma, avail ? LZMA_RUN : LZMA_FINISH);
		raw->pos = raw->len - x->lzma.avail_in;
		if (ret == LZMA_STREAM_END)
			x->ended = true;
		else if (ret != LZMA_OK)
			return xz_error(raw, ret, err);
	}
	return (int64_t)(cap - x->lzma.avail_out);
}

static void xz_close(void *state)
{
	struct xz *x = state;

	lzma_end(&x->lzma);
	free(x);
}

const struct decoder_ops decode_xz = {
    .name = "xz",
    .match = xz_match,
    .open = xz_open,
    .read = xz_read,
    .close = xz_close,
};
