/*
 * Charts of results, drawn by gnuplot from the templates in plots/. The script that gnuplot gets
 * holds the data and loads the template; names from results reach it only as octal escapes.
 */
#ifndef SLABSIM_PLOT_H
#define SLABSIM_PLOT_H

#include "sim/published.h"
#include "sim/result_file.h"

/* More could not be told apart. */
#define PLOT_MAX_RESULTS 16
/* Characters of a name; longer ones lose their middle. */
#define PLOT_MAX_LABEL 80

struct plot_kind {
	const char *name; /* as in --kind NAME; the template is NAME.gp */
	const char *summary;
	bool counters, series; /* what it draws */
};

struct plot {
	const struct plot_kind *kind;
	const char *cache;    /* NULL: all caches together */
	const char *terminal; /* "svg", "png", "pdf" or "dumb" */
	const struct loaded_result *results;
	unsigned nr_results;
	const struct published *published; /* more bars, for counters; or NULL */
};

/* NULL when there is none of that name; NULL behind the last. */
const struct plot_kind *plot_kind_find(const char *name);
const struct plot_kind *plot_kind_nth(size_t i);

/*
 * Write the script to out: it draws to the file output ("": standard output), with the template
 * in the folder plots. -1 and err: a result does not have what the chart shows.
 */
int plot_script(FILE *out, const struct plot *plot, const char *plots, const char *output,
		struct error *err);

/*
 * The folder with the templates, to be freed: SLABSIM_PLOTS in the environment, or else the one
 * beside the program, or else the installed one. NULL and err when there is none.
 */
char *plot_folder(struct error *err);

/*
 * Draw to the file output (NULL: standard output). Without gnuplot, or when it fails, the script
 * is left in OUTPUT.gp. keep: leave it there in any case.
 */
int plot_draw(const struct plot *plot, const char *output, bool keep, struct error *err);

#endif
