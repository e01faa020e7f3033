#include <getopt.h>

#include "sim/command.h"
#include "sim/plot.h"
#include "sim/suggest.h"

static const char help[] =
    "Usage: slabsim plot RESULT... -o FILE.svg|.png|.pdf [options]\n"
    "       slabsim plot RESULT... --terminal [options]\n"
    "\n"
    "Draw results (written by slabsim run --format json) with gnuplot, one bar or line each.\n"
    "\n"
    "  -o, --output FILE     the picture; its kind goes by the ending\n"
    "      --terminal        draw with letters, on standard output\n"
    "      --kind KIND       counters (default): in per cent of the objects allocated\n"
    "                        memory: memory over the run\n"
    "                        partial: slabs on the nodes' partial lists over the run\n"
    "                        demo: counters and memory in one figure\n"
    "      --cache NAME      only this cache (default: all together)\n"
    "      --published FILE  with the columns of a published table as further bars\n"
    "      --keep            leave the script, with the data, in FILE.gp\n"
    "  -h, --help            this text\n"
    "\n"
    "The templates, which can be edited, are in the folder plots; SLABSIM_PLOTS names another.\n"
    "\n"
    "Example:\n"
    "  slabsim plot objects.json pages.json -o counters.svg\n";

struct arguments {
	const char *kind, *cache, *output, *published;
	bool terminal, keep, help;
	char **files;
	unsigned nr_files;
};

static int bad_option(char **argv, int c, struct error *err)
{
	const char *what = argv[optind - 1];

	if (c == ':')
		return error_input(err, "%s: needs a value; see slabsim plot --help", what);
	return error_input(err, "%s: unknown option; see slabsim plot --help", what);
}

static int check(const struct arguments *a, struct error *err)
{
	if (a->nr_files < 1)
		return error_input(err, "plot: no result given; write some with slabsim run "
					"--format json -o FILE");
	if (a->nr_files > PLOT_MAX_RESULTS)
		return error_input(err,
				   "plot: %u results given; more than %u cannot be told apart "
				   "in one chart",
				   a->nr_files, PLOT_MAX_RESULTS);
	if (!a->output == !a->terminal)
		return error_input(err, "plot: either -o FILE.svg (.png, .pdf) or --terminal");
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"output", required_argument, NULL, 'o'},
	    {"terminal", no_argument, NULL, 't'},
	    {"kind", required_argument, NULL, 'k'},
	    {"cache", required_argument, NULL, 'c'},
	    {"published", required_argument, NULL, 'p'},
	    {"keep", no_argument, NULL, 's'},
	    {"help", no_argument, NULL, 'h'},
	    {0},
	};
	int c;

	*a = (struct arguments){.kind = "counters"};
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
		switch (c) {
		case 'o':
			a->output = optarg;
			break;
		case 't':
			a->terminal = true;
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
		case 's':
			a->keep = true;
			break;
		case 'h':
			a->help = true;
			return 0;
		default:
			return bad_option(argv, c, err);
		}
	}
	a->files = argv + optind;
	a->nr_files = (unsigned)(argc - optind);
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
	error_input(err, "--kind: no chart \"%s\"; there are counters, memory, partial, demo%s",
		    name, suggest_text(&s, buf, sizeof(buf)));
	return NULL;
}

/* gnuplot's terminal for a file of that name. */
static const char *find_terminal(const char *file, struct error *err)
{
	static const char *const endings[] = {"svg", "png", "pdf"};
	const char *dot = strrchr(file, '.');
	unsigned i;

	for (i = 0; dot && i < 3; i++)
		if (strcasecmp(dot + 1, endings[i]) == 0)
			return endings[i];
	error_input(err, "%s: should end in .svg, .png or .pdf, which says what is drawn", file);
	return NULL;
}

static int draw(const struct arguments *a, struct plot *p, struct error *err)
{
	struct loaded_result *r = results_load(a->files, a->nr_files, err);
	int ret;

	if (!r)
		return -1;
	p->results = r;
	p->nr_results = a->nr_files;
	ret = plot_draw(p, a->output, a->keep, err);
	loaded_results_free(r, a->nr_files);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct published published;
	struct arguments a;
	struct plot p = {0};
	int ret;

	if (parse(&a, argc, argv, err))
		return -1;
	if (a.help) {
		fputs(help, stdout);
		return 0;
	}
	p.kind = find_kind(a.kind, err);
	p.terminal = a.terminal ? "dumb" : find_terminal(a.output, err);
	p.cache = a.cache;
	if (!p.kind || !p.terminal)
		return -1;
	if (!a.published)
		return draw(&a, &p, err);
	if (published_load(&published, a.published, a.cache, err))
		return -1;
	p.published = &published;
	ret = draw(&a, &p, err);
	published_free(&published);
	return ret;
}

const struct command cmd_plot = {
    .name = "plot",
    .summary = "draw results as charts",
    .help = help,
    .run = run,
};
