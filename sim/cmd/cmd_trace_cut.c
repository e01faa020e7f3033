#include <fnmatch.h>
#include <getopt.h>
#include <math.h>

#include "sim/file.h"
#include "sim/cmd/cmd_trace.h"
#include "workloads/cut.h"
#include "workloads/slabtrace.h"

static const char help[] =
    "Usage: slabsim trace cut IN -o OUT [options]\n"
    "\n"
    "Write a piece of a trace as a .slabtrace file. Options of several kinds hold together: an\n"
    "event must fit them all. An object that is allocated outside of the piece and freed inside\n"
    "counts as live when the piece begins.\n"
    "\n"
    "  -o, --output FILE    where to\n"
    "      --from TIME      events from this time on, counted from the trace's first event:\n"
    "      --to TIME        ... and before that one; 250us, 1.5ms, 2s, 2 (seconds)\n"
    "      --cache PATTERN  events of these caches, such as kmalloc-*; may be given again\n"
    "      --cpu LIST       events of these CPUs, such as 0-3,7\n"
    "      --skip N         leave out the first N of the events that fit the options above\n"
    "      --count N        and take no more than the next N\n"
    "      --salvage        of a damaged .slabtrace file, take what is before the damage\n"
    "  -h, --help           this text\n"
    "\n"
    "Example:\n"
    "  slabsim trace cut long.slabtrace --from 2s --to 3s --cache 'skbuff_*' -o short.slabtrace\n";

struct arguments {
	const char *in, *out;
	const char **caches;
	unsigned nr_caches;
	bool cpus[MAX_CPUS];
	bool some_cpus;
	struct cut cut;
	struct trace_options opt;
};

static int read_time(const char *option, const char *text, uint64_t *ns, struct error *err)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
	char *end;
	double x = strtod(text, &end);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		double value = x * units[i].ns;

		if (end == text || strcmp(end, units[i].name) || !(value >= 0) || value > 1e18)
			continue;
		*ns = (uint64_t)llround(value);
		return 0;
	}
	return error_input(err, "%s: a time such as 250us, 1.5ms or 2s is wanted, not \"%.60s\"",
			   option, text);
}

static int bad_cpus(const char *text, struct error *err)
{
	return error_input(err,
			   "--cpu: numbers and ranges from 0 to %d are wanted, such as 0-3,7, "
			   "not \"%.60s\"",
			   MAX_CPUS - 1, text);
}

static int read_cpus(struct arguments *a, const char *text, struct error *err)
{
	const char *s = text;
	unsigned long first, last;
	char *end;

	do {
		if (*s < '0' || *s > '9')
			return bad_cpus(text, err);
		first = last = strtoul(s, &end, 10);
		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			last = strtoul(end + 1, &end, 10);
		if (first > last || last >= MAX_CPUS || (*end && *end != ','))
			return bad_cpus(text, err);
		for (unsigned long cpu = first; cpu <= last; cpu++)
			a->cpus[cpu] = true;
		s = end + 1;
	} while (*end);
	a->some_cpus = true;
	return 0;
}

