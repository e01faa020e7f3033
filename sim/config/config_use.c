#include "sim/config/config_use.h"

#include <cjson/cJSON.h>

/* Does a run not ask for it? Then why says why not. */
typedef bool (*unused_fn)(const struct config *cfg, char *why, size_t size);

static const struct policy *chosen(const struct config *cfg, enum policy_axis axis)
{
	return cfg->policy.choice[axis].policy;
}

static bool no_partial_lists(const struct config *cfg, char *why, size_t size)
{
	const struct policy *p = chosen(cfg, AXIS_ALLOCATOR);

	snprintf(why, size, "the allocator \"%.60s\" has no per-CPU partial lists", p->name);
	return !((const struct allocator_ops *)p)->has_cpu_slabs;
}

static bool no_sheaves(const struct config *cfg, char *why, size_t size)
{
	const struct policy *p = chosen(cfg, AXIS_ALLOCATOR);

	snprintf(why, size, "the allocator \"%.60s\" has no sheaves", p->name);
	return !((const struct allocator_ops *)p)->has_sheaves;
}

static bool no_refill_rule(const struct config *cfg, char *why, size_t size)
{
	const struct policy *p = chosen(cfg, AXIS_CPU_PARTIAL_FULL);

	if (no_partial_lists(cfg, why, size))
		return true;
	snprintf(why, size,
		 "with cpu_partial_full \"%.60s\" a CPU takes slabs until its list is full",
		 p->name);
	return ((const struct cpu_partial_full_ops *)p)->refill_until_refused;
}

static bool no_order_limits(const struct config *cfg, char *why, size_t size)
{
	const struct policy *p = chosen(cfg, AXIS_ORDER);

	snprintf(why, size, "the order policy \"%.60s\" does not look at it", p->name);
	return ((const struct order_ops *)p)->ignores_limits;
}

static const struct {
	const char *path;
	unused_fn unused;
} settings[NR_SETTING_USES] = {
    {"policy.partial_accounting", no_partial_lists}, {"policy.cpu_partial", no_partial_lists},
    {"policy.cpu_partial_full", no_partial_lists},   {"policy.refill", no_refill_rule},
    {"policy.slub_min_order", no_order_limits},	     {"policy.slub_max_order", no_order_limits},
    {"policy.slub_min_objects", no_order_limits},    {"caches[].cpu_partial", no_partial_lists},
    {"caches[].sheaf_capacity", no_sheaves},
};

/* Is it the key of a cache? Its name then, else NULL. */
static const char *cache_key(const char *path)
{
	return strncmp(path, "caches[].", 9) ? NULL : path + 9;
}

static bool is_given(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return item && !cJSON_IsNull(item);
}

static bool gives(const struct config *cfg, const char *path)
{
	const cJSON *cache;

	if (!cache_key(path))
		return is_given(cJSON_GetObjectItemCaseSensitive(cfg->given, "policy"),
				strchr(path, '.') + 1);
	cJSON_ArrayForEach (cache, cJSON_GetObjectItemCaseSensitive(cfg->given, "caches"))
		if (is_given(cache, cache_key(path)))
			return true;
	return false;
}

void config_uses(const struct config *cfg, struct setting_use uses[NR_SETTING_USES])
{
	for (unsigned i = 0; i < NR_SETTING_USES; i++) {
		struct setting_use *u = &uses[i];

		u->path = settings[i].path;
		u->given = gives(cfg, u->path);
		u->used = !settings[i].unused(cfg, u->why, sizeof(u->why));
	}
}

static void leave_out(cJSON *used, const char *path)
{
	cJSON *cache;

	if (!cache_key(path)) {
		cJSON_DeleteItemFromObjectCaseSensitive(
		    cJSON_GetObjectItemCaseSensitive(used, "policy"), strchr(path, '.') + 1);
		return;
	}
	cJSON_ArrayForEach (cache, cJSON_GetObjectItemCaseSensitive(used, "caches"))
		cJSON_DeleteItemFromObjectCaseSensitive(cache, cache_key(path));
}

struct cJSON *config_used(const struct config *cfg, struct error *err)
{
	cJSON *used = cJSON_Duplicate(cfg->effective, true);
	struct setting_use uses[NR_SETTING_USES];

	if (!used) {
		error_memory(err, "the configuration");
		return NULL;
	}
	config_uses(cfg, uses);
	for (unsigned i = 0; i < NR_SETTING_USES; i++)
		if (!uses[i].used)
			leave_out(used, uses[i].path);
	/* It stands for the axes, all of which are there. */
	leave_out(used, "policy.preset");
	return used;
}
