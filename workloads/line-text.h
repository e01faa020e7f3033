/* Small things the text readers ask of a line. */
#ifndef SLABSIM_LINE_TEXT_H
#define SLABSIM_LINE_TEXT_H

#include "workloads/input.h"

bool line_starts(const struct line *line, const char *text);
bool line_has(const struct line *line, const char *text);
/* The number right behind text, somewhere in the line; 0 when there is none. */
uint64_t line_number_behind(const struct line *line, const char *text);
/* The line from its first character that is no blank or tab; empty: there is none. */
struct line line_skip_blanks(const struct line *line);

/*
 * The next whole line of a probe's bytes: *s is moved behind it. False when there is none; what
 * stands behind the last newline is no whole line.
 */
bool probe_line(const char **s, const char *end, struct line *line);

#endif
