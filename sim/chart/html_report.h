/*
 * The page of slabsim report: one HTML file with everything in it, nothing loaded from anywhere.
 * Its style and its script are plots/report.css and plots/report.js.
 */
#ifndef SLABSIM_HTML_REPORT_H
#define SLABSIM_HTML_REPORT_H

#include "sim/chart/plot.h"

struct cJSON;

struct report_options {
	const char *title;    /* NULL: the name that all results share */
	const char *question; /* NULL: the config's description */
	const char *cache;    /* only this one; NULL: all */
	char *const *published;
	unsigned nr_published;
	const char *charts; /* the folder for charts' scripts when there is no gnuplot */
};

/* A published reference: a table of counters, or something else. */
struct report_published {
	struct cJSON *json;
	struct published table;
	bool has_table;
};

struct report {
	const struct report_options *opt;
	const struct runs *runs;
	struct metrics metrics;
	struct report_published *published;
	unsigned nr_published;
	char *plots;	    /* the folder with templates, style and script */
	unsigned points[8]; /* shown one by one where there are more than can be */
	unsigned nr_points;
	unsigned nr_charts;  /* drawn */
	unsigned nr_scripts; /* left, for want of gnuplot */
	struct error first;  /* why */
};

/* *note says what is missing in the page although it was written; empty: nothing. -1 and err. */
int report_write(FILE *out, struct runs *runs, const struct report_options *opt, struct error *note,
		 struct error *err);

/* Between the files; each writes a section. */
int report_charts(FILE *out, struct report *r, struct error *err);
int report_summary(FILE *out, const struct report *r, struct error *err);
void report_machine(FILE *out, const struct report *r);
int report_points(FILE *out, const struct report *r, struct error *err);
int report_figures(FILE *out, const struct report *r, struct error *err);
int report_published(FILE *out, const struct report *r, struct error *err);
/* Of a reference that has no table of counters. */
int report_published_pairs(FILE *out, const struct report *r, const struct cJSON *json,
			   struct error *err);
int report_data(FILE *out, const struct report *r, struct error *err);
void report_how(FILE *out, const struct report *r);
/* The results that are shown, one for each point, labelled as points are; to be freed. */
struct loaded_result *report_results(const struct report *r, struct error *err);

#endif
