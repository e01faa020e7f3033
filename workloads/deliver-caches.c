/* Which caches a replay sees: the configuration may leave some out, and tell some by call site. */
#include "workloads/class.h"
#include "workloads/deliver_internal.h"

int deliver_find_match(const struct deliver *d, const struct event *ev, uint32_t site)
{
	const struct source_cache *sc = &d->st->info.caches[ev->cache];

	if (!d->site_matches[site])
		return -1;
	return trace_match_find(d->match, d->nr_match, d->st->sites[site],
				sc->size ? sc->size : sc->object_size);
}

unsigned deliver_find_cache(const struct deliver *d, const char *name)
{
	unsigned i = 0;

	while (i < d->info.nr_caches && strcmp(d->info.caches[i].name, name))
		i++;
	return i;
}

static int add_cache(struct deliver *d, const struct source_cache *from, const char *name)
{
	struct source_cache *sc = &d->info.caches[d->info.nr_caches];

	*sc = *from;
	sc->name = strdup(name);
	if (!sc->name)
		return -1;
	d->info.nr_caches++;
	return 0;
}

/* The stream's caches, but for those that only had objects from before the trace. */
int deliver_take_caches(struct deliver *d)
{
	const struct source_info *from = &d->st->info;

	d->info = *from;
	d->info.notes = NULL;
	d->info.nr_notes = d->info.nr_caches = 0;
	d->info.caches = calloc((size_t)from->nr_caches + d->nr_match + 1, sizeof(*from->caches));
	d->lane = calloc((size_t)from->nr_caches + 1, sizeof(*d->lane));
	if (!d->info.caches || !d->lane)
		return -1;
	for (unsigned i = 0; i < from->nr_caches; i++) {
		struct source_cache sc = from->caches[i];

		if (d->leave_out) {
			sc.frees -= sc.adopted;
			d->info.events -= 2 * sc.adopted;
			sc.adopted = 0;
			if (!sc.allocs && !sc.frees && from->caches[i].adopted &&
			    !d->st->has_shrinks)
				continue;
		}
		d->lane[i].cache = (uint16_t)d->info.nr_caches;
		if (add_cache(d, &sc, sc.name))
			return -1;
	}
	return 0;
}

static int copy_match(struct deliver *d, const struct trace_options *opt)
{
	d->match = calloc(d->nr_match, sizeof(*d->match));
	d->site_matches = calloc(d->st->nr_sites, sizeof(*d->site_matches));
	if (!d->match || !d->site_matches)
		return -1;
	for (unsigned m = 0; m < d->nr_match; m++) {
		d->match[m] = (struct trace_match){
		    .call_site = strdup(opt->match[m].call_site),
		    .size = opt->match[m].size,
		    .name = strdup(opt->match[m].name),
		};
		if (!d->match[m].call_site || !d->match[m].name)
			return -1;
	}
	return 0;
}

int deliver_add_matches(struct deliver *d, const struct trace_options *opt, struct error *err)
{
	const struct source_cache nothing = {0};
	const struct stream *st = d->st;

	if (copy_match(d, opt))
		return error_memory(err, "the caches of a trace");
	for (unsigned m = 0; m < d->nr_match; m++) {
		bool occurs = false;

		for (uint32_t s = 0; s < st->nr_sites; s++) {
			if (trace_match_find(&d->match[m], 1, st->sites[s], -1) < 0)
				continue;
			d->site_matches[s] = occurs = true;
		}
		if (!occurs || deliver_find_cache(d, d->match[m].name) < d->info.nr_caches)
			continue;
		if (d->info.nr_caches == MAX_CACHES)
			return error_input(err, "more than %d caches", MAX_CACHES);
		if (add_cache(d, &nothing, d->match[m].name))
			return error_memory(err, "the caches of a trace");
	}
	return 0;
}

static void count_event(struct deliver *d, const struct event *ev)
{
	struct source_cache *sc = &d->info.caches[ev->cache];

	if (ev->op == EV_ALLOC || ev->op == EV_ALLOC_BULK)
		sc->allocs++;
	else if (ev->op == EV_ADOPT)
		sc->adopted++;
	else if (ev->op != EV_SHRINK)
		sc->frees++;
}

/* The sizes of caches that were told by call site, and how many such allocations there are. */
static void count_matches(struct deliver *d, const struct stream_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct event *ev = &b->events[i];
		struct source_cache *sc;
		int match;

		if ((ev->op != EV_ALLOC && ev->op != EV_ALLOC_BULK) ||
		    (match = deliver_find_match(d, ev, b->site[i])) < 0)
			continue;
		d->st->notes[NOTE_NAMED_BY_CONFIG]++;
		sc = &d->info.caches[deliver_find_cache(d, d->match[match].name)];
		if (!sc->object_size) {
			sc->object_size = d->st->info.caches[ev->cache].object_size;
			sc->size = d->st->info.caches[ev->cache].size;
		}
	}
}

int deliver_count_matches(struct deliver *d, struct error *err)
{
	struct batch batch;
	int more;

	for (unsigned i = 0; i < d->info.nr_caches; i++)
		d->info.caches[i].allocs = d->info.caches[i].frees = d->info.caches[i].adopted = 0;
	while ((more = d->st->ops->next(d->st, &d->in, err)) > 0)
		count_matches(d, &d->in);
	if (more < 0 || deliver_rewind(d, err))
		return -1;
	while ((more = deliver_next(d, &batch, err)) > 0)
		for (size_t i = 0; i < batch.n; i++)
			count_event(d, &batch.events[i]);
	return more < 0 ? -1 : deliver_rewind(d, err);
}
