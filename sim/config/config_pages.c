/* machine.pages: the memory slabs come from, as /proc/buddyinfo tells its state. */
#include <cjson/cJSON.h>

#include "sim/config/config_internal.h"

int config_read_free_blocks(struct option_reader *r, const struct config_option *opt,
			    const char *path, const struct cJSON *value, void *base)
{
	struct machine_pages *pages = &((struct config *)base)->machine.pages;
	const cJSON *item;
	unsigned order = 0;

	if (!cJSON_IsArray(value))
		return option_type_error(r, path, opt->wants, value);
	if (cJSON_GetArraySize(value) > (int)opt->max)
		return option_error(r, path, "%d numbers, but orders go from 0 to %d",
				    cJSON_GetArraySize(value), (int)opt->max - 1);
	cJSON_ArrayForEach (item, value) {
		int64_t number = 0;
		char where[120];

		snprintf(where, sizeof(where), "%.100s[%u]", path, order);
		if (option_number(r, where, item, 0, PAGES_MAX, &number))
			return -1;
		pages->free_blocks[order++] = (uint64_t)number;
	}
	pages->has_free_blocks = true;
	return 0;
}

int config_finish_pages(struct option_reader *r, const char *prefix, const struct machine_pages *p)
{
	char path[100];

	snprintf(path, sizeof(path), "%spages", prefix);
	if (p->memory_per_node && p->has_free_blocks)
		return option_error(r, path,
				    "memory_per_node, or free_blocks as /proc/buddyinfo has them, "
				    "is wanted, not both");
	if (!p->memory_per_node && !p->has_free_blocks && (p->free != 100 || p->fragmentation))
		return option_error(r, path, "memory_per_node is missing");
	return 0;
}

void config_pages(const struct config *cfg, struct pages_config *pages)
{
	const struct machine_pages *p = &cfg->machine.pages;

	*pages = (struct pages_config){
	    .memory_per_node = p->memory_per_node,
	    .free = p->free / 100.0,
	    .fragmentation = p->fragmentation / 100.0,
	    .has_free_blocks = p->has_free_blocks,
	    .seed = cfg->seed,
	};
	memcpy(pages->free_blocks, p->free_blocks, sizeof(pages->free_blocks));
}
