#include "workloads/workload.h"

#include "workloads/model.h"
#include "workloads/trace.h"

/* A trace, with what the configuration says of call sites, the machine and the start. */
static struct source *open_trace(const struct config *cfg, struct error *err)
{
	struct trace_match *match = calloc(cfg->nr_caches + 1, sizeof(*match));
	struct trace_options opt = {
	    .match = match,
	    .page_size = cfg->machine.page_size,
	    .may_block = cfg->gfp_may_block,
	    .max_cpus = cfg->machine.cpus,
	    .reorder_ns = cfg->reorder_ns,
	    .jitter_ns = cfg->jitter_ns,
	    .seed = cfg->seed,
	    .adopt = cfg->initial != NULL,
	    .salvage = cfg->salvage,
	};
	struct source *src;

	if (!match) {
		error_memory(err, "the trace");
		return NULL;
	}
	for (unsigned i = 0; i < cfg->nr_caches; i++) {
		const struct cache_config *c = &cfg->caches[i];

		if (c->match_call_site)
			match[opt.nr_match++] = (struct trace_match){
			    .call_site = c->match_call_site,
			    .size = c->match_size,
			    .name = c->name,
			};
	}
	src = trace_open(cfg->trace, &opt, err);
	free(match);
	return src;
}

struct source *workload_open(const struct config *cfg, struct error *err)
{
	if (cfg->model && cfg->trace) {
		error_input(err, "workload.model: it excludes workload.trace");
		config_blame(cfg, err);
		return NULL;
	}
	return cfg->model ? model_open(cfg, err) : open_trace(cfg, err);
}
