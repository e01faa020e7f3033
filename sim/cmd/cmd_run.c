#include <cjson/cJSON.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/cmd/command.h"
#include "sim/engine.h"
#include "sim/result/exporter.h"
#include "sim/file.h"
#include "sim/config/config_use.h"
#include "sim/config/option.h"
#include "sim/suggest.h"
#include "workloads/workload.h"

static const char help[] =
    "Usage: slabsim run [CONFIG.json] [options]\n"
    "\n"
    "Replay a trace as the config says and tell what the kernel would have counted.\n"
    "Without a config everything is at its default; --trace is needed then.\n"
    "\n"
    "      --set PATH=VALUE  change the config: --set policy.cpu_partial=52,\n"
    "                        --set caches[0].object_size=216; VALUE is JSON, or else a\n"
    "                        string; may be given again\n"
    "      --trace FILE      the trace, instead of the config's; \"-\": standard input\n"
    "      --format FORMAT   text (default), json or csv\n"
    "  -o, --output FILE     write to FILE instead of standard output\n"
    "      --seed N          seed of everything that is random\n"
    "      --threads N       replay independent caches on N threads (order mode)\n"
    "      --plugin FILE.so  load more policies; may be given again\n"
    "  -q, --quiet           no notes and no progress on standard error\n"
    "  -h, --help            this text\n"
    "\n"
    "File names in a config, and in --set, are relative to the config.\n"
    "slabsim list options tells all keys of a config, slabsim list policies and\n"
    "slabsim list presets the values of those under \"policy\".\n"
    "\n"
    "Examples:\n"
    "  slabsim run --trace trace.dat\n"
    "  slabsim run configs/000-trace.json --set policy.partial_accounting=objects -o out.txt\n";

struct arguments {
	const char *config, *trace, *output;
	const struct exporter *exporter;
	char **settings; /* borrowed, but for the seed's */
	unsigned nr_settings;
	char seed[48];
	unsigned threads;
	char **plugins;
	unsigned nr_plugins;
	bool quiet;
};

static int find_format(struct arguments *a, const char *name, struct error *err)
{
	const struct exporter *e;
	char hint[128], list[200] = "";
	size_t used = 0;
	struct suggest s;

	a->exporter = exporter_find(name);
	if (a->exporter)
		return 0;
	suggest_init(&s, name);
	for (size_t i = 0; (e = exporter_nth(i)); i++) {
		suggest_offer(&s, e->name);
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
						 used ? ", " : "", e->name);
	}
	return error_input(err, "--format: there is no format \"%.60s\"%s%shere are: %s", name,
			   suggest_text(&s, hint, sizeof(hint)), s.best ? " T" : "; t", list);
}

static int read_seed(struct arguments *a, const char *text, struct error *err)
{
	uint64_t seed;

	if (command_number("--seed", text, 0, OPTION_MAX_NUMBER, &seed, err))
		return -1;
	snprintf(a->seed, sizeof(a->seed), "replay.seed=%" PRIu64, seed);
	return 0;
}

#define MAX_THREADS 1024

static int read_threads(struct arguments *a, const char *text, struct error *err)
{
	uint64_t threads;

	if (command_number("--threads", text, 1, MAX_THREADS, &threads, err))
		return -1;
	a->threads = (unsigned)threads;
	return 0;
}

static int take_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 's':
		a->settings[a->nr_settings++] = optarg;
		break;
	case 't':
		a->trace = optarg;
		break;
	case 'f':
		return find_format(a, optarg, err);
	case 'o':
		return command_output(&a->output, optarg, err);
	case 'r':
		return read_seed(a, optarg, err);
	case 'T':
		return read_threads(a, optarg, err);
	case 'p':
		a->plugins[a->nr_plugins++] = optarg;
		break;
	case 'q':
		a->quiet = true;
		break;
	}
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"set", required_argument, NULL, 's'},    {"trace", required_argument, NULL, 't'},
	    {"format", required_argument, NULL, 'f'}, {"output", required_argument, NULL, 'o'},
	    {"seed", required_argument, NULL, 'r'},   {"threads", required_argument, NULL, 'T'},
	    {"plugin", required_argument, NULL, 'p'}, {"quiet", no_argument, NULL, 'q'},
	    {"help", no_argument, NULL, 'h'},	      {0},
	};
	int ret = command_options(argc, argv, ":o:qh", options, take_option, a, err);

	if (ret)
		return ret;
	if (optind < argc)
		a->config = argv[optind++];
	if (optind < argc)
		return command_bad_argument(argv, argv[optind], err);
	if (!a->config && !a->trace)
		return error_input(err,
				   "run: a config, or --trace FILE, is missing; see slabsim run "
				   "--help");
	if (a->seed[0])
		a->settings[a->nr_settings++] = a->seed;
	return 0;
}

/* ---- progress ---- */

struct progress {
	uint64_t total; /* 0: not known */
	struct timespec last;
	bool shown;
};

static void show_progress(void *arg, uint64_t done)
{
	struct progress *p = arg;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	/* Five times a second are enough for the eye. */
	if ((now.tv_sec - p->last.tv_sec) * 1000 + (now.tv_nsec - p->last.tv_nsec) / 1000000 < 200)
		return;
	p->last = now;
	p->shown = true;
	if (p->total)
		fprintf(stderr, "\rslabsim: %3u %% of %" PRIu64 " events",
			(unsigned)(100.0 * (double)done / (double)p->total), p->total);
	else
		fprintf(stderr, "\rslabsim: %" PRIu64 " events", done);
}

