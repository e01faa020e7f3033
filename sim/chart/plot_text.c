/* Tables of figures, for a terminal. */
#include <math.h>

#include "sim/escape.h"
#include "sim/chart/plot_part.h"

void plot_table_text(FILE *out, const struct plot_table *t)
{
	char text[32];

	for (unsigned c = 0; c < t->columns; c++) {
		fprintf(out, "[%u] ", c + 1);
		write_plain(out, t->column(t->arg, c));
		putc('\n', out);
	}
	fprintf(out, "\n%-36s", "");
	for (unsigned c = 0; c < t->columns; c++) {
		snprintf(text, sizeof(text), "[%u]", c + 1);
		fprintf(out, " %9s", text);
	}
	putc('\n', out);
	for (unsigned r = 0; r < t->rows; r++) {
		write_padded(out, t->row(t->arg, r), 36);
		for (unsigned c = 0; c < t->columns; c++) {
			number_text(t->value(t->arg, r, c), text, sizeof(text));
			fprintf(out, " %9s", text);
		}
		putc('\n', out);
	}
}
