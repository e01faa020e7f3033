/* Compressed files: gzip, zstd, xz, or neither; lines of whatever is in them. */
#include "tests/fuzz/fuzz.h"

#include "workloads/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {0};
	struct input *in = input_open(fuzz_file(data, size), &err);
	uint64_t bytes = 0;
	struct line line;
	const char *head;
	int more;

	if (!in || input_peek(in, &head, 4096, &err) < 0) {
		input_close(in);
		return 0;
	}
	/* A few bytes can become gigabytes. */
	while (bytes < 1 << 20 && (more = input_line(in, &line, &err)) > 0)
		bytes += line.len + 1;
	input_close(in);
	return 0;
}
