#include "workloads/births.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "sim/cost.h"

#define LONGEST 1e15 /* ns */

static const struct births defaults = {
    .think = {.kind = DIST_CONSTANT, .a = 1000},
    .burst = {.kind = DIST_CONSTANT, .a = 1},
    .lifetime = {.kind = DIST_CONSTANT, .a = 10000},
    .remote_node = -1,
};

void births_read(struct births *b, struct model_params *p, const struct births *def)
{
	struct births d = def ? *def : defaults;

	b->think = params_distribution(p, "think_ns", &d.think);
	b->burst = params_distribution(p, "burst", &d.burst);
	b->lifetime = params_distribution(p, "lifetime_ns", &d.lifetime);
	b->away = params_distribution(p, "remote_lifetime_ns", &d.away);
	b->has_away = d.has_away || params_item(p, "remote_lifetime_ns");
	b->remote = params_number(p, "remote", d.remote, 0, 1);
	b->remote_node = params_number(p, "remote_node", d.remote_node, 0, 1);
	b->at_once = params_number(p, "at_once", d.at_once, 0, 1);
	b->together = params_number(p, "together", d.together, 0, 1);
}

static uint64_t to_ps(double ns)
{
	return (uint64_t)((ns < LONGEST ? ns : LONGEST) * PS_PER_NS);
}

void births_set_burst(struct birth_stream *s, const struct distribution *burst, gsl_rng *rng)
{
	double length = distribution_draw(burst, rng);

	s->burst_left = length >= 2 ? (unsigned)fmin(length, 1e9) - 1 : 0;
}

uint64_t births_next(const struct births *b, struct birth_stream *s, uint64_t end, double rate,
		     gsl_rng *rng)
{
	if (s->burst_left) {
		s->burst_left--;
		return end;
	}
	births_set_burst(s, &b->burst, rng);
	s->has_fate = false;
	s->next += to_ps(distribution_draw(&b->think, rng) / rate);
	return s->next;
}

/* The CPU that will free an object allocated on cpu. */
static unsigned choose_freer(const struct births *b, unsigned cpu, unsigned cpus,
			     const uint16_t *nodes, gsl_rng *rng)
{
	unsigned other;
	bool away;

	if (cpus == 1 || gsl_rng_uniform(rng) >= b->remote)
		return cpu;
	away = b->remote_node >= 0 && gsl_rng_uniform(rng) < b->remote_node;
	for (unsigned tries = 0; tries < 1000; tries++) {
		other = (unsigned)gsl_rng_uniform_int(rng, cpus);
		if (other == cpu)
			continue;
		if (b->remote_node < 0 || away == (nodes[other] != nodes[cpu]))
			return other;
	}
	/* There is no CPU of that kind. */
	return cpu;
}

struct fate births_fate(const struct births *b, struct birth_stream *s, unsigned cpu, unsigned cpus,
			const uint16_t *nodes, uint64_t end, double stretch, struct lifetimes lives,
			gsl_rng *rng)
{
	if (b->at_once > 0 && gsl_rng_uniform(rng) < b->at_once)
		return (struct fate){true, end, cpu};
	if (!s->has_fate || gsl_rng_uniform(rng) >= b->together) {
		const struct distribution *lifetime = lives.own ? lives.own : &b->lifetime;

		s->fate_cpu = choose_freer(b, cpu, cpus, nodes, rng);
		if (s->fate_cpu != cpu && lives.away)
			lifetime = lives.away;
		else if (s->fate_cpu != cpu && b->has_away)
			lifetime = &b->away;
		s->fate_time = end + to_ps(distribution_draw(lifetime, rng) * stretch);
		s->has_fate = true;
	}
	return (struct fate){false, s->fate_time > end ? s->fate_time : end, s->fate_cpu};
}

/* ---- skew ---- */

static bool read_weights(struct model_params *p, double *rate, unsigned cpus)
{
	const cJSON *list = params_item(p, "cpu_weights"), *item;
	int n = cJSON_GetArraySize(list);
	double sum = 0;

	if (!list)
		return true;
	cJSON_ArrayForEach (item, list) {
		if (!cJSON_IsNumber(item) || item->valuedouble < 0 || item->valuedouble > 1e9)
			n = 0;
		sum += item->valuedouble;
	}
	if (!cJSON_IsArray(list) || !n || !(sum > 0)) {
		params_error(p, "cpu_weights", "a list of numbers >= 0, not all 0, is wanted");
		return false;
	}
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		rate[cpu] = cJSON_GetArrayItem(list, (int)(cpu % (unsigned)n))->valuedouble;
	return true;
}

double *births_cpu_rates(struct model_params *p, unsigned cpus, const uint16_t *nodes)
{
	double cpu_skew = params_number(p, "cpu_skew", 0, 0, 10);
	double node_skew = params_number(p, "node_skew", 0, 0, 10), sum = 0;
	double *rate = calloc(cpus, sizeof(*rate));

	if (!rate) {
		error_memory(p->err, "a model");
		return NULL;
	}
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		rate[cpu] = pow(cpu + 1, -cpu_skew) * pow(nodes[cpu] + 1, -node_skew);
	if (!read_weights(p, rate, cpus)) {
		free(rate);
		return NULL;
	}
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		sum += rate[cpu];
	/* Weights of the first CPUs only may all be 0. */
	if (!(sum > 0)) {
		params_error(p, "cpu_weights", "no CPU of the machine has anything to do");
		free(rate);
		return NULL;
	}
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		rate[cpu] *= cpus / sum;
	return rate;
}
