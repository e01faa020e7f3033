#include "workloads/bytes.h"

#include <stdlib.h>

void bytes_put(struct bytes_out *out, const void *p, size_t n)
{
	if (out->failed || !n)
		return;
	if (out->cap - out->n < n) {
		size_t cap = (out->n + n) * 2 + 64;
		uint8_t *larger = realloc(out->p, cap);

		if (!larger) {
			out->failed = true;
			return;
		}
		out->p = larger;
		out->cap = cap;
	}
	memcpy(out->p + out->n, p, n);
	out->n += n;
}

void bytes_put_number(struct bytes_out *out, uint64_t x)
{
	uint8_t b[10];
	size_t n = 0;

	for (; x > 0x7f; x >>= 7)
		b[n++] = (uint8_t)(x | 0x80);
	b[n++] = (uint8_t)x;
	bytes_put(out, b, n);
}

void bytes_put_string(struct bytes_out *out, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	bytes_put_number(out, n);
	bytes_put(out, s, n);
}

uint64_t bytes_get_number(struct bytes_in *in, uint64_t max)
{
	uint64_t x = 0;

	for (unsigned shift = 0; shift < 64 && in->p < in->end; shift += 7) {
		uint8_t b = *in->p++;

		/* The tenth byte has one bit left. */
		if (shift == 63 && b > 1)
			break;
		x |= (uint64_t)(b & 0x7f) << shift;
		if (b & 0x80)
			continue;
		if (x > max)
			break;
		return x;
	}
	in->bad = true;
	return 0;
}

char *bytes_get_string(struct bytes_in *in)
{
	uint64_t n = bytes_get_count(in, SIZE_MAX / 2, 1);
	char *s = NULL;

	if (!in->bad && (!n || !memchr(in->p, '\0', n)))
		s = malloc(n + 1);
	if (!s) {
		in->bad = true;
		return NULL;
	}
	memcpy(s, in->p, n);
	s[n] = '\0';
	in->p += n;
	return s;
}

uint64_t bytes_get_count(struct bytes_in *in, uint64_t max, size_t each)
{
	uint64_t n = bytes_get_number(in, max);

	if (n <= (size_t)(in->end - in->p) / each)
		return n;
	in->bad = true;
	return 0;
}
