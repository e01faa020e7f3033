/*
 * Workload models: loads for the timed machine, made of distributions instead of recorded events.
 * One file per model, model-NAME.c, ending in its ops and MODEL(ops); nothing else names it.
 */
#ifndef SLABSIM_MODEL_H
#define SLABSIM_MODEL_H

#include "sim/config/config.h"
#include "sim/load.h"

struct cJSON;

struct model_ops {
	const char *name;
	const char *summary; /* one line */
	const char *help;    /* its keys, a line each, for people */
	/*
	 * params is the object under workload.model.NAME. cfg has the machine (its CPUs are given)
	 * and the caches; both outlive the load. NULL and err, which names the key.
	 */
	struct load *(*open)(const struct cJSON *params, const struct config *cfg,
			     struct error *err);
};

#define MODEL(ops)                                                                                 \
	static const struct model_ops *const model_##ops                                           \
	    __attribute__((used, section("slabsim_models"))) = &(ops)

/* NULL when there is none of that name; in order of name, NULL behind the last. */
const struct model_ops *model_find(const char *name);
const struct model_ops *model_nth(size_t i);

/* The model that workload.model names, as a source with its load. NULL and err. */
struct source *model_open(const struct config *cfg, struct error *err);

/* ---- for models ---- */

/* Reading parameters: all that a model is given, so that what nobody asked for is an error. */
struct model_params {
	const char *model;
	const struct cJSON *json;
	const char *known[32];
	unsigned nr_known;
	struct error *err;
};

void params_init(struct model_params *p, const char *model, const struct cJSON *json,
		 struct error *err);
/* The member as a number from min to max, def when it is not given. */
double params_number(struct model_params *p, const char *key, double def, double min, double max);
/* The same of what is counted: a whole number. */
double params_count(struct model_params *p, const char *key, double def, double min, double max);
bool params_bool(struct model_params *p, const char *key, bool def);
/* Which of the names, which end with NULL, the member is; def when it is not given. */
unsigned params_choice(struct model_params *p, const char *key, const char *const *names,
		       unsigned def);
const struct cJSON *params_item(struct model_params *p, const char *key);
/* 0, or -1 and err: what was read was wrong, or a key is unknown. */
int params_finish(const struct model_params *p);
/*
 * The parameters inside a member of p that is an object, or for i >= 0 in an array of objects.
 * name, of size bytes, is where messages say they are. False: it is not an object, and err is set.
 */
bool params_inner(struct model_params *inner, struct model_params *p, const char *key,
		  const struct cJSON *json, int i, char *name, size_t size);
/* "workload.model.MODEL.KEY: ..."; returns -1. */
int params_error(const struct model_params *p, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The configured caches as a source's info; caches is NULL and err set when there are none. */
struct source_info model_info(const struct config *cfg, struct error *err);
/* The node of every CPU, for the caller to free; NULL and err. */
uint16_t *model_nodes(const struct config *cfg, struct error *err);

#endif
