/* Machines by name: "machine": "guest-8cpu" stands for what is in guest-8cpu.json. */
#include <cjson/cJSON.h>
#include <dirent.h>
#include <unistd.h>

#include "sim/config/config_internal.h"
#include "sim/file.h"
#include "sim/json_reader.h"
#include "sim/suggest.h"

#define NR_PLACES 4

/* Where NAME.json is looked for, in this order. To be freed, each. */
static int machine_folders(const char *file, char *folder[NR_PLACES], struct error *err)
{
	folder[0] = path_beside(file, "machines/", err);
	folder[1] = path_beside(file, "", err);
	folder[2] = path_beside(NULL, "configs/machines/", err);
	folder[3] = path_beside(NULL, DATADIR "/machines/", err);
	for (unsigned i = 0; i < NR_PLACES; i++) {
		if (!folder[i])
			return -1;
	}
	return 0;
}

static int add_name(char ***names, size_t *n, const char *file, size_t len)
{
	char **more, *name = strndup(file, len);

	for (size_t i = 0; name && i < *n; i++) {
		if (!strcmp((*names)[i], name)) {
			free(name);
			return 0;
		}
	}
	more = name ? realloc(*names, (*n + 2) * sizeof(*more)) : NULL;
	if (!more) {
		free(name);
		return -1;
	}
	*names = more;
	more[(*n)++] = name;
	more[*n] = NULL;
	return 0;
}

static int list_folder(const char *folder, char ***names, size_t *n)
{
	struct dirent *entry;
	DIR *dir = opendir(folder);
	int ret = 0;

	/* It need not exist. */
	while (dir && !ret && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);

		if (len > 5 && entry->d_name[0] != '.' && !strcmp(entry->d_name + len - 5, ".json"))
			ret = add_name(names, n, entry->d_name, len - 5);
	}
	if (dir)
		closedir(dir);
	return ret;
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

char **config_machines(const char *file, struct error *err)
{
	char *folder[NR_PLACES] = {NULL}, **names = calloc(1, sizeof(*names));
	int ret = names ? machine_folders(file, folder, err) : -1;
	size_t n = 0;

	/* The config's own folder holds configs, too: only asked when a name is looked up. */
	for (unsigned i = 0; i < NR_PLACES; i++) {
		if (!ret && i != 1)
			ret = list_folder(folder[i], &names, &n);
		free(folder[i]);
	}
	if (!ret) {
		qsort(names, n, sizeof(*names), compare_names);
		return names;
	}
	while (n)
		free(names[--n]);
	free(names);
	error_memory(err, "the machines");
	return NULL;
}

static void no_machine(const char *file, const char *name, struct error *err)
{
	char **names = config_machines(file, err), hint[128];
	struct suggest s;

	if (!names)
		return;
	suggest_init(&s, name);
	for (size_t i = 0; names[i]; i++)
		suggest_offer(&s, names[i]);
	error_input(err,
		    "there is no machine \"%.60s\"%s (%.60s.json is looked for in machines/ beside "
		    "the config, beside the config, in configs/machines/ and in %s/machines/)",
		    name, suggest_text(&s, hint, sizeof(hint)), name, DATADIR);
	for (size_t i = 0; names[i]; i++)
		free(names[i]);
	free(names);
}

char *config_machine_file(const char *file, const char *name, struct error *err)
{
	char *folder[NR_PLACES] = {NULL}, *path = NULL;
	int ret;

	if (!*name || *name == '.' || strchr(name, '/')) {
		error_input(err,
			    "\"%.60s\" is not the name of a machine (a file NAME.json, without "
			    ".json and folder)",
			    name);
		return NULL;
	}
	ret = machine_folders(file, folder, err);
	for (unsigned i = 0; i < NR_PLACES; i++) {
		if (!ret && !path) {
			if (asprintf(&path, "%s%s.json", folder[i], name) < 0) {
				path = NULL;
				ret = error_memory(err, "a file name");
			} else if (access(path, F_OK)) {
				free(path);
				path = NULL;
			}
		}
		free(folder[i]);
	}
	if (!ret && !path)
		no_machine(file, name, err);
	return path;
}

/* Is machine, from the file path, a good one by itself? */
static int check_machine_file(const cJSON *machine, const char *path, struct error *err)
{
	struct config scratch = {0};
	struct option_reader r = {.file = path, .err = err};
	int ret;

	r.table = config_options(&r.nr_options);
	if (!cJSON_IsObject(machine))
		return option_type_error(&r, "", "an object", machine);
	ret = options_set_defaults(&r, "", &scratch);
	if (!ret)
		ret = options_read(&r, "machine.", "", machine, &scratch);
	if (!ret)
		ret = config_finish_machine(&r, machine, "", &scratch.machine);
	config_free(&scratch);
	return ret;
}

int config_expand_machine(struct cJSON *root, const char *file, char *const *settings,
			  unsigned nr_settings, char **used, struct error *err)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(root, "machine");
	struct option_reader r = {
	    .file = file, .settings = settings, .nr_settings = nr_settings, .err = err};
	struct error why = {0};
	cJSON *machine;
	char *path;

	if (!cJSON_IsString(name))
		return 0;
	path = config_machine_file(file, name->valuestring, &why);
	if (!path && why.kind == ERROR_INPUT)
		return option_error(&r, "machine", "%.800s", why.text);
	if (!path)
		return error_memory(err, "the machine");
	machine = json_read_file(path, err);
	if (!machine || check_machine_file(machine, path, err)) {
		cJSON_Delete(machine);
		free(path);
		return -1;
	}
	free(*used);
	*used = path;
	if (cJSON_ReplaceItemInObjectCaseSensitive(root, "machine", machine))
		return 0;
	cJSON_Delete(machine);
	return error_memory(err, "the machine");
}
