/*
 * model: boom
 *
 *	every CPU, "cycles" times over:
 *	boom:  allocates until it has "peak" objects, one every "alloc_ns"; then a pause
 *	bust:  frees until it has "trough" left, one every "free_ns", in the order told;
 *	       a share "remote" of them another CPU frees; then a pause
 *	and at the end frees what is left
 *
 * CPUs begin "stagger_ns" apart. Memory that a peak needed and a trough does not: who keeps it?
 */
#include <cjson/cJSON.h>

#include "sim/cost.h"
#include "workloads/agenda.h"
#include "workloads/distribution.h"

enum { TODO_BOOM = 1, TODO_BUST };
enum { ORDER_FIFO, ORDER_LIFO, ORDER_RANDOM };
static const char *const order_names[] = {"fifo", "lifo", "random", NULL};

struct held {
	uint32_t object;
	uint16_t cache;
};

/* A CPU's objects: a ring, so that the oldest can go first. */
struct boom_cpu {
	struct held *ring; /* [peak] */
	uint32_t first, n;
	uint32_t cycles_left;
	bool gone; /* the object that the bust took was handed to another CPU */
};

struct boom {
	struct agenda agenda;
	struct distribution alloc, free_time, pause;
	uint32_t peak, trough;
	unsigned order;
	double remote;
	struct boom_cpu *state;
};

static uint64_t after(const struct distribution *d, uint64_t now, gsl_rng *rng)
{
	return now + (uint64_t)(distribution_draw(d, rng) * PS_PER_NS);
}

static struct held take(const struct boom *b, struct boom_cpu *s, gsl_rng *rng)
{
	uint32_t last = (s->first + s->n - 1) % b->peak, i = last;
	struct held h;

	if (b->order == ORDER_FIFO)
		i = s->first;
	else if (b->order == ORDER_RANDOM)
		i = (s->first + (uint32_t)gsl_rng_uniform_int(rng, s->n)) % b->peak;
	h = s->ring[i];
	if (b->order == ORDER_FIFO)
		s->first = (s->first + 1) % b->peak;
	else
		s->ring[i] = s->ring[last];
	s->n--;
	return h;
}

static int begin(struct agenda *a, unsigned cpu, const struct todo *t, struct event *ev,
		 struct error *err)
{
	struct boom *b = (struct boom *)a;
	struct boom_cpu *s = &b->state[cpu];
	gsl_rng *rng = a->cpu[cpu].rng;
	struct held h;

	if (t->kind == TODO_BOOM) {
		unsigned cache = (unsigned)gsl_rng_uniform_int(rng, a->nr_caches);

		return agenda_alloc(a, cpu, (uint16_t)cache, ev, 1, err) ? -1 : 1;
	}
	h = take(b, s, rng);
	s->gone = a->cpus > 1 && gsl_rng_uniform(rng) < b->remote;
	if (s->gone) {
		unsigned other = (unsigned)gsl_rng_uniform_int(rng, a->cpus - 1);

		other += other >= cpu;
		return agenda_free(a, other, t->time, h.cache, h.object, err);
	}
	return agenda_release(a, cpu, h.cache, &h.object, 1, ev, err) ? -1 : 1;
}

static int ended(struct agenda *a, unsigned cpu, const struct todo *t, const struct event *ev,
		 unsigned n, uint64_t end, struct error *err)
{
	struct boom *b = (struct boom *)a;
	struct boom_cpu *s = &b->state[cpu];
	gsl_rng *rng = a->cpu[cpu].rng;
	struct todo then = {.kind = t->kind};

	(void)n;
	if (t->kind == TODO_FREE)
		return 0;
	if (t->kind == TODO_BOOM) {
		s->ring[(s->first + s->n++) % b->peak] = (struct held){ev->object, ev->cache};
		then.time = after(&b->alloc, end, rng);
		if (s->n == b->peak) {
			then.kind = TODO_BUST;
			then.time = after(&b->pause, end, rng);
		}
		return agenda_add(a, cpu, then, err);
	}
	then.time = after(&b->free_time, end, rng);
	if (s->n <= b->trough && s->cycles_left) {
		s->cycles_left--;
		then.kind = TODO_BOOM;
		then.time = after(&b->pause, end, rng);
	}
	return s->n || then.kind == TODO_BOOM ? agenda_add(a, cpu, then, err) : 0;
}

