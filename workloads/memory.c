#include "workloads/memory.h"

/* Events of a batch: as many as stay in the first-level cache beside what the engine touches. */
#define BATCH 1024

struct memory {
	struct source_info info; /* its own, but for the texts of notes, which are static */
	struct event *events;
	uint64_t *times; /* NULL: the source has none */
	size_t n, cap;
};

/* The source that reads it. */
struct view {
	struct source src;
	const struct memory *m;
	size_t next;
};

static int copy_info(struct memory *m, const struct source_info *from, struct error *err)
{
	struct source_info *info = &m->info;

	*info = *from;
	info->nr_caches = 0;
	info->caches = calloc((size_t)from->nr_caches + 1, sizeof(*info->caches));
	info->notes = calloc((size_t)from->nr_notes + 1, sizeof(*info->notes));
	if (!info->caches || !info->notes)
		return error_memory(err, "the caches of a workload");
	for (unsigned i = 0; i < from->nr_caches; i++) {
		info->caches[i] = from->caches[i];
		info->caches[i].name = strdup(from->caches[i].name);
		if (!info->caches[i].name)
			return error_memory(err, "the caches of a workload");
		info->nr_caches++;
	}
	if (from->nr_notes)
		memcpy(info->notes, from->notes, from->nr_notes * sizeof(*info->notes));
	return 0;
}

static int grow(struct memory *m, size_t wanted, struct error *err)
{
	size_t cap = m->cap ? m->cap : 4096;
	bool times = m->info.has_times;
	struct event *events;
	uint64_t *t;

	while (cap < wanted)
		cap += cap / 2;
	if (cap == m->cap)
		return 0;
	events = reallocarray(m->events, cap, sizeof(*events));
	if (events)
		m->events = events;
	t = times ? reallocarray(m->times, cap, sizeof(*t)) : NULL;
	if (t)
		m->times = t;
	if (!events || (times && !t))
		return error_memory(err, "the events of a workload");
	m->cap = cap;
	return 0;
}

static int copy_events(struct memory *m, struct source *src, struct error *err)
{
	struct batch b;
	int more;

	while ((more = src->ops->next(src, &b, err)) > 0) {
		if (grow(m, m->n + b.n, err))
			return -1;
		if (!b.n)
			continue;
		memcpy(m->events + m->n, b.events, b.n * sizeof(*m->events));
		if (m->times && b.time_ns)
			memcpy(m->times + m->n, b.time_ns, b.n * sizeof(*m->times));
		else if (m->times)
			memset(m->times + m->n, 0, b.n * sizeof(*m->times));
		m->n += b.n;
	}
	return more;
}

struct memory *memory_load(struct source *src, struct error *err)
{
	struct memory *m = calloc(1, sizeof(*m));

	if (!m) {
		error_memory(err, "a workload");
		return NULL;
	}
	if (copy_info(m, &src->info, err) || copy_events(m, src, err)) {
		memory_free(m);
		return NULL;
	}
	m->info.events = m->n;
	return m;
}

void memory_free(struct memory *m)
{
	if (!m)
		return;
	for (unsigned i = 0; i < m->info.nr_caches; i++)
		free(m->info.caches[i].name);
	free(m->info.caches);
	free(m->info.notes);
	free(m->events);
	free(m->times);
	free(m);
}

static int view_next(struct source *src, struct batch *batch, struct error *err)
{
	struct view *v = (struct view *)src;
	const struct memory *m = v->m;
	size_t n = m->n - v->next;

	(void)err;
	if (!n)
		return 0;
	if (n > BATCH)
		n = BATCH;
	*batch = (struct batch){
	    .events = m->events + v->next,
	    .time_ns = m->times ? m->times + v->next : NULL,
	    .n = n,
	};
	v->next += n;
	return 1;
}

static int view_rewind(struct source *src, struct error *err)
{
	(void)err;
	((struct view *)src)->next = 0;
	return 0;
}

static void view_close(struct source *src)
{
	free(src);
}

static const struct source_ops view_ops = {
    .next = view_next,
    .rewind = view_rewind,
    .close = view_close,
};

struct source *memory_open(const struct memory *m, struct error *err)
{
	struct view *v = calloc(1, sizeof(*v));

	if (!v) {
		error_memory(err, "a workload");
		return NULL;
	}
	v->src.ops = &view_ops;
	v->src.info = m->info;
	v->m = m;
	return &v->src;
}
