/* How the results of a run are written. One file per format, result_NAME.c. */
#ifndef SLABSIM_EXPORTER_H
#define SLABSIM_EXPORTER_H

#include "sim/result/results.h"

struct exporter {
	const char *name; /* as in --format NAME */
	const char *summary;
	/* Write res to out. 0, or -1 when out cannot be written. */
	int (*write)(FILE *out, const struct results *res, struct error *err);
};

extern const struct exporter exporter_text, exporter_json, exporter_csv;

/* NULL when there is none of that name. */
const struct exporter *exporter_find(const char *name);
/* NULL behind the last. */
const struct exporter *exporter_nth(size_t i);

/* Flush out; -1 and err when anything written to it since it was opened was lost. */
int exporter_finish(FILE *out, struct error *err);

#endif
