/*
 * Digests that tell contents apart: two independent CRCs, of 64 and of 32 bits, which liblzma
 * and zlib compute. They find accidents, not forgeries.
 */
#ifndef SLABSIM_DIGEST_H
#define SLABSIM_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"

struct digest {
	uint64_t crc64;
	uint32_t crc32;
};

/* Hexadecimal digits of a digest. */
#define DIGEST_LEN 24

void digest_init(struct digest *d);
void digest_add(struct digest *d, const void *data, size_t len);
/* Add s with its NUL, so that what stands one behind the other cannot run together. */
void digest_add_text(struct digest *d, const char *s);
/* Add the contents of a regular file. 0, or -1 and err. */
int digest_add_file(struct digest *d, const char *path, struct error *err);
void digest_text(const struct digest *d, char text[DIGEST_LEN + 1]);

#endif
