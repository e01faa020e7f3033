/* The table of slab orders as text, JSON and CSV. */
#ifndef SLABSIM_ORDER_PRINT_H
#define SLABSIM_ORDER_PRINT_H

#include <stdio.h>

#include "sim/order/order_table.h"

struct order_published;

struct order_print {
	const struct order_table *table;
	const struct order_published *published; /* or NULL */
	bool only_changed; /* rows whose order is the same under all rules are left out */
	bool only_totals;  /* all rows are, and the list of changes */
};

/* What can be written is seen by whoever closes out. */
void order_print_text(FILE *out, const struct order_print *p);
void order_print_json(FILE *out, const struct order_print *p);
void order_print_csv(FILE *out, const struct order_print *p);

/* Is the row left out? */
bool order_print_skips(const struct order_print *p, const struct order_row *row);
/* "+0.4%": by how much is exceeds was; "same"; "" where was is 0. Returns buf. */
const char *order_percent(char *buf, size_t size, double was, double is);

#endif
