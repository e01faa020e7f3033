/*
 * The table behind "slabsim order": caches or plain sizes in the rows, order policies in the
 * columns. Entries are worked out when asked for.
 */
#ifndef SLABSIM_ORDER_TABLE_H
#define SLABSIM_ORDER_TABLE_H

#include "sim/order.h"

struct slabinfo;

#define ORDER_MAX_ROWS	262144
#define ORDER_MAX_RULES 16
/* Of all rows together: sums of bytes over the table then stay within 64 bits. */
#define ORDER_MAX_SIZE (65536u << MAX_PAGE_ORDER)

/* An order policy with its parameter. */
struct order_rule {
	char name[64]; /* as it was written, and the column's heading */
	const struct order_ops *ops;
	int64_t number;
};

struct order_row {
	char *name;	      /* owned; NULL for a plain size */
	unsigned object_size; /* 0: not known */
	unsigned size;
	unsigned align; /* 0: not known */
	bool has_recorded;
	unsigned recorded_order;
	uint64_t objects; /* that the slabs have to hold; 0 where none are recorded */
	uint64_t recorded_slabs;
};

struct order_table {
	unsigned page_size;
	unsigned nr_cpus;
	int slub_min_order, slub_max_order, slub_min_objects; /* -1: not given */
	struct policy_choice cpu_partial;
	struct order_rule rule[ORDER_MAX_RULES]; /* the others are compared with the first */
	unsigned nr_rules;
	struct order_row *row;
	unsigned nr_rows, cap_rows;
	bool has_objects; /* rows come from a machine or a trace, so there are totals of memory */
	bool has_recorded;
};

/* One row under one rule. */
struct order_entry {
	int order; /* -1: no order holds an object, all else is 0 */
	unsigned objects_per_slab;
	unsigned waste_tail;	    /* bytes at the end of each slab */
	unsigned cpu_partial_slabs; /* the limit of a CPU's partial list (facts 2.3) */
	uint64_t slab_bytes;
	/* For the row's objects, packed as tightly as they go: */
	uint64_t slabs;
	uint64_t memory;
	/*
	 * The most memory that per-CPU partial lists may hold: cpu_partial_slabs on every CPU,
	 * but not more than all the cache's slabs.
	 */
	uint64_t parked;
};

struct order_totals {
	uint64_t slabs, memory;
	uint64_t waste_tail;  /* bytes at the ends of all slabs */
	uint64_t waste_align; /* bytes between objects, where the object size is known */
	uint64_t parked;
	/* Without recorded objects: waste_tail is that of one slab of each row. */
	unsigned rows;			/* that have an order */
	unsigned changed;		/* whose order is not that of the first rule */
	unsigned as_recorded, recorded; /* rows whose order is the recorded one, of how many */
};

/* Neighbouring rows of plain sizes, or one cache, with another order than under the first rule. */
struct order_change {
	unsigned first, last; /* rows */
	int from, to;	      /* orders; -1: none */
	int64_t memory;	      /* bytes more than under the first rule */
	int64_t waste_tail;
};

/* Add rules, comma-separated: names of order policies, or numbers for a fixed order. */
int order_table_add_rules(struct order_table *t, const char *names, struct error *err);
/* Room for one row more, zeroed; NULL and err. */
struct order_row *order_table_add_row(struct order_table *t, struct error *err);
/* A row for every cache. total: hold num_objs, all slabs full, instead of active_objs. */
int order_table_add_slabinfo(struct order_table *t, const struct slabinfo *info, bool total,
			     struct error *err);
void order_table_free(struct order_table *t);

void order_table_entry(const struct order_table *t, const struct order_row *row, unsigned rule,
		       struct order_entry *e);
void order_table_totals(const struct order_table *t, unsigned rule, struct order_totals *sum);
/*
 * The next change under rule from row *from on; false when there is none. *from is moved behind
 * it.
 */
bool order_table_next_change(const struct order_table *t, unsigned rule, unsigned *from,
			     struct order_change *change);
/* Has the row another order under some rule than under the first? */
bool order_row_changes(const struct order_table *t, const struct order_row *row);

#endif
