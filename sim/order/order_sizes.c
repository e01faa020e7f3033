#include "sim/order/order_sizes.h"

#include <ctype.h>
#include <errno.h>

#define STEP 8

static int add_size(struct order_table *t, unsigned object_size,
		    const struct geometry_request *like, struct error *err)
{
	struct order_row *row = order_table_add_row(t, err);
	struct geometry_request request = *like;

	if (!row)
		return -1;
	request.object_size = object_size;
	row->object_size = object_size;
	row->align = geometry_align(&request);
	row->size = geometry_size(&request);
	return 0;
}

static int add_kmalloc(struct order_table *t, unsigned size, struct error *err)
{
	struct order_row *row = order_table_add_row(t, err);
	char suffix = size >= 1 << 20 ? 'M' : size >= 1 << 10 ? 'k' : 0;
	unsigned unit = suffix == 'M' ? 1 << 20 : suffix == 'k' ? 1 << 10 : 1;
	char name[32];

	if (!row)
		return -1;
	if (suffix)
		snprintf(name, sizeof(name), "kmalloc-%u%c", size / unit, suffix);
	else
		snprintf(name, sizeof(name), "kmalloc-%u", size);
	row->name = strdup(name);
	row->size = size;
	return row->name ? 0 : error_memory(err, "a cache's name");
}

/* The sizes up to two pages (facts 1.2). */
static int add_kmalloc_set(struct order_table *t, struct error *err)
{
	unsigned size;

	for (size = 8; size <= 2 * t->page_size; size *= 2) {
		if (add_kmalloc(t, size, err))
			return -1;
		/* Between 64, 128 and 256. */
		if ((size == 64 || size == 128) && add_kmalloc(t, size + size / 2, err))
			return -1;
	}
	return 0;
}

/* A size at *pos; it ends where no digit follows. */
static int parse_size(const char **pos, unsigned *size, struct error *err)
{
	unsigned long long v;
	char *end;

	errno = 0;
	if (!isdigit((unsigned char)**pos))
		return error_input(
		    err,
		    "--sizes: a size in bytes, a range like 8..4096 or \"kmalloc\" is "
		    "wanted, not \"%.40s\"",
		    *pos);
	v = strtoull(*pos, &end, 10);
	if (errno || v < 1 || v > ORDER_MAX_SIZE)
		return error_input(err, "--sizes: %.*s is not a size from 1 to %u bytes",
				   (int)(end - *pos > 40 ? 40 : end - *pos), *pos, ORDER_MAX_SIZE);
	*pos = end;
	*size = (unsigned)v;
	return 0;
}

static int add_range(struct order_table *t, const char **pos, const struct geometry_request *like,
		     struct error *err)
{
	unsigned first, last;

	if (parse_size(pos, &first, err))
		return -1;
	if (strncmp(*pos, "..", 2))
		return add_size(t, first, like, err);
	*pos += 2;
	if (parse_size(pos, &last, err))
		return -1;
	if (last < first)
		return error_input(err, "--sizes: %u..%u ends before it begins", first, last);
	for (; first <= last; first += STEP) {
		if (add_size(t, first, like, err))
			return -1;
	}
	return 0;
}

int order_table_add_sizes(struct order_table *t, const char *text,
			  const struct geometry_request *like, struct error *err)
{
	const char *pos = text;

	for (;; pos++) {
		if (!strncmp(pos, "kmalloc", 7)) {
			pos += 7;
			if (add_kmalloc_set(t, err))
				return -1;
		} else if (add_range(t, &pos, like, err)) {
			return -1;
		}
		if (!*pos)
			return 0;
		if (*pos != ',')
			return error_input(err, "--sizes: a comma is wanted before \"%.40s\"", pos);
	}
}
