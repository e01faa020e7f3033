/* Decompressors behind one small table of functions; input.c picks one by the first bytes. */
#ifndef SLABSIM_DECODE_H
#define SLABSIM_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"

#define RAW_SIZE (128 << 10)

/* The file as it lies on the disk. */
struct raw {
	int fd;
	const char *name; /* for messages */
	size_t pos, len;  /* of buf */
	uint64_t offset;  /* in the file, of buf[0] */
	bool eof;
	unsigned char buf[RAW_SIZE];
};

/* When buf is used up, read more: bytes available, 0 at the end, -1 and err. */
int64_t raw_fill(struct raw *raw, struct error *err);
/* Offset in the file of the next byte that is not used yet. */
uint64_t raw_offset(const struct raw *raw);

struct decoder_ops {
	const char *name;
	bool (*match)(const unsigned char *head, size_t n);
	void *(*open)(struct error *err);
	/* Up to cap decompressed bytes: how many, 0 at the end, -1 and err. */
	int64_t (*read)(void *state, struct raw *raw, void *dst, size_t cap, struct error *err);
	void (*close)(void *state);
};

extern const struct decoder_ops decode_gzip, decode_zstd, decode_xz;

#endif
