/* Numbers and strings as they stand in files, whatever the machine: little-endian, and varints. */
#ifndef SLABSIM_BYTES_H
#define SLABSIM_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void put_u16(void *p, uint16_t x)
{
	uint8_t *b = p;

	b[0] = (uint8_t)x;
	b[1] = (uint8_t)(x >> 8);
}

static inline void put_u32(void *p, uint32_t x)
{
	put_u16(p, (uint16_t)x);
	put_u16((uint8_t *)p + 2, (uint16_t)(x >> 16));
}

static inline void put_u64(void *p, uint64_t x)
{
	put_u32(p, (uint32_t)x);
	put_u32((uint8_t *)p + 4, (uint32_t)(x >> 32));
}

static inline uint16_t get_u16(const void *p)
{
	const uint8_t *b = p;

	return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t get_u32(const void *p)
{
	return get_u16(p) | (uint32_t)get_u16((const uint8_t *)p + 2) << 16;
}

static inline uint64_t get_u64(const void *p)
{
	return get_u32(p) | (uint64_t)get_u32((const uint8_t *)p + 4) << 32;
}

/* Bytes being written; failed: memory ran out. */
struct bytes_out {
	uint8_t *p;
	size_t n, cap;
	bool failed;
};

void bytes_put(struct bytes_out *out, const void *p, size_t n);
/* 7 bits a byte, the lowest first, the top bit set in all but the last. */
void bytes_put_number(struct bytes_out *out, uint64_t x);
/* Its length, then its bytes; NULL is "". */
void bytes_put_string(struct bytes_out *out, const char *s);

/* Bytes being read; bad: they ended too early, or made no sense. */
struct bytes_in {
	const uint8_t *p, *end;
	bool bad;
};

/* A number of at most max; 0 and bad otherwise. */
uint64_t bytes_get_number(struct bytes_in *in, uint64_t max);
/* A string without NUL bytes, to be freed; NULL when bad, or out of memory, which is bad, too. */
char *bytes_get_string(struct bytes_in *in);
/* How many things of at least so many bytes each follow; 0 and bad when there is no room. */
uint64_t bytes_get_count(struct bytes_in *in, uint64_t max, size_t each);

#endif
