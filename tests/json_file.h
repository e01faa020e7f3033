/* Reading a JSON file in a test. */
#ifndef SLABSIM_TESTS_JSON_FILE_H
#define SLABSIM_TESTS_JSON_FILE_H

#include <cjson/cJSON.h>

#include "sim/error.h"

/* NULL and err when it cannot be read or parsed. */
cJSON *json_file_read(const char *file, struct error *err);

#endif
