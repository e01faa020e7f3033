/*
 * Included before every file that clang-tidy looks at, in place of what it cannot see: cJSON's
 * bodies, where NULL is of no type.
 */
#include <cjson/cJSON.h>

#define cJSON_IsArray(item)  ((item) && (cJSON_IsArray)(item))
#define cJSON_IsBool(item)   ((item) && (cJSON_IsBool)(item))
#define cJSON_IsNull(item)   ((item) && (cJSON_IsNull)(item))
#define cJSON_IsNumber(item) ((item) && (cJSON_IsNumber)(item))
#define cJSON_IsObject(item) ((item) && (cJSON_IsObject)(item))
#define cJSON_IsString(item) ((item) && (cJSON_IsString)(item))
#define cJSON_IsTrue(item)   ((item) && (cJSON_IsTrue)(item))