static void close_model(struct agenda *a)
{
	struct boom *b = (struct boom *)a;

	for (unsigned cpu = 0; b->state && cpu < a->cpus; cpu++)
		free(b->state[cpu].ring);
	free(b->state);
	agenda_close(a);
	free(b);
}

static const struct agenda_ops agenda_ops = {
    .begin = begin,
    .ended = ended,
    .close = close_model,
};

static int start(struct boom *b, uint32_t cycles, uint64_t stagger, struct error *err)
{
	b->state = calloc(b->agenda.cpus, sizeof(*b->state));
	if (!b->state)
		return error_memory(err, "a model");
	for (unsigned cpu = 0; cpu < b->agenda.cpus; cpu++) {
		struct boom_cpu *s = &b->state[cpu];
		struct todo t = {.kind = TODO_BOOM, .time = cpu * stagger};

		s->ring = calloc(b->peak, sizeof(*s->ring));
		if (!s->ring)
			return error_memory(err, "a model");
		s->cycles_left = cycles - 1;
		if (agenda_add(&b->agenda, cpu, t, err))
			return -1;
	}
	return 0;
}

static int set_up(struct boom *b, const cJSON *params, const struct config *cfg, struct error *err)
{
	static const struct distribution each = {.kind = DIST_CONSTANT, .a = 200};
	static const struct distribution pause = {.kind = DIST_CONSTANT, .a = 1e6};
	struct model_params p;
	double cycles, stagger;

	params_init(&p, "boom", params, err);
	b->peak = (uint32_t)params_count(&p, "peak", 10000, 1, 1e8);
	b->trough = (uint32_t)params_count(&p, "trough", 1000, 0, 1e8);
	cycles = params_count(&p, "cycles", 10, 1, 1e6);
	b->remote = params_number(&p, "remote", 0, 0, 1);
	b->order = params_choice(&p, "order", order_names, ORDER_RANDOM);
	b->alloc = params_distribution(&p, "alloc_ns", &each);
	b->free_time = params_distribution(&p, "free_ns", &each);
	b->pause = params_distribution(&p, "pause_ns", &pause);
	stagger = params_number(&p, "stagger_ns", 0, 0, 1e12);
	if (b->trough >= b->peak)
		params_error(&p, "trough", "it must be below peak, %u", b->peak);
	if (params_finish(&p) || agenda_init(&b->agenda, &agenda_ops, cfg, 1, err))
		return -1;
	b->agenda.load.info.events =
	    2 * ((uint64_t)cycles * (b->peak - b->trough) + b->trough) * b->agenda.cpus;
	return start(b, (uint32_t)cycles, (uint64_t)(stagger * PS_PER_NS), err);
}

static struct load *open_model(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct boom *b = calloc(1, sizeof(*b));

	if (!b) {
		error_memory(err, "a model");
		return NULL;
	}
	if (!set_up(b, params, cfg, err))
		return &b->agenda.load;
	close_model(&b->agenda);
	return NULL;
}

static const struct model_ops boom = {
    .name = "boom",
    .summary = "boom and bust: peaks of objects that are freed again, down to a trough",
    .help = "peak, trough         objects of each CPU (10000, 1000)\n"
	    "cycles               (10)\n"
	    "order                of the frees: \"fifo\", \"lifo\" or \"random\" (random)\n"
	    "remote               share that another CPU frees (0)\n"
	    "alloc_ns, free_ns    between two allocations, two frees (200, 200)\n"
	    "pause_ns             at the peak and in the trough (1e6)\n"
	    "stagger_ns           from the first peak of a CPU to that of the next (0)\n",
    .open = open_model,
};
MODEL(boom);
