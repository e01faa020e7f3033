/*
 * Writes JSON as it goes. 64-bit numbers are written exactly, which cJSON cannot (it keeps
 * doubles), and the same values always give the same bytes.
 */
#ifndef SLABSIM_JSON_WRITER_H
#define SLABSIM_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cJSON;

struct json_writer {
	FILE *out;
	unsigned depth;	      /* of nesting */
	unsigned inline_from; /* containers at least this deep are written on one line */
	bool first;	      /* nothing stands in the current container yet */
};

void json_init(struct json_writer *w, FILE *out);

/*
 * Every function takes the key of the value, NULL in an array and at the top. The _inline ones
 * begin a container that is written on one line with all it holds.
 */
void json_object(struct json_writer *w, const char *key);
void json_object_inline(struct json_writer *w, const char *key);
void json_array(struct json_writer *w, const char *key);
void json_array_inline(struct json_writer *w, const char *key);
void json_end_object(struct json_writer *w);
/* At the top, ends the text with a newline; so does json_end_object(). */
void json_end_array(struct json_writer *w);

/* A stray byte, which JSON cannot hold, is written as the text \xNN. */
void json_string(struct json_writer *w, const char *key, const char *value);
void json_u64(struct json_writer *w, const char *key, uint64_t value);
void json_i64(struct json_writer *w, const char *key, int64_t value);
/* The shortest text that reads back as value; null when it is not finite. */
void json_double(struct json_writer *w, const char *key, double value);
void json_bool(struct json_writer *w, const char *key, bool value);
void json_null(struct json_writer *w, const char *key);
/* Text that is a JSON value already. */
void json_raw(struct json_writer *w, const char *key, const char *value);
/* A whole cJSON tree; NULL is written as null. */
void json_tree(struct json_writer *w, const char *key, const struct cJSON *value);

#endif
