/* For people: the rows, the totals, and what changes. */
#include <inttypes.h>

#include "sim/escape.h"
#include "sim/order/order_print.h"
#include "sim/order/order_published.h"

#define LABEL_WIDTH 44
#define RULE_WIDTH  20

bool order_print_skips(const struct order_print *p, const struct order_row *row)
{
	return p->only_totals || (p->only_changed && !order_row_changes(p->table, row));
}

const char *order_percent(char *buf, size_t size, double was, double is)
{
	double percent = was > 0 ? 100 * (is - was) / was : 0;

	if (was == is)
		snprintf(buf, size, "same");
	else if (was > 0)
		snprintf(buf, size, "%+.1f%%", percent);
	else
		buf[0] = '\0';
	return buf;
}

static bool knows_alignment(const struct order_table *t)
{
	for (unsigned i = 0; i < t->nr_rows; i++) {
		if (t->row[i].object_size)
			return true;
	}
	return false;
}

static size_t name_width(const struct order_table *t)
{
	size_t widest = 0;

	for (unsigned i = 0; i < t->nr_rows; i++) {
		size_t w = t->row[i].name ? plain_width(t->row[i].name) : 0;

		if (w > widest)
			widest = w;
	}
	return widest > 32 ? 32 : widest;
}

static void print_setting(FILE *out, const char *name, int value)
{
	if (value >= 0)
		fprintf(out, ", %s %d", name, value);
}

static void print_heading(FILE *out, const struct order_print *p)
{
	const struct order_table *t = p->table;

	fprintf(out, "Slab orders with %u CPUs and pages of %u bytes", t->nr_cpus, t->page_size);
	print_setting(out, "slub_min_order", t->slub_min_order);
	print_setting(out, "slub_max_order", t->slub_max_order);
	print_setting(out, "slub_min_objects", t->slub_min_objects);
	fputs("\n", out);
	if (p->only_totals)
		return;
	fputs("o: order; objs: objects per slab; waste: bytes at a slab's end; cpu: limit of a "
	      "per-CPU partial list in slabs\n",
	      out);
	if (knows_alignment(t))
		fputs("align: bytes wasted between two objects\n", out);
	if (t->has_recorded)
		fputs("rec: the order on the machine the caches were recorded on\n", out);
	fputs("\n", out);
}

/* The columns before those of the rules, as wide as print_row_start() makes them. */
static void print_column_start(FILE *out, const struct order_table *t, size_t names, bool titles)
{
	if (names)
		write_padded(out, titles ? "cache" : "", names + 1);
	fprintf(out, "%9s", titles ? "size" : "");
	if (knows_alignment(t))
		fprintf(out, " %5s", titles ? "align" : "");
	if (t->has_objects)
		fprintf(out, " %9s", titles ? "objects" : "");
	if (t->has_recorded)
		fprintf(out, " %3s", titles ? "rec" : "");
}

static void print_columns(FILE *out, const struct order_table *t, size_t names)
{
	print_column_start(out, t, names, false);
	for (unsigned r = 0; r < t->nr_rules; r++)
		fprintf(out, " | %*.*s", RULE_WIDTH, RULE_WIDTH, t->rule[r].name);
	fputs("\n", out);
	print_column_start(out, t, names, true);
	for (unsigned r = 0; r < t->nr_rules; r++)
		fprintf(out, " | %2s %5s %6s %4s", "o", "objs", "waste", "cpu");
	fputs("\n", out);
}

static void print_row(FILE *out, const struct order_table *t, const struct order_row *row,
		      size_t names, bool align)
{
	if (names)
		write_padded(out, row->name ? row->name : "", names + 1);
	fprintf(out, "%9u", row->size);
	if (align && row->object_size)
		fprintf(out, " %5u", row->size - row->object_size);
	else if (align)
		fprintf(out, " %5s", "-");
	if (t->has_objects)
		fprintf(out, " %9" PRIu64, row->objects);
	if (row->has_recorded)
		fprintf(out, " %3u", row->recorded_order);
	for (unsigned r = 0; r < t->nr_rules; r++) {
		struct order_entry e;

		order_table_entry(t, row, r, &e);
		if (e.order < 0)
			fprintf(out, " | %2s %5s %6s %4s", "-", "-", "-", "-");
		else
			fprintf(out, " | %2d %5u %6u %4u", e.order, e.objects_per_slab,
				e.waste_tail, e.cpu_partial_slabs);
	}
	fputs("\n", out);
}

/* ---- totals ---- */

