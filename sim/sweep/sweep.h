/*
 * What runs a config asks for: its "sweep" and "seeds".
 *
 *   "sweep": {
 *     "policy.cpu_partial": [13, 52],                          a setting and its values
 *     "machine.cpus": {"from": 8, "to": 64, "times": 2},       or a range; "step" adds
 *     "kernel": [                                              variants: a name of one's own
 *       {"label": "old", "set": {"policy.preset": "linux-5.15"}},
 *       {"label": "new", "set": {"policy.preset": "linux-6.12", "policy.slub_max_order": 2}}
 *     ],
 *     "zip": [["machine.cpus", "policy.cpu_partial"]],         these advance together
 *     "exclude": [{"kernel": "old", "policy.cpu_partial": [52]}]
 *   }
 *
 * A point is one value of every axis. Points are the product of the axes, the last axis varying
 * fastest; axes zipped together count as one, in the place of the first. Every point is run with
 * "seeds" seeds, which vary faster than any axis.
 */
#ifndef SLABSIM_SWEEP_H
#define SLABSIM_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"

struct cJSON;
struct json_writer;

#define SWEEP_MAX_RUNS 1000000

struct sweep_axis {
	char *name;	       /* a setting's path, or what the variants are called */
	bool variants;	       /* the values are objects with "label" and "set" */
	struct cJSON **values; /* owned, each */
	unsigned n;
	unsigned zip;	    /* the group it is zipped in, from 1; 0: none */
	unsigned dimension; /* axes zipped together have the same */
};

struct sweep {
	char *name;	    /* the config's */
	struct cJSON *json; /* the config's "sweep"; NULL: none */
	uint64_t base_seed; /* the config's replay.seed */
	unsigned seeds;
	struct sweep_axis *axes;
	unsigned nr_axes;
	unsigned *steps; /* by dimension */
	unsigned nr_dimensions;
	uint64_t *points; /* those not excluded, each the number it has in the full product */
	uint64_t nr_points;
	uint64_t nr_runs; /* points times seeds */
};

/*
 * json: the value of "sweep", or NULL: a single point. where begins the messages. 0, or -1 and
 * err; to be freed with sweep_free() in both cases.
 */
int sweep_init(struct sweep *s, const char *where, const char *name, const struct cJSON *json,
	       unsigned seeds, uint64_t base_seed, struct error *err);
void sweep_free(struct sweep *s);

static inline uint64_t sweep_point_of(const struct sweep *s, uint64_t run)
{
	return run / s->seeds;
}

/* Which value of an axis a point has. */
unsigned sweep_index(const struct sweep *s, uint64_t point, unsigned axis);
/* That value as parameters show it: a variant's label, or the setting's value. */
const struct cJSON *sweep_value(const struct sweep *s, uint64_t point, unsigned axis);

/*
 * The seed of a run: the first of a point is the config's own, the others are derived from it
 * by mixing (splitmix64), for neighbouring seeds are not independent everywhere.
 */
uint64_t sweep_seed(const struct sweep *s, uint64_t run);

/*
 * The --set arguments that make the config that of the run, axes in order, the seed last. An
 * array of *n strings, to be freed with sweep_settings_free(); NULL and err.
 */
char **sweep_settings(const struct sweep *s, uint64_t run, unsigned *n, struct error *err);
void sweep_settings_free(char **settings, unsigned n);

/* "parameters": {AXIS: VALUE, ...} of a point. */
void sweep_write_parameters(const struct sweep *s, uint64_t point, struct json_writer *w);
/* A point in words: "cpu_partial 13, partial_accounting pages". To be freed; NULL and err. */
char *sweep_label(const struct sweep *s, uint64_t point, struct error *err);
/* A value in words: strings as they are, anything else as JSON. To be freed; NULL: no memory. */
char *sweep_value_text(const struct cJSON *value);
/* What an axis is called in a label: the last part of its path, where that is unique. */
const char *sweep_axis_title(const struct sweep *s, unsigned axis);

/* Between the files of the parser. */

/* Read one axis: a list, a range, or variants. */
int sweep_read_axis(struct sweep_axis *axis, const char *where, const struct cJSON *json,
		    struct error *err);
/* The axis of that name; nr_axes when there is none. */
unsigned sweep_find_axis(const struct sweep *s, const char *name);

#endif
