#include "workloads/resolve.h"

#include "workloads/kmalloc.h"
#include "workloads/stream.h"

int resolver_init(struct resolver *r, struct reader_ctx *ctx, const struct trace_options *opt,
		  struct error *err)
{
	*r = (struct resolver){.ctx = ctx, .opt = opt};
	r->spool.fd = -1;
	r->max_cpus = opt->max_cpus && opt->max_cpus < MAX_CPUS ? opt->max_cpus : MAX_CPUS;
	r->recent = calloc(1, sizeof(*r->recent));
	if (!r->recent || objects_init(&r->objects) || classes_init(&r->classes, ctx->strings, opt))
		return error_memory(err, "reading a trace");
	return spool_init(&r->spool, err);
}

void resolver_free(struct resolver *r)
{
	objects_free(&r->objects);
	classes_free(&r->classes);
	spool_free(&r->spool);
	free(r->recent);
}

static void note(struct resolver *r, enum note n)
{
	r->ctx->notes[n]++;
}

static int no_memory(struct error *err)
{
	return error_memory(err, "the objects of a trace");
}

/* Consecutive objects of one bulk call: the one before is told that another follows. */
static void continue_bulk(struct resolver *r, const struct record *rec, uint32_t class)
{
	struct spool_event *last = spool_last(&r->spool);

	if (last && rec->bulk && rec->bulk == r->bulk && rec->cpu == r->bulk_cpu &&
	    rec->op == r->bulk_op && class == r->bulk_class)
		last->flags |= EVF_MORE;
	r->bulk = rec->bulk;
	r->bulk_cpu = rec->cpu;
	r->bulk_op = rec->op;
	r->bulk_class = class;
}

/* Is the order of events to be made out from their times? */
static bool is_timed(const struct resolver *r, const struct record *rec)
{
	return rec->kind != RECORD_CSV && !r->ctx->missing_time;
}

/* How many events ago another CPU freed the address that is allocated now. */
static uint16_t freed_before(const struct resolver *r, const struct record *rec)
{
	const struct recent_free *f = is_timed(r, rec) ? recent_find(r->recent, rec->ptr) : NULL;
	uint64_t distance;

	/* Clocks of two CPUs may disagree a little. */
	if (!f || f->cpu == rec->cpu || f->time_ns + AFTER_WINDOW < rec->time_ns)
		return AFTER_NONE;
	distance = spool_count(&r->spool) - f->event;
	return distance <= AFTER_MAX ? (uint16_t)distance : AFTER_NONE;
}

static void remember_free(struct resolver *r, const struct record *rec)
{
	if (is_timed(r, rec))
		recent_add(r->recent, rec->ptr, rec->time_ns, spool_count(&r->spool),
			   (uint16_t)rec->cpu);
}

static int append(struct resolver *r, const struct record *rec, uint8_t op, uint32_t object,
		  uint32_t class, uint8_t flags, struct error *err)
{
	struct spool_event ev = {
	    .time_ns = rec->time_ns,
	    .object = object,
	    .class = class,
	    .cpu = (uint16_t)rec->cpu,
	    .node = op == EV_ALLOC || op == EV_ALLOC_BULK ? rec->node : NUMA_NO_NODE,
	    .op = op,
	    .flags = flags,
	    .after = op == EV_ALLOC ? freed_before(r, rec) : AFTER_NONE,
	};

	return spool_append(&r->spool, &ev, err);
}

/*
 * The object's class is certain now, at its free: correct its allocation where the guess was
 * wrong, and guess better next time.
 */
static int settle_class(struct resolver *r, struct object *obj, uint32_t class, struct error *err)
{
	struct class *old = &r->classes.class[obj->class];
	uint32_t open = old->key.type == CLASS_TWIN ? old->open : obj->class;

	if (class != open)
		r->classes.class[open].guess = class;
	if (obj->class == class)
		return 0;
	old->allocs--;
	r->classes.class[class].allocs++;
	obj->class = class;
	return spool_set_class(&r->spool, obj->event, class, err);
}

/* The free does not tell the object's cache: its class is the open one. */
static int settle_nameless(struct resolver *r, struct object *obj, struct error *err)
{
	const struct class *c = &r->classes.class[obj->class];

	if (c->key.type != CLASS_TWIN)
		return 0;
	return settle_class(r, obj, c->open, err);
}

/* The object was freed without an event, by or before what rec tells. */
static int implicit_free(struct resolver *r, const struct record *rec, uint32_t id,
			 struct error *err)
{
	struct object *obj = &r->objects.object[id];

