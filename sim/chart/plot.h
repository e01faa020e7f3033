/*
 * Charts of results, drawn by gnuplot from the templates in plots/. The script that gnuplot gets
 * holds the data and loads the template; names from results reach it only as octal escapes.
 */
#ifndef SLABSIM_PLOT_H
#define SLABSIM_PLOT_H

#include "sim/chart/plot_metric.h"
#include "sim/result/published.h"

/* More could not be told apart. */
#define PLOT_MAX_POINTS 16
/* Rows of stacked bars have room for more. */
#define PLOT_MAX_ROWS 24

struct plot_data;

struct plot_kind {
	const char *name; /* as in --kind NAME; the template is NAME.gp */
	const char *summary;
	unsigned max_points; /* 0: any number */
	bool series;	     /* needs values over the run */
	bool published;	     /* can show published figures */
	/* The variables and data blocks of its template. -1 and err: there is nothing to draw. */
	int (*data)(FILE *out, const struct plot_data *d, struct error *err);
	/* For a terminal; NULL: gnuplot draws it with letters. */
	int (*text)(FILE *out, const struct plot_data *d, struct error *err);
	/* What it shows, in a sentence or two, for those who cannot see it; may be NULL. */
	void (*describe)(FILE *out, const struct plot_data *d);
};

#define PLOT_DEFAULT UINT32_MAX

struct plot {
	const struct plot_kind *kind;
	const char *terminal; /* "svg", "png", "pdf" or "dumb" */
	const struct metrics *metrics;
	const unsigned *points; /* those shown, in this order; NULL: all */
	unsigned nr_points;
	const struct published *published; /* or NULL */
	unsigned metric;		   /* of lines and heat; y of pareto */
	unsigned metric_x;		   /* of pareto */
	unsigned x, by;			   /* axes of lines; of heat, across and upwards */
	unsigned width;			   /* in pixels; 0: as the template likes */
	bool untitled;			   /* the heading stands elsewhere */
};

/* Everything at its default. */
struct plot plot_new(const struct plot_kind *kind, const char *terminal,
		     const struct metrics *metrics);

/* NULL when there is none of that name; NULL behind the last. */
const struct plot_kind *plot_kind_find(const char *name);
const struct plot_kind *plot_kind_nth(size_t i);

/*
 * Write the script to out: it draws to the file output ("": standard output), with the template
 * in the folder plots. -1 and err: the results do not have what the chart shows.
 */
int plot_script(FILE *out, const struct plot *plot, const char *plots, const char *output,
		struct error *err);
/*
 * The picture that gnuplot draws, *len bytes and a NUL, to be freed; NULL and err. The same results
 * make the same picture.
 */
char *plot_picture(const struct plot *plot, const char *plots, size_t *len, struct error *err);
/* What the chart shows, in words; to be freed. NULL and err. */
char *plot_description(const struct plot *plot, struct error *err);

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
