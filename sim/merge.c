#include "sim/merge.h"

static bool begins_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static bool is_kmalloc(const char *name)
{
	return begins_with(name, "kmalloc-") || begins_with(name, "dma-kmalloc-");
}

/* What a kmalloc cache's name says; *never: it does not merge. */
static unsigned flags_of(const struct merge_candidate *c, bool *never)
{
	*never = c->never;
	if (begins_with(c->name, "kmalloc-cg-"))
		return c->flags | MERGE_ACCOUNT;
	if (begins_with(c->name, "kmalloc-rcl-"))
		return c->flags | MERGE_RECLAIM_ACCOUNT;
	*never |= is_kmalloc(c->name);
	return c->flags;
}

/* Does the new cache become an alias of the old one? Its flags agree already. */
static bool fits(const struct merge_candidate *new, const struct merge_candidate *old)
{
	return new->size <= old->size && old->size - new->size < sizeof(uint64_t) &&
	       old->size % new->align == 0;
}

static void join(struct merge_member *member, unsigned i, unsigned into)
{
	member[i].into = (uint16_t)into;
	member[i].place = member[into].members++;
}

/* The cache that i becomes an alias of, or i: kmalloc caches first, then those before i. */
static unsigned find_into(const struct merge_member *member, const struct merge_candidate *c,
			  unsigned n, unsigned i, unsigned flags)
{
	for (int kmalloc = 1; kmalloc >= 0; kmalloc--) {
		for (unsigned old = 0; old < (kmalloc ? n : i); old++) {
			bool never;

			/* Sizes first: there may be many caches. */
			if (member[old].into != old || !fits(&c[i], &c[old]) ||
			    is_kmalloc(c[old].name) != kmalloc)
				continue;
			if (flags_of(&c[old], &never) == flags && !never)
				return old;
		}
	}
	return i;
}

unsigned merge_plan(struct merge_member *member, const struct merge_candidate *c, unsigned n)
{
	unsigned merged = 0;

	for (unsigned i = 0; i < n; i++)
		member[i] = (struct merge_member){.into = (uint16_t)i, .members = 1};
	for (unsigned i = 0; i < n; i++) {
		unsigned flags, into;
		bool never;

		flags = flags_of(&c[i], &never);
		if (never || is_kmalloc(c[i].name))
			continue;
		into = find_into(member, c, n, i, flags);
		if (into == i)
			continue;
		join(member, i, into);
		merged++;
	}
	for (unsigned i = 0; i < n; i++)
		member[i].members = member[member[i].into].members;
	return merged;
}

int merge_events(const struct merge_member *member, struct event *ev, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct merge_member *m = &member[ev[i].cache];
		uint64_t object = (uint64_t)ev[i].object * m->members + m->place;

		if (object >= UINT32_MAX - 1)
			return error_input(err,
					   "replay.merge: %u caches merge, and %u objects of one "
					   "of them are more than their common table can hold",
					   m->members, ev[i].object);
		ev[i].object = (uint32_t)object;
		ev[i].cache = m->into;
	}
	return 0;
}
