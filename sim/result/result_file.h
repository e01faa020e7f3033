/*
 * Results read back from what slabsim run --format json wrote. They are input like any other:
 * everything in them is checked.
 */
#ifndef SLABSIM_RESULT_FILE_H
#define SLABSIM_RESULT_FILE_H

#include "sim/result/results.h"

struct cJSON;

struct loaded_cache {
	struct result_cache c; /* what the file has of it */
	bool has[NR_STAT_ITEMS];
};

struct loaded_result {
	struct cJSON *tree;	    /* the whole file */
	const struct cJSON *config; /* in it; may be NULL */
	const char *name;	    /* in it */
	char *label;		    /* set by results_label() */
	bool has_times;
	struct loaded_cache *caches; /* in order of name */
	unsigned nr_caches;
};

/* Read n files. NULL and err, naming file and JSON path; or an array for loaded_results_free(). */
struct loaded_result *results_load(char *const *files, unsigned n, struct error *err);
void loaded_results_free(struct loaded_result *r, unsigned n);

/*
 * One result from the text of its JSON, which must be valid; whole numbers too long for a double
 * become strings of digits. NULL when out of memory.
 */
struct cJSON *result_parse(const char *text, size_t len);
/*
 * r from such a tree, which it takes over; file: for messages. No label. 0, or -1 and err; to be
 * freed with loaded_result_free() in both cases.
 */
int result_load_tree(struct loaded_result *r, struct cJSON *tree, const char *file,
		     struct error *err);
void loaded_result_free(struct loaded_result *r);
/* A number in a result's tree, or a part of it, by its path, joined by dots; NAN: not there. */
double result_number(const struct cJSON *tree, const char *path);

/* NULL when it has none of that name. */
const struct loaded_cache *loaded_cache_find(const struct loaded_result *r, const char *name);
/* All caches as one: their counters, states and, when they are of the same events, series. */
int loaded_cache_sum(const struct loaded_result *r, struct loaded_cache *sum, struct error *err);
void loaded_cache_free(struct loaded_cache *c);
/* Objects handed out (facts 5.10). */
uint64_t loaded_allocations(const struct loaded_cache *c);

/*
 * Give each of n results a label of its own: its name; where several have the same, with the
 * settings in which they differ (what follows from a preset that is named need not be said); and
 * a number where nothing differs. When all have the same name, only the settings; see
 * results_shared_name().
 */
int results_label(struct loaded_result *r, unsigned n, struct error *err);
/* The name that all n results have and their labels leave out; NULL when there is none. */
const char *results_shared_name(const struct loaded_result *r, unsigned n);

#endif
