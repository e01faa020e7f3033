#include <cjson/cJSON.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>

#include "sim/cmd/command.h"
#include "sim/sweep/sweep_alike.h"
#include "sim/sweep/sweep_dry_run.h"
#include "sim/sweep/sweep_drive.h"
#include "sim/sweep/sweep_merge.h"
#include "sim/sweep/sweep_results.h"
#include "sim/version.h"

static const char help[] =
    "Usage: slabsim sweep CONFIG.json -o DIR [options]\n"
    "       slabsim sweep CONFIG.json --dry-run [options]\n"
    "       slabsim sweep --merge DIR... -o DIR\n"
    "\n"
    "Run a config once for every combination of the values in its \"sweep\", and with every\n"
    "one of its \"seeds\". DIR/results.json and DIR/results.csv are the result,\n"
    "DIR/journal.jsonl has every run as soon as it is done.\n"
    "\n"
    "  -o, --output DIR      where to; made when it is not there\n"
    "  -j, --jobs N          runs at a time; default: as many as there are processors\n"
    "      --resume          go on where an earlier sweep of DIR ended, however it ended\n"
    "      --shard I/N       only the I-th of N parts (1..N), each in a DIR of its own\n"
    "      --merge           join the DIRs of such parts\n"
    "      --dry-run         list the runs, and do nothing\n"
    "      --set PATH=VALUE  change the config, as for slabsim run; may be given again\n"
    "      --trace FILE      the trace, instead of the config's\n"
    "      --seeds N         instead of the config's \"seeds\"\n"
    "      --series          keep the values over time of every run, for charts\n"
    "      --plugin FILE.so  load more policies; may be given again\n"
    "  -q, --quiet           no notes and no progress on standard error\n"
    "  -h, --help            this text\n"
    "\n"
    "In a config:\n"
    "  \"sweep\": {\n"
    "    \"policy.cpu_partial\": [13, 52],\n"
    "    \"machine.cpus\": {\"from\": 8, \"to\": 64, \"times\": 2},       (or \"step\": 8)\n"
    "    \"kernel\": [{\"label\": \"old\", \"set\": {\"policy.preset\": \"linux-5.15\"}},\n"
    "               {\"label\": \"new\", \"set\": {\"policy.preset\": \"linux-6.12\"}}],\n"
    "    \"zip\": [[\"machine.cpus\", \"kernel\"]],     these advance together\n"
    "    \"exclude\": [{\"kernel\": \"old\", \"policy.cpu_partial\": 52}]\n"
    "  },\n"
    "  \"seeds\": 5\n"
    "\n"
    "Ctrl-C lets the runs that are going on finish and writes what there is; a second one\n"
    "does not wait. Exit status: 1 when a run failed or is missing; 2 when a point's settings\n"
    "cannot be, which is found before anything is run.\n"
    "\n"
    "Examples:\n"
    "  slabsim sweep configs/000-trace.json -o out && slabsim compare out\n"
    "  slabsim sweep configs/000.json -o out --resume\n"
    "  slabsim sweep configs/000.json -o part-2 --shard 2/8\n"
    "  slabsim sweep --merge part-* -o out\n";

struct arguments {
	struct sweep_input in;
	struct sweep_options opt;
	const char *output;
	char **settings, **plugins;
	unsigned nr_settings, nr_plugins;
	char seeds[40];
	char **dirs; /* --merge */
	unsigned nr_dirs;
	bool resume, merge, dry_run;
};

/* Not those of the machine, but those this process may use: a batch system hands out some. */
static unsigned processors(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return n > 0 ? (unsigned)n : 1;
}

static int read_count(const char *option, const char *text, unsigned max, unsigned *value,
		      struct error *err)
{
	uint64_t n;

	if (command_number(option, text, 1, max, &n, err))
		return -1;
	*value = (unsigned)n;
	return 0;
}

static int read_shard(struct sweep_options *opt, const char *text, struct error *err)
{
	unsigned i, n;
	char rest;

	if (sscanf(text, "%u/%u%c", &i, &n, &rest) != 2 || n < 1 || n > SWEEP_MAX_RUNS || i < 1 ||
	    i > n)
		return error_input(err,
				   "--shard: I/N is wanted, the I-th of N parts, such as 2/8, not "
				   "\"%.60s\"",
				   text);
	opt->shard = i - 1;
	opt->shards = n;
	return 0;
}

