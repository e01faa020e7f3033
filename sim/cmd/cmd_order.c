/* slabsim order: which order each cache gets under which rule, and what that wastes. */
#include <ctype.h>
#include <getopt.h>

#include "sim/cmd/command.h"
#include "sim/file.h"
#include "sim/chart/order_plot.h"
#include "sim/order/order_print.h"
#include "sim/order/order_published.h"
#include "sim/order/order_sizes.h"
#include "sim/order/order_trace.h"
#include "sim/slabinfo_file.h"
#include "workloads/trace.h"

static const char help[] =
    "Usage: slabsim order [--sizes LIST | --slabinfo FILE | --trace FILE] [options]\n"
    "\n"
    "Which slab order does each cache get, what does it waste, and what would another rule\n"
    "give? Without --sizes, --slabinfo and --trace: the kmalloc caches.\n"
    "\n"
    "      --sizes LIST      objects of these sizes in bytes: A, A..B (in steps of 8), kmalloc,\n"
    "                        or several of them, separated by commas\n"
    "      --align N         ... aligned to N bytes (8)\n"
    "      --hwcache-align   ... aligned to cache lines, as SLAB_HWCACHE_ALIGN does\n"
    "      --cache-line N    ... of N bytes (64)\n"
    "      --slabinfo FILE   the caches in a copy of /proc/slabinfo, or in a folder like\n"
    "                        /sys/kernel/slab, which also knows what alignment wastes\n"
    "      --objects WHICH   their objects: active (default), or total: free ones in slabs too\n"
    "      --trace FILE      the caches of a recorded trace; their objects are the most that were\n"
    "                        live at once\n"
    "      --cpus N          CPUs of the machine, 1 to 4096 (as the trace says, or 8)\n"
    "      --page-size N     bytes, 4096 to 65536 (what the slabinfo file says, or 4096)\n"
    "      --order NAMES     rules, separated by commas: order policies (slabsim list policies\n"
    "                        tells them) or numbers for a fixed order; the others are compared\n"
    "                        with the first. Unless given: legacy (up to 6.6), mainline (since\n"
    "                        6.7), min-waste-absolute, min-waste-fraction and feng.\n"
    "      --slub-min-order N, --slub-max-order N, --slub-min-objects N\n"
    "                        as the boot parameters\n"
    "      --cpu-partial P   rule for the limit of per-CPU partial lists: default, default-old,\n"
    "                        feng, or a number of objects\n"
    "      --changed         only rows whose order differs between the rules\n"
    "      --totals          no rows, only the totals\n"
    "      --format FORMAT   text (default), json or csv\n"
    "  -o, --output FILE     write to FILE instead of standard output\n"
    "      --plot FILE       also draw waste against size, to FILE.svg, .png or .pdf\n"
    "      --published FILE  figures a mail printed (configs/published) beside ours; its CPUs and\n"
    "                        page size hold unless given\n"
    "      --plugin FILE.so  load policies from a shared object\n"
    "  -h, --help            this text\n"
    "\n"
    "Memory is that of slabs packed tightly with the objects. What per-CPU partial lists hold of\n"
    "it is at most their limit on every CPU.\n"
    "\n"
    "Examples:\n"
    "  slabsim order --slabinfo /proc/slabinfo --cpus 16 --changed\n"
    "  slabsim order --sizes 8..65536 --order legacy,mainline --changed\n"
    "  slabsim order --slabinfo configs/slabinfo-6.12-boot.txt \\\n"
    "          --published configs/published/001-order-min-waste.json\n";

#define DEFAULT_CPUS	  8
#define DEFAULT_PAGE_SIZE 4096
#define DEFAULT_RULES	  "legacy,mainline,min-waste-absolute,min-waste-fraction,feng"

struct arguments {
	const char *sizes, *slabinfo, *trace, *order, *cpu_partial, *format, *output, *plot,
	    *published;
	unsigned align, cache_line, cpus, page_size; /* 0: not given */
	int slub_min_order, slub_max_order, slub_min_objects;
	bool hwcache_align, total, changed, totals;
};

