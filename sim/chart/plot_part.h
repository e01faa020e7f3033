/* What the parts of plot share: figures for charts, names for gnuplot. */
#ifndef SLABSIM_PLOT_PART_H
#define SLABSIM_PLOT_PART_H

#include "sim/chart/plot.h"

/* Bars of counters below this share of the allocations would not be seen, per cent. */
#define LEAST_SHARE 0.1
/* Above this share, counters are drawn in a panel of their own, per cent. */
#define LARGE_SHARE 10.0

/* The bars of one point, or of one published column. */
struct bars {
	const char *prefix, *label;
	double share[NR_STAT_ITEMS]; /* per cent of the objects allocated; NAN: not counted */
	double ci[NR_STAT_ITEMS];    /* half of its 95 % confidence interval; NAN: one run */
};

/* What a chart shows, of results and published columns. */
struct plot_data {
	const struct plot *plot;
	const struct runs *runs;
	unsigned *points; /* shown */
	unsigned nr_points;
	struct loaded_cache *caches; /* [nr_points]: of the first run the cache, or all together */
	bool *own;		     /* caches[i] is to be freed */
	struct bars *bars;
	unsigned nr_bars; /* the points' first */
};

/* -1 and err: a result does not have the cache. d is to be freed in any case. */
int plot_data_init(struct plot_data *d, const struct plot *p, struct error *err);
void plot_data_free(struct plot_data *d);
/* The first run of shown point i. */
const struct loaded_result *plot_data_result(const struct plot_data *d, unsigned i);
/* The name that all results share and their labels leave out, or "". */
const char *plot_data_run(const struct plot_data *d);
/* Is the largest share of a counter from least up to below limit? */
bool plot_data_between(const struct plot_data *d, unsigned item, double least, double limit);

/* Write text as a string in gnuplot's quotes, fit for the terminal, long ones shortened. */
int plot_write_label(FILE *out, const struct plot *p, const char *prefix, const char *text,
		     struct error *err);
/* Words of our own as such a string, whole. */
void plot_write_words(FILE *out, const char *words);
/* Text beside a tic; *width: the pixels it takes. */
int plot_write_tic(FILE *out, const struct plot *p, const char *text, double *width,
		   struct error *err);
/* NAME = "TEXT" and NAME_width, the pixels it takes: at most half of the chart. */
int plot_write_heading(FILE *out, const struct plot *p, const char *name, const char *text,
		       struct error *err);
/* The pixels that a text without control characters takes in a chart, or a little more. */
double plot_text_width(const char *plain);
/*
 * A point's label; in a narrow picture that has no room for it, the values of its axes alone. To
 * be freed; NULL and err.
 */
char *plot_point_label(const struct plot *p, unsigned point, struct error *err);
/* Write NAME = "TEXT", TEXT the same way. */
int plot_write_text(FILE *out, const struct plot *p, const char *name, const char *text,
		    struct error *err);
/* Write NAME = "PATH", which gnuplot takes for nothing but a file. */
void plot_write_path(FILE *out, const char *name, const char *path);
/* Write array NAME[n] = [...], get(arg, i) gives the texts, and NAME_width: the widest, pixels. */
int plot_write_array(FILE *out, const struct plot *p, const char *name, unsigned n,
		     const char *(*get)(const void *arg, unsigned i), const void *arg,
		     struct error *err);
/* NAME_title, NAME_unit and NAME_scale of a metric whose largest value is most. */
void plot_write_metric(FILE *out, const char *name, unsigned metric, double most);

/* One axis of a chart: a setting, or the machine's CPUs. */
struct plot_axis {
	const struct run_axis *axis; /* NULL: the machine's CPUs */
	unsigned number;	     /* in runs; runs->nr_axes when it is none of them */
	double *at;		     /* the values in use, ascending; of words, their indices */
	unsigned n;
	bool words;
	bool ranks; /* they stand side by side: words, or numbers that would overlap */
	bool logarithmic;
};

/* Only positions that shown points have. -1 and err; plot_axis_free(). */
int plot_axis_init(struct plot_axis *a, const struct plot_data *d, unsigned number,
		   struct error *err);
void plot_axis_free(struct plot_axis *a);
/* The value of a run of a point: one of a->at. */
double plot_axis_at(const struct plot_axis *a, const struct plot_data *d, unsigned point,
		    unsigned run);
/* Where the value number i stands. */
double plot_axis_place(const struct plot_axis *a, unsigned i);
/* And what stands there. */
void plot_axis_text(const struct plot_axis *a, unsigned i, char *buf, size_t size);
/* What the axis is called, with what its numbers are. To be freed; NULL: no memory. */
char *plot_axis_title(const struct plot_axis *a);
/*
 * NAME_title and NAME_title_width, NAME_log, NAME_ranks, NAME_words, and arrays of the places in
 * use: NAME_at[], NAME_tic[] and NAME_tic_width[].
 */
int plot_axis_write(FILE *out, const struct plot_data *d, const char *name,
		    const struct plot_axis *a, struct error *err);
/* The axes but a and b that shown points differ in, "x, y"; "" when there are none. To be freed. */
char *plot_other_axes(const struct plot_data *d, unsigned a, unsigned b);

/* Kinds, by file. */
int plot_counters_data(FILE *out, const struct plot_data *d, struct error *err);
int plot_counters_text(FILE *out, const struct plot_data *d, struct error *err);
void plot_counters_describe(FILE *out, const struct plot_data *d);
int plot_series_data(FILE *out, const struct plot_data *d, struct error *err);
void plot_series_describe(FILE *out, const struct plot_data *d);
int plot_paths_data(FILE *out, const struct plot_data *d, struct error *err);
int plot_paths_text(FILE *out, const struct plot_data *d, struct error *err);
void plot_paths_describe(FILE *out, const struct plot_data *d);
int plot_lines_data(FILE *out, const struct plot_data *d, struct error *err);
void plot_lines_describe(FILE *out, const struct plot_data *d);
int plot_lock_data(FILE *out, const struct plot_data *d, struct error *err);
int plot_heat_data(FILE *out, const struct plot_data *d, struct error *err);
int plot_heat_text(FILE *out, const struct plot_data *d, struct error *err);
int plot_pareto_data(FILE *out, const struct plot_data *d, struct error *err);
void plot_pareto_describe(FILE *out, const struct plot_data *d);
int plot_cdf_data(FILE *out, const struct plot_data *d, struct error *err);
int plot_causes_data(FILE *out, const struct plot_data *d, struct error *err);
int plot_causes_text(FILE *out, const struct plot_data *d, struct error *err);
int plot_waste_data(FILE *out, const struct plot_data *d, struct error *err);

/* A table of rows by columns, for kinds whose text is one. */
struct plot_table {
	const char *(*row)(const void *arg, unsigned i);
	const char *(*column)(const void *arg, unsigned i);
	double (*value)(const void *arg, unsigned row, unsigned column);
	const void *arg;
	unsigned rows, columns;
};
void plot_table_text(FILE *out, const struct plot_table *t);

#endif