static int read_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 'o':
		return command_output(&a->out, optarg, err);
	case 'f':
		return read_time("--from", optarg, &a->cut.from_ns, err);
	case 't':
		return read_time("--to", optarg, &a->cut.to_ns, err);
	case 'C':
		a->caches[a->nr_caches++] = optarg;
		break;
	case 'c':
		return read_cpus(a, optarg, err);
	case 'S':
		return command_number("--skip", optarg, 0, UINT64_MAX / 2, &a->cut.skip, err);
	case 'n':
		return command_number("--count", optarg, 1, UINT64_MAX / 2, &a->cut.count, err);
	case 's':
		a->opt.salvage = true;
		break;
	}
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"output", required_argument, NULL, 'o'}, {"from", required_argument, NULL, 'f'},
	    {"to", required_argument, NULL, 't'},     {"cache", required_argument, NULL, 'C'},
	    {"cpu", required_argument, NULL, 'c'},    {"skip", required_argument, NULL, 'S'},
	    {"count", required_argument, NULL, 'n'},  {"salvage", no_argument, NULL, 's'},
	    {"help", no_argument, NULL, 'h'},	      {0},
	};
	int ret;

	ret = command_options(argc, argv, ":o:h", options, read_option, a, err);
	if (ret)
		return ret;
	if (command_argument(argc, argv, "trace", &a->in, err) ||
	    command_needs_output(argv, a->out, err))
		return -1;
	if (a->cut.from_ns >= a->cut.to_ns)
		return error_input(err,
				   "--from must be before --to: no event is at %.9g s or later "
				   "and before %.9g s",
				   (double)a->cut.from_ns / 1e9, (double)a->cut.to_ns / 1e9);
	return file_check_not_input(a->out, a->in, err);
}

/* By index: which caches the patterns name. NULL and err: none. */
static bool *choose_caches(const struct arguments *a, const struct stream *st, struct error *err)
{
	bool *keep = calloc((size_t)st->info.nr_caches + 1, sizeof(*keep));

	if (!keep) {
		error_memory(err, "the caches of a trace");
		return NULL;
	}
	for (unsigned p = 0; p < a->nr_caches; p++) {
		bool found = false;

		for (unsigned i = 0; i < st->info.nr_caches; i++) {
			if (fnmatch(a->caches[p], st->info.caches[i].name, 0))
				continue;
			keep[i] = found = true;
		}
		if (found)
			continue;
		error_input(err,
			    "--cache: there is no cache \"%.60s\" in this trace; slabsim trace "
			    "info shows them",
			    a->caches[p]);
		free(keep);
		return NULL;
	}
	return keep;
}

static int check_fit(const struct arguments *a, const struct stream *st, struct error *err)
{
	bool some = !a->some_cpus;

	if (!st->info.has_times && (a->cut.from_ns || a->cut.to_ns != UINT64_MAX))
		return error_input(err, "%s: this trace has no times; cut it by --skip and --count",
				   a->in);
	for (unsigned cpu = 0; cpu < st->cpus_used; cpu++)
		some |= a->cpus[cpu];
	if (!some)
		return error_input(err, "--cpu: this trace has CPUs 0 to %u only",
				   st->cpus_used - 1);
	return 0;
}

static int cut_stream(struct arguments *a, struct stream *st, struct error *err)
{
	const struct slabtrace_options to = {.times = true};
	struct stream *piece;
	bool *caches = NULL;
	int ret = -1;

	if (check_fit(a, st, err))
		return -1;
	if (a->nr_caches) {
		a->cut.caches = caches = choose_caches(a, st, err);
		if (!caches)
			return -1;
	}
	a->cut.cpus = a->some_cpus ? a->cpus : NULL;
	piece = stream_cut(st, &a->cut, err);
	if (piece)
		ret = slabtrace_write(piece, a->out, &to, NULL, err);
	stream_close(piece);
	free(caches);
	return ret;
}

static int run_arguments(struct arguments *a, struct error *err)
{
	struct stream *st = trace_open_whole(a->in, &a->opt, err);
	int ret = st ? cut_stream(a, st, err) : -1;

	stream_close(st);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {.cut = {.to_ns = UINT64_MAX, .count = UINT64_MAX}};
	int ret;

	a.caches = calloc((size_t)argc + 1, sizeof(*a.caches));
	ret = a.caches ? parse(&a, argc, argv, err) : error_memory(err, "the arguments");
	if (!ret)
		ret = run_arguments(&a, err);
	free(a.caches);
	return ret;
}

const struct command cmd_trace_cut = {
    .name = "cut",
    .summary = "a piece of a trace: by time, cache, CPU or number of events",
    .help = help,
    .run = run,
};
