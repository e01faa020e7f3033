#include <zlib.h>

#include "workloads/decode.h"

struct gzip {
	z_stream z;
	bool in_member; /* false: between members, where the file may end */
};

static bool gzip_match(const unsigned char *head, size_t n)
{
	return n >= 3 && head[0] == 0x1f && head[1] == 0x8b && head[2] == 8;
}

static void *gzip_open(struct error *err)
{
	struct gzip *g = calloc(1, sizeof(*g));

	/* 16: a gzip header is expected, no zlib one. */
	if (!g || inflateInit2(&g->z, 15 + 16) != Z_OK) {
		free(g);
		error_memory(err, "gzip decompression");
		return NULL;
	}
	g->in_member = true;
	return g;
}

/* Called between members; 1: another member follows, 0: the end. */
static int gzip_next_member(struct gzip *g, struct raw *raw, struct error *err)
{
	int64_t n = raw_fill(raw, err);

	if (n <= 0)
		return (int)n;
	if (raw->buf[raw->pos] != 0x1f)
		return error_input(err, "%s: garbage behind the gzip data, at byte %llu", raw->name,
				   (unsigned long long)raw_offset(raw));
	inflateReset(&g->z);
	g->in_member = true;
	return 1;
}

static int64_t gzip_read(void *state, struct raw *raw, void *dst, size_t cap, struct error *err)
{
	struct gzip *g = state;
	int64_t avail;
	int ret;

	g->z.next_out = dst;
	g->z.avail_out = (uInt)cap;
	while (g->z.avail_out == cap) {
		if (!g->in_member) {
			ret = gzip_next_member(g, raw, err);
			if (ret <= 0)
				return ret;
		}
		avail = raw_fill(raw, err);
		if (avail < 0)
			return -1;
		if (avail == 0)
			return error_input(err,
					   "%s: the gzip data is cut short: the file ends at byte "
					   "%llu, in the middle of it",
					   raw->name, (unsigned long long)raw_offset(raw));
		g->z.next_in = raw->buf + raw->pos;
		g->z.avail_in = (uInt)avail;
		ret = inflate(&g->z, Z_NO_FLUSH);
		raw->pos = raw->len - g->z.avail_in;
		if (ret == Z_STREAM_END)
			g->in_member = false;
		else if (ret != Z_OK && ret != Z_BUF_ERROR)
			return error_input(err, "%s: corrupt gzip data near byte %llu: %s",
					   raw->name, (unsigned long long)raw_offset(raw),
					   g->z.msg ? g->z.msg : "inflate failed");
	}
	return (int64_t)(cap - g->z.avail_out);
}

static void gzip_close(void *state)
{
	struct gzip *g = state;

	inflateEnd(&g->z);
	free(g);
}

const struct decoder_ops decode_gzip = {
    .name = "gzip",
    .match = gzip_match,
    .open = gzip_open,
    .read = gzip_read,
    .close = gzip_close,
};
