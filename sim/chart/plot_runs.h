/*
 * Results that belong together, for charts and reports: those of a sweep's folder, or files. What
 * differs between them is their axes; results that differ in their seeds only are one point.
 */
#ifndef SLABSIM_PLOT_RUNS_H
#define SLABSIM_PLOT_RUNS_H

#include "sim/result/result_file.h"

struct cJSON;

/* A setting that differs. */
struct run_axis {
	char *path;    /* of the setting, or what a sweep's variants are called */
	char *title;   /* short */
	char **text;   /* its values in words, in the order in which they come */
	double *value; /* and as numbers, when numeric */
	unsigned n;
	bool numeric;
	char *of; /* what numbers are multiples of, e.g. "default-old"; or NULL */
};

struct run_point {
	char *label;
	unsigned *value;    /* [axes]: which value of each */
	unsigned first, nr; /* its runs */
};

/* A run of a sweep that could not be. */
struct failed_run {
	char *label, *error;
};

struct runs {
	char *name;	  /* that all have; NULL: none */
	const char *what; /* the folder or the first file; borrowed */
	bool is_sweep;
	struct cJSON *sweep; /* of the config; NULL: none */
	unsigned seeds;
	struct loaded_result *r; /* point after point; label and tree's caches: NULL */
	uint64_t *seed;
	uint64_t *number; /* of a sweep's runs, in its journal; NULL: files */
	bool *whole;	  /* read with series and distributions */
	unsigned nr;
	struct run_point *points;
	unsigned nr_points;
	struct run_axis *axes;
	unsigned nr_axes;
	struct failed_run *failed;
	unsigned nr_failed;
	uint64_t missing; /* that the sweep has not done yet */
};

/*
 * names: one folder of a sweep, or files of results. -1 and err; to be freed with runs_free() in
 * both cases.
 */
int runs_load(struct runs *runs, char *const *names, unsigned n, struct error *err);
void runs_free(struct runs *runs);
/*
 * Read the series and latency distributions of n points; of a large sweep they are left out at
 * first, for they are most of it. -1 and err.
 */
int runs_complete(struct runs *runs, const unsigned *points, unsigned n, struct error *err);

/* The axis of that path or title; nr_axes when there is none. */
unsigned runs_find_axis(const struct runs *runs, const char *name);
/* The axis with the most values, numbers before words, but for skip; nr_axes when there is none. */
unsigned runs_longest_axis(const struct runs *runs, unsigned skip);
/* The axis with the most values of those few enough for a line each, words before numbers. */
unsigned runs_lines_axis(const struct runs *runs, unsigned skip);
/* The value of config.SECTION.KEY of a result as a number; NAN when there is none. */
double runs_config_number(const struct loaded_result *r, const char *section, const char *key);

/* More lines in a chart could not be told apart. */
#define MAX_LINES 8

/* Between the files. */

/* Values as numbers, where they are or can be taken for some. */
int run_axis_numbers(struct run_axis *axis, const struct cJSON *const *values, struct error *err);
/* Find the axes of files: settings that differ. r has the labels' order. */
int runs_find_axes(struct runs *runs, struct error *err);
/* Group runs->r, which are files, into points, and sort them. */
int runs_find_points(struct runs *runs, struct error *err);

#endif
