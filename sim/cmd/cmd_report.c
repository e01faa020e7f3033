#include <getopt.h>

#include "sim/cmd/command.h"
#include "sim/file.h"
#include "sim/chart/html_report.h"

static const char help[] =
    "Usage: slabsim report DIR -o report.html [options]\n"
    "       slabsim report RESULT... -o report.html [options]\n"
    "\n"
    "Write a page about a sweep, or about results of slabsim run --format json: what differs\n"
    "and by how much, charts, tables, the report of every run, configurations. One file that\n"
    "needs no network.\n"
    "\n"
    "  -o, --output FILE     the page\n"
    "      --title TEXT      its heading; default: the name that all runs have\n"
    "      --question TEXT   below it; default: the description in the config\n"
    "      --cache NAME      figures of this cache only; default: all together\n"
    "      --published FILE  a published reference (configs/published), shown as such, beside\n"
    "                        ours where it has counters; may be given again\n"
    "  -h, --help            this text\n"
    "\n"
    "Every heading of a table sorts, the name of a point opens its runs: their slabinfo -r,\n"
    "all counters, and the configuration, as a file to run again. FILE#run=3 opens a run.\n"
    "The page is light or dark as the reader's system is, and fits a phone.\n"
    "\n"
    "Without gnuplot the page has no charts, and their data and scripts are in the folder\n"
    "FILE.charts. The page's style and script are plots/report.css and plots/report.js.\n"
    "\n"
    "Example:\n"
    "  slabsim sweep configs/000-trace.json -o out --series\n"
    "  slabsim report out -o report.html --published configs/published/000-cpu-partial-"
    "accounting.json\n";

struct arguments {
	struct report_options opt;
	char **published;
	const char *output;
	char **files;
	unsigned nr_files;
};

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},
    {"title", required_argument, NULL, 't'},
    {"question", required_argument, NULL, 'q'},
    {"cache", required_argument, NULL, 'c'},
    {"published", required_argument, NULL, 'p'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int take_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 'o':
		return command_output(&a->output, optarg, err);
	case 't':
		a->opt.title = optarg;
		break;
	case 'q':
		a->opt.question = optarg;
		break;
	case 'c':
		a->opt.cache = optarg;
		break;
	case 'p':
		a->published[a->opt.nr_published++] = optarg;
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
		return error_input(err,
				   "report: neither a sweep's folder nor a result is given; see "
				   "slabsim report --help");
	if (!a->output)
		return error_input(err, "report: -o FILE.html says where to");
	return 0;
}

static int write_page(const struct arguments *a, struct runs *runs, struct error *err)
{
	struct report_options opt = a->opt;
	struct error note = {0};
	char *charts, *page = NULL;
	size_t n;
	FILE *mem;
	int ret;

	if (asprintf(&charts, "%s.charts", a->output) < 0)
		return error_memory(err, "a file name");
	opt.charts = charts;
	opt.published = a->published;
	/* Charts take time; until the page is whole nothing is left behind when we are ended. */
	mem = open_memstream(&page, &n);
	ret = mem ? report_write(mem, runs, &opt, &note, err) : error_memory(err, "the page");
	if (mem && fclose(mem) && !ret)
		ret = error_memory(err, "the page");
	if (!ret)
		ret = file_write(a->output, page, n, err);
	free(page);
	if (!ret && note.kind)
		command_note("%s", note.text);
	free(charts);
	return ret;
}

static int report(const struct arguments *a, struct error *err)
{
	struct runs runs;
	int ret;

	if (file_check_writable(a->output, err) ||
	    command_check_inputs(a->output, a->files, a->nr_files, err))
		return -1;
	for (unsigned i = 0; i < a->opt.nr_published; i++)
		if (file_check_not_input(a->output, a->published[i], err))
			return -1;
	ret = runs_load(&runs, a->files, a->nr_files, err);
	if (!ret)
		ret = write_page(a, &runs, err);
	runs_free(&runs);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {0};
	int ret;

	a.published = calloc((size_t)argc + 1, sizeof(*a.published));
	if (!a.published)
		return error_memory(err, "the arguments");
	ret = parse(&a, argc, argv, err);
	if (!ret)
		ret = report(&a, err);
	free(a.published);
	return ret;
}

const struct command cmd_report = {
    .name = "report",
    .summary = "write a page about a sweep or about results",
    .help = help,
    .run = run,
};
