/* The part of JSON Schema (draft 2020-12) that the schemas in configs/ use. */
#ifndef SLABSIM_TESTS_JSON_SCHEMA_H
#define SLABSIM_TESTS_JSON_SCHEMA_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Is value as schema says? If not, or if the schema has a keyword that is not known here, message
 * tells where and why.
 */
bool json_schema_valid(const cJSON *schema, const cJSON *value, char *message, size_t size);

#endif
