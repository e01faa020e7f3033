/* The fields of a line of CSV: what is between commas, as it is. There are no quotes. */
#ifndef SLABSIM_CSV_FIELD_H
#define SLABSIM_CSV_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workloads/input.h"

struct field {
	const char *s;
	size_t len;
};

/* The field at *s, moved behind its comma; *s is NULL behind the last one. */
struct field field_next(const char **s, const char *end);
bool field_is(struct field f, const char *text);
/* A decimal number, or a hexadecimal one behind 0x, of at most max. */
bool field_number(struct field f, uint64_t max, uint64_t *number);
/* Refuse, as wrong input, a line with a NUL byte or with a field that begins with a quote. */
int field_check_line(const struct input *in, const struct line *line, struct error *err);

#endif
