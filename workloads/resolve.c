#include "workloads/resolve.h"

#include "workloads/kmalloc.h"
#include "workloads/naming.h"

int resolver_init(struct resolver *r, struct reader_ctx *ctx, const struct trace_options *opt,
		  struct error *err)
{
	*r = (struct resolver){.ctx = ctx, .opt = opt};
	r->spool.fd = -1;
	r->max_cpus = opt->max_cpus && opt->max_cpus < MAX_CPUS ? opt->max_cpus : MAX_CPUS;
	if (objects_init(&r->objects) || classes_init(&r->classes, ctx->strings, opt))
		return error_memory(err, "reading a trace");
	return spool_init(&r->spool, err);
}

void resolver_free(struct resolver *r)
{
	objects_free(&r->objects);
	classes_free(&r->classes);
	spool_free(&r->spool);
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
	return size > 2 * (uint64_t)r->opt->page_size;
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
	if (id == OBJECT_NONE && r->opt->adopt && rec->name != INTERN_EMPTY)
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
	return append(r, rec, rec->op, id, obj->class, 0, err);
}

static int add_shrink(struct resolver *r, const struct record *rec, struct error *err)
{
	uint32_t class = classes_of(&r->classes, rec);

	if (class == CLASS_FAILED)
		return no_memory(err);
	r->shrinks++;
	r->classes.class[class].shrinks++;
	r->bulk = 0;
	return append(r, rec, EV_SHRINK, 0, class, 0, err);
}

int resolver_add(struct resolver *r, const struct record *rec, struct error *err)
{
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

/* Why is there nothing to replay? */
static int no_events(struct resolver *r, struct error *err)
{
	const uint64_t *notes = r->ctx->notes;
	char other[512];

	if (r->seen[RECORD_CSV])
		return error_input(err,
				   "%s: there is no allocation in it that can be replayed: all "
				   "%llu rows are frees of unknown objects, shrinks, or larger "
				   "than two pages",
				   input_name(r->ctx->in), (unsigned long long)r->seen[RECORD_CSV]);
	if (r->allocs)
		return error_input(err,
				   "%s: there is no allocation in it that can be replayed: %llu "
				   "failed, %llu events are of more than two pages",
				   input_name(r->ctx->in),
				   (unsigned long long)notes[NOTE_FAILED_ALLOCATION],
				   (unsigned long long)notes[NOTE_LARGE_KMALLOC]);
	census_put(&r->ctx->census, "kfree", r->seen[RECORD_KFREE]);
	census_put(&r->ctx->census, "kmem_cache_free", r->seen[RECORD_CACHE_FREE]);
	census_text(&r->ctx->census, other, sizeof(other));
	return error_input(err,
			   "%s: there is no allocation event (kmalloc, kmem_cache_alloc) in it, so "
			   "there is nothing to replay; its events are: %s. %llu lines are in no "
			   "layout known here, %llu events are malformed",
			   input_name(r->ctx->in), other,
			   (unsigned long long)notes[NOTE_OTHER_LINE],
			   (unsigned long long)notes[NOTE_MALFORMED]);
}

/* Objects never freed: nothing confirmed the guess, so only their open class is certain. */
static void forget_guesses(struct resolver *r)
{
	const struct objects *o = &r->objects;

	for (size_t i = 0; i < (size_t)1 << o->bits; i++) {
		struct class *c;

		if (!o->slot[i].id || o->object[o->slot[i].id - 1].class == CLASS_LARGE)
			continue;
		c = &r->classes.class[o->object[o->slot[i].id - 1].class];
		if (c->key.type != CLASS_TWIN)
			continue;
		c->allocs--;
		r->classes.class[c->open].allocs++;
	}
}

/* Their events still carry the guess: correct those where it makes a difference. */
static int settle_live(struct resolver *r, struct error *err)
{
	const struct objects *o = &r->objects;

	for (size_t i = 0; i < (size_t)1 << o->bits; i++) {
		const struct object *obj;
		const struct class *c;

		if (!o->slot[i].id || o->object[o->slot[i].id - 1].class == CLASS_LARGE)
			continue;
		obj = &o->object[o->slot[i].id - 1];
		c = &r->classes.class[obj->class];
		if (c->key.type != CLASS_TWIN || r->classes.class[c->open].cache == c->cache)
			continue;
		if (spool_set_class(&r->spool, obj->event, c->open, err))
			return -1;
	}
	return 0;
}

int resolver_finish(struct resolver *r, struct source_info *info, struct error *err)
{
	if (spool_count(&r->spool) == r->shrinks)
		return no_events(r, err);
	forget_guesses(r);
	if (naming_decide(&r->classes, r->free_has_name, input_name(r->ctx->in), info,
			  r->ctx->notes, err) ||
	    settle_live(r, err))
		return -1;
	info->cpus = r->cpus;
	if (r->ctx->cpus > r->cpus && r->ctx->cpus <= r->max_cpus)
		info->cpus = r->ctx->cpus;
	info->nodes = r->nodes;
	info->events = spool_count(&r->spool);
	info->has_times = !r->ctx->missing_time;
	info->notes = notes_collect(r->ctx->notes, &info->nr_notes);
	return info->notes ? 0 : error_memory(err, "notes on a trace");
}
