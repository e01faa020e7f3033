/*
 * In this order: what the configuration says of the call site; the name on the allocation
 * event; for kmalloc, size and flags; the name on the free of the same object; the name that
 * most allocations of the same call site and size got; of the same function and size; and at
 * last a name made of size and function.
 */
#include "workloads/naming.h"

#include "workloads/kmalloc.h"

/* How many objects from some place, of one size, turned out to be of one cache. */
struct evidence {
	uint32_t where; /* call site or function, interned */
	uint32_t bytes_req, bytes_alloc;
	uint32_t name;
	uint64_t count;
};

struct evidence_list {
	struct evidence *e;
	size_t n;
};

static int cmp(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_place(const void *pa, const void *pb)
{
	const struct evidence *a = pa, *b = pb;
	int d = cmp(a->where, b->where);

	d = d ? d : cmp(a->bytes_req, b->bytes_req);
	return d ? d : cmp(a->bytes_alloc, b->bytes_alloc);
}

static int compare_name(const void *pa, const void *pb)
{
	const struct evidence *a = pa, *b = pb;
	int d = compare_place(a, b);

	return d ? d : cmp(a->name, b->name);
}

/* The most frequent name of a place first; among equals the one seen first. */
static int compare_count(const void *pa, const void *pb)
{
	const struct evidence *a = pa, *b = pb;
	int d = compare_place(a, b);

	d = d ? d : cmp(b->count, a->count);
	return d ? d : cmp(a->name, b->name);
}

/* Sort, and make one of those that compare as equal, adding their counts. */
static void add_up(struct evidence_list *list, int (*compare)(const void *, const void *))
{
	struct evidence *e = list->e;
	size_t n = 0;

	if (list->n)
		qsort(e, list->n, sizeof(*e), compare);
	for (size_t i = 0; i < list->n; i++) {
		if (n && !compare(&e[n - 1], &e[i]))
			e[n - 1].count += e[i].count;
		else
			e[n++] = e[i];
	}
	list->n = n;
}

/* Keep the most frequent name of each place. */
static void keep_most_frequent(struct evidence_list *list)
{
	struct evidence *e = list->e;
	size_t n = 0;

	add_up(list, compare_name);
	if (list->n)
		qsort(e, list->n, sizeof(*e), compare_count);
	for (size_t i = 0; i < list->n; i++)
		if (n == 0 || compare_place(&e[n - 1], &e[i]))
			e[n++] = e[i];
	list->n = n;
}

/* The function of a call site, interned; "0x..." for a bare address. */
static uint32_t function_of(struct intern *strings, uint32_t call_site)
{
	const char *site = intern_str(strings, call_site);
	char buf[256];
	size_t n = call_site_function_len(site);

	if (call_site_is_address(site))
		n = (size_t)snprintf(buf, sizeof(buf), "0x%s", site);
	else if (!*site)
		n = (size_t)snprintf(buf, sizeof(buf), "unknown");
	else
		memcpy(buf, site, n = n < sizeof(buf) ? n : sizeof(buf) - 1);
	return intern(strings, buf, n);
}

static uint32_t place_of(const struct classes *cl, const struct class *c, bool by_function)
{
	return by_function ? function_of(cl->strings, c->key.call_site) : c->key.call_site;
}

/* What the named allocations tell about call sites, or about functions. */
static int collect(const struct classes *cl, bool by_function, struct evidence_list *list)
{
	*list = (struct evidence_list){.e = calloc(cl->n + 1, sizeof(*list->e))};
	if (!list->e)
		return -1;
	for (uint32_t i = 0; i < cl->n; i++) {
		const struct class *c = &cl->class[i];

		if (c->key.type > CLASS_TWIN || c->key.name == INTERN_EMPTY || !c->allocs)
			continue;
		list->e[list->n] = (struct evidence){
		    .where = place_of(cl, c, by_function),
		    .bytes_req = c->key.bytes_req,
		    .bytes_alloc = c->key.bytes_alloc,
		    .name = c->key.name,
		    .count = c->allocs,
		};
		if (list->e[list->n++].where == INTERN_FAILED)
			return -1;
	}
	keep_most_frequent(list);
	return 0;
}

static const struct evidence *look_up(const struct evidence_list *list, const struct class *c,
				      uint32_t where)
{
	struct evidence key = {
	    .where = where, .bytes_req = c->key.bytes_req, .bytes_alloc = c->key.bytes_alloc};

	return list->n ? bsearch(&key, list->e, list->n, sizeof(key), compare_place) : NULL;
}

static uint32_t kmalloc_name_of(const struct classes *cl, const struct class *c,
				bool has_cgroup_caches)
{
	unsigned type = c->key.kmalloc_type;
	/*
	 * bytes_alloc is the size of the cache, unless debugging has enlarged the objects: then
	 * it is none of the sizes there are, and the request tells the cache.
	 */
	bool plain = kmalloc_size(c->key.bytes_alloc) == c->key.bytes_alloc;
	char buf[64];

	if (type == KMALLOC_MAYBE_CGROUP)
		type = has_cgroup_caches ? KMALLOC_CGROUP : KMALLOC_NORMAL;
	kmalloc_name(type, plain ? c->key.bytes_alloc : c->key.bytes_req, buf, sizeof(buf));
	return intern(cl->strings, buf, strlen(buf));
}

static uint32_t size_at_function(const struct classes *cl, const struct class *c)
{
	uint32_t function = function_of(cl->strings, c->key.call_site);
	char buf[300];

	if (function == INTERN_FAILED)
		return INTERN_FAILED;
	snprintf(buf, sizeof(buf), "%u@%s", c->key.bytes_alloc, intern_str(cl->strings, function));
	return intern(cl->strings, buf, strlen(buf));
}

/* An open class: what did others of its place and size turn out to be? */
static void name_open(const struct classes *cl, struct class *c, const struct evidence_list *sites,
		      const struct evidence_list *functions)
{
	const struct evidence *e = look_up(sites, c, c->key.call_site);
	uint32_t function;

	if (e) {
		c->name = e->name;
		c->how = NOTE_NAMED_BY_CALL_SITE;
		return;
	}
	function = function_of(cl->strings, c->key.call_site);
	if (function != INTERN_FAILED)
		e = look_up(functions, c, function);
	c->name = e ? e->name : size_at_function(cl, c);
	c->how = e ? NOTE_NAMED_BY_FUNCTION : NOTE_NAMELESS;
}

static void name_class(const struct classes *cl, struct class *c, bool has_cgroup_caches,
		       const struct evidence_list *sites, const struct evidence_list *functions)
{
	if (c->match) {
		const char *name = cl->opt->match[c->match - 1].name;

		c->name = intern(cl->strings, name, strlen(name));
		c->how = NOTE_NAMED_BY_CONFIG;
		return;
	}
	switch ((enum class_type)c->key.type) {
	case CLASS_KMALLOC:
		c->name = kmalloc_name_of(cl, c, has_cgroup_caches);
		c->how = NOTE_NAMED_BY_SIZE;
		break;
	case CLASS_TWIN:
		c->name = c->key.name;
		c->how = NOTE_NAMED_BY_FREE;
		break;
	case CLASS_CSV:
	case CLASS_ADOPTED:
		c->name = c->key.name;
		c->how = NOTE_NAMED_BY_TRACE;
		break;
	case CLASS_CACHE:
		c->name = c->key.name;
		c->how = NOTE_NAMED_BY_TRACE;
		if (c->key.name == INTERN_EMPTY)
			name_open(cl, c, sites, functions);
		break;
	}
}

static int name_classes(struct classes *cl, bool has_cgroup_caches)
{
	struct evidence_list sites = {0}, functions = {0};
	int ret = -1;

	if (collect(cl, false, &sites) || collect(cl, true, &functions))
		goto out;
	ret = 0;
	for (uint32_t i = 0; i < cl->n && !ret; i++) {
		name_class(cl, &cl->class[i], has_cgroup_caches, &sites, &functions);
		if (cl->class[i].name == INTERN_FAILED)
			ret = -1;
	}
out:
	free(sites.e);
	free(functions.e);
	return ret;
}

/* For the sizes of caches, the place is the cache, and there are no names. */
static int compare_sizes(const void *pa, const void *pb)
{
	const struct evidence *a = pa, *b = pb;
	int d = cmp(a->where, b->where);

	d = d ? d : cmp(b->count, a->count);
	return d ? d : compare_place(a, b);
}

/* A cache has the sizes that most of its allocations have. */
static int size_caches(const struct classes *cl, struct source_info *info, uint64_t notes[NR_NOTES])
{
	struct evidence_list list = {.e = calloc(cl->n + 1, sizeof(*list.e))};

	if (!list.e)
		return -1;
	for (uint32_t i = 0; i < cl->n; i++) {
		const struct class *c = &cl->class[i];
		bool csv = c->key.type == CLASS_CSV;

		if (!c->allocs || !c->key.bytes_req)
			continue;
		list.e[list.n++] = (struct evidence){
		    .where = c->cache,
		    .bytes_req =
			c->key.type == CLASS_KMALLOC ? c->key.bytes_alloc : c->key.bytes_req,
		    .bytes_alloc = csv ? 0 : c->key.bytes_alloc,
		    .count = c->allocs,
		};
	}
	add_up(&list, compare_place);
	if (list.n)
		qsort(list.e, list.n, sizeof(*list.e), compare_sizes);
	for (size_t i = 0; i < list.n; i++) {
		struct source_cache *sc = &info->caches[list.e[i].where];

		if (list.e[i].where < cl->nr_told && (sc->object_size || sc->size))
			continue;
		if (sc->object_size) {
			notes[NOTE_SIZE_DISAGREES] += list.e[i].count;
			continue;
		}
		sc->object_size = list.e[i].bytes_req;
		sc->size = list.e[i].bytes_alloc;
	}
	free(list.e);
	return 0;
}

int naming_decide(struct classes *cl, bool has_cgroup_caches, const char *file,
		  struct source_info *info, uint64_t notes[NR_NOTES], struct error *err)
{
	if (name_classes(cl, has_cgroup_caches))
		return error_memory(err, "naming the caches");
	if (naming_make_caches(cl, file, info, err))
		return -1;
	if (size_caches(cl, info, notes))
		return error_memory(err, "the table of caches");
	for (uint32_t i = 0; i < cl->n; i++)
		if (cl->class[i].name != INTERN_EMPTY)
			notes[cl->class[i].how] += cl->class[i].allocs;
	return 0;
}
