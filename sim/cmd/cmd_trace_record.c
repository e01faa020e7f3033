#include <getopt.h>
#include <signal.h>
#include <sys/wait.h>

#include "sim/cmd/cmd_trace.h"
#include "sim/file.h"
#include "workloads/live.h"
#include "workloads/slabtrace.h"

static const char help[] =
    "Usage: slabsim trace record -o FILE [options] -- COMMAND [ARGUMENT]...\n"
    "\n"
    "Record the running kernel's slab allocations and frees, of the whole machine, while COMMAND\n"
    "runs, into a .slabtrace file, with the machine's shape and /proc/slabinfo before and after.\n"
    "Takes root's rights. Tracing that is going on is not disturbed: an instance of tracefs of\n"
    "its own is used and removed, also when interrupted; what was recorded so far is written\n"
    "then.\n"
    "\n"
    "  -o, --output FILE    where to\n"
    "      --buffer-size N  KiB of trace buffer for each CPU (32768, or less where memory is\n"
    "                       short); when events are lost, more will help\n"
    "      --through WAY    tracefs, perf, or any (default): perf where tracefs cannot be used\n"
    "      --no-times       leave out the times (see slabsim trace convert)\n"
    "  -q, --quiet          only say what went wrong\n"
    "  -h, --help           this text\n"
    "\n"
    "Example:\n"
    "  slabsim trace record -o hackbench.slabtrace -- hackbench -g 2 -l 100\n"
    "  slabsim trace info --slabinfo before hackbench.slabtrace > slabinfo.txt\n"
    "  slabsim run --trace hackbench.slabtrace --set policy.preset=linux-6.18 \\\n"
    "          --set replay.initial=slabinfo.txt\n";

struct arguments {
	const char *out;
	bool no_times, quiet;
	struct live_options opt;
};

static int read_way(struct arguments *a, const char *name, struct error *err)
{
	static const char *const ways[] = {
	    [LIVE_ANY] = "any", [LIVE_TRACEFS] = "tracefs", [LIVE_PERF] = "perf"};

	for (int i = 0; i < 3; i++) {
		a->opt.way = (enum live_way)i;
		if (!strcmp(name, ways[i]))
			return 0;
	}
	return error_input(err, "--through: tracefs, perf or any is wanted, not \"%.60s\"", name);
}

static int read_buffer_size(struct arguments *a, const char *text, struct error *err)
{
	uint64_t kb;

	if (command_number("--buffer-size", text, 64, 4 << 20, &kb, err))
		return -1;
	a->opt.buffer_kb = (unsigned)kb;
	return 0;
}

static int read_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 'o':
		return command_output(&a->out, optarg, err);
	case 'b':
		return read_buffer_size(a, optarg, err);
	case 't':
		return read_way(a, optarg, err);
	case 'n':
		a->no_times = true;
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
	    {"output", required_argument, NULL, 'o'},
	    {"buffer-size", required_argument, NULL, 'b'},
	    {"through", required_argument, NULL, 't'},
	    {"no-times", no_argument, NULL, 'n'},
	    {"quiet", no_argument, NULL, 'q'},
	    {"help", no_argument, NULL, 'h'},
	    {0},
	};
	int ret;

	/* "+": options end where the command begins. */
	ret = command_options(argc, argv, "+:o:qh", options, read_option, a, err);
	if (ret)
		return ret;
	if (command_needs_output(argv, a->out, err))
		return -1;
	if (optind == argc)
		return error_input(err,
				   "trace record: which command shall run meanwhile? see slabsim "
				   "trace record --help");
	a->opt.command = argv + optind;
	return 0;
}

static void tell_result(const struct arguments *a, const struct live_result *res)
{
	if (res->interrupted)
		command_note("interrupted (%s): what was recorded until then is written",
			     strsignal(res->interrupted));
	else if (WIFSIGNALED(res->status))
		command_note("%s was ended by a signal: %s", a->opt.command[0],
			     strsignal(WTERMSIG(res->status)));
	else if (WEXITSTATUS(res->status))
		command_note("%s exited with status %d", a->opt.command[0],
			     WEXITSTATUS(res->status));
	if (res->no_tracefs.kind != ERROR_NONE && !a->quiet)
		command_note("recorded through perf, since tracefs cannot be used: %s",
			     res->no_tracefs.text);
	if (res->no_slabinfo.kind != ERROR_NONE && !a->quiet)
		command_note("without slabinfo: %s", res->no_slabinfo.text);
}

static void tell_trace(const struct arguments *a, const struct live_result *res,
		       const struct stream *st, uint64_t bytes)
{
	uint64_t lost = st->notes[NOTE_LOST_EVENTS];

	if (!a->quiet)
		command_note("%llu events of %u CPUs, %llu bytes",
			     (unsigned long long)st->info.events, st->info.cpus,
			     (unsigned long long)bytes);
	if (lost)
		command_note("%llu events were lost: --buffer-size %u or more may hold them",
			     (unsigned long long)lost, 4 * res->buffer_kb);
	else if (!a->quiet)
		command_note("no event was lost");
}

static int record(const struct arguments *a, struct error *err)
{
	const struct slabtrace_options to = {.times = !a->no_times};
	struct live_result res;
	struct stream *st;
	uint64_t bytes;
	int ret;

	if (file_check_writable(a->out, err))
		return -1;
	st = live_record(&a->opt, &res, err);
	if (!st)
		return -1;
	tell_result(a, &res);
	ret = slabtrace_write(st, a->out, &to, &bytes, err);
	if (!ret)
		tell_trace(a, &res, st, bytes);
	stream_close(st);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {0};
	int ret = parse(&a, argc, argv, err);

	return ret ? ret : record(&a, err);
}

const struct command cmd_trace_record = {
    .name = "record",
    .summary = "record the running kernel while a command runs",
    .help = help,
    .run = run,
};
