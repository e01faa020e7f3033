/* What the parts of plot share: figures for bars, names for gnuplot. */
#ifndef SLABSIM_PLOT_PART_H
#define SLABSIM_PLOT_PART_H

#include "sim/plot.h"

/* Bars of counters below this share of the allocations would not be seen, per cent. */
#define LEAST_SHARE 0.1
/* Above this share, counters are drawn in a panel of their own, per cent. */
#define LARGE_SHARE 10.0

/* The bars of one result, or of one published column. */
struct bars {
	const char *prefix, *label;
	double share[NR_STAT_ITEMS]; /* per cent of the objects allocated; NAN: not counted */
};

/* What a chart shows, of results and published columns. */
struct plot_data {
	const struct plot *plot;
	struct loaded_cache *caches; /* [plot->nr_results]: the cache, or all together */
	bool *own;		     /* caches[i] is to be freed */
	struct bars *bars;
	unsigned nr_bars; /* the results' first */
};

/* -1 and err: a result does not have the cache. d is to be freed in any case. */
int plot_data_init(struct plot_data *d, const struct plot *p, struct error *err);
void plot_data_free(struct plot_data *d);
/* The name of the cache, or "all caches". */
const char *plot_data_title(const struct plot_data *d);
/* The name that all results share and their labels leave out, or "". */
const char *plot_data_run(const struct plot_data *d);
/* Is the largest share of a counter from least up to below limit? */
bool plot_data_between(const struct plot_data *d, unsigned item, double least, double limit);

/* Write text as a string in gnuplot's quotes, fit for the terminal, long ones shortened. */
int plot_write_label(FILE *out, const struct plot *p, const char *prefix, const char *text,
		     struct error *err);
/* Write NAME = "PATH", which gnuplot takes for nothing but a file. */
void plot_write_path(FILE *out, const char *name, const char *path);

/* The counters as bars of letters, to a terminal. */
int plot_text_bars(FILE *out, const struct plot_data *d, struct error *err);

#endif
