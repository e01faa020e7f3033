/* Is a file whole enough to be loaded? */
#ifndef SLABSIM_PLUGIN_FILE_H
#define SLABSIM_PLUGIN_FILE_H

#include "sim/error.h"

/*
 * The dynamic linker trusts a library's headers and dies of what lies behind the end of the file.
 * Does all that the headers name lie within it? -1 and err, which does not name the file, if not.
 * What is no ELF file of 64 bits is left to dlopen, which refuses it.
 */
int plugin_check_file(const char *path, struct error *err);

#endif
