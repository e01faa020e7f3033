#include "sim/initial.h"

#include "sim/cpu_partial.h"
#include "sim/sheaf.h"

/* The slabs of one cache at the start, by where they are. */
struct plan {
	uint64_t full, partial, at_cpus; /* slabs */
	uint64_t partial_inuse;		 /* objects in use on the partial ones */
	uint64_t cpu_inuse;		 /* live objects on the CPUs' slabs */
	uint64_t parked;		 /* objects in sheaves, taken from the full slabs first */
	uint64_t
	    missing; /* objects in use that did not fit, their slabs being of a smaller order */
};

/* Enough full slabs that adopted live objects have room. */
static void make_room(struct plan *p, const struct cache *c, uint64_t adopted)
{
	uint64_t sure = p->full * c->objects + p->partial_inuse;
	/* A slab on a CPU's partial list has at least one object free. */
	uint64_t room = p->at_cpus * (c->objects - 1);
	/*
	 * Full slabs are full of objects that stay. Where there are such, the slabs at the CPUs
	 * are somewhere on the way to becoming full: on average half. Where all slabs are at the
	 * CPUs, objects came and went, and only those that are freed later are known.
	 */
	uint64_t likely_live = p->full ? sure + p->at_cpus * c->objects / 2 : 0;

	if (adopted < likely_live)
		adopted = likely_live;
	while (adopted > sure + room) {
		p->full++;
		sure += c->objects;
	}
	p->cpu_inuse = adopted > sure ? adopted - sure : 0;
}

static void make_plan(struct plan *p, const struct cache *c, const struct initial_cache *in,
		      uint64_t adopted)
{
	/* The recording kernel may have had another order. */
	uint64_t slabs = (in->total_objects + c->objects - 1) / c->objects;
	uint64_t inuse, sheaves;

	*p = (struct plan){0};
	p->partial = in->partial < slabs ? in->partial : slabs;
	p->partial_inuse = in->objects_partial;
	if (p->partial_inuse > p->partial * (c->objects - 1))
		p->partial_inuse = p->partial * (c->objects - 1);
	if (c->allocator->has_cpu_slabs)
		p->at_cpus = in->cpu_slabs;
	if (p->at_cpus > slabs - p->partial)
		p->at_cpus = slabs - p->partial;
	p->full = slabs - p->partial - p->at_cpus;
	make_room(p, c, adopted);
	if (c->allocator->has_cpu_slabs || !c->sheaf_capacity)
		return;
	/* Every refill brought a sheaf of objects to some CPU. */
	inuse = p->full * c->objects + p->partial_inuse;
	sheaves = (inuse + c->sheaf_capacity - 1) / c->sheaf_capacity;
	if (sheaves > c->machine->cpus)
		sheaves = c->machine->cpus;
	p->parked = inuse - adopted;
	if (p->parked > sheaves * c->sheaf_capacity)
		p->parked = sheaves * c->sheaf_capacity;
}

/* The i-th of n equal shares of a whole. */
static uint64_t share(uint64_t whole, uint64_t n, uint64_t i)
{
	return whole / n + (i < whole % n);
}

/*
 * A slab with inuse objects in use, which are live until something else is made of them; at least
 * unused of its objects are not.
 */
static uint32_t place_slab(struct cache *c, struct plan *p, unsigned node, uint64_t inuse,
			   unsigned unused, struct error *err)
{
	struct cpu_cache uncounted = {0};
	uint32_t s = arena_new_slab(c, &uncounted, node, false);
	struct adoption *a = &c->adoption;
	uint64_t most;

	if (s == SLAB_NONE && c->out_of_memory) {
		error_memory(err, "the initial state");
		return s;
	}
	if (s == SLAB_NONE) {
		error_input(err,
			    "cache %s: no node has pages left for the slabs it begins with "
			    "(replay.initial): give the machine more memory (machine.pages)",
			    c->name);
		return s;
	}
	most = c->slab[s].objects - unused;
	if (inuse > most) {
		p->missing += inuse - most;
		inuse = most;
	}
	if (a->n == a->cap) {
		uint32_t cap = a->cap ? 2 * a->cap : 64;
		struct adoptable *slabs = reallocarray(a->slabs, cap, sizeof(*slabs));

		if (!slabs) {
			error_memory(err, "the initial state");
			return SLAB_NONE;
		}
		a->slabs = slabs;
		a->cap = cap;
	}
	c->slab[s].inuse = (uint16_t)inuse;
	a->slabs[a->n++] = (struct adoptable){.slab = s, .live = (uint32_t)inuse};
	c->base.live += inuse;
	return s;
}

