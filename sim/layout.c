#include "sim/layout.h"

#include "sim/geometry.h"
#include "sim/order.h"

static const char *shown(const char *name)
{
	return *name ? name : "(the trace names none)";
}

/* The largest power of two that divides size, a cache line at most: all a trace lets us say. */
static unsigned likely_align(unsigned size, unsigned cache_line_size)
{
	unsigned align = size & -size;

	if (align > cache_line_size)
		align = cache_line_size;
	return align < 8 ? 8 : align;
}

static int layout_size(struct cache *c, const struct cache_config *want,
		       const struct source_cache *src, const struct machine *m, struct error *err)
{
	struct geometry_request r = {.cache_line_size = m->cache_line_size};

	if (want && want->object_size >= 0)
		r.object_size = (unsigned)want->object_size;
	else
		r.object_size = src->object_size;
	if (want) {
		r.align = want->align > 0 ? (unsigned)want->align : 0;
		r.hwcache_align = want->hwcache_align;
		r.typesafe_by_rcu = want->typesafe_by_rcu;
		r.ctor = want->ctor;
	}
	if (want && want->size >= 0)
		c->size = (unsigned)want->size;
	else if (want && want->object_size >= 0)
		c->size = geometry_size(&r);
	else
		c->size = src->size;
	if (c->size == 0 && r.object_size > 0)
		c->size = geometry_size(&r);
	if (c->size == 0)
		return error_input(err,
				   "cache %s: its size is not known: give \"object_size\" for it "
				   "under \"caches\" in the configuration",
				   shown(src->name));
	c->object_size = r.object_size ? r.object_size : c->size;
	if (geometry_check(shown(src->name), c->object_size, c->size, err))
		return -1;
	c->align = want && want->object_size >= 0 && want->size < 0
		       ? geometry_align(&r)
		       : likely_align(c->size, m->cache_line_size);
	return 0;
}

/* The order that the config or else a policy says cannot be. Returns -1. */
static int no_such_order(const struct cache *c, const struct cache_config *want,
			 const struct policy *policy, int order, struct error *err)
{
	if (want && want->order >= 0)
		return error_input(
		    err, "order: a slab of order %d holds no object of %u bytes (cache %s)", order,
		    c->size, want->name);
	if (order < -1 || order > MAX_PAGE_ORDER)
		return error_input(
		    err,
		    "cache %s: the order policy \"%s\" says order %d for objects of %u "
		    "bytes; 0..%d are wanted, or -1 for none",
		    shown(c->name), policy->name, order, c->size, MAX_PAGE_ORDER);
	if (order >= 0)
		return error_input(
		    err,
		    "cache %s: a slab of order %d, which the order policy \"%s\" says, "
		    "holds no object of %u bytes",
		    shown(c->name), order, policy->name, c->size);
	return error_input(err,
			   "cache %s: no slab of order 0..%d that the order policy \"%s\" allows "
			   "holds an object of %u bytes",
			   shown(c->name), MAX_PAGE_ORDER, policy->name, c->size);
}

static int layout_order(struct cache *c, const struct policy_set *set,
			const struct cache_config *want, const struct machine *m, struct error *err)
{
	const struct policy_choice *choice = &set->choice[AXIS_ORDER];
	const struct order_ops *ops = (const struct order_ops *)choice->policy;
	struct order_input in = {
	    .size = c->size,
	    .page_size = m->page_size,
	    .nr_cpus = m->cpus,
	    .slub_min_order = set->slub_min_order,
	    .slub_max_order = set->slub_max_order,
	    .slub_min_objects = set->slub_min_objects,
	    .number = choice->number,
	};
	int order = want && want->order >= 0 ? (int)want->order : ops->order(&in);

	if (order < 0 || order > MAX_PAGE_ORDER ||
	    !order_objects((unsigned)order, c->size, m->page_size))
		return no_such_order(c, want, choice->policy, order, err);
	c->order = (unsigned)order;
	c->objects = (unsigned)order_objects(c->order, c->size, m->page_size);
	if (c->objects > MAX_OBJS_PER_PAGE)
		return error_input(err,
				   "cache %s: order %u would put %u objects into a slab; "
				   "a slab holds %d at most",
				   c->name, c->order, c->objects, MAX_OBJS_PER_PAGE);
	c->min_order = get_order(c->size, m->page_size);
	if (c->min_order > c->order)
		c->min_order = c->order;
	c->min_objects = (unsigned)order_objects(c->min_order, c->size, m->page_size);
	if (c->min_objects > MAX_OBJS_PER_PAGE)
		c->min_objects = MAX_OBJS_PER_PAGE;
	return 0;
}

static void layout_limits(struct cache *c, const struct policy_set *set,
			  const struct cache_config *want, const struct machine *m)
{
	const struct policy_choice *partial = &set->choice[AXIS_CPU_PARTIAL];
	const struct policy_choice *min = &set->choice[AXIS_MIN_PARTIAL];
	struct cpu_partial_input in = {
	    .size = c->size,
	    .page_size = m->page_size,
	    .nr_cpus = m->cpus,
	    .choice = *partial,
	};

	c->has_cpu_partial = c->allocator->has_cpu_slabs;
	if (!c->has_cpu_partial)
		c->cpu_partial = 0;
	else if (want && want->cpu_partial >= 0)
		c->cpu_partial = (unsigned)want->cpu_partial;
	else
		c->cpu_partial = ((const struct cpu_partial_ops *)partial->policy)->nr_objects(&in);
	c->cpu_partial_slabs = geometry_cpu_partial_slabs(c->cpu_partial, c->objects);
	if (want && want->min_partial >= 0)
		c->min_partial = (unsigned)want->min_partial;
	else
		c->min_partial = ((const struct min_partial_ops *)min->policy)
				     ->min_partial(c->size, min->number);
	c->remote_node_defrag_ratio = set->remote_node_defrag_ratio;
	if (c->allocator->sheaf_capacity)
		c->sheaf_capacity = c->allocator->sheaf_capacity(
		    c, want && want->sheaf_capacity > 0 ? (unsigned)want->sheaf_capacity : 0);
}

int layout_cache(struct cache *c, const struct config *cfg, const struct cache_config *want,
		 const struct source_cache *src, const struct machine *m, struct error *err)
{
	const struct policy_choice *choice = cfg->policy.choice;

	c->machine = m;
	c->name = src->name;
	c->allocator = (const struct allocator_ops *)choice[AXIS_ALLOCATOR].policy;
	c->accounting =
	    (const struct partial_accounting_ops *)choice[AXIS_PARTIAL_ACCOUNTING].policy;
	c->full = (const struct cpu_partial_full_ops *)choice[AXIS_CPU_PARTIAL_FULL].policy;
	c->refill = (const struct refill_ops *)choice[AXIS_REFILL].policy;
	c->empty_slab = (const struct empty_slab_ops *)choice[AXIS_EMPTY_SLAB].policy;
	c->count_partial = (const struct count_partial_ops *)choice[AXIS_COUNT_PARTIAL].policy;
	if (layout_size(c, want, src, m, err))
		return -1;
	if (layout_order(c, &cfg->policy, want, m, err))
		return -1;
	layout_limits(c, &cfg->policy, want, m);
	return 0;
}
