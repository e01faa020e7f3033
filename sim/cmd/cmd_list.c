#include <cjson/cJSON.h>
#include <getopt.h>

#include "sim/cmd/command.h"
#include "sim/config/config.h"
#include "sim/escape.h"
#include "sim/json_reader.h"
#include "sim/config/option.h"
#include "sim/suggest.h"
#include "workloads/model.h"
#include "workloads/reader.h"

static const char help[] = "Usage: slabsim list WHAT [--plugin FILE.so]...\n"
			   "\n"
			   "List what there is to choose from. WHAT is one of\n"
			   "\n"
			   "  policies    what may stand under \"policy\" in a config, by axis\n"
			   "  presets     kernel versions, and what each sets on every axis\n"
			   "  workloads   where events come from: trace formats and models\n"
			   "  machines    the names that \"machine\" may have in a config\n"
			   "  options     all keys of a config, with their values and defaults\n"
			   "\n"
			   "      --plugin FILE.so  load more policies; may be given again\n"
			   "  -h, --help            this text\n";

/* Names in a column, long ones push it out. */
#define NAME_WIDTH 20

static void line(const char *name, const char *text)
{
	printf("  %-*s %s\n", NAME_WIDTH, name, text);
}

/* ---- policies ---- */

/* How the policy is written in a config. */
static const char *written(const struct policy *p, char *buf, size_t size)
{
	if (!p->takes_number)
		snprintf(buf, size, "%s", p->name);
	else if (p->plain_number)
		snprintf(buf, size, "NUMBER (%s)", p->name);
	else
		snprintf(buf, size, "{\"%s\": NUMBER%s}", p->name,
			 p->takes_base ? ", \"of\": NAME" : "");
	return buf;
}

static int list_policies(struct error *err)
{
	const struct policy *p;
	int axis = -1;

	(void)err;
	for (size_t i = 0; (p = policy_nth(i)); i++) {
		char how[128];

		if ((int)p->axis != axis) {
			printf("%s%s: %s\n", axis < 0 ? "" : "\n", axis_name(p->axis),
			       axis_help(p->axis));
			axis = (int)p->axis;
		}
		line(written(p, how, sizeof(how)), p->summary);
		if (p->takes_number)
			printf("  %-*s NUMBER is %s from %lld to %lld%s\n", NAME_WIDTH, "",
			       p->takes_fraction ? "any number" : "whole,", (long long)p->min,
			       (long long)p->max,
			       p->takes_base ? "; NAME is another policy of this axis" : "");
	}
	return 0;
}

/* ---- presets ---- */

static const char *setting(const struct preset *p, enum policy_axis axis)
{
	for (unsigned i = 0; i < p->nr_settings; i++) {
		if (p->settings[i].axis == axis)
			return p->settings[i].policy;
	}
	return "";
}

static bool all_alike(enum policy_axis axis)
{
	const struct preset *p;

	for (size_t i = 0; (p = preset_nth(i)); i++) {
		if (strcmp(setting(p, axis), setting(preset_nth(0), axis)))
			return false;
	}
	return preset_nth(0);
}

static int list_presets(struct error *err)
{
	const struct preset *p;

	(void)err;
	for (size_t i = 0; (p = preset_nth(i)); i++)
		line(p->name, p->summary);
	for (unsigned axis = 0; axis < NR_AXES; axis++) {
		const char *before = NULL;

		printf("\n%s: %s\n", axis_name(axis), axis_help(axis));
		if (all_alike(axis)) {
			line(setting(preset_nth(0), axis), "all");
			continue;
		}
		/* Presets that answer alike share a line. */
		for (size_t i = 0; (p = preset_nth(i)); i++) {
			const char *now = setting(p, axis);

			if (before && !strcmp(before, now))
				printf(", %s", p->name);
			else
				printf("%s  %-*s %s", before ? "\n" : "", NAME_WIDTH, now, p->name);
			before = now;
		}
		putchar('\n');
	}
	return 0;
}

/* ---- workloads ---- */

/* Lines of a model's help, set off. */
static void show_keys(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		printf("      %.*s\n", (int)len, text);
		text += len + (text[len] == '\n');
	}
}

