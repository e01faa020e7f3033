/* How the results of a run are written. One file per format, result_NAME.c. */
#ifndef SLABSIM_EXPORTER_H
#define SLABSIM_EXPORTER_H

#include "sim/result/results.h"

struct exporter {
	const char *name; /* as in --format NAME */
	const char *summary;
	/* Write res to out. Whether all arrived is for whoever opened it to see. */
	void (*write)(FILE *out, const struct results *res);
};

extern const struct exporter exporter_text, exporter_json, exporter_csv;

/* NULL when there is none of that name. */
const struct exporter *exporter_find(const char *name);
/* NULL behind the last. */
const struct exporter *exporter_nth(size_t i);

#endif
