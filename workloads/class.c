#include "workloads/class.h"

#include "workloads/kmalloc.h"

int classes_init(struct classes *cl, struct intern *strings, const struct trace_options *opt)
{
	*cl = (struct classes){.bits = 10, .strings = strings, .opt = opt};
	cl->slot = calloc((size_t)1 << cl->bits, sizeof(*cl->slot));
	return cl->slot ? 0 : -1;
}

void classes_free(struct classes *cl)
{
	free(cl->class);
	free(cl->slot);
	*cl = (struct classes){0};
}

size_t call_site_function_len(const char *call_site)
{
	const char *plus = strchr(call_site, '+');

	return plus ? (size_t)(plus - call_site) : strlen(call_site);
}

bool call_site_is_address(const char *call_site)
{
	size_t n = strspn(call_site, "0123456789abcdef");

	return n >= 6 && n <= 16 && !call_site[n];
}

static size_t hash_key(const struct class_key *key)
{
	uint64_t a, b, c;

	memcpy(&a, key, 8);
	memcpy(&b, (const char *)key + 8, 8);
	memcpy(&c, (const char *)key + 16, 4);
	a = (a ^ c << 32) * 0x9e3779b97f4a7c15ull;
	a ^= a >> 29;
	a = (a ^ b) * 0xbf58476d1ce4e5b9ull;
	return (size_t)(a ^ a >> 32);
}

static bool same_key(const struct class_key *a, const struct class_key *b)
{
	return a->call_site == b->call_site && a->name == b->name && a->bytes_req == b->bytes_req &&
	       a->bytes_alloc == b->bytes_alloc && a->type == b->type &&
	       a->kmalloc_type == b->kmalloc_type;
}

static bool grow_slots(struct classes *cl)
{
	size_t mask = ((size_t)2 << cl->bits) - 1;
	uint32_t *slot = calloc(mask + 1, sizeof(*slot));

	if (!slot)
		return false;
	for (uint32_t id = 0; id < cl->n; id++) {
		size_t i = hash_key(&cl->class[id].key) & mask;

		while (slot[i])
			i = (i + 1) & mask;
		slot[i] = id + 1;
	}
	free(cl->slot);
	cl->slot = slot;
	cl->bits++;
	return true;
}

static bool make_room(struct classes *cl)
{
	if (cl->n == cl->cap) {
		uint32_t cap = cl->cap ? cl->cap * 2 : 256;
		struct class *larger;

		if (cl->cap >= UINT32_MAX / 4)
			return false;
		larger = realloc(cl->class, cap * sizeof(*larger));
		if (!larger)
			return false;
		cl->class = larger;
		cl->cap = cap;
	}
	return cl->n < ((size_t)1 << cl->bits) / 2 || grow_slots(cl);
}

int trace_match_find(const struct trace_match *match, unsigned n, const char *site, int64_t size)
{
	size_t function = call_site_function_len(site);

	for (unsigned i = 0; i < n && *site; i++) {
		const char *want = match[i].call_site;

		if (match[i].size >= 0 && size >= 0 && match[i].size != size)
			continue;
		if (!strncmp(want, "0x", 2) && call_site_is_address(site))
			want += 2;
		if (!strcmp(want, site) ||
		    (strlen(want) == function && !memcmp(want, site, function)))
			return (int)i;
	}
	return -1;
}

/* Which of the configuration's call sites is this? Its index + 1, or 0. */
static uint32_t find_match(const struct classes *cl, const struct class_key *key)
{
	return (uint32_t)(trace_match_find(cl->opt->match, cl->opt->nr_match,
					   intern_str(cl->strings, key->call_site),
					   key->bytes_alloc) +
			  1);
}

static uint32_t find_or_add(struct classes *cl, const struct class_key *key, uint64_t line)
{
	size_t hash = hash_key(key), mask = ((size_t)1 << cl->bits) - 1;
	size_t i;

	for (i = hash & mask; cl->slot[i]; i = (i + 1) & mask)
		if (same_key(&cl->class[cl->slot[i] - 1].key, key))
			return cl->slot[i] - 1;
	if (!make_room(cl))
		return CLASS_FAILED;
	mask = ((size_t)1 << cl->bits) - 1;
	for (i = hash & mask; cl->slot[i]; i = (i + 1) & mask)
		;
	cl->class[cl->n] = (struct class){.key = *key,
					  .open = CLASS_NONE,
					  .guess = cl->n,
					  .line = line,
					  .match = find_match(cl, key)};
	cl->slot[i] = cl->n + 1;
	return cl->n++;
}

/*
 * Which kind of kmalloc cache (facts 1.2). accounted=true says kmalloc-cg, for kernels that
 * print it have those caches. From the flags alone the answer must wait: they exist since 5.14.
 */
static uint16_t kmalloc_type(const struct record *rec)
{
	if (rec->gfp & GFP_BIT_DMA)
		return KMALLOC_DMA;
	if (rec->gfp & GFP_BIT_RECLAIMABLE)
		return KMALLOC_RECLAIM;
	if (rec->has_accounted)
		return rec->accounted ? KMALLOC_CGROUP : KMALLOC_NORMAL;
	return rec->gfp & GFP_BIT_ACCOUNT ? KMALLOC_MAYBE_CGROUP : KMALLOC_NORMAL;
}

uint32_t classes_of(struct classes *cl, const struct record *rec)
{
	struct class_key key = {
	    .call_site = rec->call_site,
	    .name = rec->name,
	    .bytes_req = (uint32_t)rec->bytes_req,
	    .bytes_alloc = (uint32_t)rec->bytes_alloc,
	    .type = CLASS_CACHE,
	};

	if (rec->kind == RECORD_CSV)
		key.type = CLASS_CSV;
	if (rec->kind == RECORD_KMALLOC ||
	    (rec->kind == RECORD_CSV && rec->name == INTERN_EMPTY && rec->bytes_req)) {
		key.type = CLASS_KMALLOC;
		key.name = INTERN_EMPTY;
		key.kmalloc_type = kmalloc_type(rec);
		key.bytes_req = (uint32_t)kmalloc_size(rec->bytes_req);
		if (rec->kind == RECORD_CSV)
			key.bytes_alloc = key.bytes_req;
	}
	return find_or_add(cl, &key, rec->line);
}

uint32_t classes_adopted(struct classes *cl, uint32_t name, uint64_t line)
{
	struct class_key key = {.name = name, .type = CLASS_ADOPTED};

	return find_or_add(cl, &key, line);
}

uint32_t classes_twin(struct classes *cl, uint32_t open, uint32_t name)
{
	struct class_key key = cl->class[open].key;
	uint32_t twin;

	key.type = CLASS_TWIN;
	key.name = name;
	twin = find_or_add(cl, &key, cl->class[open].line);
	if (twin != CLASS_FAILED) {
		cl->class[twin].open = open;
		cl->class[twin].match = 0;
	}
	return twin;
}
