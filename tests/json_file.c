#include "tests/json_file.h"

#define MAX_TEXT (1 << 22)

cJSON *json_file_read(const char *file, struct error *err)
{
	char *text = malloc(MAX_TEXT);
	FILE *f = fopen(file, "r");
	cJSON *json = NULL;

	if (text && f) {
		size_t n = fread(text, 1, MAX_TEXT - 1, f);

		text[n] = 0;
		json = cJSON_Parse(text);
	}
	if (f)
		fclose(f);
	free(text);
	if (!json)
		error_input(err, "%s: cannot be read as JSON", file);
	return json;
}
