#include <getopt.h>

#include "sim/cmd/command.h"
#include "sim/file.h"
#include "sim/chart/plot.h"
#include "sim/chart/plot_where.h"
#include "sim/suggest.h"

static const char help[] =
    "Usage: slabsim plot RESULT...|DIR -o FILE.svg|.png|.pdf [options]\n"
    "       slabsim plot RESULT...|DIR --terminal [options]\n"
    "\n"
    "Draw results (written by slabsim run --format json), or those of a sweep's folder,\n"
    "with gnuplot.\n"
    "\n"
    "  -o, --output FILE       the picture; its kind goes by the ending\n"
    "      --terminal          draw with letters, on standard output\n"
    "      --kind KIND         one of\n"
    "        counters (default)  in per cent of the objects allocated, as bars\n"
    "        paths               where objects come from and go to, as stacked shares\n"
    "        memory, partial     memory, or slabs on the nodes' partial lists, over the run\n"
    "        demo                counters and memory in one figure\n"
    "        waste               at the ends of slabs, against the size of an object\n"
    "        lines               --metric along --x, a line for each value of --by\n"
    "        heat                --metric over --x and --by\n"
    "        pareto              --metric-x and --metric of every point, and the front\n"
    "        cdf, causes, lock   of the timed machine: latencies, what time goes to,\n"
    "                            waiting for list_lock against CPUs\n"
    "      --metric NAME       a counter (in per cent of the objects allocated),\n"
    "                          slow_path_percent, slabs, memory.peak_total, memory.total,\n"
    "                          memory.waste_tail, memory.waste_align, memory.free,\n"
    "                          timing.all.mean, timing.all.p99, timing.operations_per_s,\n"
    "                          timing.causes.lock_wait, list_lock.wait,\n"
    "                          node_lists.moves: slabs on and off node partial lists\n"
    "      --metric-x NAME     for pareto: what goes to the right\n"
    "      --x AXIS, --by AXIS of lines and heat; AXIS is a setting that differs, such as\n"
    "                          policy.cpu_partial, or its last part\n"
    "      --where AXIS=VALUE  only points that have this value; may be given again\n"
    "      --cache NAME        only this cache (default: all together)\n"
    "      --published FILE    with the columns of a published table, marked as such\n"
    "      --width N           in pixels, 320 to 4000; bars get the room they need to be told\n"
    "                          apart\n"
    "      --keep              leave the script, with the data, in FILE.gp\n"
    "  -h, --help              this text\n"
    "\n"
    "Where points have several seeds, means are drawn, with 95 % confidence intervals. Names\n"
    "that have no room lose their middle. Without gnuplot the script, with the data, is left\n"
    "in FILE.gp, for gnuplot to draw later.\n"
    "\n"
    "The templates, which can be edited, are in the folder plots; SLABSIM_PLOTS names another.\n"
    "\n"
    "Examples:\n"
    "  slabsim plot objects.json pages.json -o counters.svg\n"
    "  slabsim plot out --kind lines --x cpu_partial --metric alloc_from_partial -o lines.png\n";

struct arguments {
	const char *kind, *cache, *output, *published, *metric, *metric_x, *x, *by;
	const char *width;
	char **where;
	unsigned nr_where;
	bool terminal, keep;
	char **files;
	unsigned nr_files;
};

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},
    {"terminal", no_argument, NULL, 't'},
    {"kind", required_argument, NULL, 'k'},
    {"cache", required_argument, NULL, 'c'},
    {"published", required_argument, NULL, 'p'},
    {"metric", required_argument, NULL, 'm'},
    {"metric-x", required_argument, NULL, 'M'},
    {"x", required_argument, NULL, 'x'},
    {"by", required_argument, NULL, 'b'},
    {"where", required_argument, NULL, 'w'},
    {"width", required_argument, NULL, 'W'},
    {"keep", no_argument, NULL, 's'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int check(const struct arguments *a, struct error *err)
{
	if (a->nr_files < 1)
		return error_input(err, "plot: no result given; write some with slabsim run "
					"--format json -o FILE, or with slabsim sweep");
	if (!a->output == !a->terminal)
		return error_input(err, "plot: either -o FILE.svg (.png, .pdf) or --terminal");
	return 0;
}

static int take_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 'o':
		return command_output(&a->output, optarg, err);
	case 't':
		a->terminal = true;
		break;
	case 's':
		a->keep = true;
		break;
	case 'w':
		a->where[a->nr_where++] = optarg;
		break;
	case 'k':
		a->kind = optarg;
		break;
	case 'c':
		a->cache = optarg;
		break;
	case 'p':
		a->published = optarg;
		break;
	case 'm':
		a->metric = optarg;
		break;
	case 'M':
		a->metric_x = optarg;
		break;
	case 'x':
		a->x = optarg;
		break;
	case 'b':
		a->by = optarg;
		break;
	case 'W':
		a->width = optarg;
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
	return check(a, err);
}

