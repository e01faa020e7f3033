/* For programs: JSON with one line per row, and CSV with the same names joined by dots. */
#include <inttypes.h>

#include "sim/escape.h"
#include "sim/json_writer.h"
#include "sim/order/order_print.h"
#include "sim/order/order_published.h"
#include "sim/version.h"

static void write_entry(struct json_writer *w, const struct order_table *t,
			const struct order_row *row, unsigned rule)
{
	struct order_entry e;

	order_table_entry(t, row, rule, &e);
	json_object_inline(w, t->rule[rule].name);
	if (e.order < 0) {
		json_null(w, "order");
		json_end_object(w);
		return;
	}
	json_u64(w, "order", (unsigned)e.order);
	json_u64(w, "objects_per_slab", e.objects_per_slab);
	json_u64(w, "waste_tail", e.waste_tail);
	json_u64(w, "cpu_partial_slabs", e.cpu_partial_slabs);
	if (t->has_objects) {
		json_u64(w, "slabs", e.slabs);
		json_u64(w, "memory", e.memory);
	}
	json_end_object(w);
}

static void write_row(struct json_writer *w, const struct order_table *t,
		      const struct order_row *row)
{
	json_object_inline(w, NULL);
	json_u64(w, "size", row->size);
	if (row->name)
		json_string(w, "name", row->name);
	else
		json_null(w, "name");
	if (row->object_size) {
		json_u64(w, "object_size", row->object_size);
		json_u64(w, "waste_align", row->size - row->object_size);
	}
	if (row->align)
		json_u64(w, "align", row->align);
	if (t->has_objects)
		json_u64(w, "objects", row->objects);
	if (row->has_recorded) {
		json_u64(w, "recorded_order", row->recorded_order);
		json_u64(w, "recorded_slabs", row->recorded_slabs);
	}
	for (unsigned r = 0; r < t->nr_rules; r++)
		write_entry(w, t, row, r);
	json_end_object(w);
}

static void write_totals(struct json_writer *w, const struct order_table *t, unsigned rule)
{
	struct order_totals sum;

	order_table_totals(t, rule, &sum);
	json_object_inline(w, t->rule[rule].name);
	json_u64(w, "rows", sum.rows);
	json_u64(w, "changed", sum.changed);
	json_u64(w, "waste_tail", sum.waste_tail);
	if (t->has_objects) {
		json_u64(w, "waste_align", sum.waste_align);
		json_u64(w, "wastage", sum.waste_tail + sum.waste_align);
		json_u64(w, "slabs", sum.slabs);
		json_u64(w, "memory", sum.memory);
		json_u64(w, "cpu_partial_memory", sum.parked);
	}
	if (t->has_recorded)
		json_u64(w, "as_recorded", sum.as_recorded);
	json_end_object(w);
}

static void write_order(struct json_writer *w, const char *key, int order)
{
	if (order < 0)
		json_null(w, key);
	else
		json_u64(w, key, (unsigned)order);
}

static void write_changes(struct json_writer *w, const struct order_table *t, unsigned rule)
{
	struct order_change c;
	unsigned from = 0;

	json_array(w, t->rule[rule].name);
	while (order_table_next_change(t, rule, &from, &c)) {
		json_object_inline(w, NULL);
		if (t->row[c.first].name)
			json_string(w, "name", t->row[c.first].name);
		json_u64(w, "first", t->row[c.first].size);
		json_u64(w, "last", t->row[c.last].size);
		json_u64(w, "sizes", c.last - c.first + 1);
		write_order(w, "from", c.from);
		write_order(w, "to", c.to);
		if (t->has_objects) {
			json_i64(w, "memory", c.memory);
			json_i64(w, "waste_tail", c.waste_tail);
		}
		json_end_object(w);
	}
	json_end_array(w);
}

static void write_all_changes(struct json_writer *w, const struct order_table *t)
{
	json_object(w, "changes");
	for (unsigned r = 1; r < t->nr_rules; r++)
		write_changes(w, t, r);
	json_end_object(w);
}

static void write_setting(struct json_writer *w, const char *key, int value)
{
	if (value >= 0)
		json_i64(w, key, value);
}

void order_print_json(FILE *out, const struct order_print *p)
{
	const struct order_table *t = p->table;
	struct json_writer w;

	json_init(&w, out);
	json_object(&w, NULL);
	json_string(&w, "slabsim", SLABSIM_VERSION);
	json_u64(&w, "cpus", t->nr_cpus);
	json_u64(&w, "page_size", t->page_size);
	write_setting(&w, "slub_min_order", t->slub_min_order);
	write_setting(&w, "slub_max_order", t->slub_max_order);
	write_setting(&w, "slub_min_objects", t->slub_min_objects);
	json_array(&w, "rows");
	for (unsigned i = 0; i < t->nr_rows; i++) {
		if (!order_print_skips(p, &t->row[i]))
			write_row(&w, t, &t->row[i]);
	}
	json_end_array(&w);
	json_object(&w, "totals");
	for (unsigned r = 0; r < t->nr_rules; r++)
		write_totals(&w, t, r);
	json_end_object(&w);
	if (!p->only_totals)
		write_all_changes(&w, t);
	if (p->published)
		order_published_json(&w, p->published, t);
	json_end_object(&w);
}

/* ---- CSV ---- */

/* A number, or an empty field where it is not known. */
static void csv_number(FILE *out, bool known, uint64_t value)
{
	putc(',', out);
	if (known)
		fprintf(out, "%" PRIu64, value);
}

static void csv_header(FILE *out, const struct order_table *t)
{
	static const char *const columns[] = {
	    "order", "objects_per_slab", "waste_tail", "cpu_partial_slabs", "slabs", "memory"};

	fputs("name,size,object_size,waste_align,align,objects,recorded_order,recorded_slabs", out);
	for (unsigned r = 0; r < t->nr_rules; r++) {
		for (size_t i = 0; i < (t->has_objects ? 6 : 4); i++) {
			char text[128];

			snprintf(text, sizeof(text), "%s.%s", t->rule[r].name, columns[i]);
			putc(',', out);
			write_csv_field(out, text);
		}
	}
	fputs("\r\n", out);
}

static void csv_row(FILE *out, const struct order_table *t, const struct order_row *row)
{
	write_csv_field(out, row->name ? row->name : "");
	csv_number(out, true, row->size);
	csv_number(out, row->object_size, row->object_size);
	csv_number(out, row->object_size, row->size - row->object_size);
	csv_number(out, row->align, row->align);
	csv_number(out, t->has_objects, row->objects);
	csv_number(out, row->has_recorded, row->recorded_order);
	csv_number(out, row->has_recorded, row->recorded_slabs);
	for (unsigned r = 0; r < t->nr_rules; r++) {
		struct order_entry e;
		bool known;

		order_table_entry(t, row, r, &e);
		known = e.order >= 0;
		csv_number(out, known, known ? (unsigned)e.order : 0);
		csv_number(out, known, e.objects_per_slab);
		csv_number(out, known, e.waste_tail);
		csv_number(out, known, e.cpu_partial_slabs);
		if (!t->has_objects)
			continue;
		csv_number(out, known, e.slabs);
		csv_number(out, known, e.memory);
	}
	fputs("\r\n", out);
}

void order_print_csv(FILE *out, const struct order_print *p)
{
	csv_header(out, p->table);
	for (unsigned i = 0; i < p->table->nr_rows; i++) {
		if (!order_print_skips(p, &p->table->row[i]))
			csv_row(out, p->table, &p->table->row[i]);
	}
}