static int run_engine(struct engine *e, const struct source *src, const struct arguments *a,
		      struct error *err)
{
	struct progress p = {.total = src->info.events};
	bool show = !a->quiet && isatty(STDERR_FILENO);
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &p.last);
	ret = engine_run(e, show ? show_progress : NULL, &p, err);
	if (p.shown)
		fputs("\r\033[K", stderr);
	return ret;
}

/* ---- the run ---- */

static int write_results(const struct results *res, const struct arguments *a, struct error *err)
{
	struct out_file out;

	if (file_create(&out, a->output ? a->output : "-", err))
		return -1;
	a->exporter->write(out.stream, res);
	return file_commit(&out, err);
}

static int simulate(const struct config *cfg, struct source *src, const struct arguments *a,
		    struct error *err)
{
	struct engine *e = engine_new(cfg, src, err);
	struct results res;
	int ret;

	if (!e)
		return -1;
	ret = run_engine(e, src, a, err);
	if (!ret)
		ret = engine_results(e, &res, err);
	if (!ret) {
		ret = write_results(&res, a, err);
		results_free(&res);
	}
	engine_free(e);
	return ret;
}

static void give_notes(const struct config *cfg)
{
	const cJSON *sweep = cJSON_GetObjectItemCaseSensitive(cfg->effective, "sweep");
	const cJSON *seeds = cJSON_GetObjectItemCaseSensitive(cfg->effective, "seeds");
	struct setting_use uses[NR_SETTING_USES];

	config_uses(cfg, uses);
	for (unsigned i = 0; i < NR_SETTING_USES; i++)
		if (uses[i].given && !uses[i].used)
			command_note("%s is set, but not used: %s", uses[i].path, uses[i].why);
	if (!cfg->preset_given)
		command_note("no policy.preset is given: %s", cfg->preset);
	if (cJSON_IsObject(sweep) && sweep->child)
		command_note("one run, without the config's sweep: slabsim sweep does that");
	else if (cJSON_IsNumber(seeds) && seeds->valuedouble > 1)
		command_note("one run, with the first of the config's seeds: slabsim sweep does "
			     "them all");
}

static int run_config(struct config *cfg, const struct arguments *a, struct error *err)
{
	struct source *src;
	int ret;

	if (a->trace && config_set_trace(cfg, a->trace, err))
		return -1;
	if (!cfg->trace && !cfg->model)
		return error_input(err,
				   "%s: workload.trace: no trace is named; name one there or "
				   "with --trace FILE",
				   cfg->path);
	if (a->output && file_check_writable(a->output, err))
		return -1;
	if (config_check_output(cfg, a->output, err) ||
	    command_check_inputs(a->output, a->plugins, a->nr_plugins, err))
		return -1;
	src = workload_open(cfg, err);
	if (!src)
		return -1;
	ret = simulate(cfg, src, a, err);
	src->ops->close(src);
	/* Last, so that an error stands alone. */
	if (!ret && !a->quiet)
		give_notes(cfg);
	return ret;
}

/* A trace in the config's place: configs begin with a brace. */
static bool looks_like_trace(const char *file)
{
	struct stat st;
	FILE *in;
	char c = '{';
	int at = 0;

	if (stat(file, &st) || !S_ISREG(st.st_mode))
		return false;
	in = fopen(file, "re");
	if (in) {
		/* A byte order mark may come first. */
		if (fscanf(in, "\xef\xbb\xbf%n", &at) < 0 || !at)
			rewind(in);
		if (fscanf(in, " %c", &c) != 1)
			c = '{';
		fclose(in);
	}
	/* A config in UTF-16 begins with its mark. */
	return c != '{' && (unsigned char)c < 0xfe;
}

static int load_config(struct config *cfg, const struct arguments *a, struct error *err)
{
	struct error why = {0};

	if (!config_load(cfg, a->config, a->settings, a->nr_settings, &why))
		return 0;
	if (a->config && !a->trace && looks_like_trace(a->config))
		return error_input(err,
				   "%s: not a config, which begins with {; a trace is given with "
				   "--trace",
				   a->config);
	*err = why;
	return -1;
}

static int run_arguments(const struct arguments *a, struct error *err)
{
	struct config cfg;
	int ret;

	for (unsigned i = 0; i < a->nr_plugins; i++) {
		if (policies_load_plugin(a->plugins[i], err))
			return -1;
	}
	if (load_config(&cfg, a, err))
		return -1;
	cfg.threads = a->threads;
	ret = run_config(&cfg, a, err);
	config_free(&cfg);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {.exporter = exporter_find("text")};
	int ret;

	a.settings = calloc((size_t)argc + 1, sizeof(*a.settings));
	a.plugins = calloc((size_t)argc + 1, sizeof(*a.plugins));
	if (!a.settings || !a.plugins)
		ret = error_memory(err, "the arguments");
	else
		ret = parse(&a, argc, argv, err);
	if (!ret)
		ret = run_arguments(&a, err);
	free(a.settings);
	free(a.plugins);
	return ret;
}

const struct command cmd_run = {
    .name = "run",
    .summary = "replay a trace under a policy",
    .help = help,
    .run = run,
};
