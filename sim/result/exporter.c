#include "sim/result/exporter.h"

static const struct exporter *const exporters[] = {&exporter_text, &exporter_json, &exporter_csv};

const struct exporter *exporter_nth(size_t i)
{
	return i < sizeof(exporters) / sizeof(exporters[0]) ? exporters[i] : NULL;
}

const struct exporter *exporter_find(const char *name)
{
	const struct exporter *e;
	size_t i;

	for (i = 0; (e = exporter_nth(i)); i++)
		if (strcmp(e->name, name) == 0)
			return e;
	return NULL;
}
