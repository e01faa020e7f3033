/* What the timed machine measured, as text and as JSON; part of the exporters. */
#ifndef SLABSIM_RESULT_TIMING_H
#define SLABSIM_RESULT_TIMING_H

#include "sim/json_writer.h"
#include "sim/result/results.h"

/* Tables of time by path, of locks, of causes; nothing in order mode. */
void result_timing_text(FILE *out, const struct results *res);
/* "timing": {...}, times in ns; nothing in order mode. */
void result_timing_json(struct json_writer *w, const struct results *res);

#endif
