/*
 * model: batch
 *
 *	one CPU, "iterations" times over: allocates "count" objects, then frees them, in the same
 *	order or shuffled; one by one, or by bulk calls of up to "bulk" objects
 *
 * The microbenchmark the sheaves series came with (facts 9.7b).
 */
#include <cjson/cJSON.h>
#include <gsl/gsl_randist.h>

#include "workloads/agenda.h"

enum { TODO_ALLOC = 1, TODO_RELEASE };

struct batch_model {
	struct agenda agenda;
	uint32_t count, bulk;
	bool shuffled;
	unsigned on; /* CPU */
	uint64_t iterations_left;
	uint32_t *object; /* [count] */
	uint32_t done;	  /* of this half */
};

static uint32_t step(const struct batch_model *m)
{
	uint32_t left = m->count - m->done;

	return left < m->bulk ? left : m->bulk;
}

static int begin(struct agenda *a, unsigned cpu, const struct todo *t, struct event *ev,
		 struct error *err)
{
	struct batch_model *m = (struct batch_model *)a;
	uint32_t n = step(m);

	if (t->kind == TODO_ALLOC) {
		if (agenda_alloc(a, cpu, 0, ev, n, err))
			return -1;
		for (uint32_t i = 0; i < n; i++)
			m->object[m->done + i] = ev[i].object;
		return (int)n;
	}
	return agenda_release(a, cpu, 0, &m->object[m->done], n, ev, err) ? -1 : (int)n;
}

static int ended(struct agenda *a, unsigned cpu, const struct todo *t, const struct event *ev,
		 unsigned n, uint64_t end, struct error *err)
{
	struct batch_model *m = (struct batch_model *)a;
	struct todo then = {.kind = t->kind, .time = end};

	(void)ev;
	m->done += n;
	if (m->done < m->count)
		return agenda_add(a, cpu, then, err);
	m->done = 0;
	if (t->kind == TODO_ALLOC) {
		then.kind = TODO_RELEASE;
		if (m->shuffled)
			gsl_ran_shuffle(a->cpu[cpu].rng, m->object, m->count, sizeof(*m->object));
	} else {
		then.kind = TODO_ALLOC;
		if (!--m->iterations_left)
			return 0;
	}
	return agenda_add(a, cpu, then, err);
}

static void close_model(struct agenda *a)
{
	struct batch_model *m = (struct batch_model *)a;

	free(m->object);
	agenda_close(a);
	free(m);
}

static const struct agenda_ops agenda_ops = {
    .begin = begin,
    .ended = ended,
    .close = close_model,
};

static int set_up(struct batch_model *m, const cJSON *params, const struct config *cfg,
		  struct error *err)
{
	struct model_params p;
	double iterations;

	params_init(&p, "batch", params, err);
	m->count = (uint32_t)params_count(&p, "count", 100, 1, 1e8);
	iterations = params_count(&p, "iterations", 1000, 1, 1e12);
	m->bulk = (uint32_t)params_count(&p, "bulk", 1, 1, 1e6);
	m->shuffled = params_bool(&p, "shuffled", false);
	m->on = (unsigned)params_count(&p, "cpu", 0, 0, cfg->machine.cpus - 1);
	m->iterations_left = (uint64_t)iterations;
	if (params_finish(&p) || agenda_init(&m->agenda, &agenda_ops, cfg, m->bulk, err))
		return -1;
	m->object = calloc(m->count, sizeof(*m->object));
	if (!m->object)
		return error_memory(err, "the objects of a model");
	m->agenda.load.info.events = 2 * m->iterations_left * m->count;
	return agenda_add(&m->agenda, m->on, (struct todo){.kind = TODO_ALLOC}, err);
}

static struct load *open_model(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct batch_model *m = calloc(1, sizeof(*m));

	if (!m) {
		error_memory(err, "a model");
		return NULL;
	}
	if (!set_up(m, params, cfg, err))
		return &m->agenda.load;
	close_model(&m->agenda);
	return NULL;
}

static const struct model_ops batch = {
    .name = "batch",
    .summary = "one CPU allocates a number of objects, then frees them, in order or shuffled",
    .help = "count, iterations    objects each time, how many times (100, 1000)\n"
	    "shuffled             freed in random order (false)\n"
	    "bulk                 so many by one call (1)\n"
	    "cpu                  that does it (0)\n",
    .open = open_model,
};
MODEL(batch);