static int place_on_nodes(struct cache *c, struct plan *p, struct error *err)
{
	for (uint64_t i = 0; i < p->full; i++)
		if (place_slab(c, p, (unsigned)(i % c->machine->nodes), c->objects, 0, err) ==
		    SLAB_NONE)
			return -1;
	c->base.full = p->full;
	for (uint64_t i = 0; i < p->partial; i++) {
		uint32_t s = place_slab(c, p, (unsigned)(i % c->machine->nodes),
					share(p->partial_inuse, p->partial, i), 1, err);

		if (s == SLAB_NONE)
			return -1;
		node_list_add_tail(c, s);
	}
	return 0;
}

/* One cpu slab for each CPU, the further ones on the CPUs' partial lists. */
static int place_at_cpus(struct cache *c, struct plan *p, struct error *err)
{
	bool frozen_list = !c->allocator->delayed_freezing;

	for (uint64_t i = 0; i < p->at_cpus; i++) {
		struct cpu_cache *pc = &c->cpu[i % c->machine->cpus];
		uint64_t live = share(p->cpu_inuse, p->at_cpus, i);
		uint32_t s = place_slab(c, p, pc->node, live, 1, err);
		struct slab *slab;

		if (s == SLAB_NONE)
			return -1;
		slab = &c->slab[s];
		if (pc->slab == SLAB_NONE) {
			pc->slab = s;
			pc->free = slab->objects - slab->inuse;
			slab->inuse = slab->objects;
			slab->frozen = true;
			c->base.cpu_slabs++;
		} else {
			slab->frozen = frozen_list;
			if (!cpu_partial_push(pc, s, slab->objects - slab->inuse))
				return error_memory(err, "the initial state");
			c->base.slabs_cpu_partial++;
		}
	}
	return 0;
}

/* What slabs of a smaller order had no room for: more slabs, full but the last. */
static int place_missing(struct cache *c, struct plan *p, struct error *err)
{
	for (unsigned node = 0; p->missing; node = (node + 1) % c->machine->nodes) {
		uint64_t inuse = p->missing < c->objects ? p->missing : c->objects;
		uint32_t s;

		p->missing -= inuse;
		s = place_slab(c, p, node, inuse, 0, err);
		if (s == SLAB_NONE)
			return -1;
		if (c->slab[s].inuse < c->slab[s].objects)
			node_list_add_tail(c, s);
		else
			c->base.full++;
	}
	return 0;
}

/* Objects in use that nobody holds: they fill the main sheaves of the first CPUs evenly. */
static int place_in_sheaves(struct cache *c, const struct plan *p, struct error *err)
{
	uint64_t cpus = (p->parked + c->sheaf_capacity - 1) / c->sheaf_capacity;
	struct adoption *a = &c->adoption;

	for (uint64_t cpu = 0; cpu < cpus; cpu++) {
		struct cpu_cache *pc = &c->cpu[cpu];

		for (uint64_t n = share(p->parked, cpus, cpu); n > 0; n--) {
			while (!a->slabs[a->next].live)
				a->next = (a->next + 1) % a->n;
			a->slabs[a->next].live--;
			c->base.live--;
			pc->main->slab[pc->main->size++] = a->slabs[a->next].slab;
		}
		/* A refilled CPU kept its emptied sheaf as the spare (facts 5.3 row 3c). */
		pc->spare = sheaf_new(c);
		if (!pc->spare)
			return error_memory(err, "the initial state");
	}
	return 0;
}

int initial_place(struct cache *c, const struct initial_cache *in, uint64_t adopted,
		  struct error *err)
{
	static const struct initial_cache nothing;
	struct plan p;

	make_plan(&p, c, in ? in : &nothing, adopted);
	if (place_on_nodes(c, &p, err) || place_at_cpus(c, &p, err) || place_missing(c, &p, err))
		return -1;
	if (p.parked && place_in_sheaves(c, &p, err))
		return -1;
	c->base.slabs = c->nr_slabs;
	c->base.partial = cache_partial(c);
	c->base.sheaf_objects = cache_sheaf_objects(c);
	c->peak_bytes = c->bytes;
	c->adoption.next = 0;
	return 0;
}

uint32_t initial_adopt(struct cache *c)
{
	struct adoption *a = &c->adoption;

	for (uint32_t tried = 0; tried < a->n; tried++) {
		struct adoptable *slab = &a->slabs[a->next];

		a->next = (a->next + 1) % a->n;
		if (slab->live) {
			slab->live--;
			return slab->slab;
		}
	}
	return SLAB_NONE;
}
