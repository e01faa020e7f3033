/* Text in HTML. Names come from traces and configs, so any byte may be in them. */
#ifndef SLABSIM_HTML_H
#define SLABSIM_HTML_H

#include <stdio.h>

#include "sim/error.h"

/*
 * Write s as text, or as the value of an attribute in double quotes: one line, control characters
 * and stray bytes as \xNN, marks of writing direction as "?".
 */
void html_text(FILE *out, const char *s);
/* The same of no more than max characters; of longer texts the middle is left out. */
void html_short(FILE *out, const char *s, size_t max);
/* JSON for a <script> element: "<" only as an escape. */
void html_json(FILE *out, const char *json);

/*
 * A picture by gnuplot as part of a page: only what draws, nothing that acts or loads; colours as
 * #rrggbb, so that a style sheet can change them; names of its parts behind prefix. label: what
 * it shows. -1 and err: it is not what gnuplot writes.
 */
int html_svg(FILE *out, const char *svg, const char *prefix, const char *label, struct error *err);

#endif
