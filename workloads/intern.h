/* Each distinct string once, under a small number: names of caches, call sites. */
#ifndef SLABSIM_INTERN_H
#define SLABSIM_INTERN_H

#include <stddef.h>
#include <stdint.h>

/* The empty string's number. */
#define INTERN_EMPTY 0
/* Out of memory. */
#define INTERN_FAILED UINT32_MAX

struct intern;

struct intern *intern_new(void);
void intern_free(struct intern *in);
/* The string's number, a new one when it was not seen before; or INTERN_FAILED. */
uint32_t intern(struct intern *in, const char *s, size_t len);
/* The string, with a final NUL; valid until the next intern(). */
const char *intern_str(const struct intern *in, uint32_t id);
/* Numbers in use: 0 to intern_count() - 1. */
uint32_t intern_count(const struct intern *in);

#endif
