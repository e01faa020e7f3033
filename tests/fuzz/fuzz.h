/*
 * libFuzzer targets, one program each: what a target does with an input that may be anything.
 * Whatever it is, it must be refused with a message or become events that make sense.
 */
#ifndef SLABSIM_TESTS_FUZZ_H
#define SLABSIM_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The bytes as a file without a name; its path in /proc, until the next one. */
const char *fuzz_file(const uint8_t *data, size_t size);
/* Read the file as a trace of this format (reader_ops.name), and all that can be made of it. */
void fuzz_trace(const char *format, const uint8_t *data, size_t size);

#define FUZZ_READER(format)                                                                        \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                              \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                               \
	{                                                                                          \
		fuzz_trace(format, data, size);                                                    \
		return 0;                                                                          \
	}

#endif
