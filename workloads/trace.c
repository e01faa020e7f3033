/* trace_open(): read the file once into the spool, then deliver events from there. */
#include "workloads/trace.h"

#include "workloads/gfp.h"
#include "workloads/reorder.h"
#include "workloads/resolve.h"

#define BATCH	     4096
#define READ_RECORDS 256

/* Ids within one cache: dense, and used again. */
struct id_pool {
	uint32_t *free;
	uint32_t nr_free, ids, cap;
};

struct trace {
	struct source src;
	struct spool spool;
	uint16_t *cache_of_class;
	uint32_t *id_of_object; /* in its cache, by the spool's object id */
	uint32_t nr_objects;
	struct id_pool *pool; /* by cache */
	uint64_t next;	      /* event */
	struct spool_event scratch[BATCH];
	struct event events[BATCH];
	uint64_t times[BATCH];
};

static bool pool_grow(struct id_pool *pool)
{
	uint32_t cap = pool->cap ? pool->cap * 2 : 64;
	uint32_t *larger;

	if (pool->cap > UINT32_MAX / 2)
		return false;
	larger = realloc(pool->free, cap * sizeof(*larger));
	if (!larger)
		return false;
	pool->free = larger;
	pool->cap = cap;
	return true;
}

/* UINT32_MAX when out of memory. */
static inline uint32_t pool_get(struct id_pool *pool)
{
	if (pool->nr_free)
		return pool->free[--pool->nr_free];
	if (pool->ids == pool->cap && !pool_grow(pool))
		return UINT32_MAX;
	return pool->ids++;
}

static inline void pool_put(struct id_pool *pool, uint32_t id)
{
	pool->free[pool->nr_free++] = id;
}

static int trace_next(struct source *src, struct batch *batch, struct error *err)
{
	struct trace *t = (struct trace *)src;
	const struct spool_event *in;
	size_t n;

	if (t->next == src->info.events)
		return 0;
	in = spool_get(&t->spool, t->next, BATCH, t->scratch, &n, err);
	if (!in)
		return -1;
	for (size_t i = 0; i < n; i++) {
		uint16_t cache = t->cache_of_class[in[i].class];
		uint32_t *id = &t->id_of_object[in[i].object];

		if (in[i].op == EV_ALLOC || in[i].op == EV_ALLOC_BULK || in[i].op == EV_ADOPT) {
			*id = pool_get(&t->pool[cache]);
			if (*id == UINT32_MAX)
				return error_memory(err, "the objects of a trace");
		} else if (in[i].op != EV_SHRINK) {
			pool_put(&t->pool[cache], *id);
		}
		t->events[i] = (struct event){
		    .object = in[i].op == EV_SHRINK ? 0 : *id,
		    .cpu = in[i].cpu,
		    .cache = cache,
		    .node = in[i].node,
		    .op = in[i].op,
		    .flags = in[i].flags,
		};
		t->times[i] = in[i].time_ns;
	}
	t->next += n;
	*batch = (struct batch){t->events, src->info.has_times ? t->times : NULL, n};
	return 1;
}

static int trace_rewind(struct source *src, struct error *err)
{
	struct trace *t = (struct trace *)src;

	(void)err;
	t->next = 0;
	for (unsigned i = 0; i < src->info.nr_caches; i++)
		t->pool[i].nr_free = t->pool[i].ids = 0;
	return 0;
}

static void trace_close(struct source *src)
{
	struct trace *t = (struct trace *)src;

	for (unsigned i = 0; i < src->info.nr_caches; i++) {
		free(src->info.caches[i].name);
		if (t->pool)
			free(t->pool[i].free);
	}
	free(src->info.caches);
	free(src->info.notes);
	spool_free(&t->spool);
	free(t->cache_of_class);
	free(t->id_of_object);
	free(t->pool);
	free(t);
}

static const struct source_ops trace_ops = {
    .next = trace_next,
    .rewind = trace_rewind,
    .close = trace_close,
};

/* All records through the resolver. */
static int import(struct reader_ctx *ctx, struct resolver *r, struct error *err)
{
	const struct reader_ops *ops = reader_choose(ctx->in, err);
	struct record rec[READ_RECORDS];
	struct reorder ro;
	void *state;
	int64_t n;

	if (!ops)
		return -1;
	state = ops->open(ctx, err);
	if (!state)
		return -1;
	reorder_init(&ro, r, r->opt->reorder_ns);
	while ((n = ops->next(state, rec, READ_RECORDS, err)) > 0) {
		for (int64_t i = 0; i < n; i++) {
			if (reorder_add(&ro, &rec[i], err)) {
				n = -1;
				break;
			}
		}
		if (n < 0)
			break;
	}
	ops->close(state);
	if (n >= 0 && reorder_finish(&ro, err))
		n = -1;
	reorder_free(&ro);
	return n < 0 ? -1 : 0;
}

/* Take over what delivering needs; the rest of the resolver goes. */
static int adopt(struct trace *t, struct resolver *r, struct error *err)
{
	t->spool = r->spool;
	r->spool = (struct spool){.fd = -1};
	t->nr_objects = r->objects.ids;
	t->cache_of_class = calloc(r->classes.n + 1, sizeof(*t->cache_of_class));
	t->id_of_object = calloc((size_t)t->nr_objects + 1, sizeof(*t->id_of_object));
	t->pool = calloc(t->src.info.nr_caches + 1, sizeof(*t->pool));
	if (!t->cache_of_class || !t->id_of_object || !t->pool)
		return error_memory(err, "the objects of a trace");
	for (uint32_t i = 0; i < r->classes.n; i++)
		t->cache_of_class[i] = r->classes.class[i].cache;
	return 0;
}

static int load(struct trace *t, const char *file, const struct trace_options *opt,
		struct error *err)
{
	struct reader_ctx ctx = {0};
	struct resolver r = {.spool.fd = -1};
	int ret = -1;

	ctx.strings = intern_new();
	ctx.gfp = gfp_cache_new();
	if (!ctx.strings || !ctx.gfp) {
		error_memory(err, "reading a trace");
		goto out;
	}
	ctx.in = input_open(file, err);
	if (!ctx.in || resolver_init(&r, &ctx, opt, err))
		goto out;
	if (import(&ctx, &r, err) || resolver_finish(&r, &t->src.info, err) || adopt(t, &r, err))
		goto out;
	ret = 0;
out:
	resolver_free(&r);
	input_close(ctx.in);
	gfp_cache_free(ctx.gfp);
	intern_free(ctx.strings);
	return ret;
}

struct source *trace_open(const char *file, const struct trace_options *opt, struct error *err)
{
	struct trace *t = calloc(1, sizeof(*t));

	if (!t) {
		error_memory(err, "reading a trace");
		return NULL;
	}
	t->src.ops = &trace_ops;
	t->spool.fd = -1;
	if (load(t, file, opt, err)) {
		trace_close(&t->src);
		return NULL;
	}
	return &t->src;
}