enum long_option {
	O_SIZES = 256,
	O_ALIGN,
	O_HWCACHE_ALIGN,
	O_CACHE_LINE,
	O_SLABINFO,
	O_OBJECTS,
	O_TRACE,
	O_CPUS,
	O_PAGE_SIZE,
	O_ORDER,
	O_MIN_ORDER,
	O_MAX_ORDER,
	O_MIN_OBJECTS,
	O_CPU_PARTIAL,
	O_CHANGED,
	O_TOTALS,
	O_FORMAT,
	O_PLOT,
	O_PUBLISHED,
	O_PLUGIN,
};

static const struct option options[] = {
    {"sizes", required_argument, NULL, O_SIZES},
    {"align", required_argument, NULL, O_ALIGN},
    {"hwcache-align", no_argument, NULL, O_HWCACHE_ALIGN},
    {"cache-line", required_argument, NULL, O_CACHE_LINE},
    {"slabinfo", required_argument, NULL, O_SLABINFO},
    {"objects", required_argument, NULL, O_OBJECTS},
    {"trace", required_argument, NULL, O_TRACE},
    {"cpus", required_argument, NULL, O_CPUS},
    {"page-size", required_argument, NULL, O_PAGE_SIZE},
    {"order", required_argument, NULL, O_ORDER},
    {"slub-min-order", required_argument, NULL, O_MIN_ORDER},
    {"slub-max-order", required_argument, NULL, O_MAX_ORDER},
    {"slub-min-objects", required_argument, NULL, O_MIN_OBJECTS},
    {"cpu-partial", required_argument, NULL, O_CPU_PARTIAL},
    {"changed", no_argument, NULL, O_CHANGED},
    {"totals", no_argument, NULL, O_TOTALS},
    {"format", required_argument, NULL, O_FORMAT},
    {"output", required_argument, NULL, 'o'},
    {"plot", required_argument, NULL, O_PLOT},
    {"published", required_argument, NULL, O_PUBLISHED},
    {"plugin", required_argument, NULL, O_PLUGIN},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* ---- the command line ---- */

static int number(const char *option, const char *text, unsigned min, unsigned max, unsigned *value,
		  struct error *err)
{
	uint64_t v = 0;

	if (command_number(option, text, min, max, &v, err))
		return -1;
	*value = (unsigned)v;
	return 0;
}

static int power_of_two(const char *option, const char *text, unsigned min, unsigned max,
			unsigned *value, struct error *err)
{
	if (number(option, text, min, max, value, err))
		return -1;
	if (*value & (*value - 1))
		return error_input(err, "%s: %u is not a power of two", option, *value);
	return 0;
}

static int boot_parameter(const char *option, const char *text, unsigned max, int *value,
			  struct error *err)
{
	unsigned v = 0;

	if (number(option, text, 0, max, &v, err))
		return -1;
	*value = (int)v;
	return 0;
}

static int which_objects(const char *text, bool *total, struct error *err)
{
	*total = !strcmp(text, "total");
	if (!*total && strcmp(text, "active"))
		return error_input(err, "--objects: active or total, not \"%.40s\"", text);
	return 0;
}

static int one_of_formats(const char *text, const char **format, struct error *err)
{
	if (strcmp(text, "text") && strcmp(text, "json") && strcmp(text, "csv"))
		return error_input(err, "--format: text, json or csv, not \"%.40s\"", text);
	*format = text;
	return 0;
}

static int take(void *arg, int option, struct error *err)
{
	struct arguments *a = arg;

	switch (option) {
	case O_SIZES:
		a->sizes = optarg;
		break;
	case O_ALIGN:
		return power_of_two("--align", optarg, 1, 65536, &a->align, err);
	case O_HWCACHE_ALIGN:
		a->hwcache_align = true;
		break;
	case O_CACHE_LINE:
		return power_of_two("--cache-line", optarg, 8, 1024, &a->cache_line, err);
	case O_SLABINFO:
		a->slabinfo = optarg;
		break;
	case O_OBJECTS:
		return which_objects(optarg, &a->total, err);
	case O_TRACE:
		a->trace = optarg;
		break;
	case O_CPUS:
		return number("--cpus", optarg, 1, MAX_CPUS, &a->cpus, err);
	case O_PAGE_SIZE:
		return power_of_two("--page-size", optarg, 4096, 65536, &a->page_size, err);
	case O_ORDER:
		a->order = optarg;
		break;
	case O_MIN_ORDER:
		return boot_parameter("--slub-min-order", optarg, MAX_PAGE_ORDER,
				      &a->slub_min_order, err);
	case O_MAX_ORDER:
		return boot_parameter("--slub-max-order", optarg, MAX_PAGE_ORDER,
				      &a->slub_max_order, err);
	case O_MIN_OBJECTS:
		return boot_parameter("--slub-min-objects", optarg, MAX_OBJS_PER_PAGE,
				      &a->slub_min_objects, err);
	case O_CPU_PARTIAL:
		a->cpu_partial = optarg;
		break;
	case O_CHANGED:
		a->changed = true;
		break;
	case O_TOTALS:
		a->totals = true;
		break;
	case O_FORMAT:
		return one_of_formats(optarg, &a->format, err);
	case 'o':
		return command_output(&a->output, optarg, err);
	case O_PLOT:
		a->plot = optarg;
		return order_plot_check(optarg, err);
	case O_PUBLISHED:
		a->published = optarg;
		break;
	case O_PLUGIN:
		return policies_load_plugin(optarg, err);
	}
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	int ret;

	*a = (struct arguments){
	    .order = DEFAULT_RULES,
	    .cpu_partial = "default",
	    .format = "text",
	    .slub_min_order = -1,
	    .slub_max_order = -1,
	    .slub_min_objects = -1,
	};
	ret = command_options(argc, argv, ":o:h", options, take, a, err);
	if (ret)
		return ret;
	if (optind < argc)
		return error_input(err,
				   "%s: what is this? A slabinfo file goes behind --slabinfo, "
				   "sizes behind --sizes",
				   argv[optind]);
	if (!!a->sizes + !!a->slabinfo + !!a->trace > 1)
		return error_input(err, "--sizes, --slabinfo, --trace: one of them, not two");
	if (a->slub_max_order >= 0 && a->slub_min_order > a->slub_max_order)
		return error_input(err,
				   "--slub-min-order %d, but --slub-max-order %d: the minimum is "
				   "no more than the maximum",
				   a->slub_min_order, a->slub_max_order);
	if ((a->align || a->hwcache_align || a->cache_line) && !a->sizes)
		return error_input(err,
				   "--align, --hwcache-align and --cache-line go with --sizes");
	return 0;
}

/* ---- the table ---- */

static int choose_cpu_partial(struct order_table *t, const char *text, struct error *err)
{
	const struct policy *p = isdigit((unsigned char)text[0])
				     ? policy_plain_number(AXIS_CPU_PARTIAL)
				     : policy_find(AXIS_CPU_PARTIAL, text);
	unsigned n = 0;

	if (!p || (p->takes_number && !isdigit((unsigned char)text[0])))
		return error_input(err,
				   "--cpu-partial: default, default-old, feng or a number of "
				   "objects, not \"%.40s\"",
				   text);
	t->cpu_partial.policy = p;
	if (!p->takes_number)
		return 0;
	if (number("--cpu-partial", text, (unsigned)p->min, (unsigned)p->max, &n, err))
		return -1;
	t->cpu_partial.number = n;
	return 0;
}

static int add_sizes(struct order_table *t, const struct arguments *a, struct error *err)
{
	struct geometry_request like = {
	    .align = a->align,
	    .hwcache_align = a->hwcache_align,
	    .cache_line_size = a->cache_line ? a->cache_line : 64,
	};

	return order_table_add_sizes(t, a->sizes ? a->sizes : "kmalloc", &like, err);
}

static int add_slabinfo(struct order_table *t, const struct arguments *a, struct error *err)
{
	struct slabinfo info;
	int rc;

	if (slabinfo_read(&info, a->slabinfo, err))
		return -1;
	if (!t->page_size)
		t->page_size = info.page_size;
	rc = order_table_add_slabinfo(t, &info, a->total, err);
	slabinfo_free(&info);
	return rc;
}

static int add_trace(struct order_table *t, const struct arguments *a, struct error *err)
{
	struct trace_options opt = {
	    .page_size = t->page_size ? t->page_size : DEFAULT_PAGE_SIZE,
	    .may_block = -1,
	};
	struct source *src = trace_open(a->trace, &opt, err);
	int rc;

	if (!src)
		return -1;
	if (!t->nr_cpus)
		t->nr_cpus = src->info.cpus;
	rc = order_table_add_source(t, src, err);
	src->ops->close(src);
	return rc ? error_prefix(err, "%s", a->trace) : 0;
}

/* What is not given on the command line, the published set-up says, then the input, then we. */
static int fill_table(struct order_table *t, const struct arguments *a,
		      struct order_published *published, struct error *err)
{
	if (a->published && order_published_load(published, a->published, err))
		return -1;
	t->nr_cpus = a->cpus ? a->cpus : published->cpus;
	t->page_size = a->page_size ? a->page_size : published->page_size;
	t->slub_min_order = a->slub_min_order;
	t->slub_max_order = a->slub_max_order;
	t->slub_min_objects = a->slub_min_objects;
	if (order_table_add_rules(t, a->order, err) || choose_cpu_partial(t, a->cpu_partial, err))
		return -1;
	if (a->slabinfo ? add_slabinfo(t, a, err) : a->trace ? add_trace(t, a, err) : 0)
		return -1;
	if (!t->nr_cpus)
		t->nr_cpus = DEFAULT_CPUS;
	if (!t->page_size)
		t->page_size = DEFAULT_PAGE_SIZE;
	return a->slabinfo || a->trace ? 0 : add_sizes(t, a, err);
}

/* Neither the table nor the chart takes the place of what is read. */
static int check_outputs(const struct arguments *a, struct error *err)
{
	const char *outputs[] = {a->output, a->plot};
	const char *inputs[] = {a->slabinfo, a->trace, a->published};

	for (unsigned i = 0; i < 6; i++)
		if (file_check_not_input(outputs[i / 3], inputs[i % 3], err))
			return -1;
	return 0;
}

static int write_table(const struct order_print *p, const struct arguments *a, struct error *err)
{
	struct out_file out;

	if (file_create(&out, a->output ? a->output : "-", err))
		return -1;
	if (!strcmp(a->format, "json"))
		order_print_json(out.stream, p);
	else if (!strcmp(a->format, "csv"))
		order_print_csv(out.stream, p);
	else
		order_print_text(out.stream, p);
	return file_commit(&out, err);
}

static int run(int argc, char **argv, struct error *err)
{
	struct order_published published = {0};
	struct order_table table = {0};
	struct order_print print = {.table = &table};
	struct arguments a;
	int rc = parse(&a, argc, argv, err);

	if (rc)
		return rc;
	if (check_outputs(&a, err))
		return -1;
	rc = fill_table(&table, &a, &published, err);
	print.published = a.published ? &published : NULL;
	print.only_changed = a.changed;
	print.only_totals = a.totals;
	if (!rc && a.plot)
		rc = order_plot(&table, a.plot, err);
	if (!rc)
		rc = write_table(&print, &a, err);
	order_table_free(&table);
	order_published_free(&published);
	return rc;
}

const struct command cmd_order = {
    .name = "order",
    .summary = "which slab order each cache gets, what it wastes, what other rules would give",
    .help = help,
    .run = run,
};
