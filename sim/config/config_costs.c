/* machine.costs: what things cost, in ns, each with its source or marked as an assumption. */
#include <cjson/cJSON.h>

#include "sim/config/config_internal.h"
#include "sim/suggest.h"

/* More than a ms for one step is a slip of the unit. */
#define MAX_COST_NS 1e6

static int find_cost(const char *key)
{
	for (int i = 0; i < NR_COST_ITEMS; i++)
		if (!strcmp(cost_name(i), key))
			return i;
	return -1;
}

static int unknown_cost(struct option_reader *r, const char *path, const char *key)
{
	char hint[128];
	struct suggest s;

	suggest_init(&s, key);
	for (int i = 0; i < NR_COST_ITEMS; i++)
		suggest_offer(&s, cost_name(i));
	return option_error(r, path, "there is no cost \"%s\"%s", key,
			    suggest_text(&s, hint, sizeof(hint)));
}

/* A number, or {"ns": NUMBER, "source": TEXT}. */
static int read_cost(struct option_reader *r, const char *path, const cJSON *item, double *cost)
{
	const cJSON *ns = item, *source, *field;

	if (cJSON_IsObject(item)) {
		ns = cJSON_GetObjectItemCaseSensitive(item, "ns");
		source = cJSON_GetObjectItemCaseSensitive(item, "source");
		if (source && !cJSON_IsString(source))
			return option_type_error(r, path, "a text as \"source\"", source);
		cJSON_ArrayForEach (field, item)
			if (field != ns && field != source)
				return option_error(r, path,
						    "a cost has \"ns\" and \"source\", not \"%s\"",
						    field->string);
		if (!ns)
			return option_error(r, path, "\"ns\" is missing");
	}
	if (!cJSON_IsNumber(ns))
		return option_type_error(r, path, "ns as a number, or {\"ns\", \"source\"}", ns);
	if (!(ns->valuedouble >= 0 && ns->valuedouble <= MAX_COST_NS))
		return option_error(r, path, "%g ns is not from 0 to %g", ns->valuedouble,
				    MAX_COST_NS);
	*cost = ns->valuedouble;
	return 0;
}

int config_read_costs(struct option_reader *r, const struct config_option *opt, const char *path,
		      const cJSON *value, void *base)
{
	struct timed_config *timed = &((struct config *)base)->timed;
	const cJSON *item;

	(void)opt;
	if (!cJSON_IsObject(value))
		return option_type_error(r, path, "an object of costs in ns", value);
	cJSON_ArrayForEach (item, value) {
		int cost = find_cost(item->string);
		char where[128];

		if (cost < 0)
			return unknown_cost(r, path, item->string);
		snprintf(where, sizeof(where), "%s.%s", path, item->string);
		if (read_cost(r, where, item, &timed->cost[cost]))
			return -1;
	}
	return 0;
}
