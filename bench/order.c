/* Replay of a set, as slabsim run does it: in order mode, or on the timed machine. */
#include "bench/bench.h"

#include <stdio.h>

#include "sim/config/config.h"
#include "sim/engine.h"

/* The most memory this process has had resident so far, from now on if begin; 0: not known. */
static uint64_t peak_memory(bool begin)
{
	unsigned long kib = 0;
	char line[256];
	FILE *f;

	f = begin ? fopen("/proc/self/clear_refs", "we") : NULL;
	if (f) {
		fputs("5", f);
		fclose(f);
	}
	f = fopen("/proc/self/status", "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmHWM: %lu", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return (uint64_t)kib * 1024;
}

/* The timed machine takes all events in before the first: it is timed as a whole. */
static int run_engine(const struct bench_run *run, struct engine *e, struct sample *s,
		      struct error *err)
{
	int ret;

	if (run->c->timed)
		sample_begin(s);
	ret = engine_run(e, NULL, NULL, err);
	if (run->c->timed)
		sample_end(s, run->set->fill + (uint64_t)run->rounds * run->set->n);
	return ret;
}

int order_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	struct source *src;
	struct engine *e;
	struct config cfg;
	uint64_t before = peak_memory(true);
	char preset[64];
	char *settings[] = {preset, (char *)"replay.mode=timed"};
	int ret = -1;

	snprintf(preset, sizeof(preset), "policy.preset=%s", run->c->preset);
	if (config_load(&cfg, NULL, settings, run->c->timed ? 2 : 1, err))
		return -1;
	cfg.threads = run->c->threads;
	s->wall = run->c->threads > 1;
	src = preloaded_open(run->set, run->rounds, run->c->timed ? NULL : s, err);
	e = src ? engine_new(&cfg, src, err) : NULL;
	if (e)
		ret = run_engine(run, e, s, err);
	s->memory = peak_memory(false) - before;
	engine_free(e);
	config_free(&cfg);
	if (src)
		src->ops->close(src);
	return ret;
}
