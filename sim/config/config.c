#include <cjson/cJSON.h>

#include "sim/config/config_internal.h"
#include "sim/file.h"
#include "sim/json_reader.h"

static bool about_machine(const char *setting)
{
	return !strncmp(setting, "machine.", 8);
}

/* The file's JSON with the settings applied, and the machine in place of its name. */
static int read_tree(struct option_reader *r, struct config *cfg)
{
	cJSON *root = r->file ? json_read_file(r->file, r->err) : cJSON_CreateObject();

	cfg->given = root;
	if (!root)
		return error_memory(r->err, "the configuration");
	if (!cJSON_IsObject(root))
		return option_type_error(r, "", "an object", root);
	for (unsigned i = 0; i < r->nr_settings; i++) {
		/* "machine.cpus=4" changes the machine that was named so far. */
		if (about_machine(r->settings[i]) &&
		    config_expand_machine(root, r->file, r->settings, i, &cfg->machine_file,
					  r->err))
			return -1;
		if (config_apply_setting(root, r->settings[i], r->err))
			return -1;
	}
	return config_expand_machine(root, r->file, r->settings, r->nr_settings, &cfg->machine_file,
				     r->err);
}

/* Without a name the run is called as its config file, or else its trace. */
static int default_name(struct config *cfg, struct error *err)
{
	const char *path = cfg->path ? cfg->path : cfg->trace, *base;
	size_t len;

	if (cfg->name)
		return 0;
	cfg->nameless = true;
	if (!path || !strcmp(path, "-"))
		path = "run";
	base = strrchr(path, '/');
	base = base ? base + 1 : path;
	len = strlen(base);
	if (len > 5 && !strcmp(base + len - 5, ".json"))
		len -= 5;
	cfg->name = strndup(base, len);
	return cfg->name ? 0 : error_memory(err, "the configuration");
}

static int check_workload(const struct option_reader *r, const struct config *cfg)
{
	if (cfg->jitter_ns && cfg->reorder_ns > 0)
		return option_error(r, "workload.jitter_ns",
				    "it and workload.reorder_ns exclude each other");
	return 0;
}

static int read_config(struct config *cfg, struct option_reader *r, const cJSON *root)
{
	const cJSON *machine = cJSON_GetObjectItemCaseSensitive(root, "machine");
	const cJSON *policy = cJSON_GetObjectItemCaseSensitive(root, "policy");

	if (options_set_defaults(r, "", cfg) || options_read(r, "", "", root, cfg) ||
	    config_finish_machine(r, machine, "machine.", &cfg->machine) ||
	    config_finish_policy(r, policy, cfg) || check_workload(r, cfg) ||
	    default_name(cfg, r->err))
		return -1;
	cfg->effective = cJSON_CreateObject();
	if (!cfg->effective)
		return error_memory(r->err, "the configuration");
	return options_write(r, "", root, cfg, false, cfg->effective);
}

int config_load(struct config *cfg, const char *file, char *const *settings, unsigned nr_settings,
		struct error *err)
{
	struct option_reader r = {
	    .file = file, .settings = settings, .nr_settings = nr_settings, .err = err};
	int ret = 0;

	*cfg = (struct config){0};
	r.table = config_options(&r.nr_options);
	if (file) {
		cfg->path = strdup(file);
		if (!cfg->path)
			ret = error_memory(err, "the configuration");
	}
	if (!ret)
		ret = read_tree(&r, cfg);
	if (!ret)
		ret = read_config(cfg, &r, cfg->given);
	if (ret)
		config_free(cfg);
	return ret;
}

int config_set_trace(struct config *cfg, const char *file, struct error *err)
{
	cJSON *workload = cJSON_GetObjectItemCaseSensitive(cfg->effective, "workload");
	cJSON *value = cJSON_CreateString(file);
	char *trace = strdup(file);

	if (!workload || !value || !trace ||
	    !cJSON_ReplaceItemInObjectCaseSensitive(workload, "trace", value)) {
		cJSON_Delete(value);
		free(trace);
		return error_memory(err, "the configuration");
	}
	free(cfg->trace);
	cfg->trace = trace;
	if (!cfg->nameless)
		return 0;
	free(cfg->name);
	cfg->name = NULL;
	if (default_name(cfg, err))
		return -1;
	value = cJSON_CreateString(cfg->name);
	if (value && cJSON_ReplaceItemInObjectCaseSensitive(cfg->effective, "name", value))
		return 0;
	cJSON_Delete(value);
	return error_memory(err, "the configuration");
}

int config_check_output(const struct config *cfg, const char *output, struct error *err)
{
	const char *const inputs[] = {cfg->path, cfg->machine_file, cfg->trace, cfg->initial};
	const cJSON *item;

	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
		if (file_check_not_input(output, inputs[i], err))
			return -1;
	cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(cfg->effective, "plugins")) {
		char *file = path_beside(cfg->path, item->valuestring, err);
		int ret = file ? file_check_not_input(output, file, err) : -1;

		free(file);
		if (ret)
			return -1;
	}
	return 0;
}

int config_blame(const struct config *cfg, struct error *err)
{
	if (err->kind != ERROR_INPUT)
		return -1;
	return error_prefix(err, "%s", cfg->path ? cfg->path : "configuration");
}

void config_free(struct config *cfg)
{
	size_t n;
	const struct config_option *table = config_options(&n);

	for (unsigned i = 0; i < cfg->nr_caches; i++)
		options_free(table, n, "caches[].", &cfg->caches[i]);
	options_free(table, n, "", cfg);
	free(cfg->caches);
	free(cfg->machine.node_of_cpu);
	free(cfg->machine.distances);
	free(cfg->path);
	free(cfg->machine_file);
	cJSON_Delete(cfg->given);
	cJSON_Delete(cfg->effective);
	cJSON_Delete(cfg->model);
	*cfg = (struct config){0};
}
