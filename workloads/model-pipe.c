/*
 * model: pipe
 *
 *	pairs of a producer and a consumer, each on its CPU:
 *	producer: every "produce_ns" allocates "batch" objects; a share "remote" of the batches goes
 *	          into the queue to the consumer, the rest it frees itself, after "consume_ns";
 *waits while the queue has "queue" batches consumer: every "consume_ns" takes a batch from the
 *queue, if there is one, and frees it until "operations" objects have been allocated in all
 */
#include <cjson/cJSON.h>

#include "sim/cost.h"
#include "workloads/agenda.h"
#include "workloads/distribution.h"

enum { TODO_PRODUCE = 1, TODO_CONSUME, TODO_DROP };

struct pair {
	unsigned producer, consumer; /* CPUs */
	uint32_t *ring;		     /* [queue * batch]: objects */
	unsigned first, n;	     /* batches in it */
	uint32_t *own;		     /* [batch]: what the producer is to free itself */
	bool blocked;		     /* the producer waits for room */
	bool consuming;		     /* the consumer has a batch on its agenda */
};

struct pipe_model {
	struct agenda agenda;
	struct distribution produce, consume;
	double remote;
	unsigned batch, queue, nr_pairs;
	bool bulk;
	struct pair *pair;
	uint64_t left; /* batches to produce */
};

static uint64_t after(const struct distribution *d, uint64_t now, gsl_rng *rng)
{
	return now + (uint64_t)(distribution_draw(d, rng) * PS_PER_NS);
}

static uint32_t *slot(const struct pipe_model *m, const struct pair *p, unsigned i)
{
	return &p->ring[(size_t)((p->first + i) % m->queue) * m->batch];
}

static int plan(struct pipe_model *m, unsigned cpu, unsigned kind, uint32_t pair, uint64_t time,
		struct error *err)
{
	return agenda_add(&m->agenda, cpu,
			  (struct todo){.kind = (uint16_t)kind, .object = pair, .time = time}, err);
}

static int plan_produce(struct pipe_model *m, uint32_t pair, uint64_t now, struct error *err)
{
	unsigned cpu = m->pair[pair].producer;

	if (!m->left)
		return 0;
	m->left--;
	return plan(m, cpu, TODO_PRODUCE, pair, after(&m->produce, now, m->agenda.cpu[cpu].rng),
		    err);
}

static int plan_consume(struct pipe_model *m, uint32_t pair, uint64_t now, struct error *err)
{
	struct pair *p = &m->pair[pair];

	p->consuming = true;
	return plan(m, p->consumer, TODO_CONSUME, pair,
		    after(&m->consume, now, m->agenda.cpu[p->consumer].rng), err);
}

/* All of a batch in one operation: by a bulk call, or one by one. */
static int put_events(struct pipe_model *m, unsigned cpu, uint32_t *object, struct event *ev,
		      bool alloc, struct error *err)
{
	unsigned step = m->bulk ? m->batch : 1;

	for (unsigned i = 0; i < m->batch; i += step)
		if (alloc ? agenda_alloc(&m->agenda, cpu, 0, &ev[i], step, err)
			  : agenda_release(&m->agenda, cpu, 0, &object[i], step, &ev[i], err))
			return -1;
	return (int)m->batch;
}

static int begin(struct agenda *a, unsigned cpu, const struct todo *t, struct event *ev,
		 struct error *err)
{
	struct pipe_model *m = (struct pipe_model *)a;
	struct pair *p = &m->pair[t->object];

	if (t->kind == TODO_PRODUCE)
		return put_events(m, cpu, NULL, ev, true, err);
	return put_events(m, cpu, t->kind == TODO_DROP ? p->own : slot(m, p, 0), ev, false, err);
}

static int produced(struct pipe_model *m, uint32_t pair, const struct event *ev, uint64_t end,
		    struct error *err)
{
	struct pair *p = &m->pair[pair];
	gsl_rng *rng = m->agenda.cpu[p->producer].rng;
	bool away = gsl_rng_uniform(rng) < m->remote;
	uint32_t *to = away ? slot(m, p, p->n) : p->own;

	for (unsigned i = 0; i < m->batch; i++)
		to[i] = ev[i].object;
	if (!away)
		return plan(m, p->producer, TODO_DROP, pair, after(&m->consume, end, rng), err);
	p->n++;
	if (!p->consuming && plan_consume(m, pair, end, err))
		return -1;
	p->blocked = p->n == m->queue;
	return p->blocked ? 0 : plan_produce(m, pair, end, err);
}

