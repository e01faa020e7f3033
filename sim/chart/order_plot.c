#include "sim/chart/order_plot.h"

#include "sim/file.h"
#include "sim/chart/gnuplot.h"
#include "sim/chart/plot.h"

static const char *terminal_of(const char *path)
{
	static const char *const kinds[] = {"svg", "png", "pdf"};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(dot + 1, kinds[i]))
			return kinds[i];
	}
	return NULL;
}

int order_plot_check(const char *path, struct error *err)
{
	if (!terminal_of(path))
		return error_input(err,
				   "--plot: a name that ends in .svg, .png or .pdf is wanted, not "
				   "\"%.200s\"",
				   path);
	return file_check_writable(path, err);
}

/* NAME = "VALUE", all but letters and digits as octal escapes: gnuplot takes it for nothing else.
 */
static void write_variable(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s = \"", name);
	for (; *value; value++) {
		unsigned char c = (unsigned char)*value;

		if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
			putc(c, out);
		else
			fprintf(out, "\\%03o", c);
	}
	fputs("\"\n", out);
}

static void write_size(FILE *out, const struct order_table *t, const struct order_row *row)
{
	struct order_entry e[ORDER_MAX_RULES];

	for (unsigned r = 0; r < t->nr_rules; r++) {
		order_table_entry(t, row, r, &e[r]);
		if (e[r].order < 0)
			return;
	}
	fprintf(out, "%u", row->size);
	for (unsigned r = 0; r < t->nr_rules; r++)
		fprintf(out, " %.4f %d", 100.0 * e[r].waste_tail / (double)e[r].slab_bytes,
			e[r].order);
	putc('\n', out);
}

static void write_script(FILE *out, const struct order_table *t, const char *plots,
			 const char *terminal, const char *output)
{
	char title[128];

	snprintf(title, sizeof(title), "Waste at the end of a slab, %u CPUs, pages of %u bytes",
		 t->nr_cpus, t->page_size);
	write_variable(out, "plots", plots);
	write_variable(out, "terminal", terminal);
	write_variable(out, "output", output);
	write_variable(out, "chart_title", title);
	fprintf(out, "n = %u\narray rule[n]\n", t->nr_rules);
	for (unsigned r = 0; r < t->nr_rules; r++) {
		char name[32], label[160];

		snprintf(name, sizeof(name), "rule[%u]", r + 1);
		snprintf(label, sizeof(label), "%s%s",
			 t->rule[r].ops->policy.takes_number ? "order " : "", t->rule[r].name);
		write_variable(out, name, label);
	}
	fputs("$waste << END_OF_DATA\n", out);
	for (unsigned i = 0; i < t->nr_rows; i++)
		write_size(out, t, &t->row[i]);
	fputs("END_OF_DATA\nload plots . \"/waste-by-size.gp\"\n", out);
}

/* The picture; NULL and err. */
static char *draw(const struct order_table *t, const char *terminal, size_t *len, struct error *err)
{
	char *plots = plot_folder(err), *script = NULL, *picture = NULL;
	size_t n;
	FILE *mem;

	if (!plots)
		return NULL;
	mem = open_memstream(&script, &n);
	if (mem)
		write_script(mem, t, plots, terminal, "");
	free(plots);
	if (!mem || fclose(mem))
		error_memory(err, "a chart");
	else
		picture = gnuplot_draw(script, n, len, err);
	free(script);
	return picture;
}

static bool has_data(const struct order_table *t)
{
	for (unsigned r = 0; r < t->nr_rules; r++) {
		struct order_totals sum;

		order_table_totals(t, r, &sum);
		if (!sum.rows)
			return false;
	}
	return true;
}

int order_plot(const struct order_table *t, const char *path, struct error *err)
{
	char *picture;
	size_t n;
	int ret;

	if (!has_data(t))
		return error_input(err, "--plot: no size has an order, there is nothing to draw");
	picture = draw(t, terminal_of(path), &n, err);
	if (!picture)
		return -1;
	ret = file_write(path, picture, n, err);
	free(picture);
	return ret;
}
