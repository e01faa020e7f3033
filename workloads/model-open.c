/*
 * model: open
 *
 *	every CPU:  allocate an object after a think time, "burst" of them in a row;
 *	            free each object when its lifetime is over, on a CPU chosen at its birth:
 *	            another one with probability "remote", on another node with "remote_node" of
 *	            those
 *	until "operations" objects have been allocated in all, and all are freed
 *
 * Open: the think times do not depend on how long operations take, except that a CPU does one
 * thing at a time. The caches are the configuration's, "weights" says how often each is used.
 */
#include <cjson/cJSON.h>
#include <gsl/gsl_randist.h>

#include "workloads/births.h"

#define TODO_BIRTH 1

struct open_load {
	struct agenda agenda;
	struct births births;
	struct birth_stream *stream; /* by CPU */
	uint64_t births_left;
	gsl_ran_discrete_t *which_cache; /* NULL: the only one */
	double *rate;			 /* by CPU */
	uint16_t *nodes;
};

static int begin(struct agenda *a, unsigned cpu, const struct todo *t, struct event *ev,
		 struct error *err)
{
	struct open_load *l = (struct open_load *)a;
	uint16_t cache = 0;

	(void)t;
	if (l->which_cache)
		cache = (uint16_t)gsl_ran_discrete(a->cpu[cpu].rng, l->which_cache);
	return agenda_alloc(a, cpu, cache, ev, 1, err) ? -1 : 1;
}

static int next_birth(struct open_load *l, unsigned cpu, uint64_t end, struct error *err)
{
	struct todo t = {.kind = TODO_BIRTH};

	if (!l->births_left || !(l->rate[cpu] > 0))
		return 0;
	l->births_left--;
	t.time =
	    births_next(&l->births, &l->stream[cpu], end, l->rate[cpu], l->agenda.cpu[cpu].rng);
	return agenda_add(&l->agenda, cpu, t, err);
}

static int ended(struct agenda *a, unsigned cpu, const struct todo *t, const struct event *ev,
		 unsigned n, uint64_t end, struct error *err)
{
	struct open_load *l = (struct open_load *)a;
	struct fate fate;

	(void)n;
	if (t->kind == TODO_FREE)
		return 0;
	fate = births_fate(&l->births, &l->stream[cpu], cpu, a->cpus, l->nodes, end, 1,
			   (struct lifetimes){NULL, NULL}, a->cpu[cpu].rng);
	if (agenda_free(a, fate.cpu, fate.time, ev->cache, ev->object, err))
		return -1;
	return next_birth(l, cpu, end, err);
}

static void close_model(struct agenda *a)
{
	struct open_load *l = (struct open_load *)a;

	if (l->which_cache)
		gsl_ran_discrete_free(l->which_cache);
	free(l->stream);
	free(l->rate);
	free(l->nodes);
	agenda_close(a);
	free(l);
}

static const struct agenda_ops agenda_ops = {
    .begin = begin,
    .ended = ended,
    .close = close_model,
};

static int read_weights(struct open_load *l, struct model_params *p, struct error *err)
{
	const cJSON *weights = params_item(p, "weights"), *item;
	unsigned caches = l->agenda.nr_caches;
	double *w, sum = 0;
	size_t n = 0;

	if (!weights && caches == 1)
		return 0;
	if (weights && (!cJSON_IsArray(weights) || cJSON_GetArraySize(weights) != (int)caches))
		return params_error(p, "weights", "one number for each of the %u caches is wanted",
				    caches);
	w = calloc(caches, sizeof(*w));
	if (!w)
		return error_memory(err, "the caches of a model");
	for (; !weights && n < caches; n++)
		sum += w[n] = 1;
	cJSON_ArrayForEach (item, weights) {
		if (!cJSON_IsNumber(item) || item->valuedouble < 0) {
			free(w);
			return params_error(p, "weights", "weights are numbers >= 0");
		}
		sum += w[n++] = item->valuedouble;
	}
	if (sum > 0)
		l->which_cache = gsl_ran_discrete_preproc(n, w);
	free(w);
	return sum > 0 ? 0 : params_error(p, "weights", "no weight is above 0");
}

static int set_up(struct open_load *l, const cJSON *params, const struct config *cfg,
		  struct error *err)
{
	struct model_params p;
	double operations;

	params_init(&p, "open", params, err);
	if (agenda_init(&l->agenda, &agenda_ops, cfg, 1, err))
		return -1;
	l->nodes = model_nodes(cfg, err);
	l->stream = calloc(l->agenda.cpus, sizeof(*l->stream));
	if (!l->nodes)
		return -1;
	if (!l->stream)
		return error_memory(err, "a model");
	operations = params_count(&p, "operations", 1e6, 1, 1e12);
	births_read(&l->births, &p, NULL);
	l->rate = births_cpu_rates(&p, l->agenda.cpus, l->nodes);
	if (!l->rate || read_weights(l, &p, err) || params_finish(&p))
		return -1;
	l->births_left = (uint64_t)operations;
	for (unsigned cpu = 0; cpu < l->agenda.cpus; cpu++)
		if (next_birth(l, cpu, 0, err))
			return -1;
	l->agenda.load.info.events = 2 * (uint64_t)operations;
	return 0;
}

static struct load *open_model(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct open_load *l = calloc(1, sizeof(*l));

	if (!l) {
		error_memory(err, "a model");
		return NULL;
	}
	if (!set_up(l, params, cfg, err))
		return &l->agenda.load;
	close_model(&l->agenda);
	return NULL;
}

static const struct model_ops open_ops = {
    .name = "open",
    .summary = "allocations at random times, lifetimes from a distribution, some freed remotely",
    .help = "operations           objects to allocate in all (1e6)\n" BIRTHS_HELP
	    "weights              how often each of the caches is used (all alike)\n" SKEW_HELP,
    .open = open_model,
};
MODEL(open_ops);