	if (obj->class == CLASS_LARGE)
		return 0;
	if (settle_nameless(r, obj, err))
		return -1;
	note(r, NOTE_IMPLICIT_FREE);
	r->classes.class[obj->class].frees++;
	r->bulk = 0;
	return append(r, rec, EV_FREE, id, obj->class, 0, err);
}

static bool is_large(const struct resolver *r, const struct record *rec)
{
	uint64_t size = rec->bytes_alloc;

	if (rec->kind == RECORD_CSV) {
		if (rec->name != INTERN_EMPTY || !size)
			return false;
		size = kmalloc_size(size);
	} else if (rec->kind != RECORD_KMALLOC) {
		return false;
	}
	return size > 2 * (uint64_t)r->page_size;
}

/* Object numbers of a CSV file are unique: the same one in two caches is a mistake. */
static int check_realloc(struct resolver *r, const struct record *rec, uint32_t id, uint32_t class,
			 struct error *err)
{
	uint32_t old = r->objects.object[id].class;
	const char *was, *is;

	if (rec->kind != RECORD_CSV || old == CLASS_LARGE || class == CLASS_LARGE ||
	    r->classes.class[old].key.name == r->classes.class[class].key.name)
		return 0;
	was = intern_str(r->classes.strings, r->classes.class[old].key.name);
	is = intern_str(r->classes.strings, r->classes.class[class].key.name);
	return error_input(err,
			   "%s:%llu: object %llu is allocated in cache \"%s\" while it is still "
			   "allocated in cache \"%s\"; an object number must be unique among all "
			   "caches",
			   input_name(r->ctx->in), (unsigned long long)rec->line,
			   (unsigned long long)rec->ptr, is, was);
}

static uint8_t alloc_flags(const struct resolver *r, const struct record *rec)
{
	if (r->opt->may_block >= 0)
		return r->opt->may_block ? EVF_MAY_BLOCK : 0;
	return rec->gfp & GFP_BIT_MAY_BLOCK ? EVF_MAY_BLOCK : 0;
}

static int add_alloc(struct resolver *r, const struct record *rec, struct error *err)
{
	uint32_t class = CLASS_LARGE, id;
	bool was_live;

	r->allocs++;
	if (rec->kind != RECORD_CSV && rec->ptr <= ZERO_SIZE_PTR) {
		note(r, NOTE_FAILED_ALLOCATION);
		return 0;
	}
	if (!is_large(r, rec))
		class = classes_of(&r->classes, rec);
	if (class == CLASS_FAILED)
		return no_memory(err);
	id = objects_put(&r->objects, rec->ptr, &was_live);
	if (id == OBJECT_NONE)
		return no_memory(err);
	if (was_live && (check_realloc(r, rec, id, class, err) || implicit_free(r, rec, id, err)))
		return -1;
	if (class == CLASS_LARGE) {
		r->objects.object[id] = (struct object){0, CLASS_LARGE};
		note(r, NOTE_LARGE_KMALLOC);
		return 0;
	}
	class = r->classes.class[class].guess;
	r->classes.class[class].allocs++;
	r->objects.object[id] = (struct object){spool_count(&r->spool), class};
	if (rec->node >= (int)r->nodes)
		r->nodes = (unsigned)rec->node + 1;
	continue_bulk(r, rec, class);
	r->alloc_events++;
	return append(r, rec, rec->op, id, class, alloc_flags(r, rec), err);
}

/* A free that names a cache: can it be the object's? 1: yes; 0: no; -1 and err. */
static int settle_named(struct resolver *r, struct object *obj, const struct record *rec,
			struct error *err)
{
	const struct class *c = &r->classes.class[obj->class];
	uint32_t open, twin;

	if (c->match)
		return 1;
	if (c->key.name == rec->name) {
		if (c->key.type != CLASS_TWIN)
			return 1;
		return settle_class(r, obj, obj->class, err) ? -1 : 1;
	}
	if (c->key.type == CLASS_CSV || (rec->kind == RECORD_CSV && c->key.type == CLASS_KMALLOC))
		return error_input(err,
				   "%s:%llu: object %llu is freed in cache \"%s\", but was "
				   "allocated in cache \"%s\"",
				   input_name(r->ctx->in), (unsigned long long)rec->line,
				   (unsigned long long)rec->ptr,
				   intern_str(r->classes.strings, rec->name),
				   intern_str(r->classes.strings, c->key.name));
	/* kmalloc's objects have no kmem_cache_free, and an allocation's own name is right. */
	if (c->key.type == CLASS_KMALLOC || (c->key.type == CLASS_CACHE && !class_is_open(c)))
		return 0;
	open = c->key.type == CLASS_TWIN ? c->open : obj->class;
	twin = classes_twin(&r->classes, open, rec->name);
	if (twin == CLASS_FAILED)
		return no_memory(err);
	return settle_class(r, obj, twin, err) ? -1 : 1;
}

