#include "workloads/import.h"

#include "workloads/gfp.h"
#include "workloads/id-pool.h"

#define BATCH	     4096
#define READ_RECORDS 256
/* So many records before its own, an object's place in the table is fetched. */
#define AHEAD 6

struct imported {
	struct stream st;
	struct spool spool;
	uint16_t *cache_of_class;
	uint32_t *site_of_class;
	uint32_t *id_of_object; /* in its cache, by the spool's object id */
	struct id_pool *pool;	/* by cache */
	uint64_t next;		/* event */
	struct spool_event scratch[BATCH];
	struct event events[BATCH];
	uint64_t times[BATCH];
	uint32_t sites[BATCH];
	uint16_t after[BATCH];
};

static bool begins(uint8_t op)
{
	return op == EV_ALLOC || op == EV_ALLOC_BULK || op == EV_ADOPT;
}

static int deliver(struct imported *im, const struct spool_event *in, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		uint16_t cache = im->cache_of_class[in[i].class];
		uint32_t *id = &im->id_of_object[in[i].object];

		if (begins(in[i].op)) {
			*id = id_pool_get(&im->pool[cache]);
			if (*id == ID_NONE)
				return error_memory(err, "the objects of a trace");
		} else if (in[i].op != EV_SHRINK) {
			id_pool_put(&im->pool[cache], *id);
		}
		im->events[i] = (struct event){
		    .object = in[i].op == EV_SHRINK ? 0 : *id,
		    .cpu = in[i].cpu,
		    .cache = cache,
		    .node = in[i].node,
		    .op = in[i].op,
		    .flags = in[i].flags,
		};
		im->times[i] = in[i].time_ns;
	}
	return 0;
}

static int imported_next(struct stream *st, struct stream_batch *batch, struct error *err)
{
	struct imported *im = (struct imported *)st;
	const struct spool_event *in;
	size_t n;

	if (im->next == st->info.events)
		return 0;
	in = spool_get(&im->spool, im->next, BATCH, im->scratch, &n, err);
	if (!in || deliver(im, in, n, err))
		return -1;
	*batch = (struct stream_batch){
	    .events = im->events, .time_ns = st->info.has_times ? im->times : NULL, .n = n};
	if (st->wants & STREAM_SITES) {
		for (size_t i = 0; i < n; i++)
			im->sites[i] = im->site_of_class[in[i].class];
		batch->site = im->sites;
	}
	if (st->wants & STREAM_AFTER && st->info.has_times) {
		for (size_t i = 0; i < n; i++)
			im->after[i] = in[i].after;
		batch->after = im->after;
	}
	im->next += n;
	return 1;
}

static int imported_rewind(struct stream *st, struct error *err)
{
	struct imported *im = (struct imported *)st;

	(void)err;
	im->next = 0;
	for (unsigned i = 0; i < st->info.nr_caches; i++)
		id_pool_reset(&im->pool[i]);
	return 0;
}

static void imported_close(struct stream *st)
{
	struct imported *im = (struct imported *)st;

	for (unsigned i = 0; i < st->info.nr_caches && im->pool; i++)
		id_pool_free(&im->pool[i]);
	spool_free(&im->spool);
	free(im->cache_of_class);
	free(im->site_of_class);
	free(im->id_of_object);
	free(im->pool);
	stream_release(st);
	free(im);
}

static const struct stream_ops imported_ops = {
    .next = imported_next,
    .rewind = imported_rewind,
    .close = imported_close,
};

/* The call sites that classes have, numbered anew. */
static int take_sites(struct imported *im, const struct resolver *r)
{
	uint32_t strings = intern_count(r->ctx->strings);
	uint32_t *number = calloc(strings, sizeof(*number));
	struct stream *st = &im->st;

	st->sites = calloc((size_t)r->classes.n + 2, sizeof(*st->sites));
	if (!number || !st->sites)
		goto fail;
	st->sites[st->nr_sites++] = strdup("");
	for (uint32_t i = 0; i < r->classes.n; i++) {
		uint32_t site = r->classes.class[i].key.call_site;

		if (site != INTERN_EMPTY && !number[site]) {
			number[site] = st->nr_sites;
			st->sites[st->nr_sites++] = strdup(intern_str(r->ctx->strings, site));
			if (!st->sites[st->nr_sites - 1])
				goto fail;
		}
		im->site_of_class[i] = number[site];
	}
	free(number);
	return st->sites[0] ? 0 : -1;
fail:
	free(number);
	return -1;
}

