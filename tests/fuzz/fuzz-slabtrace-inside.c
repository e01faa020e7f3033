/*
 * .slabtrace files whose checksums are right: what is inside them is the fuzzer's. The input is
 * the header, uncompressed, behind its length; then blocks, each its counts (slabtrace.md) and its
 * columns, uncompressed.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <zstd.h>

#include "workloads/slabtrace-format.h"

#define MAX_EVENTS 600
#define COUNTS	   11 /* bytes: five u16, id_bytes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct source_bytes {
	const uint8_t *p, *end;
};

static void put_frame(struct bytes_out *out, const uint8_t *p, size_t n)
{
	size_t cap = ZSTD_compressBound(n), got;
	uint8_t *frame = malloc(cap);

	if (!frame)
		__builtin_trap();
	got = ZSTD_compress(frame, cap, p, n, 1);
	bytes_put(out, frame, got);
	free(frame);
}

/* A column of n bytes: what is left of the input, and then zeros. */
static void put_column(struct bytes_out *out, struct source_bytes *in, size_t n)
{
	uint8_t *column = calloc(n + 1, 1), size[4];
	size_t have = (size_t)(in->end - in->p) < n ? (size_t)(in->end - in->p) : n, at = out->n;

	if (!n || !column) {
		free(column);
		return;
	}
	memcpy(column, in->p, have);
	in->p += have;
	bytes_put(out, "    ", 4);
	put_frame(out, column, n);
	put_u32(size, (uint32_t)(out->n - at - 4));
	memcpy(out->p + at, size, 4);
	free(column);
}

static unsigned count(const uint8_t *p, unsigned max)
{
	return get_u16(p) % (max + 1);
}

/* One block; first is the number of its first event, moved on. False: the input has ended. */
static bool put_block(struct bytes_out *out, struct source_bytes *in, bool times, bool wide_cpus,
		      uint64_t *first)
{
	uint8_t header[SLABTRACE_BLOCK_HEADER_SIZE];
	struct bytes_out columns = {0};
	struct slabtrace_block b;
	unsigned n;

	if (in->end - in->p < COUNTS)
		return false;
	n = 1 + count(in->p, MAX_EVENTS - 1);
	b = (struct slabtrace_block){
	    .events = n,
	    .frees = count(in->p + 2, n),
	    .wide = count(in->p + 4, n),
	    .late = times ? count(in->p + 6, n) : 0,
	    .after = times ? count(in->p + 8, n) : 0,
	    .first = *first,
	};
	b.id_bytes = b.frees ? 1 + in->p[10] % 4 : 0;
	in->p += COUNTS;
	put_column(&columns, in, n);
	put_column(&columns, in, 4 * (size_t)b.wide);
	put_column(&columns, in, wide_cpus ? 2 * (size_t)n : n);
	for (unsigned i = 0; i < b.id_bytes; i++)
		put_column(&columns, in, b.frees);
	put_column(&columns, in, times ? n : 0);
	put_column(&columns, in, times ? n : 0);
	put_column(&columns, in, 8 * (size_t)b.late);
	put_column(&columns, in, 4 * (size_t)b.after);
	b.size = (uint32_t)columns.n;
	slabtrace_put_block(header, &b);
	bytes_put(out, header, sizeof(header));
	bytes_put(out, columns.p, columns.n);
	free(columns.p);
	*first += n;
	return true;
}

/*
 * The header's flags and CPUs decide about columns; its count of events is put right, which the
 * fuzzer would not find.
 */
static void put_file(struct bytes_out *out, struct source_bytes header, struct source_bytes in)
{
	struct bytes_in h = {header.p, header.end, false};
	uint64_t flags = bytes_get_number(&h, UINT64_MAX), events = 0, used;
	uint8_t start[SLABTRACE_START_SIZE] = SLABTRACE_MAGIC, end[SLABTRACE_BLOCK_HEADER_SIZE];
	struct bytes_out blocks = {0}, raw = {0}, packed = {0};
	struct slabtrace_block mark = {0};
	const uint8_t *rest;

	bytes_get_number(&h, UINT64_MAX);
	rest = h.p;
	bytes_get_number(&h, UINT64_MAX);
	used = bytes_get_number(&h, UINT64_MAX);
	while (events < 4 * MAX_EVENTS && put_block(&blocks, &in, flags & 1, used > 256, &events))
		;
	bytes_put_number(&raw, flags);
	bytes_put_number(&raw, events);
	bytes_put(&raw, rest, (size_t)(header.end - rest));
	put_frame(&packed, raw.p, raw.n);
	put_u16(start + 8, SLABTRACE_VERSION);
	put_u32(start + 12, (uint32_t)packed.n);
	put_u32(start + 16, (uint32_t)raw.n);
	put_u32(start + 20, slabtrace_checksum(start, 20));
	mark.first = events;
	slabtrace_put_block(end, &mark);
	bytes_put(out, start, sizeof(start));
	bytes_put(out, packed.p, packed.n);
	bytes_put(out, blocks.p, blocks.n);
	bytes_put(out, end, sizeof(end));
	free(blocks.p);
	free(raw.p);
	free(packed.p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes_out file = {0};
	size_t n;

	if (size < 2)
		return 0;
	n = get_u16(data);
	n = n < size - 2 ? n : size - 2;
	put_file(&file, (struct source_bytes){data + 2, data + 2 + n},
		 (struct source_bytes){data + 2 + n, data + size});
	fuzz_trace("slabtrace", file.p, file.n);
	free(file.p);
	return 0;
}
