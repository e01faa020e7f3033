/* One operation list that a real kernel ran, and whether slabsim counts the same. */
#ifndef SLABSIM_TESTS_ORACLE_H
#define SLABSIM_TESTS_ORACLE_H

#include <stdbool.h>

#include "sim/error.h"

/*
 * Run DIR/NAME.json's operations, on so many threads as SLABSIM_THREADS says, and compare every
 * number of the JSON result with what the kernel said. Returns how many numbers were compared, or
 * -1 and err: the first difference, or why the case cannot be run. what counts the differing
 * numbers. With random the allocator's loop for random events is used, where it has one.
 */
int oracle_run_case(const char *json_file, bool random, unsigned *differing, struct error *err);

/*
 * Every case of a directory, differences printed to stderr. Returns how many cases there were,
 * -1 when the directory cannot be read; *failed says how many cases differ.
 */
int oracle_run_directory(const char *dir, bool random, unsigned *failed);

#endif
