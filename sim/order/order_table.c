#include "sim/order/order_table.h"

#include <ctype.h>
#include <errno.h>

#include "sim/geometry.h"
#include "sim/slabinfo_file.h"
#include "sim/suggest.h"

static int unknown_rule(const char *name, struct error *err)
{
	struct suggest s;
	char buf[128];
	const struct policy *p;

	suggest_init(&s, name);
	for (size_t i = 0; (p = policy_nth(i)); i++) {
		if (p->axis == AXIS_ORDER)
			suggest_offer(&s, p->name);
	}
	return error_input(
	    err, "--order: no order policy \"%s\"%s; \"slabsim list policies\" names them", name,
	    suggest_text(&s, buf, sizeof(buf)));
}

static int parse_rule(struct order_rule *rule, struct error *err)
{
	bool number = isdigit((unsigned char)rule->name[0]);
	const struct policy *p =
	    number ? policy_plain_number(AXIS_ORDER) : policy_find(AXIS_ORDER, rule->name);
	char *end;

	if (!p)
		return unknown_rule(rule->name, err);
	if (!number && p->takes_number)
		return error_input(err, "--order: \"%s\" needs a number; write the number alone",
				   rule->name);
	rule->ops = (const struct order_ops *)p;
	if (!number)
		return 0;
	errno = 0;
	rule->number = strtoll(rule->name, &end, 10);
	if (errno || *end || rule->number < p->min || rule->number > p->max)
		return error_input(err, "--order: %s is not a number from %lld to %lld", rule->name,
				   (long long)p->min, (long long)p->max);
	return 0;
}

int order_table_add_rules(struct order_table *t, const char *names, struct error *err)
{
	for (;;) {
		size_t len = strcspn(names, ",");
		struct order_rule *rule = &t->rule[t->nr_rules];

		if (t->nr_rules == ORDER_MAX_RULES)
			return error_input(err, "--order: more than %d rules", ORDER_MAX_RULES);
		if (!len || len >= sizeof(rule->name))
			return error_input(err, "--order: names of order policies are wanted, "
						"separated by commas");
		*rule = (struct order_rule){0};
		memcpy(rule->name, names, len);
		if (parse_rule(rule, err))
			return -1;
		for (unsigned i = 0; i < t->nr_rules; i++) {
			if (!strcmp(t->rule[i].name, rule->name))
				return error_input(err, "--order: %s is named twice", rule->name);
		}
		t->nr_rules++;
		if (!names[len])
			return 0;
		names += len + 1;
	}
}

struct order_row *order_table_add_row(struct order_table *t, struct error *err)
{
	if (t->nr_rows >= ORDER_MAX_ROWS) {
		error_input(err, "more than %d sizes", ORDER_MAX_ROWS);
		return NULL;
	}
	if (t->nr_rows == t->cap_rows) {
		unsigned cap = t->cap_rows ? 2 * t->cap_rows : 64;
		struct order_row *row = realloc(t->row, cap * sizeof(*row));

		if (!row) {
			error_memory(err, "the table of sizes");
			return NULL;
		}
		t->row = row;
		t->cap_rows = cap;
	}
	t->row[t->nr_rows] = (struct order_row){0};
	return &t->row[t->nr_rows++];
}

int order_table_add_slabinfo(struct order_table *t, const struct slabinfo *info, bool total,
			     struct error *err)
{
	for (unsigned i = 0; i < info->n; i++) {
		const struct slabinfo_cache *c = &info->caches[i];
		struct order_row *row = order_table_add_row(t, err);

		if (!row)
			return -1;
		row->name = strdup(c->name);
		if (!row->name)
			return error_memory(err, "a cache's name");
		row->object_size = c->object_size;
		row->size = c->size;
		row->align = c->align;
		row->has_recorded = true;
		row->recorded_order = c->order;
		row->recorded_slabs = c->num_slabs;
		row->objects = total ? c->num_objs : c->active_objs;
	}
	t->has_objects = true;
	t->has_recorded = true;
	return 0;
}

void order_table_free(struct order_table *t)
{
	for (unsigned i = 0; i < t->nr_rows; i++)
		free(t->row[i].name);
	free(t->row);
	t->row = NULL;
	t->nr_rows = 0;
}

