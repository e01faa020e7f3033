#include "sim/slabinfo_file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "sim/escape.h"
#include "sim/event.h"
#include "sim/file.h"
#include "sim/order.h"
#include "sim/slabinfo_sysfs.h"

#define MAX_FILE_SIZE (16u << 20)

static bool layout_fits(const struct slabinfo *info, unsigned page_size)
{
	for (unsigned i = 0; i < info->n; i++) {
		const struct slabinfo_cache *c = &info->caches[i];

		if (order_objects(c->order, c->size, page_size) != c->objects_per_slab)
			return false;
	}
	return true;
}

static void infer_page_size(struct slabinfo *info)
{
	unsigned fitting = 0;

	for (unsigned p = 4096; p <= 65536 && info->n; p *= 2) {
		if (!layout_fits(info, p))
			continue;
		info->page_size = p;
		fitting++;
	}
	if (fitting != 1)
		info->page_size = 0;
}

int slabinfo_check(struct slabinfo_cache *c, struct error *err)
{
	const uint64_t most_bytes = UINT64_C(1) << 46;

	if (!c->size || c->size > SLABINFO_MAX_SIZE)
		return error_input(err, "an object of %u bytes; 1 to %u is possible", c->size,
				   SLABINFO_MAX_SIZE);
	if (c->object_size > c->size)
		return error_input(err, "object_size %u is more than the slab_size %u",
				   c->object_size, c->size);
	if (!c->objects_per_slab || c->objects_per_slab > MAX_OBJS_PER_PAGE)
		return error_input(err, "%u objects in a slab; 1 to %u is possible",
				   c->objects_per_slab, MAX_OBJS_PER_PAGE);
	if (c->order > MAX_PAGE_ORDER)
		return error_input(err, "order %u; 0 to %d is possible", c->order, MAX_PAGE_ORDER);
	if (c->num_objs > most_bytes / c->size || c->num_slabs > most_bytes / 4096)
		return error_input(err,
				   "%" PRIu64 " objects in %" PRIu64
				   " slabs are more memory than a machine has",
				   c->num_objs, c->num_slabs);
	/* The kernel does not take both at one instant. */
	if (c->active_objs > c->num_objs)
		c->active_objs = c->num_objs;
	return 0;
}

struct slabinfo_cache *slabinfo_add(struct slabinfo *info, struct error *err)
{
	/* Powers of two; info->n says how many there are. */
	if (!(info->n & (info->n - 1))) {
		size_t cap = info->n ? 2 * (size_t)info->n : 1;
		struct slabinfo_cache *caches = realloc(info->caches, cap * sizeof(*caches));

		if (!caches) {
			error_memory(err, "the list of caches");
			return NULL;
		}
		info->caches = caches;
	}
	if (info->n >= MAX_CACHES) {
		error_input(err, "more than %d caches", MAX_CACHES);
		return NULL;
	}
	info->caches[info->n] = (struct slabinfo_cache){0};
	return &info->caches[info->n++];
}

/* The number at *pos, which blanks precede and a blank or the line's end follow. */
static int parse_number(char **pos, const char *what, uint64_t *value, struct error *err)
{
	char *s = *pos, *end;

	while (*s == ' ' || *s == '\t')
		s++;
	errno = 0;
	if (!isdigit((unsigned char)*s))
		return error_input(err, "no number for %s", what);
	*value = strtoull(s, &end, 10);
	if (errno || (*end && !isspace((unsigned char)*end)))
		return error_input(err, "the number for %s is not one: %.20s", what, s);
	*pos = end;
	return 0;
}

static int parse_u32(char **pos, const char *what, unsigned *value, struct error *err)
{
	uint64_t v;

	if (parse_number(pos, what, &v, err))
		return -1;
	if (v > UINT32_MAX)
		return error_input(err, "<%s> is %" PRIu64 ", which is too large", what, v);
	*value = (unsigned)v;
	return 0;
}