static int list_workloads(struct error *err)
{
	const struct reader_ops *r;
	const struct model_ops *m;

	(void)err;
	puts("Trace formats, recognised by content, compressed (zstd, gzip, xz) or not:");
	for (size_t i = 0; (r = reader_nth(i)); i++)
		line(r->name, r->summary);
	puts("\nModels, which generate the load of the timed machine; \"workload\": {\"model\": "
	     "{NAME: {...}}}\nwith replay.mode timed. Their keys, defaults in parentheses; where "
	     "a time or a number may be random:\n5, {\"exponential\": MEAN}, {\"uniform\": "
	     "[FROM, TO]}, {\"lognormal\": {\"mean\", \"sigma\"}}, {\"weibull\":\n"
	     "{\"scale\", \"shape\"}}, {\"pareto\": {\"scale\", \"shape\"}} or "
	     "{\"quantiles\": [...]}.");
	for (size_t i = 0; (m = model_nth(i)); i++) {
		putchar('\n');
		line(m->name, m->summary);
		show_keys(m->help);
	}
	return 0;
}

/* ---- machines ---- */

static int show_machine(const char *name, struct error *err)
{
	char *path = config_machine_file(NULL, name, err);
	cJSON *machine = path ? json_read_file(path, err) : NULL;
	const cJSON *text = cJSON_GetObjectItemCaseSensitive(machine, "description");

	if (machine) {
		printf("  %-*s ", NAME_WIDTH, name);
		write_plain(stdout, cJSON_IsString(text) ? text->valuestring : "");
		putchar('\n');
	}
	cJSON_Delete(machine);
	free(path);
	return machine ? 0 : -1;
}

static int list_machines(struct error *err)
{
	char **names = config_machines(NULL, err);
	int ret = names ? 0 : -1;

	if (names && !names[0])
		command_note("no machines in configs/machines, nor installed");
	for (size_t i = 0; names && names[i]; i++) {
		if (!ret)
			ret = show_machine(names[i], err);
		free(names[i]);
	}
	free(names);
	return ret;
}

/* ---- options ---- */

static int list_options(struct error *err)
{
	size_t n;
	const struct config_option *table = config_options(&n);

	(void)err;
	puts("Keys of a config. null counts as not given.");
	for (size_t i = 0; i < n; i++) {
		const struct config_option *o = &table[i];
		char text[300];

		printf("\n%s: %s\n", o->path, option_wants(o, text, sizeof(text)));
		printf("    %s\n", option_help(o));
		printf("    default: %s\n", option_default(o, text, sizeof(text)));
	}
	return 0;
}

/* ---- the command ---- */

static const struct topic {
	const char *name;
	int (*list)(struct error *err);
} topics[] = {
    {"policies", list_policies}, {"presets", list_presets}, {"workloads", list_workloads},
    {"machines", list_machines}, {"options", list_options},
};

#define NR_TOPICS (sizeof(topics) / sizeof(topics[0]))

static const struct topic *find_topic(const char *name, struct error *err)
{
	struct suggest s;
	char hint[128];

	suggest_init(&s, name);
	for (size_t i = 0; i < NR_TOPICS; i++) {
		if (!strcmp(topics[i].name, name))
			return &topics[i];
		suggest_offer(&s, topics[i].name);
	}
	error_input(err, "list: \"%.60s\" cannot be listed%s", name,
		    s.best ? suggest_text(&s, hint, sizeof(hint))
			   : "; policies, presets, workloads, machines and options can");
	return NULL;
}

/* There is no other option. */
static int load_plugin(void *arg, int c, struct error *err)
{
	(void)arg;
	(void)c;
	return policies_load_plugin(optarg, err);
}

static int run(int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"plugin", required_argument, NULL, 'p'},
	    {"help", no_argument, NULL, 'h'},
	    {0},
	};
	const struct topic *topic;
	int ret = command_options(argc, argv, ":h", options, load_plugin, NULL, err);

	if (ret)
		return ret;
	if (optind == argc)
		return error_input(err, "list: what? policies, presets, workloads, machines or "
					"options");
	if (optind + 1 < argc)
		return command_bad_argument(argv, argv[optind + 1], err);
	topic = find_topic(argv[optind], err);
	return topic ? topic->list(err) : -1;
}

const struct command cmd_list = {
    .name = "list",
    .summary = "policies, presets, workloads, machines, options: what there is",
    .help = help,
    .run = run,
};
