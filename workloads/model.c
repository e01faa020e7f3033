#include "workloads/model.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "sim/machine.h"
#include "sim/suggest.h"

#define MAX_MODELS 64

extern const struct model_ops *const __start_slabsim_models[] __attribute__((weak));
extern const struct model_ops *const __stop_slabsim_models[] __attribute__((weak));

/* The models in order of name; sanitizers put gaps between the section's pointers. */
static size_t collect(const struct model_ops *models[MAX_MODELS])
{
	size_t n = 0;

	for (const struct model_ops *const *m = __start_slabsim_models; m < __stop_slabsim_models;
	     m++) {
		size_t i = n;

		if (!*m || n == MAX_MODELS)
			continue;
		for (; i > 0 && strcmp(models[i - 1]->name, (*m)->name) > 0; i--)
			models[i] = models[i - 1];
		models[i] = *m;
		n++;
	}
	return n;
}

const struct model_ops *model_nth(size_t i)
{
	const struct model_ops *models[MAX_MODELS];

	return i < collect(models) ? models[i] : NULL;
}

const struct model_ops *model_find(const char *name)
{
	const struct model_ops *m;

	for (size_t i = 0; (m = model_nth(i)); i++)
		if (!strcmp(m->name, name))
			return m;
	return NULL;
}

/* ---- as a source ---- */

static int next_event(struct source *src, struct batch *batch, struct error *err)
{
	(void)src;
	(void)batch;
	return error_failed(err, "a workload model cannot be replayed in order");
}

static int rewind_events(struct source *src, struct error *err)
{
	(void)src;
	return error_input(err, "a workload model cannot be rewound");
}

static void close_source(struct source *src)
{
	src->load->ops->close(src->load);
	free(src);
}

static const struct source_ops source_ops = {
    .next = next_event,
    .rewind = rewind_events,
    .close = close_source,
};

static struct source *open_model(const struct config *cfg, struct error *err)
{
	const cJSON *params = cfg->model->child;
	const struct model_ops *ops = model_find(params->string), *m;
	struct source *src;

	if (!ops) {
		char hint[128];
		struct suggest s;

		suggest_init(&s, params->string);
		for (size_t i = 0; (m = model_nth(i)); i++)
			suggest_offer(&s, m->name);
		error_input(err, "workload.model: there is no model \"%s\"%s", params->string,
			    suggest_text(&s, hint, sizeof(hint)));
		return NULL;
	}
	if (!cJSON_IsObject(params)) {
		error_input(err, "workload.model.%s: an object of the model's keys is wanted",
			    ops->name);
		return NULL;
	}
	if (!cfg->machine.cpus) {
		error_input(err, "machine.cpus: missing; a workload model needs to know it");
		return NULL;
	}
	if (cfg->mode != REPLAY_TIMED) {
		error_input(err, "replay.mode: a workload model drives the timed machine: set it "
				 "to \"timed\"");
		return NULL;
	}
	src = calloc(1, sizeof(*src));
	if (!src) {
		error_memory(err, "the workload");
		return NULL;
	}
	src->ops = &source_ops;
	src->load = ops->open(params, cfg, err);
	if (!src->load) {
		free(src);
		return NULL;
	}
	src->info = src->load->info;
	return src;
}

struct source *model_open(const struct config *cfg, struct error *err)
{
	struct source *src = open_model(cfg, err);

	if (!src)
		config_blame(cfg, err);
	return src;
}

/* ---- for models ---- */

struct source_info model_info(const struct config *cfg, struct error *err)
{
	struct source_info info = {
	    .cpus = cfg->machine.cpus,
	    .nr_caches = cfg->nr_caches,
	    .has_times = true,
	};

	if (!cfg->nr_caches) {
		error_input(err, "caches: empty; a workload model needs at least one");
		return info;
	}
	info.caches = calloc(cfg->nr_caches, sizeof(*info.caches));
	if (!info.caches) {
		error_memory(err, "the caches of a model");
		return info;
	}
	/* The names are the configuration's; nobody frees them here. */
	for (unsigned i = 0; i < cfg->nr_caches; i++)
		info.caches[i].name = cfg->caches[i].name;
	return info;
}