/* "... : slabdata <active_slabs> <num_slabs> <sharedavail>" */
static int parse_slabdata(char *rest, uint64_t *num_slabs, struct error *err)
{
	char *data = strstr(rest, ": slabdata");
	uint64_t active;

	if (!data)
		return error_input(err, "no \": slabdata\" part");
	data += strlen(": slabdata");
	return parse_number(&data, "active_slabs", &active, err) ||
	       parse_number(&data, "num_slabs", num_slabs, err);
}

static int parse_line(struct slabinfo *info, char *line, struct error *err)
{
	struct slabinfo_cache *c = slabinfo_add(info, err);
	size_t len = strcspn(line, " \t");
	char *pos = line + len;
	unsigned pages = 0;

	if (!c)
		return -1;
	c->name = strndup(line, len);
	if (!c->name)
		return error_memory(err, "a cache's name");
	if (!len)
		return error_input(err, "a line begins with the cache's name");
	if (parse_number(&pos, "active_objs", &c->active_objs, err) ||
	    parse_number(&pos, "num_objs", &c->num_objs, err) ||
	    parse_u32(&pos, "objsize", &c->size, err) ||
	    parse_u32(&pos, "objperslab", &c->objects_per_slab, err) ||
	    parse_u32(&pos, "pagesperslab", &pages, err) || parse_slabdata(pos, &c->num_slabs, err))
		return -1;
	if (!pages || pages & (pages - 1) || pages > 1u << MAX_PAGE_ORDER)
		return error_input(err, "%u pages in a slab; 1, 2, 4 ... %u are possible", pages,
				   1u << MAX_PAGE_ORDER);
	c->order = (unsigned)__builtin_ctz(pages);
	return slabinfo_check(c, err);
}

int slabinfo_parse(struct slabinfo *info, char *text, size_t len, const char *name,
		   struct error *err)
{
	char *line = text + utf8_mark(text, len), *next;
	unsigned nr = 1;

	*info = (struct slabinfo){0};
	if (strncmp(line, "slabinfo - version: ", 20))
		return error_input(err,
				   "%s:1: not a slabinfo: /proc/slabinfo begins with \"slabinfo - "
				   "version: 2.1\"",
				   name);
	for (; line < text + len; line = next, nr++) {
		char *end = memchr(line, '\n', (size_t)(text + len - line));

		if (!end)
			end = text + len;
		next = end + 1;
		*end = '\0';
		if (strlen(line) != (size_t)(end - line)) {
			error_input(err, "%s:%u: a zero byte", name, nr);
			goto fail;
		}
		if (end > line && end[-1] == '\r')
			end[-1] = '\0';
		if (nr == 1 || line[0] == '#' || !line[0])
			continue;
		if (parse_line(info, line, err)) {
			error_prefix(err, "%s:%u", name, nr);
			goto fail;
		}
	}
	if (!info->n) {
		error_input(err, "%s: no cache in it", name);
		goto fail;
	}
	infer_page_size(info);
	return 0;

fail:
	slabinfo_free(info);
	return -1;
}

int slabinfo_read(struct slabinfo *info, const char *path, struct error *err)
{
	struct stat st;
	size_t len;
	char *text;
	int rc;

	*info = (struct slabinfo){0};
	if (stat(path, &st))
		return error_open(err, path);
	if (S_ISDIR(st.st_mode)) {
		if (slabinfo_read_sysfs(info, path, err)) {
			slabinfo_free(info);
			return -1;
		}
		infer_page_size(info);
		return 0;
	}
	text = file_read(path, MAX_FILE_SIZE, &len, err);
	if (!text)
		return -1;
	rc = slabinfo_parse(info, text, len, path, err);
	free(text);
	return rc;
}

void slabinfo_free(struct slabinfo *info)
{
	for (unsigned i = 0; i < info->n; i++)
		free(info->caches[i].name);
	free(info->caches);
	*info = (struct slabinfo){0};
}