/* Take over what delivering needs; the rest of the resolver goes. */
static int adopt(struct imported *im, struct resolver *r, struct error *err)
{
	size_t classes = r->classes.n, caches = im->st.info.nr_caches;

	im->spool = r->spool;
	r->spool = (struct spool){.fd = -1};
	im->cache_of_class = calloc(classes + 1, sizeof(*im->cache_of_class));
	im->site_of_class = calloc(classes + 1, sizeof(*im->site_of_class));
	im->id_of_object = calloc((size_t)r->objects.ids + 1, sizeof(*im->id_of_object));
	im->pool = calloc(caches + 1, sizeof(*im->pool));
	if (!im->cache_of_class || !im->site_of_class || !im->id_of_object || !im->pool ||
	    take_sites(im, r))
		return error_memory(err, "the objects of a trace");
	for (size_t i = 0; i < classes; i++)
		im->cache_of_class[i] = r->classes.class[i].cache;
	for (size_t i = 0; i < caches; i++)
		id_pool_init(&im->pool[i]);
	return 0;
}

int import_begin(struct import *im, struct input *in, const struct trace_options *opt,
		 struct error *err)
{
	*im = (struct import){.ctx.in = in, .resolver.spool.fd = -1};
	im->ctx.strings = intern_new();
	im->ctx.gfp = gfp_cache_new();
	if (!im->ctx.strings || !im->ctx.gfp)
		return error_memory(err, "reading a trace");
	return resolver_init(&im->resolver, &im->ctx, opt, err);
}

void import_free(struct import *im)
{
	resolver_free(&im->resolver);
	gfp_cache_free(im->ctx.gfp);
	free(im->ctx.caches);
	intern_free(im->ctx.strings);
}

struct stream *import_finish(struct import *im, struct error *err)
{
	struct imported *new = calloc(1, sizeof(*new));
	struct resolver *r = &im->resolver;

	if (!new) {
		error_memory(err, "reading a trace");
		return NULL;
	}
	new->st.ops = &imported_ops;
	new->spool.fd = -1;
	if (resolver_finish(r, &new->st.info, err) || adopt(new, r, err)) {
		imported_close(&new->st);
		return NULL;
	}
	memcpy(new->st.notes, im->ctx.notes, sizeof(new->st.notes));
	new->st.cpus_used = r->cpus;
	new->st.page_size = r->page_size;
	new->st.in_order = r->seen[RECORD_CSV] > 0;
	new->st.has_shrinks = r->has_shrinks;
	new->st.names_settled = false;
	new->st.ids_settled = true;
	return &new->st;
}

static int read_records(struct import *im, const struct reader_ops *ops, struct error *err)
{
	struct record rec[READ_RECORDS];
	void *state = ops->open(&im->ctx, err);
	int64_t n;

	if (!state)
		return -1;
	while ((n = ops->next(state, rec, READ_RECORDS, err)) > 0) {
		for (int64_t i = 0; i < n; i++) {
			if (i + AHEAD < n)
				objects_prefetch(&im->resolver.objects, rec[i + AHEAD].ptr);
			if (resolver_add(&im->resolver, &rec[i], err)) {
				ops->close(state);
				return -1;
			}
		}
	}
	ops->close(state);
	return n < 0 ? -1 : 0;
}

struct stream *import_trace(struct input *in, const struct reader_ops *ops,
			    const struct trace_options *opt, struct error *err)
{
	struct stream *st = NULL;
	struct import im;

	if (!import_begin(&im, in, opt, err) && !read_records(&im, ops, err))
		st = import_finish(&im, err);
	import_free(&im);
	return st;
}
