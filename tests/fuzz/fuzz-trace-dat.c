/*
 * trace.dat. libtracecmd crashes on much of this; it does so in a process of its own, of which
 * the fuzzer must not hear.
 */
#include "tests/fuzz/fuzz.h"

#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/trace-dat.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void no_report(void)
{
	__sanitizer_set_death_callback(NULL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return pthread_atfork(NULL, NULL, no_report);
}

/* All but the magic is the fuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t magic = sizeof(TRACE_DAT_MAGIC) - 1;
	uint8_t *copy;

	if (size < magic)
		return 0;
	copy = malloc(size);
	if (!copy)
		return 0;
	memcpy(copy, data, size);
	memcpy(copy, TRACE_DAT_MAGIC, magic);
	fuzz_trace("trace-dat", copy, size);
	free(copy);
	return 0;
}
