/* Between the files of the config loader. */
#ifndef SLABSIM_CONFIG_INTERNAL_H
#define SLABSIM_CONFIG_INTERNAL_H

#include "sim/config/config.h"
#include "sim/config/option.h"

#define DEFAULT_PRESET "linux-6.1"

/* Where machines are installed. */
#ifndef DATADIR
#define DATADIR "/usr/local/share/slabsim"
#endif

/* read() and write() of table rows; base is a struct config. */
int config_read_caches(struct option_reader *r, const struct config_option *opt, const char *path,
		       const struct cJSON *value, void *base);
struct cJSON *config_write_caches(const struct config_option *opt, const struct cJSON *given,
				  const void *base, struct error *err);
struct cJSON *config_write_cpus_of_node(const struct config_option *opt, const struct cJSON *given,
					const void *base, struct error *err);
struct cJSON *config_write_distances(const struct config_option *opt, const struct cJSON *given,
				     const void *base, struct error *err);
int config_read_costs(struct option_reader *r, const struct config_option *opt, const char *path,
		      const struct cJSON *value, void *base);
int config_read_free_blocks(struct option_reader *r, const struct config_option *opt,
			    const char *path, const struct cJSON *value, void *base);
struct cJSON *config_write_policy(const struct config_option *opt, const struct cJSON *given,
				  const void *base, struct error *err);

/* What needs the other rows read first: cpus_of_node, distances, and that they agree. */
int config_finish_machine(struct option_reader *r, const struct cJSON *machine, const char *prefix,
			  struct machine_config *m);
/* machine.pages: do its keys agree? Part of the former. */
int config_finish_pages(struct option_reader *r, const char *prefix, const struct machine_pages *p);
/* The preset and the axes. */
int config_finish_policy(struct option_reader *r, const struct cJSON *policy, struct config *cfg);

/* Apply one --set argument to root. */
int config_apply_setting(struct cJSON *root, const char *setting, struct error *err);

/*
 * If "machine" in root is a name, put the contents of the machine's file in its place, after
 * checking them. file: the config's, or NULL. *used becomes the file's name, owned.
 */
int config_expand_machine(struct cJSON *root, const char *file, char *const *settings,
			  unsigned nr_settings, char **used, struct error *err);

#endif
