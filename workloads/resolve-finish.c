/* The end of a trace: what is certain only then. */
#include "workloads/naming.h"
#include "workloads/resolve.h"

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
	if (!r->alloc_events)
		return no_events(r, err);
	forget_guesses(r);
	r->classes.told = r->ctx->caches;
	r->classes.nr_told = r->ctx->nr_caches;
	if (naming_decide(&r->classes, r->free_has_name, input_name(r->ctx->in), info,
			  r->ctx->notes, err) ||
	    settle_live(r, err))
		return -1;
	info->cpus = r->cpus;
	if (r->ctx->cpus > r->cpus && r->ctx->cpus <= r->max_cpus)
		info->cpus = r->ctx->cpus;
	info->nodes = r->nodes > r->ctx->nodes ? r->nodes : r->ctx->nodes;
	info->events = spool_count(&r->spool);
	info->has_times = !r->ctx->missing_time;
	return 0;
}
