#include "workloads/phases.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "sim/cost.h"

const struct phases phases_none = {
    .phase = {{.end = UINT64_MAX, .events = 1e19, .rate = 1, .lifetime = 1}}, .n = 1};

int phases_read(struct phases *ph, struct model_params *p)
{
	const cJSON *list = params_item(p, "phases"), *item;
	double events = 0;
	uint64_t end = 0;

	if (!list)
		return 0;
	if (!cJSON_IsArray(list) || !list->child || cJSON_GetArraySize(list) > MAX_PHASES)
		return params_error(p, "phases", "a list of 1 to %d objects is wanted", MAX_PHASES);
	ph->n = 0;
	cJSON_ArrayForEach (item, list) {
		struct phase *phase = &ph->phase[ph->n];
		struct model_params inner;
		char name[96];

		if (!params_inner(&inner, p, "phases", item, (int)ph->n, name, sizeof(name)))
			return -1;
		end += (uint64_t)(params_number(&inner, "duration_ns", 1e6, 1, 1e12) * PS_PER_NS);
		phase->end = end;
		phase->rate = params_number(&inner, "rate", 1, 1e-6, 1e6);
		phase->has_burst = params_item(&inner, "burst");
		phase->burst = params_distribution(&inner, "burst", &phase->burst);
		phase->has_lifetime = params_item(&inner, "lifetime_ns");
		phase->own = params_distribution(&inner, "lifetime_ns", &phase->own);
		phase->has_away = params_item(&inner, "remote_lifetime_ns");
		phase->away = params_distribution(&inner, "remote_lifetime_ns", &phase->away);
		phase->lifetime = params_number(&inner, "lifetime", 1, 0, 1e6);
		events += (double)(end - (ph->n ? phase[-1].end : 0)) * phase->rate;
		phase->events = events;
		if (params_finish(&inner))
			return -1;
		ph->n++;
	}
	return 0;
}

const struct phase *phases_at(const struct phases *ph, uint64_t time)
{
	const struct phase *p = ph->phase;
	uint64_t t = time % p[ph->n - 1].end;

	while (t >= p->end)
		p++;
	return p;
}

uint64_t phases_time(const struct phases *ph, double clock)
{
	const struct phase *last = &ph->phase[ph->n - 1], *p = ph->phase;
	double turns = floor(clock / last->events), begin = 0;
	uint64_t time = (uint64_t)turns * last->end, from = 0;

	clock -= turns * last->events;
	for (; p < last && clock >= p->events; p++) {
		begin = p->events;
		from = p->end;
	}
	return time + from + (uint64_t)((clock - begin) / p->rate);
}

double phases_clock(const struct phases *ph, uint64_t time)
{
	const struct phase *last = &ph->phase[ph->n - 1], *p = ph->phase;
	double begin = 0;
	uint64_t turns = time / last->end, from = 0;

	time %= last->end;
	for (; time >= p->end; p++) {
		begin = p->events;
		from = p->end;
	}
	return (double)turns * last->events + begin + (double)(time - from) * p->rate;
}