/* A sum of bytes, at offset in the totals: in kB, or in bytes where there are no objects. */
static void print_sum(FILE *out, const struct order_table *t, const char *label,
		      const struct order_totals *sum, size_t offset)
{
	uint64_t first = *(const uint64_t *)((const char *)&sum[0] + offset);

	fprintf(out, "%-*s", LABEL_WIDTH, label);
	for (unsigned r = 0; r < t->nr_rules; r++) {
		uint64_t bytes = *(const uint64_t *)((const char *)&sum[r] + offset);
		char percent[32] = "", text[64];

		if (r)
			order_percent(percent, sizeof(percent), (double)first, (double)bytes);
		snprintf(text, sizeof(text), "%.0f%s%s",
			 (double)bytes / (t->has_objects ? 1024 : 1), percent[0] ? " " : "",
			 percent);
		fprintf(out, " | %*s", RULE_WIDTH, text);
	}
	fputs("\n", out);
}

static void print_counts(FILE *out, const char *label, const struct order_totals *sum, unsigned n,
			 bool recorded)
{
	fprintf(out, "%-*s", LABEL_WIDTH, label);
	for (unsigned r = 0; r < n; r++)
		fprintf(out, " | %*u", RULE_WIDTH, recorded ? sum[r].as_recorded : sum[r].changed);
	fputs("\n", out);
}

static void print_totals(FILE *out, const struct order_table *t)
{
	struct order_totals sum[ORDER_MAX_RULES] = {0};
	char label[96];

	for (unsigned r = 0; r < t->nr_rules; r++)
		order_table_totals(t, r, &sum[r]);
	snprintf(label, sizeof(label), "Totals of %u %s", t->nr_rows,
		 t->has_objects ? "caches" : "sizes");
	fprintf(out, "\n%-*s", LABEL_WIDTH, label);
	for (unsigned r = 0; r < t->nr_rules; r++)
		fprintf(out, " | %*.*s", RULE_WIDTH, RULE_WIDTH, t->rule[r].name);
	fputs("\n", out);
	if (t->has_objects) {
		print_sum(out, t, "kB of slabs for the objects", sum,
			  offsetof(struct order_totals, memory));
		print_sum(out, t, "kB wasted at the slabs' ends", sum,
			  offsetof(struct order_totals, waste_tail));
		if (knows_alignment(t))
			print_sum(out, t, "kB wasted between objects", sum,
				  offsetof(struct order_totals, waste_align));
		print_sum(out, t, "kB of these on per-CPU lists, at most", sum,
			  offsetof(struct order_totals, parked));
	} else {
		print_sum(out, t, "bytes wasted by a slab of each size", sum,
			  offsetof(struct order_totals, waste_tail));
	}
	snprintf(label, sizeof(label), "orders unlike those of %s", t->rule[0].name);
	print_counts(out, label, sum, t->nr_rules, false);
	snprintf(label, sizeof(label), "orders as recorded, of %u", sum[0].recorded);
	if (t->has_recorded)
		print_counts(out, label, sum, t->nr_rules, true);
}

/* ---- changes ---- */

static void print_order(FILE *out, int order)
{
	if (order < 0)
		fputs("none", out);
	else
		fprintf(out, "%d", order);
}

static void print_change(FILE *out, const struct order_table *t, const struct order_change *c)
{
	const struct order_row *first = &t->row[c->first], *last = &t->row[c->last];

	fputs("    ", out);
	if (first->name) {
		write_padded(out, first->name, 24);
		fprintf(out, " %7u", first->size);
	} else if (c->first == c->last) {
		fprintf(out, "%u", first->size);
	} else {
		fprintf(out, "%u..%u (%u sizes)", first->size, last->size, c->last - c->first + 1);
	}
	fputs(": order ", out);
	print_order(out, c->from);
	fputs(" -> ", out);
	print_order(out, c->to);
	if (t->has_objects && first->objects)
		fprintf(out, ", %+" PRId64 " bytes of slabs, %+" PRId64 " wasted at their ends",
			c->memory, c->waste_tail);
	fputs("\n", out);
}

static void print_changes(FILE *out, const struct order_table *t)
{
	for (unsigned r = 1; r < t->nr_rules; r++) {
		struct order_change change;
		unsigned from = 0, n = 0;

		fprintf(out, "\nFrom %s to %s:", t->rule[0].name, t->rule[r].name);
		while (order_table_next_change(t, r, &from, &change)) {
			if (!n++)
				fputs("\n", out);
			print_change(out, t, &change);
		}
		if (!n)
			fputs(" no order changes\n", out);
	}
}

void order_print_text(FILE *out, const struct order_print *p)
{
	const struct order_table *t = p->table;
	size_t names = name_width(t);
	bool align = knows_alignment(t);

	print_heading(out, p);
	if (!p->only_totals)
		print_columns(out, t, names);
	for (unsigned i = 0; i < t->nr_rows; i++) {
		if (!order_print_skips(p, &t->row[i]))
			print_row(out, t, &t->row[i], names, align);
	}
	print_totals(out, t);
	if (!p->only_totals)
		print_changes(out, t);
	if (p->published)
		order_published_text(out, p->published, t);
}
