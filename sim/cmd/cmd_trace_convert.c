#include <getopt.h>

#include "sim/file.h"
#include "sim/cmd/cmd_trace.h"
#include "workloads/csv-write.h"
#include "workloads/deliver.h"
#include "workloads/slabtrace.h"

static const char help[] =
    "Usage: slabsim trace convert IN -o OUT [options]\n"
    "\n"
    "Write a trace of any format (slabsim list workloads) as a .slabtrace file: a few bytes an\n"
    "event, and read at once, since all that had to be found out is in it. What the trace does\n"
    "not tell is told on standard error. IN may be \"-\", standard input; OUT too.\n"
    "\n"
    "  -o, --output FILE    where to\n"
    "      --to FORMAT      slabtrace (default), or csv: an operation list that spreadsheets and\n"
    "                       scripts can read, and slabsim, too\n"
    "      --no-times       leave out the times. Events of the same time are put in order first,\n"
    "                       as a replay does (workload.reorder_ns); for csv they always are\n"
    "      --page-size N    bytes of a page on the recording machine (as the trace says, or\n"
    "                       4096): kmallocs beyond two pages are left out\n"
    "      --cpus N         CPUs of the recording machine (as the trace says, or has)\n"
    "      --nodes N        its nodes\n"
    "      --salvage        of a damaged .slabtrace file, take what is before the damage\n"
    "  -q, --quiet          do not tell what was skipped or mended\n"
    "  -h, --help           this text\n"
    "\n"
    "Examples:\n"
    "  slabsim trace convert trace.dat -o hackbench.slabtrace\n"
    "  perf script | slabsim trace convert - -o - | zstd > recording.slabtrace.zst\n"
    "  slabsim trace convert hackbench.slabtrace --to csv -o hackbench.csv\n";

struct arguments {
	const char *in, *out;
	bool csv, no_times, quiet;
	uint64_t cpus, nodes; /* 0: not given */
	struct trace_options opt;
};

static int read_page_size(struct arguments *a, const char *text, struct error *err)
{
	uint64_t n;

	if (command_number("--page-size", text, 1024, 1 << 20, &n, err))
		return -1;
	if (n & (n - 1))
		return error_input(err, "--page-size: %llu is no power of two",
				   (unsigned long long)n);
	a->opt.page_size = (unsigned)n;
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
	case 'p':
		return read_page_size(a, optarg, err);
	case 'c':
		return command_number("--cpus", optarg, 1, MAX_CPUS, &a->cpus, err);
	case 'N':
		return command_number("--nodes", optarg, 1, MAX_NODES, &a->nodes, err);
	case 's':
		a->opt.salvage = true;
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
	    {"output", required_argument, NULL, 'o'}, {"to", required_argument, NULL, 't'},
	    {"no-times", no_argument, NULL, 'n'},     {"page-size", required_argument, NULL, 'p'},
	    {"cpus", required_argument, NULL, 'c'},   {"nodes", required_argument, NULL, 'N'},
	    {"salvage", no_argument, NULL, 's'},      {"quiet", no_argument, NULL, 'q'},
	    {"help", no_argument, NULL, 'h'},	      {0},
	};
	int ret;

	ret = command_options(argc, argv, ":o:qh", options, read_option, a, err);
	if (ret)
		return ret;
	if (command_argument(argc, argv, "trace", &a->in, err) ||
	    command_needs_output(argv, a->out, err))
		return -1;
	return file_check_not_input(a->out, a->in, err);
}

/* The machine as the arguments have it. */
static int set_machine(const struct arguments *a, struct stream *st, struct error *err)
{
	if (a->cpus && a->cpus < st->cpus_used)
		return error_input(err, "--cpus %llu: CPU %u has events in this trace",
				   (unsigned long long)a->cpus, st->cpus_used - 1);
	if (a->nodes && a->nodes < st->info.nodes)
		return error_input(err,
				   "--nodes %llu: memory of node %u is asked for in this trace",
				   (unsigned long long)a->nodes, st->info.nodes - 1);
	if (a->nodes > (a->cpus ? a->cpus : st->info.cpus))
		return error_input(err,
				   "--nodes %llu: a node has a CPU at least, and there are %llu",
				   (unsigned long long)a->nodes,
				   (unsigned long long)(a->cpus ? a->cpus : st->info.cpus));
	if (a->cpus || a->nodes) {
		free(st->node_of_cpu);
		st->node_of_cpu = NULL;
	}
	if (a->cpus)
		st->info.cpus = (unsigned)a->cpus;
	if (a->nodes)
		st->info.nodes = (unsigned)a->nodes;
	return 0;
}

static int convert(struct arguments *a, struct error *err)
{
	const struct slabtrace_options to = {.times = !a->no_times};
	struct stream *st = trace_open_whole(a->in, &a->opt, err);
	int ret = -1;

	if (!st)
		return -1;
	if (set_machine(a, st, err)) {
		stream_close(st);
		return -1;
	}
	if (!a->quiet)
		trace_tell_account(st);
	if (a->csv || a->no_times)
		st = stream_in_order(st, err);
	if (st && a->csv)
		ret = csv_write(st, a->out, !a->no_times, err);
	else if (st)
		ret = slabtrace_write(st, a->out, &to, NULL, err);
	stream_close(st);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {0};
	int ret = parse(&a, argc, argv, err);

	return ret ? ret : convert(&a, err);
}

const struct command cmd_trace_convert = {
    .name = "convert",
    .summary = "any trace into a .slabtrace file, or into CSV",
    .help = help,
    .run = run,
};
