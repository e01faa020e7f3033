/* gfp_flags as trace events print them (facts 8.1), reduced to enum gfp_bits. */
#ifndef SLABSIM_GFP_H
#define SLABSIM_GFP_H

#include <stddef.h>
#include <stdint.h>

/*
 * Decode names joined by "|", or a number. Empty text tells nothing: it may block, as most
 * allocations do.
 */
uint8_t gfp_decode(const char *s, size_t len);
/* The same for a raw number, with the bits of 4.19 and later. */
uint8_t gfp_decode_number(uint64_t flags);

/* Remembers what it decoded: a trace has few different texts. */
struct gfp_cache;

struct gfp_cache *gfp_cache_new(void);
void gfp_cache_free(struct gfp_cache *c);
uint8_t gfp_cache_decode(struct gfp_cache *c, const char *s, size_t len);

#endif
