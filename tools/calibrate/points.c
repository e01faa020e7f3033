#include "points.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/engine.h"
#include "workloads/workload.h"

static uint64_t counter(const struct result_cache *c, const char *name)
{
	for (int i = 0; i < NR_STAT_ITEMS; i++)
		if (!strcmp(stat_name((enum stat_item)i), name))
			return c->stat[i];
	return 0;
}

static int take_figures(const struct calibration *k, const struct results *res, double *figure,
			struct error *err)
{
	for (unsigned i = 0; i < res->nr_caches; i++) {
		const struct result_cache *c = &res->caches[i];
		double allocs = (double)(c->stat[ALLOC_FASTPATH] + c->stat[ALLOC_SLOWPATH]);

		if (strcmp(c->name, k->cache))
			continue;
		for (unsigned r = 0; r < k->nr_rows; r++) {
			double share = 100 * (double)counter(c, k->row[r]->name) / allocs;

			/* A row that did not occur is far off, not infinitely far. */
			figure[r] = log(share > 1e-3 ? share : 1e-3);
		}
		return 0;
	}
	return error_input(err, "the result has no cache %s", k->cache);
}

static int simulate(const struct calibration *k, char **settings, unsigned n, double *figure,
		    struct error *err)
{
	struct source *src;
	struct engine *e = NULL;
	struct results res;
	struct config cfg;
	int ret = -1;

	if (config_load(&cfg, k->config, settings, n, err))
		return -1;
	src = workload_open(&cfg, err);
	if (src)
		e = engine_new(&cfg, src, err);
	if (e && !engine_run(e, NULL, NULL, err) && !engine_results(e, &res, err)) {
		ret = take_figures(k, &res, figure, err);
		results_free(&res);
	}
	engine_free(e);
	if (src)
		src->ops->close(src);
	config_free(&cfg);
	return ret;
}

/* x: logarithms of the settings. */
static int run_point(const struct calibration *k, const double *x, unsigned seed, double *figure,
		     struct error *err)
{
	char *settings[SURFACE_MAX_DIM + 20];
	unsigned n = 0;
	int ret;

	for (unsigned i = 0; i < k->nr_policy; i++)
		settings[n++] = k->policy[i];
	for (unsigned i = 0; i < k->nr_vary; i++)
		if (asprintf(&settings[n++], "%s=%.6g", k->vary[i].path, exp(x[i])) < 0)
			return error_memory(err, "settings");
	if (asprintf(&settings[n++], "replay.seed=%u", seed) < 0)
		return error_memory(err, "settings");
	ret = simulate(k, settings, n, figure, err);
	while (n > k->nr_policy)
		free(settings[--n]);
	return ret;
}

static void child(const struct calibration *k, unsigned job, const double *x, size_t points,
		  unsigned first_seed, double *figure)
{
	struct error err = {0};

	/* Not on its own, should the parent be ended. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = job; i < points * k->seeds; i += k->jobs) {
		size_t p = i / k->seeds;
		unsigned seed = first_seed + (unsigned)(i % k->seeds);

		if (run_point(k, &x[p * k->nr_vary], seed, &figure[i * k->nr_rows], &err)) {
			fprintf(stderr, "calibrate: %s\n", err.text);
			_exit(1);
		}
	}
	_exit(0);
}

int run_points(const struct calibration *k, const double *x, size_t points, unsigned first_seed,
	       double *mean, struct error *err)
{
	size_t size = points * k->seeds * k->nr_rows * sizeof(double);
	double *figure =
	    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, failed = 0;

	if (figure == MAP_FAILED)
		return error_memory(err, "figures");
	fflush(NULL);
	for (unsigned job = 0; job < k->jobs; job++) {
		pid_t pid = fork();

		if (pid == 0)
			child(k, job, x, points, first_seed, figure);
		failed |= pid < 0;
	}
	while (wait(&status) > 0)
		failed |= status;
	for (size_t p = 0; p < points; p++)
		for (unsigned r = 0; r < k->nr_rows; r++) {
			double sum = 0;

			for (unsigned s = 0; s < k->seeds; s++)
				sum += exp(figure[(p * k->seeds + s) * k->nr_rows + r]);
			mean[p * k->nr_rows + r] = log(sum / k->seeds);
		}
	munmap(figure, size);
	return failed ? error_failed(err, "a run failed") : 0;
}
