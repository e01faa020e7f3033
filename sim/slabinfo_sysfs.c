#include "sim/slabinfo_sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The number an attribute begins with. An attribute that is not there is an error only if
 * needed: kernels without CONFIG_SLUB_DEBUG show no counts.
 */
static int read_attribute(int dir, const char *attr, bool needed, uint64_t *value,
			  struct error *err)
{
	int fd = openat(dir, attr, O_RDONLY | O_CLOEXEC);
	char text[64], *end;
	ssize_t len;

	*value = 0;
	if (fd < 0 && errno == ENOENT && !needed)
		return 0;
	if (fd < 0 && errno == ENOENT)
		return error_input(err, "no file %s; a cache's folder in /sys/kernel/slab has one",
				   attr);
	if (fd < 0)
		return error_failed(err, "%s: %s", attr, strerror(errno));
	len = read(fd, text, sizeof(text) - 1);
	if (len < 0) {
		error_failed(err, "%s: %s", attr, strerror(errno));
		close(fd);
		return -1;
	}
	close(fd);
	text[len] = '\0';
	errno = 0;
	*value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || errno || (*end && !isspace((unsigned char)*end)))
		return error_input(err, "%s does not begin with a number", attr);
	return 0;
}

static int read_unsigned(int dir, const char *attr, bool needed, unsigned *value, struct error *err)
{
	uint64_t v;

	if (read_attribute(dir, attr, needed, &v, err))
		return -1;
	if (v > UINT32_MAX)
		return error_input(err, "%s is too large", attr);
	*value = (unsigned)v;
	return 0;
}

static int read_cache(struct slabinfo_cache *c, int dir, struct error *err)
{
	if (read_unsigned(dir, "object_size", true, &c->object_size, err) ||
	    read_unsigned(dir, "slab_size", true, &c->size, err) ||
	    read_unsigned(dir, "align", false, &c->align, err) ||
	    read_unsigned(dir, "order", true, &c->order, err) ||
	    read_unsigned(dir, "objs_per_slab", true, &c->objects_per_slab, err) ||
	    read_attribute(dir, "objects", false, &c->active_objs, err) ||
	    read_attribute(dir, "total_objects", false, &c->num_objs, err) ||
	    read_attribute(dir, "slabs", false, &c->num_slabs, err))
		return -1;
	return slabinfo_check(c, err);
}

static int by_name(const void *a, const void *b)
{
	const struct slabinfo_cache *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int by_entry_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Files and symbolic links are passed over. */
static int read_folder(struct slabinfo *info, int dir, const char *name, struct error *err)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct slabinfo_cache *c;
	int rc;

	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		return 0;
	if (fd < 0)
		return error_failed(err, "%s: %s", name, strerror(errno));
	c = slabinfo_add(info, err);
	if (!c) {
		close(fd);
		return -1;
	}
	c->name = strdup(name);
	rc = c->name ? read_cache(c, fd, err) : error_memory(err, "a cache's name");
	close(fd);
	return rc ? error_prefix(err, "%s", name) : 0;
}

/* The cache without a name of its own that the link alias points to, or NULL. */
static struct slabinfo_cache *aliased_cache(struct slabinfo *info, int dir, const char *alias)
{
	char target[256];
	ssize_t len = readlinkat(dir, alias, target, sizeof(target) - 1);
	struct slabinfo_cache key = {.name = target};
	char *slash;

	if (len < 0 || !info->n)
		return NULL;
	target[len] = '\0';
	slash = strrchr(target, '/');
	if (slash)
		key.name = slash + 1;
	if (key.name[0] != ':')
		return NULL;
	return bsearch(&key, info->caches, info->n, sizeof(key), by_name);
}

/* As slabinfo does, the longest alias; the first by the alphabet where that leaves a choice. */
static int name_merged_caches(struct slabinfo *info, int dir, struct dirent **entry, int n,
			      struct error *err)
{
	const char **best = calloc(info->n ? info->n : 1, sizeof(*best));
	int rc = 0;

	if (!best)
		return error_memory(err, "the aliases");
	for (int i = 0; i < n; i++) {
		struct slabinfo_cache *c = aliased_cache(info, dir, entry[i]->d_name);
		const char **name = c ? &best[c - info->caches] : NULL;

		if (c && (!*name || strlen(entry[i]->d_name) > strlen(*name)))
			*name = entry[i]->d_name;
	}
	for (unsigned i = 0; i < info->n && !rc; i++) {
		char *name = best[i] ? strdup(best[i]) : NULL;

		if (best[i] && !name)
			rc = error_memory(err, "a cache's name");
		if (!name)
			continue;
		free(info->caches[i].name);
		info->caches[i].name = name;
	}
	free(best);
	return rc;
}

static int read_entries(struct slabinfo *info, int dir, struct dirent **entry, int n,
			struct error *err)
{
	for (int i = 0; i < n; i++) {
		if (read_folder(info, dir, entry[i]->d_name, err))
			return -1;
	}
	if (!info->n)
		return error_input(err, "no folder of a cache in it");
	/* The entries are in order of name, and so are the caches so far. */
	if (name_merged_caches(info, dir, entry, n, err))
		return -1;
	qsort(info->caches, info->n, sizeof(*info->caches), by_name);
	return 0;
}

int slabinfo_read_sysfs(struct slabinfo *info, const char *path, struct error *err)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent **entry;
	int n, rc;

	if (dir < 0)
		return error_failed(err, "%s: %s", path, strerror(errno));
	n = scandir(path, &entry, not_hidden, by_entry_name);
	if (n < 0) {
		error_failed(err, "%s: %s", path, strerror(errno));
		close(dir);
		return -1;
	}
	rc = read_entries(info, dir, entry, n, err);
	while (n--)
		free(entry[n]);
	free(entry);
	close(dir);
	return rc ? error_prefix(err, "%s", path) : 0;
}
