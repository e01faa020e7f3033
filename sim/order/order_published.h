/*
 * Figures that a mail printed (configs/published/), set beside ours. They are read from the
 * file as they are: nothing here knows any of them.
 */
#ifndef SLABSIM_ORDER_PUBLISHED_H
#define SLABSIM_ORDER_PUBLISHED_H

#include <stdio.h>

#include "sim/order/order_table.h"

struct cJSON;
struct json_writer;

struct order_published {
	struct cJSON *json;
	unsigned cpus, page_size; /* of "setup"; 0: not said */
	const char *column[2];	  /* the two policies compared, e.g. "normal", "with patch" */
	const char *rule[2];	  /* what their "order" begins with: a rule of ours */
	const char *title;	  /* "" when there is none */
};

/* Read a file. 0, or -1 and err; to be freed with order_published_free(). */
int order_published_load(struct order_published *p, const char *path, struct error *err);
void order_published_free(struct order_published *p);

void order_published_text(FILE *out, const struct order_published *p, const struct order_table *t);
void order_published_json(struct json_writer *w, const struct order_published *p,
			  const struct order_table *t);

#endif