uint16_t *model_nodes(const struct config *cfg, struct error *err)
{
	const struct machine_config *want = &cfg->machine;
	struct machine m = {
	    .cpus = want->cpus,
	    .nodes = want->nodes ? want->nodes : 1,
	    .page_size = want->page_size,
	    .cache_line_size = want->cache_line_size,
	};
	uint16_t *nodes;

	if (machine_init(&m, want->node_of_cpu, want->distances, err))
		return NULL;
	nodes = m.node_of_cpu;
	m.node_of_cpu = NULL;
	machine_free(&m);
	return nodes;
}

/* ---- parameters ---- */

void params_init(struct model_params *p, const char *model, const cJSON *json, struct error *err)
{
	*p = (struct model_params){.model = model, .json = json, .err = err};
}

int params_error(const struct model_params *p, const char *key, const char *fmt, ...)
{
	char text[768];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return error_input(p->err, "workload.model.%s.%s: %s", p->model, key, text);
}

const cJSON *params_item(struct model_params *p, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(p->json, key);

	if (p->nr_known < sizeof(p->known) / sizeof(p->known[0]))
		p->known[p->nr_known++] = key;
	return cJSON_IsNull(item) ? NULL : item;
}

double params_number(struct model_params *p, const char *key, double def, double min, double max)
{
	const cJSON *item = params_item(p, key);

	if (!item)
		return def;
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= min && item->valuedouble <= max)) {
		params_error(p, key, "a number from %g to %g is wanted", min, max);
		return def;
	}
	return item->valuedouble;
}

double params_count(struct model_params *p, const char *key, double def, double min, double max)
{
	double number = params_number(p, key, def, min, max);

	if (number != floor(number))
		params_error(p, key, "a whole number from %g to %g is wanted", min, max);
	return number;
}

bool params_bool(struct model_params *p, const char *key, bool def)
{
	const cJSON *item = params_item(p, key);

	if (item && !cJSON_IsBool(item))
		params_error(p, key, "true or false is wanted");
	return item ? cJSON_IsTrue(item) : def;
}

unsigned params_choice(struct model_params *p, const char *key, const char *const *names,
		       unsigned def)
{
	const cJSON *item = params_item(p, key);
	char list[256] = "";
	size_t used = 0;

	if (!item)
		return def;
	for (unsigned i = 0; names[i]; i++) {
		if (cJSON_IsString(item) && !strcmp(item->valuestring, names[i]))
			return i;
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s\"%s\"",
						 used ? ", " : "", names[i]);
	}
	params_error(p, key, "one of %s is wanted", list);
	return def;
}

bool params_inner(struct model_params *inner, struct model_params *p, const char *key,
		  const cJSON *json, int i, char *name, size_t size)
{
	if (i < 0)
		snprintf(name, size, "%s.%s", p->model, key);
	else
		snprintf(name, size, "%s.%s[%d]", p->model, key, i);
	params_init(inner, name, json, p->err);
	if (cJSON_IsObject(json))
		return true;
	error_input(p->err, "workload.model.%s: an object is wanted", name);
	return false;
}

static bool is_known(const struct model_params *p, const char *key)
{
	for (unsigned i = 0; i < p->nr_known; i++)
		if (!strcmp(p->known[i], key))
			return true;
	return false;
}

int params_finish(const struct model_params *p)
{
	const cJSON *item;

	cJSON_ArrayForEach (item, p->json) {
		char hint[128];
		struct suggest s;

		if (is_known(p, item->string))
			continue;
		suggest_init(&s, item->string);
		for (unsigned i = 0; i < p->nr_known; i++)
			suggest_offer(&s, p->known[i]);
		return error_input(p->err, "workload.model.%s: there is no key \"%s\"%s", p->model,
				   item->string, suggest_text(&s, hint, sizeof(hint)));
	}
	return p->err->kind == ERROR_NONE ? 0 : -1;
}
