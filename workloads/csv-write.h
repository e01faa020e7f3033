/* A stream as CSV, in the columns that the CSV reader takes (reader-csv.c). */
#ifndef SLABSIM_CSV_WRITE_H
#define SLABSIM_CSV_WRITE_H

#include "workloads/stream.h"

/* From the stream's first event on. "-": standard output. 0, or -1 and err. */
int csv_write(struct stream *st, const char *path, bool times, struct error *err);

#endif
