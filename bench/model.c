/* A workload model on the timed machine, the model's own work included. */
#include "bench/bench.h"

#include <stdio.h>

#include "sim/config/config.h"
#include "sim/engine.h"
#include "workloads/workload.h"

#define OBJECT "caches=[{\"name\": \"bench\", \"object_size\": 256}]"

static int load(struct config *cfg, const struct bench_case *c, struct error *err)
{
	char preset[64], model[512], cpus[32];
	char *settings[] = {preset, model, cpus, (char *)OBJECT, (char *)"replay.mode=timed"};

	snprintf(preset, sizeof(preset), "policy.preset=%s", c->preset);
	snprintf(model, sizeof(model), "workload.model=%s", c->model);
	snprintf(cpus, sizeof(cpus), "machine.cpus=%u", c->cpus);
	return config_load(cfg, NULL, settings, sizeof(settings) / sizeof(settings[0]), err);
}

static int run_engine(struct engine *e, struct sample *s, struct error *err)
{
	struct results res;

	sample_begin(s);
	if (engine_run(e, NULL, NULL, err))
		return -1;
	sample_end(s, 0);
	if (engine_results(e, &res, err))
		return -1;
	s->events = res.replayed;
	results_free(&res);
	return 0;
}

int model_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	struct source *src;
	struct engine *e;
	struct config cfg;
	int ret = -1;

	if (load(&cfg, run->c, err))
		return -1;
	src = workload_open(&cfg, err);
	e = src ? engine_new(&cfg, src, err) : NULL;
	if (e)
		ret = run_engine(e, s, err);
	engine_free(e);
	if (src)
		src->ops->close(src);
	config_free(&cfg);
	return ret;
}