static int consumed(struct pipe_model *m, uint32_t pair, uint64_t end, struct error *err)
{
	struct pair *p = &m->pair[pair];

	p->first = (p->first + 1) % m->queue;
	p->n--;
	p->consuming = false;
	if (p->n && plan_consume(m, pair, end, err))
		return -1;
	if (!p->blocked)
		return 0;
	p->blocked = false;
	return plan_produce(m, pair, end, err);
}

static int ended(struct agenda *a, unsigned cpu, const struct todo *t, const struct event *ev,
		 unsigned n, uint64_t end, struct error *err)
{
	struct pipe_model *m = (struct pipe_model *)a;

	(void)cpu;
	(void)n;
	if (t->kind == TODO_PRODUCE)
		return produced(m, t->object, ev, end, err);
	if (t->kind == TODO_CONSUME)
		return consumed(m, t->object, end, err);
	return plan_produce(m, t->object, end, err);
}

static void close_model(struct agenda *a)
{
	struct pipe_model *m = (struct pipe_model *)a;

	for (unsigned i = 0; m->pair && i < m->nr_pairs; i++) {
		free(m->pair[i].ring);
		free(m->pair[i].own);
	}
	free(m->pair);
	agenda_close(a);
	free(m);
}

static const struct agenda_ops agenda_ops = {
    .begin = begin,
    .ended = ended,
    .close = close_model,
};

static int make_pairs(struct pipe_model *m, struct error *err)
{
	unsigned cpus = m->agenda.cpus;

	m->pair = calloc(m->nr_pairs, sizeof(*m->pair));
	if (!m->pair)
		return error_memory(err, "the pairs of a model");
	for (unsigned i = 0; i < m->nr_pairs; i++) {
		struct pair *p = &m->pair[i];

		p->producer = i % cpus;
		/* As many CPUs away as there are pairs, so that each CPU does one thing. */
		p->consumer = (i + (m->nr_pairs < cpus ? m->nr_pairs : 1)) % cpus;
		p->ring = calloc((size_t)m->queue * m->batch, sizeof(*p->ring));
		p->own = calloc(m->batch, sizeof(*p->own));
		if (!p->ring || !p->own)
			return error_memory(err, "the queues of a model");
	}
	return 0;
}

static int set_up(struct pipe_model *m, const cJSON *params, const struct config *cfg,
		  struct error *err)
{
	static const struct distribution interval = {.kind = DIST_CONSTANT, .a = 1000};
	struct model_params p;
	double operations;

	params_init(&p, "pipe", params, err);
	operations = params_count(&p, "operations", 1e6, 1, 1e12);
	m->nr_pairs = (unsigned)params_count(&p, "pairs", (cfg->machine.cpus + 1) / 2, 1, 1e5);
	m->batch = (unsigned)params_count(&p, "batch", 1, 1, 1e4);
	m->queue = (unsigned)params_count(&p, "queue", 64, 1, 1e5);
	m->remote = params_number(&p, "remote", 1, 0, 1);
	m->bulk = params_bool(&p, "bulk", false);
	m->produce = params_distribution(&p, "produce_ns", &interval);
	m->consume = params_distribution(&p, "consume_ns", &interval);
	if (params_finish(&p) || agenda_init(&m->agenda, &agenda_ops, cfg, m->batch, err) ||
	    make_pairs(m, err))
		return -1;
	m->left = (uint64_t)((operations + m->batch - 1) / m->batch);
	m->agenda.load.info.events = 2 * m->left * m->batch;
	for (uint32_t i = 0; i < m->nr_pairs; i++)
		if (plan_produce(m, i, 0, err))
			return -1;
	return 0;
}

static struct load *open_model(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct pipe_model *m = calloc(1, sizeof(*m));

	if (!m) {
		error_memory(err, "a model");
		return NULL;
	}
	if (!set_up(m, params, cfg, err))
		return &m->agenda.load;
	close_model(&m->agenda);
	return NULL;
}

static const struct model_ops pipe_ops = {
    .name = "pipe",
    .summary = "producers and consumers on different CPUs, with queues between them",
    .help = "operations           objects to allocate in all (1e6)\n"
	    "pairs                of a producer and a consumer (half the CPUs)\n"
	    "batch, queue         objects in a batch, batches in a queue (1, 64)\n"
	    "bulk                 a batch is allocated and freed by one call (false)\n"
	    "remote               share of the batches that the consumer frees (1)\n"
	    "produce_ns, consume_ns   time for a batch (1000, 1000)\n",
    .open = open_model,
};
MODEL(pipe_ops);
