/*
 * Names come from traces and configs, so any byte may be in them. What is printed must stay one
 * line on a terminal, and valid UTF-8.
 */
#ifndef SLABSIM_ESCAPE_H
#define SLABSIM_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the UTF-8 character at s (1 to 4); 0 when there is no valid one (RFC 3629). */
unsigned utf8_length(const char *s);
/* Is the valid character of n bytes at s a control character (C0, DEL or C1)? */
bool utf8_is_control(const char *s, unsigned n);
/* Bytes of the byte order mark that text begins with: 3, or 0. */
size_t utf8_mark(const char *text, size_t len);
/* Does it begin with the byte order mark of UTF-16? */
bool utf16_mark(const char *text, size_t len);
/* Write s to out with control characters and stray bytes as \xNN. */
void write_plain(FILE *out, const char *s);
/* Characters that write_plain() writes. */
size_t plain_width(const char *s);
/* Write s padded with blanks to width characters, on the right. */
void write_padded(FILE *out, const char *s, size_t width);
/*
 * Write s as one CSV field (RFC 4180), quoted when needed. Line ends are kept, inside quotes;
 * other control characters and stray bytes are written as \xNN. What a spreadsheet would take for
 * a formula, such as a name that begins with =, gets a ' before it, which quotes would not keep it
 * from.
 */
void write_csv_field(FILE *out, const char *s);

#endif
