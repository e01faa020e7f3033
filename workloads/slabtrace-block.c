#include "workloads/slabtrace-block.h"

#include <zstd.h>

/* What all columns take, laid out behind each other. */
#define N ((size_t)SLABTRACE_BLOCK_EVENTS + COLUMN_SLACK)

int slabtrace_columns_init(struct slabtrace_columns *c, unsigned cpus)
{
	uint8_t *p;

	*c = (struct slabtrace_columns){.cpu_bytes = cpus > 256 ? 2 : 1};
	c->zstd = ZSTD_createDCtx();
	c->packed = malloc(SLABTRACE_BLOCK_MAX);
	p = c->kind = calloc(N, 1 + 4 + 2 + 4 + 2 + 8 + 4);
	if (!c->zstd || !c->packed || !p)
		return -1;
	c->wide = p += N;
	c->cpu = p += 4 * N;
	p += 2 * N;
	for (int i = 0; i < 4; i++, p += N)
		c->id[i] = p;
	c->time_low = p;
	c->time_high = p += N;
	c->late = p += N;
	c->after = p + 8 * N;
	return 0;
}

void slabtrace_columns_free(struct slabtrace_columns *c)
{
	ZSTD_freeDCtx(c->zstd);
	free(c->packed);
	free(c->kind);
	*c = (struct slabtrace_columns){0};
}

/* The next column, of n bytes. */
static bool unpack(struct slabtrace_columns *c, struct bytes_in *in, uint8_t *dst, size_t n)
{
	uint32_t size;

	if (!n)
		return true;
	if (in->end - in->p < 4)
		return false;
	size = get_u32(in->p);
	in->p += 4;
	if (size > (size_t)(in->end - in->p) ||
	    ZSTD_decompressDCtx(c->zstd, dst, n, in->p, size) != n)
		return false;
	in->p += size;
	return true;
}

static bool unpack_all(struct slabtrace_columns *c, const struct slabtrace_block *b, bool times)
{
	struct bytes_in in = {c->packed, c->packed + b->size, false};
	size_t n = b->events;

	if (!unpack(c, &in, c->kind, n) || !unpack(c, &in, c->wide, 4 * (size_t)b->wide) ||
	    !unpack(c, &in, c->cpu, n * c->cpu_bytes))
		return false;
	for (unsigned i = 0; i < 4; i++) {
		if (i >= b->id_bytes)
			memset(c->id[i], 0, b->frees);
		else if (!unpack(c, &in, c->id[i], b->frees))
			return false;
	}
	if (times && (!unpack(c, &in, c->time_low, n) || !unpack(c, &in, c->time_high, n) ||
		      !unpack(c, &in, c->late, 8 * (size_t)b->late)))
		return false;
	return unpack(c, &in, c->after, 4 * (size_t)b->after) && in.p == in.end;
}

static bool afters_in_order(const struct slabtrace_columns *c, const struct slabtrace_block *b)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < b->after; i++) {
		uint16_t event = get_u16(c->after + 4 * i);

		if (event < next || event >= b->events)
			return false;
		next = event + 1u;
	}
	return true;
}

const char *slabtrace_unpack(struct slabtrace_columns *c, const struct slabtrace_block *b,
			     bool times)
{
	if (!times && (b->late || b->after))
		return "it has times where there are none";
	if (!unpack_all(c, b, times))
		return "its checksum, or its size, is wrong";
	if (!afters_in_order(c, b))
		return "its order of frees does not fit its events";
	return NULL;
}
