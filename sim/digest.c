#include "sim/digest.h"

#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdio.h>
#include <sys/stat.h>
#include <zlib.h>

#define BUFFER_SIZE (256 * 1024)

void digest_init(struct digest *d)
{
	*d = (struct digest){0};
}

void digest_add(struct digest *d, const void *data, size_t len)
{
	d->crc64 = lzma_crc64(data, len, d->crc64);
	d->crc32 = (uint32_t)crc32_z(d->crc32, data, len);
}

void digest_add_text(struct digest *d, const char *s)
{
	digest_add(d, s, strlen(s) + 1);
}

static int add_stream(struct digest *d, FILE *in, char *buffer)
{
	size_t n;

	while ((n = fread(buffer, 1, BUFFER_SIZE, in)))
		digest_add(d, buffer, n);
	return ferror(in) ? -1 : 0;
}

int digest_add_file(struct digest *d, const char *path, struct error *err)
{
	struct stat st;
	FILE *in;
	char *buffer;
	int ret;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return error_input(err, "%s: a regular file is wanted, which can be read twice",
				   path);
	in = fopen(path, "re");
	if (!in)
		return error_open(err, path);
	buffer = malloc(BUFFER_SIZE);
	if (!buffer)
		ret = error_memory(err, path);
	else if (add_stream(d, in, buffer))
		ret = error_failed(err, "%s: %s", path, strerror(errno));
	else
		ret = 0;
	free(buffer);
	fclose(in);
	return ret;
}

void digest_text(const struct digest *d, char text[DIGEST_LEN + 1])
{
	snprintf(text, DIGEST_LEN + 1, "%016" PRIx64 "%08" PRIx32, d->crc64, d->crc32);
}