static int read_seeds(struct arguments *a, const char *text, struct error *err)
{
	unsigned n = 0;

	if (read_count("--seeds", text, SWEEP_MAX_RUNS, &n, err))
		return -1;
	snprintf(a->seeds, sizeof(a->seeds), "seeds=%u", n);
	return 0;
}

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'}, {"jobs", required_argument, NULL, 'j'},
    {"resume", no_argument, NULL, 'R'},	      {"shard", required_argument, NULL, 'S'},
    {"merge", no_argument, NULL, 'm'},	      {"dry-run", no_argument, NULL, 'n'},
    {"set", required_argument, NULL, 's'},    {"trace", required_argument, NULL, 't'},
    {"seeds", required_argument, NULL, 'e'},  {"series", no_argument, NULL, 'c'},
    {"plugin", required_argument, NULL, 'p'}, {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},	      {0},
};

static int take_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 'o':
		return command_output(&a->output, optarg, err);
	case 'j':
		return read_count("-j", optarg, 4096, &a->opt.jobs, err);
	case 'R':
		a->resume = true;
		break;
	case 'S':
		return read_shard(&a->opt, optarg, err);
	case 'm':
		a->merge = true;
		break;
	case 'n':
		a->dry_run = true;
		break;
	case 's':
		a->settings[a->nr_settings++] = optarg;
		break;
	case 't':
		a->in.trace = optarg;
		break;
	case 'e':
		return read_seeds(a, optarg, err);
	case 'c':
		a->in.series = true;
		break;
	case 'p':
		a->plugins[a->nr_plugins++] = optarg;
		break;
	case 'q':
		a->opt.quiet = true;
		break;
	}
	return 0;
}

static int check(struct arguments *a, char **argv, struct error *err)
{
	if (!a->nr_dirs)
		return error_input(err, "sweep: a %s is missing; see slabsim sweep --help",
				   a->merge ? "DIR to merge" : "config");
	if (!a->merge && a->nr_dirs > 1)
		return command_bad_argument(argv, a->dirs[1], err);
	if (!a->output && !a->dry_run)
		return error_input(err, "sweep: -o DIR is missing, where the results go");
	if (a->merge && (a->resume || a->dry_run || a->opt.shards > 1 || a->nr_settings ||
			 a->in.trace || a->seeds[0]))
		return error_input(err, "--merge joins what there is: it takes DIRs and -o DIR");
	a->in.config = a->dirs[0];
	if (a->seeds[0])
		a->settings[a->nr_settings++] = a->seeds;
	a->in.settings = a->settings;
	a->in.nr_settings = a->nr_settings;
	a->in.plugins = a->plugins;
	a->in.nr_plugins = a->nr_plugins;
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	int ret;

	a->opt.jobs = processors();
	a->opt.shards = 1;
	ret = command_options(argc, argv, ":o:j:qh", options, take_option, a, err);
	if (ret)
		return ret;
	a->nr_dirs = command_operands(argc, argv, &a->dirs);
	return check(a, argv, err);
}

/* ---- the sweep ---- */

static const char *key_of(const void *arg, uint64_t run)
{
	return ((const struct sweep_plan *)arg)->runs[run].key;
}

static void tell_of_journal(const struct journal *j)
{
	if (j->torn)
		command_note("%s: the last line was not whole and is dropped; its run is done "
			     "again",
			     j->path);
	if (j->spoilt)
		command_note("%s:%" PRIu64 ": not a record, the first of %" PRIu64
			     " such lines; their runs are done again",
			     j->path, j->first_spoilt, j->spoilt);
	if (j->foreign)
		command_note("%s: %" PRIu64 " runs of it are not of this sweep", j->path,
			     j->foreign);
}

static int open_journal(struct journal *j, const struct sweep_plan *p, const struct arguments *a,
			struct error *err)
{
	int exists = journal_lock(j, a->output, err) ? -1 : journal_exists(j, err);

