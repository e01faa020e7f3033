#include <getopt.h>

#include "sim/cmd/command.h"
#include "sim/result/compare.h"
#include "sim/file.h"
#include "sim/chart/plot_runs.h"
#include "sim/sweep/sweep_compare.h"
#include "sim/sweep/sweep_data.h"

static const char help[] =
    "Usage: slabsim compare RESULT... [options]\n"
    "       slabsim compare DIR [options]\n"
    "\n"
    "Show results (written by slabsim run --format json) side by side: for every cache\n"
    "the counters and the memory, with their differences to the first result. Counters\n"
    "below 0.1 % of the objects allocated in every result are left out. A change of \"=\" is\n"
    "none at all; \"new\" is something where the first result has nothing.\n"
    "\n"
    "      --published FILE  beside a published table (configs/published) instead, row by\n"
    "                        row: shares of allocations and the relative error of each;\n"
    "                        of a sweep, the points with the policies of its columns\n"
    "      --cache NAME      only this cache\n"
    "      --all             all counters, the negligible too\n"
    "      --by-effect       the counters that change most first\n"
    "      --format FORMAT   text (default), csv, json or markdown\n"
    "  -o, --output FILE     write to FILE instead of standard output\n"
    "  -h, --help            this text\n"
    "\n"
    "Of a sweep, DIR, the figures of every point and their differences to a baseline, the\n"
    "largest first; with the sweep's seeds, means and 95 % confidence intervals.\n"
    "\n"
    "      --baseline POINT  what to compare with: a point's label, or its number; default 1\n"
    "      --figure NAME     only this figure, such as alloc_slowpath or memory.peak_total\n"
    "      --sensitivity     instead: how much of each figure's variation each axis\n"
    "                        accounts for\n"
    "      --pareto[=X,Y]    instead: the points that no other beats in figure X without\n"
    "                        losing in Y; default memory.peak_total,slow_path_percent\n"
    "\n"
    "Example:\n"
    "  slabsim compare objects.json pages.json\n"
    "  slabsim compare *.json --published configs/published/000-cpu-partial-accounting.json\n"
    "  slabsim compare out --published configs/published/000-cpu-partial-accounting.json\n"
    "  slabsim compare out --figure memory.peak_total --baseline 3\n";

#define MAX_RESULTS 64

struct arguments {
	struct compare_options opt;
	struct sweep_compare_options sweep;
	const char *only_of_sweep; /* an option that only a sweep's folder takes */
	enum table_format format;
	const char *published, *output;
	char **files;
	unsigned nr_files;
};

static const struct option options[] = {
    {"published", required_argument, NULL, 'p'},
    {"cache", required_argument, NULL, 'c'},
    {"all", no_argument, NULL, 'a'},
    {"by-effect", no_argument, NULL, 'e'},
    {"format", required_argument, NULL, 'f'},
    {"output", required_argument, NULL, 'o'},
    {"baseline", required_argument, NULL, 'b'},
    {"figure", required_argument, NULL, 'F'},
    {"sensitivity", no_argument, NULL, 's'},
    {"pareto", optional_argument, NULL, 'P'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int two_views(struct error *err)
{
	return error_input(err, "--sensitivity and --pareto: one of them, not both");
}

static int take_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 'p':
		a->published = optarg;
		break;
	case 'c':
		a->opt.cache = optarg;
		break;
	case 'a':
		a->opt.all = true;
		break;
	case 'e':
		a->opt.by_effect = true;
		break;
	case 'f':
		if (table_format_find(optarg, &a->format, err))
			return error_prefix(err, "--format");
		break;
	case 'o':
		return command_output(&a->output, optarg, err);
	case 'b':
		a->sweep.baseline = optarg;
		a->only_of_sweep = "--baseline";
		break;
	case 'F':
		a->sweep.figure = optarg;
		a->only_of_sweep = "--figure";
		break;
	case 's':
		if (a->sweep.view == SWEEP_PARETO)
			return two_views(err);
		a->sweep.view = SWEEP_SENSITIVITY;
		a->only_of_sweep = "--sensitivity";
		break;
	case 'P':
		if (a->sweep.view == SWEEP_SENSITIVITY)
			return two_views(err);
		a->sweep.view = SWEEP_PARETO;
		a->sweep.pareto = optarg;
		a->only_of_sweep = "--pareto";
		break;
	}
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	int ret = command_options(argc, argv, ":o:h", options, take_option, a, err);

	if (ret)
		return ret;
	a->nr_files = command_operands(argc, argv, &a->files);
	if (a->nr_files < 1)
		return error_input(err, "compare: no result given; write some with slabsim run "
					"--format json -o FILE");
	if (a->nr_files > MAX_RESULTS)
		return error_input(err, "compare: %u results given, at most %u fit side by side",
				   a->nr_files, MAX_RESULTS);
	return 0;
}