/* An object from before the trace is freed: it joins, for as long as that takes. */
static int adopt_object(struct resolver *r, const struct record *rec, struct error *err)
{
	uint32_t class = classes_adopted(&r->classes, rec->name, rec->line), id;
	bool was_live;

	if (class == CLASS_FAILED)
		return no_memory(err);
	id = objects_put(&r->objects, rec->ptr, &was_live);
	if (id == OBJECT_NONE)
		return no_memory(err);
	r->objects.object[id] = (struct object){spool_count(&r->spool), class};
	objects_take(&r->objects, rec->ptr);
	r->classes.class[class].adopted++;
	r->classes.class[class].frees++;
	note(r, NOTE_ADOPTED);
	r->bulk = 0;
	if (append(r, rec, EV_ADOPT, id, class, 0, err))
		return -1;
	remember_free(r, rec);
	return append(r, rec, EV_FREE, id, class, 0, err);
}

static int add_free(struct resolver *r, const struct record *rec, struct error *err)
{
	struct object *obj;
	uint32_t id;
	int ret;

	if (rec->kind == RECORD_CACHE_FREE && rec->has_name)
		r->free_has_name = true;
	if (rec->kind != RECORD_CSV && rec->ptr <= ZERO_SIZE_PTR) {
		note(r, rec->ptr == ZERO_SIZE_PTR ? NOTE_FREE_OF_ZERO_SIZE : NOTE_FREE_OF_NULL);
		return 0;
	}
	id = objects_take(&r->objects, rec->ptr);
	if (id == OBJECT_NONE && rec->name != INTERN_EMPTY)
		return adopt_object(r, rec, err);
	if (id == OBJECT_NONE) {
		note(r, NOTE_FREE_OF_UNKNOWN_OBJECT);
		return 0;
	}
	obj = &r->objects.object[id];
	if (obj->class == CLASS_LARGE) {
		note(r, NOTE_LARGE_KMALLOC);
		return 0;
	}
	if (rec->name != INTERN_EMPTY)
		ret = settle_named(r, obj, rec, err);
	else
		ret = settle_nameless(r, obj, err) ? -1 : 1;
	if (ret < 0)
		return -1;
	if (ret == 0) {
		note(r, NOTE_FREE_INTO_OTHER_CACHE);
		return implicit_free(r, rec, id, err);
	}
	r->classes.class[obj->class].frees++;
	continue_bulk(r, rec, obj->class);
	remember_free(r, rec);
	return append(r, rec, rec->op, id, obj->class, 0, err);
}

static int add_shrink(struct resolver *r, const struct record *rec, struct error *err)
{
	uint32_t class = classes_of(&r->classes, rec);

	if (class == CLASS_FAILED)
		return no_memory(err);
	r->classes.class[class].shrinks++;
	r->bulk = 0;
	r->has_shrinks = true;
	return append(r, rec, EV_SHRINK, 0, class, 0, err);
}

/* The page size is known when the first record comes, at the latest. */
static void settle_page_size(struct resolver *r)
{
	if (r->opt->page_size)
		r->page_size = r->opt->page_size;
	else
		r->page_size = r->ctx->page_size ? r->ctx->page_size : 4096;
}

int resolver_add(struct resolver *r, const struct record *rec, struct error *err)
{
	if (!r->page_size)
		settle_page_size(r);
	r->seen[rec->kind]++;
	if (rec->cpu >= r->max_cpus)
		return error_input(err, "%s:%llu: CPU %u, but the machine has CPUs 0 to %u",
				   input_name(r->ctx->in), (unsigned long long)rec->line, rec->cpu,
				   r->max_cpus - 1);
	if (rec->cpu >= r->cpus)
		r->cpus = rec->cpu + 1;
	switch (rec->op) {
	case EV_ALLOC:
	case EV_ALLOC_BULK:
		return add_alloc(r, rec, err);
	case EV_SHRINK:
		return add_shrink(r, rec, err);
	default:
		return add_free(r, rec, err);
	}
}
