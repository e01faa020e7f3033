/*
 * Published references (configs/published): tables of counters measured on real kernels, with
 * their source. Results are only ever compared with them.
 */
#ifndef SLABSIM_PUBLISHED_H
#define SLABSIM_PUBLISHED_H

#include "sim/result/result_file.h"

struct cJSON;

/* A figure; where several runs were published, their mean. */
struct published_row {
	char *name;   /* of a counter, of several joined by "+", or of a memory figure */
	bool counter; /* else a memory figure */
	double value;
	double share, min_share, max_share; /* counters: per cent of the objects allocated */
};

/* A kernel or policy, one column of the published table. */
struct published_column {
	const char *name;
	const struct cJSON *policy; /* settings, as in a config */
	double allocations;
	struct published_row *rows;
	unsigned nr_rows;
	unsigned nr_runs;
};

struct published {
	struct cJSON *tree;
	const char *title;
	const char *cache; /* that was measured */
	struct published_column *columns;
	unsigned nr_columns;
};

/*
 * Read FILE. cache: of those it has, NULL for its first. -1 and err: not such a file, or one
 * that has no counters.
 */
int published_load(struct published *p, const char *file, const char *cache, struct error *err);
void published_free(struct published *p);

/* Our figure for a row; false when the result does not have it. */
bool published_ours(const struct published_row *row, const struct loaded_cache *c, uint64_t *value);
/* Does the result's policy have every setting of the column's? */
bool published_matches(const struct published_column *col, const struct loaded_result *r,
		       const struct loaded_cache *c);

#endif