/* Every result a point of its own. */
static int fill(struct table *t, struct arguments *a, const struct loaded_result *r,
		struct error *err)
{
	struct compare_point point[MAX_RESULTS];
	struct published p;
	int ret;

	if (!a->published)
		return compare_results(t, r, a->nr_files, &a->opt, err);
	if (published_load(&p, a->published, a->opt.cache, err))
		return -1;
	for (unsigned i = 0; i < a->nr_files; i++)
		point[i] = (struct compare_point){r[i].label, &r[i], 1};
	a->opt.ours = results_shared_name(r, a->nr_files);
	ret = compare_published(t, &p, point, a->nr_files, &a->opt, err);
	published_free(&p);
	return ret;
}

static int write_out(const struct table *t, const struct arguments *a, struct error *err)
{
	struct out_file out;

	if (file_create(&out, a->output ? a->output : "-", err))
		return -1;
	if (table_write(t, a->format, out.stream, err)) {
		file_abandon(&out);
		return -1;
	}
	return file_commit(&out, err);
}

/* Those of a sweep's points that have the policy of a published column, with all seeds. */
static int fill_points(struct table *t, struct arguments *a, const struct published *p,
		       const struct runs *runs, struct error *err)
{
	struct compare_point *point = calloc(runs->nr_points, sizeof(*point));
	unsigned n = 0;
	int ret;

	if (!point)
		return error_memory(err, "a table");
	for (unsigned i = 0; i < runs->nr_points; i++) {
		const struct run_point *from = &runs->points[i];

		point[n] = (struct compare_point){from->label, &runs->r[from->first], from->nr};
		n += compare_has_column(p, &point[n]);
	}
	a->opt.ours = runs->name;
	if (n)
		ret = compare_published(t, p, point, n, &a->opt, err);
	else
		ret =
		    error_input(err, "%s: none of its points has the policy of a column of \"%s\"",
				a->files[0], p->title);
	free(point);
	return ret;
}

static int sweep_published(struct table *t, struct arguments *a, struct error *err)
{
	struct published p;
	struct runs runs;
	int ret;

	if (a->only_of_sweep)
		return error_input(err, "%s does not go with --published", a->only_of_sweep);
	if (published_load(&p, a->published, a->opt.cache, err))
		return -1;
	table_init(t, "column");
	ret = runs_load(&runs, a->files, 1, err);
	if (!ret)
		ret = fill_points(t, a, &p, &runs, err);
	runs_free(&runs);
	published_free(&p);
	return ret;
}

static int compare_sweep(struct arguments *a, struct error *err)
{
	struct table t = {0};
	int ret;

	if (a->nr_files > 1)
		return error_input(err, "compare: one sweep's folder at a time; its points are "
					"compared with each other");
	a->sweep.cache = a->opt.cache;
	a->sweep.all = a->opt.all;
	ret = a->published ? sweep_published(&t, a, err)
			   : sweep_compare(&t, a->files[0], &a->sweep, err);
	if (!ret)
		ret = write_out(&t, a, err);
	table_free(&t);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {0};
	struct loaded_result *r;
	struct table t;
	int ret = parse(&a, argc, argv, err);

	if (ret)
		return ret;
	if (command_check_inputs(a.output, a.files, a.nr_files, err) ||
	    file_check_not_input(a.output, a.published, err))
		return -1;
	for (unsigned i = 0; i < a.nr_files; i++)
		if (sweep_data_is_sweep(a.files[i]))
			return compare_sweep(&a, err);
	if (a.only_of_sweep)
		return error_input(err, "%s is for a sweep's folder, and none is given",
				   a.only_of_sweep);
	r = results_load(a.files, a.nr_files, err);
	if (!r)
		return -1;
	table_init(&t, a.published ? "column" : "cache");
	ret = fill(&t, &a, r, err);
	if (!ret)
		ret = write_out(&t, &a, err);
	table_free(&t);
	loaded_results_free(r, a.nr_files);
	return ret;
}

const struct command cmd_compare = {
    .name = "compare",
    .summary = "show results side by side, or beside published figures",
    .help = help,
    .run = run,
};
