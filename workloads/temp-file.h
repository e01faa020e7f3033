/* Temporary files without a name: gone when they are closed, whatever happens. */
#ifndef SLABSIM_TEMP_FILE_H
#define SLABSIM_TEMP_FILE_H

#include <stddef.h>

#include "sim/error.h"

/* Where they lie: $TMPDIR, else /var/tmp. */
const char *temp_file_directory(void);
/* A new one, to be read and written anywhere; -1 and err. */
int temp_file_open(struct error *err);
/* Append all n bytes; 0, or -1 and err. */
int temp_file_write(int fd, const void *buf, size_t n, struct error *err);

#endif
