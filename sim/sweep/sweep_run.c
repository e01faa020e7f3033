#include "sim/sweep/sweep_run.h"

#include <cjson/cJSON.h>

#include "sim/engine.h"
#include "sim/result/exporter.h"
#include "sim/json_writer.h"
#include "workloads/memory.h"
#include "workloads/workload.h"

int sweep_load_workload(const struct sweep_plan *p, uint64_t run, struct memory **workload,
			struct error *err)
{
	struct source *src = NULL;
	struct config cfg;
	int ret = 0;

	*workload = NULL;
	if (sweep_plan_config(p, run, &cfg, err))
		return -1;
	if (cfg.trace) {
		/* It is read for machines of every size; the engine sees whether it fits. */
		cfg.machine.cpus = 0;
		src = workload_open(&cfg, err);
		*workload = src ? memory_load(src, err) : NULL;
		ret = *workload ? 0 : -1;
	}
	if (src)
		src->ops->close(src);
	config_free(&cfg);
	return ret;
}

static void drop_series(struct results *res)
{
	for (unsigned i = 0; i < res->nr_caches; i++) {
		free(res->caches[i].series);
		res->caches[i].series = NULL;
		res->caches[i].nr_series = 0;
	}
}

static int simulate(const struct config *cfg, const struct memory *workload, struct results *res,
		    struct error *err)
{
	struct source *src = workload ? memory_open(workload, err) : workload_open(cfg, err);
	struct engine *e = src ? engine_new(cfg, src, err) : NULL;
	int ret = -1;

	if (e)
		ret = engine_run(e, NULL, NULL, err) || engine_results(e, res, err) ? -1 : 0;
	engine_free(e);
	if (src)
		src->ops->close(src);
	return ret;
}

/* The result as one line of JSON. To be freed with free(). */
static char *result_text(const struct results *res, struct error *err)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out)
		exporter_json.write(out, res);
	if (!out || fclose(out)) {
		error_memory(err, "a result");
		free(text);
		return NULL;
	}
	cJSON_Minify(text);
	return text;
}

/* What is written under a key has to be of that key. */
static int check_key(const struct sweep_plan *p, uint64_t run, const struct config *cfg,
		     struct error *err)
{
	char key[DIGEST_LEN + 1];

	if (sweep_plan_key(p, cfg, key, err))
		return -1;
	if (strcmp(key, p->runs[run].key))
		return error_failed(err, "%s: changed since the sweep began", p->in.config);
	return 0;
}

int sweep_run(const struct sweep_plan *p, uint64_t run, const struct memory *workload, char **text,
	      size_t *len, struct error *err)
{
	struct results res;
	struct config cfg;
	char *json;
	int n;

	if (sweep_plan_config(p, run, &cfg, err))
		return -1;
	if (check_key(p, run, &cfg, err) || simulate(&cfg, workload, &res, err)) {
		config_free(&cfg);
		return -1;
	}
	if (!p->in.series)
		drop_series(&res);
	json = result_text(&res, err);
	results_free(&res);
	config_free(&cfg);
	if (!json)
		return -1;
	n = asprintf(text, "\"key\":\"%s\",\"result\":%s", p->runs[run].key, json);
	free(json);
	if (n < 0)
		return error_memory(err, "a result");
	*len = (size_t)n;
	return 0;
}

int sweep_error_record(const struct sweep_plan *p, uint64_t run, const char *message, char **text,
		       size_t *len, struct error *err)
{
	char *json = NULL;
	size_t size;
	FILE *out = open_memstream(&json, &size);
	struct json_writer w;
	int n;

	if (!out)
		return error_memory(err, "a record");
	json_init(&w, out);
	json_string(&w, NULL, message);
	if (fclose(out)) {
		free(json);
		return error_memory(err, "a record");
	}
	n = asprintf(text, "\"key\":\"%s\",\"error\":%s", p->runs[run].key, json);
	free(json);
	if (n < 0)
		return error_memory(err, "a record");
	*len = (size_t)n;
	return 0;
}