	if (exists < 0)
		return -1;
	if (!exists)
		return journal_create(j, &p->sweep, p->digest, err);
	if (!a->resume)
		return error_input(err,
				   "%s: a sweep was here before; --resume goes on with it, or "
				   "give another folder",
				   a->output);
	if (journal_resume(j, &p->sweep, p->digest, key_of, p, err))
		return -1;
	if (!a->opt.quiet)
		tell_of_journal(j);
	return 0;
}

/* How it ended, as the exit status tells. */
static int judge(const struct sweep_outcome *outcome, const struct sweep_tally *tally,
		 const struct arguments *a, struct error *err)
{
	uint64_t failed = tally->failed > outcome->failed ? tally->failed : outcome->failed;

	if (outcome->interrupted && outcome->missing)
		return error_failed(err,
				    "interrupted, with %" PRIu64 " of %" PRIu64
				    " runs not done; slabsim sweep ... -o %s --resume does them",
				    outcome->missing, outcome->runs, a->output);
	if (failed && outcome->first.kind)
		return error_failed(err,
				    "%" PRIu64 " of %" PRIu64 " runs failed, the first: %.700s",
				    failed, outcome->runs, outcome->first.text);
	if (failed)
		return error_failed(err,
				    "%" PRIu64 " of %" PRIu64
				    " runs failed; their \"error\" in %s/results.json tells why",
				    failed, outcome->runs, a->output);
	return 0;
}

/* After a full disk or the like: what was done is not lost. */
static void add_comfort(struct error *err, const struct journal *j, const struct arguments *a)
{
	size_t used = strlen(err->text);

	if (err->kind == ERROR_FAILED && j->done)
		snprintf(err->text + used, sizeof(err->text) - used,
			 "; %" PRIu64 " of %" PRIu64 " runs are kept, and -o %s --resume goes on",
			 j->done, j->runs, a->output);
}

/* The files of the sweep must be none that it reads. */
static int check_files(const struct sweep_plan *p, const struct arguments *a, struct error *err)
{
	for (unsigned i = 0; i < p->files->n; i++)
		if (sweep_check_files(a->output, NULL, p->files->files[i].path, err))
			return -1;
	return sweep_check_files(a->output, NULL, a->in.config, err);
}

static int run_sweep(const struct sweep_plan *p, struct arguments *a, struct error *err)
{
	struct sweep_outcome outcome;
	struct sweep_tally tally;
	struct journal j;
	int ret;

	if (check_files(p, a, err))
		return -1;
	ret = open_journal(&j, p, a, err);
	if (!ret)
		ret = sweep_drive(p, &j, &a->opt, &outcome, err);
	if (!ret)
		ret = sweep_results_write(a->output, &p->sweep, SLABSIM_VERSION, &j, &tally, err);
	if (ret)
		add_comfort(err, &j, a);
	else
		ret = judge(&outcome, &tally, a, err);
	journal_close(&j);
	return ret;
}

static int sweep(struct arguments *a, struct error *err)
{
	struct sweep_plan p;
	int ret;

	for (unsigned i = 0; i < a->nr_plugins; i++)
		if (policies_load_plugin(a->plugins[i], err))
			return -1;
	if (a->merge)
		return sweep_merge(a->dirs, a->nr_dirs, a->output, a->opt.quiet, err);
	ret = sweep_plan_init(&p, &a->in, err);
	if (!ret && !a->opt.quiet)
		ret = sweep_tell_alike(&p, command_note, err);
	if (!ret && a->dry_run)
		ret = sweep_dry_run(&p, &a->opt, stdout, err);
	else if (!ret)
		ret = run_sweep(&p, a, err);
	sweep_plan_free(&p);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {0};
	int ret;

	a.settings = calloc((size_t)argc + 1, sizeof(*a.settings));
	a.plugins = calloc((size_t)argc + 1, sizeof(*a.plugins));
	if (!a.settings || !a.plugins)
		ret = error_memory(err, "the arguments");
	else
		ret = parse(&a, argc, argv, err);
	if (!ret)
		ret = sweep(&a, err);
	free(a.settings);
	free(a.plugins);
	return ret;
}

const struct command cmd_sweep = {
    .name = "sweep",
    .summary = "run a config over the axes of its \"sweep\"",
    .help = help,
    .run = run,
};