static unsigned cpu_partial_objects(const struct order_table *t, unsigned size)
{
	const struct cpu_partial_ops *ops = (const struct cpu_partial_ops *)t->cpu_partial.policy;
	struct cpu_partial_input in = {
	    .size = size,
	    .page_size = t->page_size,
	    .nr_cpus = t->nr_cpus,
	    .choice = t->cpu_partial,
	};

	return ops->nr_objects(&in);
}

static int order_under(const struct order_table *t, unsigned size, unsigned rule)
{
	struct order_input in = {
	    .size = size,
	    .page_size = t->page_size,
	    .nr_cpus = t->nr_cpus,
	    .slub_min_order = t->slub_min_order,
	    .slub_max_order = t->slub_max_order,
	    .slub_min_objects = t->slub_min_objects,
	    .number = t->rule[rule].number,
	};
	int order = t->rule[rule].ops->order(&in);

	return order > MAX_PAGE_ORDER ? -1 : order;
}

void order_table_entry(const struct order_table *t, const struct order_row *row, unsigned rule,
		       struct order_entry *e)
{
	int order = order_under(t, row->size, rule);
	uint64_t parked;

	*e = (struct order_entry){.order = order};
	if (order < 0)
		return;
	e->objects_per_slab = (unsigned)order_objects((unsigned)order, row->size, t->page_size);
	if (!e->objects_per_slab) {
		e->order = -1;
		return;
	}
	e->waste_tail = order_waste((unsigned)order, row->size, t->page_size);
	e->slab_bytes = slab_bytes((unsigned)order, t->page_size);
	e->cpu_partial_slabs =
	    geometry_cpu_partial_slabs(cpu_partial_objects(t, row->size), e->objects_per_slab);
	e->slabs = row->objects / e->objects_per_slab + !!(row->objects % e->objects_per_slab);
	e->memory = e->slabs * e->slab_bytes;
	parked = (uint64_t)e->cpu_partial_slabs * t->nr_cpus;
	e->parked = (parked < e->slabs ? parked : e->slabs) * e->slab_bytes;
}

void order_table_totals(const struct order_table *t, unsigned rule, struct order_totals *sum)
{
	*sum = (struct order_totals){0};
	for (unsigned i = 0; i < t->nr_rows; i++) {
		const struct order_row *row = &t->row[i];
		struct order_entry e;

		order_table_entry(t, row, rule, &e);
		sum->changed += e.order != order_under(t, row->size, 0);
		sum->recorded += row->has_recorded;
		sum->as_recorded += row->has_recorded && e.order == (int)row->recorded_order;
		if (e.order < 0)
			continue;
		sum->rows++;
		sum->slabs += e.slabs;
		sum->memory += e.memory;
		sum->parked += e.parked;
		sum->waste_tail += e.waste_tail * (t->has_objects ? e.slabs : 1);
		if (row->object_size)
			sum->waste_align += (row->size - row->object_size) * row->objects;
	}
}

/* Rows of sizes that follow each other and change alike are one change; a cache stands alone. */
static bool same_change(const struct order_table *t, unsigned i, unsigned rule,
			const struct order_change *change)
{
	const struct order_row *row = &t->row[i];

	return !row->name && !row[-1].name && row->size > row[-1].size &&
	       row->size - row[-1].size <= 8 && order_under(t, row->size, 0) == change->from &&
	       order_under(t, row->size, rule) == change->to;
}

bool order_table_next_change(const struct order_table *t, unsigned rule, unsigned *from,
			     struct order_change *change)
{
	for (unsigned i = *from; i < t->nr_rows; i++) {
		struct order_entry was, is;

		order_table_entry(t, &t->row[i], 0, &was);
		order_table_entry(t, &t->row[i], rule, &is);
		if (was.order == is.order)
			continue;
		*change = (struct order_change){
		    .first = i,
		    .last = i,
		    .from = was.order,
		    .to = is.order,
		    .memory = (int64_t)(is.memory - was.memory),
		    .waste_tail = (int64_t)(is.slabs * is.waste_tail - was.slabs * was.waste_tail),
		};
		while (change->last + 1 < t->nr_rows &&
		       same_change(t, change->last + 1, rule, change))
			change->last++;
		*from = change->last + 1;
		return true;
	}
	*from = t->nr_rows;
	return false;
}

bool order_row_changes(const struct order_table *t, const struct order_row *row)
{
	int first = order_under(t, row->size, 0);

	for (unsigned r = 1; r < t->nr_rules; r++) {
		if (order_under(t, row->size, r) != first)
			return true;
	}
	return false;
}
