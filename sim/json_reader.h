/*
 * Reading JSON. cJSON builds the tree; before that the text is checked strictly, because cJSON
 * passes over some faults (01, control characters, \u0000, broken UTF-8, a key given twice) and
 * does not say where the others are.
 */
#ifndef SLABSIM_JSON_READER_H
#define SLABSIM_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/error.h"

struct cJSON;

/* Of nesting. */
#define JSON_MAX_DEPTH 64
#define JSON_MAX_SIZE  (1024 * 1024)

/*
 * Parse text, len bytes and a NUL behind them. An error reads "NAME:LINE:COLUMN: what is wrong";
 * without a name, "column COLUMN: ...". NULL and err, or a tree for cJSON_Delete().
 */
struct cJSON *json_parse(const char *text, size_t len, const char *name, struct error *err);
/* The same from a file of at most JSON_MAX_SIZE bytes. */
struct cJSON *json_read_file(const char *path, struct error *err);
/* Is text well-formed? Builds no tree; keys given twice pass. */
bool json_valid(const char *text, size_t len);

#endif
