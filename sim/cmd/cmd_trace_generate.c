#include <getopt.h>
#include <time.h>
#include <unistd.h>

#include "sim/cmd/cmd_trace.h"
#include "sim/config/config.h"
#include "sim/file.h"
#include "sim/config/option.h"
#include "workloads/capture.h"
#include "workloads/csv-write.h"
#include "workloads/slabtrace.h"

static const char help[] =
    "Usage: slabsim trace generate CONFIG.json -o OUT [options]\n"
    "\n"
    "Run the config's workload model on the timed machine, under its policy, and write what it\n"
    "did as a trace, with times. slabsim list workloads tells the models.\n"
    "\n"
    "  -o, --output FILE    where to; \"-\": standard output\n"
    "      --to FORMAT      slabtrace (default), or csv\n"
    "      --no-times       leave out the times\n"
    "      --set PATH=VALUE change the config, as for slabsim run; may be given again\n"
    "      --seed N         seed of everything that is random\n"
    "  -q, --quiet          no progress on standard error\n"
    "  -h, --help           this text\n"
    "\n"
    "Example:\n"
    "  slabsim trace generate configs/002.json -o hackbench.slabtrace\n";

struct arguments {
	const char *config, *out;
	char **settings;
	unsigned nr_settings;
	char seed[48];
	bool csv, no_times, quiet;
};

static int read_seed(struct arguments *a, const char *text, struct error *err)
{
	uint64_t seed;

	if (command_number("--seed", text, 0, OPTION_MAX_NUMBER, &seed, err))
		return -1;
	snprintf(a->seed, sizeof(a->seed), "replay.seed=%llu", (unsigned long long)seed);
	return 0;
}

static int read_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 'o':
		return command_output(&a->out, optarg, err);
	case 't':
		return trace_read_to(optarg, &a->csv, err);
	case 'n':
		a->no_times = true;
		break;
	case 's':
		a->settings[a->nr_settings++] = optarg;
		break;
	case 'r':
		return read_seed(a, optarg, err);
	case 'q':
		a->quiet = true;
		break;
	}
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"output", required_argument, NULL, 'o'}, {"to", required_argument, NULL, 't'},
	    {"no-times", no_argument, NULL, 'n'},     {"set", required_argument, NULL, 's'},
	    {"seed", required_argument, NULL, 'r'},   {"quiet", no_argument, NULL, 'q'},
	    {"help", no_argument, NULL, 'h'},	      {0},
	};
	int ret;

	ret = command_options(argc, argv, ":o:qh", options, read_option, a, err);
	if (ret)
		return ret;
	if (command_argument(argc, argv, "config", &a->config, err) ||
	    command_needs_output(argv, a->out, err) || file_check_not_input(a->out, a->config, err))
		return -1;
	if (a->seed[0])
		a->settings[a->nr_settings++] = a->seed;
	return 0;
}

static void show_progress(void *arg, uint64_t done)
{
	struct timespec *last = arg, now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if ((now.tv_sec - last->tv_sec) * 1000 + (now.tv_nsec - last->tv_nsec) / 1000000 < 200)
		return;
	*last = now;
	fprintf(stderr, "\rslabsim: %llu events", (unsigned long long)done);
}

static int write_trace(const struct arguments *a, struct source *src, unsigned page_size,
		       struct error *err)
{
	const struct slabtrace_options to = {.times = !a->no_times};
	struct stream *st = stream_of_source(src, err);
	int ret;

	if (!st)
		return -1;
	st->page_size = page_size;
	if (a->csv)
		ret = csv_write(st, a->out, !a->no_times, err);
	else
		ret = slabtrace_write(st, a->out, &to, NULL, err);
	stream_close(st);
	return ret;
}

static int generate(const struct arguments *a, struct error *err)
{
	bool show = !a->quiet && isatty(STDERR_FILENO);
	struct timespec last = {0};
	struct source *src = NULL;
	struct config cfg;
	int ret = -1;

	if (config_load(&cfg, a->config, a->settings, a->nr_settings, err))
		return -1;
	if (!cfg.model)
		error_input(err, "%s: workload.model: there is none; slabsim list workloads",
			    a->config);
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): parse() asks for it */
	else if (file_check_writable(a->out, err) || config_check_output(&cfg, a->out, err))
		;
	else
		src = capture_model(&cfg, show ? show_progress : NULL, &last, err);
	if (show)
		fputs("\r\033[K", stderr);
	if (src) {
		ret = write_trace(a, src, cfg.machine.page_size, err);
		src->ops->close(src);
	}
	config_free(&cfg);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {0};
	int ret;

	a.settings = calloc((size_t)argc + 1, sizeof(*a.settings));
	if (!a.settings)
		return error_memory(err, "the arguments");
	ret = parse(&a, argc, argv, err);
	if (!ret)
		ret = generate(&a, err);
	free(a.settings);
	return ret;
}

const struct command cmd_trace_generate = {
    .name = "generate",
    .summary = "a workload model's events as a trace",
    .help = help,
    .run = run,
};
