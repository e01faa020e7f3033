#include "sim/order/order_trace.h"

#include "sim/geometry.h"

struct live {
	uint64_t now, peak;
	bool seen;
};

static void count(struct live *l, const struct event *ev)
{
	switch (ev->op) {
	case EV_ALLOC:
	case EV_ALLOC_BULK:
		l->seen = true;
		l->now++;
		if (l->now > l->peak)
			l->peak = l->now;
		break;
	case EV_FREE:
	case EV_FREE_BULK:
		l->seen = true;
		l->now -= l->now > 0;
		break;
	default:
		break;
	}
}

static int count_all(struct source *src, struct live *live, struct error *err)
{
	struct batch batch;
	int rc;

	while ((rc = src->ops->next(src, &batch, err)) > 0) {
		for (size_t i = 0; i < batch.n; i++)
			count(&live[batch.events[i].cache], &batch.events[i]);
	}
	return rc;
}

static int add_cache(struct order_table *t, const struct source_cache *c, const struct live *l,
		     struct error *err)
{
	struct geometry_request request = {.object_size = c->object_size};
	struct order_row *row;

	if (!l->seen || (!c->size && !c->object_size))
		return 0;
	row = order_table_add_row(t, err);
	if (!row)
		return -1;
	row->name = strdup(c->name);
	if (!row->name)
		return error_memory(err, "a cache's name");
	row->size = c->size ? c->size : geometry_size(&request);
	if (row->size > ORDER_MAX_SIZE || row->size < c->object_size)
		return error_input(err, "cache %.100s: objects of %u bytes, %u apart", c->name,
				   c->object_size, row->size);
	row->object_size = c->object_size;
	row->objects = l->peak;
	return 0;
}

int order_table_add_source(struct order_table *t, struct source *src, struct error *err)
{
	struct live *live = calloc((size_t)MAX_CACHES + 1, sizeof(*live));
	int rc;

	if (!live)
		return error_memory(err, "the caches of the trace");
	rc = count_all(src, live, err);
	for (unsigned i = 0; i < src->info.nr_caches && !rc; i++)
		rc = add_cache(t, &src->info.caches[i], &live[i], err);
	free(live);
	if (!rc && !t->nr_rows)
		rc = error_input(err, "no cache in it whose size is known");
	t->has_objects = true;
	return rc;
}
