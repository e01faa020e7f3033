/* Order mode: events are replayed as they come, on this thread or on several. */
#include "sim/allocator.h"
#include "sim/engine_internal.h"

/* The events of the caches that are replayed; b becomes the engine's own copy of them. */
static int leave_out(struct engine *e, struct batch *b, struct error *err)
{
	size_t n = 0;

	if (engine_reserve(e, b->n, err))
		return -1;
	for (size_t i = 0; i < b->n; i++) {
		if (!engine_is_used(e, b->events[i].cache))
			continue;
		e->kept[n] = b->events[i];
		e->kept_time[n++] = b->time_ns ? b->time_ns[i] : 0;
	}
	e->left_out += b->n - n;
	b->events = e->kept;
	b->time_ns = b->time_ns ? e->kept_time : NULL;
	b->n = n;
	if (e->merge && merge_events(e->merge, e->kept, n, err))
		return config_blame(e->cfg, err);
	return 0;
}

static int replay_batch(struct engine *e, const struct batch *b, struct error *err)
{
	const struct allocator_ops *allocator =
	    (const struct allocator_ops *)e->cfg->policy.choice[AXIS_ALLOCATOR].policy;
	size_t done = 0;

	while (done < b->n) {
		uint64_t event = e->seen - e->left_out;
		size_t n = b->n - done;

		if (e->due.next > event && e->due.next - event < n)
			n = e->due.next - event;
		if (e->team ? team_replay(e->team, b->events + done, n, err)
			    : allocator_replay(allocator, e->caches, b->events + done, n, err))
			return config_blame(e->cfg, err);
		done += n;
		e->seen += n;
		if (!series_due(&e->due, e->seen - e->left_out))
			continue;
		if (engine_add_points(e, b->time_ns ? b->time_ns[done - 1] : 0, err))
			return -1;
	}
	return 0;
}

static void expect_events(struct engine *e, uint64_t events)
{
	series_expect(&e->due, events);
	for (unsigned i = 0; i < e->nr_caches; i++)
		if (e->binding[i].used)
			series_expect(&e->series[i], events);
}

/*
 * The threads asked for, but no more than there are caches; this one reads meanwhile. Modeled
 * pages are shared by all caches, which then depend on each other.
 */
static int start_team(struct engine *e, struct error *err)
{
	const struct source_info *info = &e->src->info;
	unsigned threads = e->cfg->threads < e->nr_caches ? e->cfg->threads : e->nr_caches;
	uint64_t *weight;

	if (e->cfg->threads < 2 || !threads || e->pages)
		return 0;
	weight = calloc(e->nr_caches, sizeof(*weight));
	if (!weight)
		return error_memory(err, "threads");
	for (unsigned i = 0; i < e->nr_caches; i++)
		weight[i] = info->caches[i].allocs + info->caches[i].frees;
	e->team =
	    team_new(threads, e->caches, weight, e->nr_caches,
		     (const struct allocator_ops *)e->cfg->policy.choice[AXIS_ALLOCATOR].policy,
		     engine_add_point, e, err);
	free(weight);
	return e->team ? 0 : -1;
}

int engine_order_run(struct engine *e, void (*progress)(void *arg, uint64_t done), void *arg,
		     struct error *err)
{
	uint64_t last_time = 0;
	struct batch b;
	int more;

	if (start_team(e, err))
		return -1;
	/* The first point comes with the first event, however large the batches are. */
	e->due.next = 1;
	if (!e->filtering)
		expect_events(e, e->src->info.events);
	while ((more = e->src->ops->next(e->src, &b, err)) > 0) {
		uint64_t left_out = e->left_out;

		if ((e->filtering || e->merge) && leave_out(e, &b, err))
			return -1;
		e->seen += e->left_out - left_out;
		if (replay_batch(e, &b, err))
			return -1;
		if (b.time_ns && b.n)
			last_time = b.time_ns[b.n - 1];
		if (progress)
			progress(arg, e->seen);
	}
	if (more < 0 || engine_add_points(e, last_time, err))
		return -1;
	return e->team && team_wait(e->team, err) ? config_blame(e->cfg, err) : 0;
}
