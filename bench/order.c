/* Order-mode replay of a set, as slabsim run does it. */
#include "bench/bench.h"

#include <stdio.h>

#include "sim/config.h"
#include "sim/engine.h"

int order_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	struct source *src = preloaded_open(run->set, run->rounds, s, err);
	struct engine *e = NULL;
	struct config cfg;
	char preset[64];
	char *settings[] = {preset};
	int ret = -1;

	if (!src)
		return -1;
	snprintf(preset, sizeof(preset), "policy.preset=%s", run->c->preset);
	if (config_load(&cfg, NULL, settings, 1, err)) {
		src->ops->close(src);
		return -1;
	}
	e = engine_new(&cfg, src, err);
	if (e)
		ret = engine_run(e, NULL, NULL, err);
	engine_free(e);
	config_free(&cfg);
	src->ops->close(src);
	return ret;
}