static const struct plot_kind *find_kind(const char *name, struct error *err)
{
	const struct plot_kind *kind = plot_kind_find(name), *k;
	struct suggest s;
	char buf[80];
	size_t i;

	if (kind)
		return kind;
	suggest_init(&s, name);
	for (i = 0; (k = plot_kind_nth(i)); i++)
		suggest_offer(&s, k->name);
	error_input(err, "--kind: no chart \"%s\"; slabsim plot --help lists them%s", name,
		    suggest_text(&s, buf, sizeof(buf)));
	return NULL;
}

/* gnuplot's terminal for a file of that name. */
static const char *find_terminal(const char *file, struct error *err)
{
	static const char *const endings[] = {"svg", "png", "pdf"};
	/* -o is asked for. NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	const char *dot = strrchr(file, '.');
	unsigned i;

	for (i = 0; dot && i < 3; i++)
		if (strcasecmp(dot + 1, endings[i]) == 0)
			return endings[i];
	error_input(err, "%s: should end in .svg, .png or .pdf, which says what is drawn", file);
	return NULL;
}

static int read_width(const char *text, unsigned *width, struct error *err)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (*end || n < 320 || n > 4000)
		return error_input(err, "--width: %.40s is not a number from 320 to 4000", text);
	*width = (unsigned)n;
	return 0;
}

static int read_axis(const struct runs *runs, const char *option, const char *name, unsigned *axis,
		     struct error *err)
{
	if (!name)
		return 0;
	*axis = runs_find_axis(runs, name);
	if (*axis < runs->nr_axes)
		return 0;
	return plot_no_axis(runs, option, name, err);
}

static int read_metric(const char *name, unsigned *metric, struct error *err)
{
	if (!name)
		return 0;
	*metric = metric_find(name, err);
	return *metric < NR_METRICS ? 0 : -1;
}

/* What is drawn one by one is read whole. */
static int complete(struct runs *runs, const struct plot *p, struct error *err)
{
	unsigned n = p->points ? p->nr_points : runs->nr_points, all[PLOT_MAX_ROWS];

	if (n > p->kind->max_points || n > PLOT_MAX_ROWS)
		return 0;
	for (unsigned i = 0; i < n; i++)
		all[i] = p->points ? p->points[i] : i;
	return runs_complete(runs, all, n, err);
}

static int draw(const struct arguments *a, struct plot *p, struct runs *runs, struct error *err)
{
	unsigned *points = NULL;
	int ret;

	if (read_axis(runs, "--x", a->x, &p->x, err) ||
	    read_axis(runs, "--by", a->by, &p->by, err) ||
	    read_metric(a->metric, &p->metric, err) || read_metric(a->metric_x, &p->metric_x, err))
		return -1;
	if (a->nr_where) {
		points = plot_where(runs, a->where, a->nr_where, &p->nr_points, err);
		if (!points)
			return -1;
		p->points = points;
	}
	ret = complete(runs, p, err);
	if (!ret)
		ret = plot_draw(p, a->output, a->keep, err);
	free(points);
	return ret;
}

static int draw_runs(const struct arguments *a, struct plot *p, struct error *err)
{
	struct metrics metrics = {0};
	struct runs runs;
	int ret = runs_load(&runs, a->files, a->nr_files, err);

	if (!ret)
		ret = metrics_init(&metrics, &runs, a->cache, err);
	p->metrics = &metrics;
	if (!ret)
		ret = draw(a, p, &runs, err);
	p->metrics = NULL;
	metrics_free(&metrics);
	runs_free(&runs);
	return ret;
}

static int check_output(const struct arguments *a, const char *output, struct error *err)
{
	if (command_check_inputs(output, a->files, a->nr_files, err))
		return -1;
	return file_check_not_input(output, a->published, err);
}

/* The script that is kept is written, too. */
static int check_outputs(const struct arguments *a, struct error *err)
{
	char *script;
	int ret;

	if (!a->output || check_output(a, a->output, err))
		return a->output ? -1 : 0;
	if (!a->keep)
		return 0;
	if (asprintf(&script, "%s.gp", a->output) < 0)
		return error_memory(err, "a file name");
	ret = check_output(a, script, err);
	free(script);
	return ret;
}

static int draw_all(const struct arguments *a, struct error *err)
{
	const struct plot_kind *kind = find_kind(a->kind, err);
	const char *terminal = NULL;
	struct published published;
	struct plot p;
	int ret;

	if (kind)
		terminal = a->terminal ? "dumb" : find_terminal(a->output, err);
	if (!terminal || check_outputs(a, err))
		return -1;
	p = plot_new(kind, terminal, NULL);
	if (a->width && read_width(a->width, &p.width, err))
		return -1;
	if (!a->published)
		return draw_runs(a, &p, err);
	if (published_load(&published, a->published, a->cache, err))
		return -1;
	p.published = &published;
	ret = draw_runs(a, &p, err);
	published_free(&published);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {.kind = "counters"};
	int ret;

	a.where = calloc((size_t)argc + 1, sizeof(*a.where));
	if (!a.where)
		return error_memory(err, "the arguments");
	ret = parse(&a, argc, argv, err);
	if (!ret)
		ret = draw_all(&a, err);
	free(a.where);
	return ret;
}

const struct command cmd_plot = {
    .name = "plot",
    .summary = "draw results as charts",
    .help = help,
    .run = run,
};
