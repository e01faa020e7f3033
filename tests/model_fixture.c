#include "tests/model_fixture.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config/config.h"
#include "sim/engine.h"
#include "sim/policy.h"
#include "workloads/load-tee.h"
#include "workloads/workload.h"

#define MAX_SETTINGS 24

/* A hash of the bytes that matter (FNV-1a). */
static void digest(struct model_run *r, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		r->digest = (r->digest ^ (value >> (8 * i) & 0xff)) * 0x100000001b3;
}

static int keep(void *arg, unsigned cpu, const struct load_operation *op, uint64_t start,
		struct error *err)
{
	struct model_run *r = arg;

	(void)err;
	for (size_t i = 0; i < op->n; i++) {
		const struct event *ev = &op->events[i];

		if (r->n == r->cap) {
			r->cap = r->cap ? 2 * r->cap : 4096;
			r->event = reallocarray(r->event, r->cap, sizeof(*r->event));
			assert_non_null(r->event);
		}
		assert_int_equal(ev->cpu, cpu);
		r->event[r->n++] = (struct model_event){start, *ev};
		digest(r, start);
		digest(r, ev->object);
		digest(r, (uint64_t)ev->cpu << 32 | (uint64_t)ev->cache << 8 | ev->op);
	}
	return 0;
}

/* Every object is allocated, then freed, then perhaps allocated again; nothing is left. */
static void check_objects(struct model_run *r, unsigned caches)
{
	int32_t **cpu = calloc(caches, sizeof(*cpu)); /* that allocated it + 1; 0: not live */
	size_t *n = calloc(caches, sizeof(*n)), live = 0;

	assert_non_null(cpu);
	assert_non_null(n);
	for (size_t i = 0; i < r->n; i++) {
		const struct event *ev = &r->event[i].ev;
		bool alloc = ev->op == EV_ALLOC || ev->op == EV_ALLOC_BULK;

		assert_true(ev->cache < caches);
		if (ev->object >= n[ev->cache]) {
			size_t want = 2 * (size_t)ev->object + 64, old = n[ev->cache];

			cpu[ev->cache] = reallocarray(cpu[ev->cache], want, sizeof(**cpu));
			assert_non_null(cpu[ev->cache]);
			memset(&cpu[ev->cache][old], 0, (want - old) * sizeof(**cpu));
			n[ev->cache] = want;
		}
		if (alloc) {
			assert_int_equal(cpu[ev->cache][ev->object], 0);
			cpu[ev->cache][ev->object] = ev->cpu + 1;
			live++;
		} else {
			assert_int_not_equal(cpu[ev->cache][ev->object], 0);
			r->remote += cpu[ev->cache][ev->object] != ev->cpu + 1;
			cpu[ev->cache][ev->object] = 0;
			live--;
		}
	}
	assert_int_equal(live, 0);
	for (unsigned i = 0; i < caches; i++)
		free(cpu[i]);
	free(cpu);
	free(n);
}

static int load(struct config *cfg, const char *const *settings, struct error *err)
{
	char *list[MAX_SETTINGS] = {(char[]){"replay.mode=timed"},
				    (char[]){"policy.preset=linux-6.1"},
				    (char[]){"machine.cpus=8"}};
	unsigned n = 3;

	assert_int_equal(policies_init(err), 0);
	for (; *settings; settings++) {
		assert_true(n < MAX_SETTINGS);
		list[n++] = (char *)(uintptr_t)*settings;
	}
	return config_load(cfg, NULL, list, n, err);
}

void model_run(struct model_run *r, const char *const *settings)
{
	struct error err = {0};
	struct source *src;
	struct config cfg;
	struct engine *e;

	*r = (struct model_run){.digest = 0xcbf29ce484222325};
	if (load(&cfg, settings, &err))
		fail_msg("%s", err.text);
	src = workload_open(&cfg, &err);
	if (!src)
		fail_msg("%s", err.text);
	r->said = src->load->info.events;
	src->load = load_tee(src->load, keep, r, &err);
	assert_non_null(src->load);
	e = engine_new(&cfg, src, &err);
	if (!e || engine_run(e, NULL, NULL, &err) || engine_results(e, &r->res, &err))
		fail_msg("%s", err.text);
	check_objects(r, src->info.nr_caches);
	engine_free(e);
	src->ops->close(src);
	config_free(&cfg);
}

void model_run_free(struct model_run *r)
{
	free(r->event);
	results_free(&r->res);
}

const char *model_refused(const char *const *settings)
{
	static const char place[] = "configuration: ";
	static struct error err;
	struct source *src;
	struct config cfg;

	err = (struct error){0};
	if (load(&cfg, settings, &err))
		return err.text;
	src = workload_open(&cfg, &err);
	if (src)
		fail_msg("it was not refused");
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_int_equal(strncmp(err.text, place, sizeof(place) - 1), 0);
	config_free(&cfg);
	return err.text + sizeof(place) - 1;
}

uint64_t model_stat(const struct model_run *r, unsigned cache, enum stat_item item)
{
	assert_true(cache < r->res.nr_caches);
	return r->res.caches[cache].stat[item];
}

uint64_t model_allocs(const struct model_run *r, unsigned cache)
{
	return model_stat(r, cache, ALLOC_FASTPATH) + model_stat(r, cache, ALLOC_SLOWPATH);
}
