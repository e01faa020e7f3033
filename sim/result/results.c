#include <cjson/cJSON.h>

#include "sim/result/results.h"

void results_free(struct results *res)
{
	unsigned i;

	for (i = 0; i < res->nr_caches; i++) {
		free(res->caches[i].name);
		for (unsigned k = 0; k < res->caches[i].nr_aliases; k++)
			free(res->caches[i].aliases[k]);
		free(res->caches[i].aliases);
		free(res->caches[i].stat_per_cpu);
		free(res->caches[i].series);
	}
	free(res->caches);
	if (res->timing) {
		free(res->timing->path_time);
		free(res->timing->node);
		free(res->timing->barn);
		free(res->timing);
	}
	free(res->notes);
	free(res->name);
	cJSON_Delete(res->config);
	memset(res, 0, sizeof(*res));
}
