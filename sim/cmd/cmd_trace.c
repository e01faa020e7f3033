#include "sim/cmd/cmd_trace.h"

#include "sim/suggest.h"

static const char help[] =
    "Usage: slabsim trace SUBCOMMAND [ARGUMENT]...\n"
    "\n"
    "Recorded allocations: what is in them, other formats, pieces of them, new ones.\n"
    "\n"
    "  info      what a trace holds: caches, lifetimes, repairs, losses\n"
    "  convert   any trace into a .slabtrace file, or into CSV\n"
    "  cut       a piece of a trace: by time, cache, CPU or number of events\n"
    "  record    record the running kernel while a command runs\n"
    "  fit       an open workload model of a trace, as a config\n"
    "  generate  a workload model's events as a trace\n"
    "\n"
    "slabsim trace SUBCOMMAND --help tells more.\n";

static const struct command *const subcommands[] = {
    &cmd_trace_info,   &cmd_trace_convert, &cmd_trace_cut,
    &cmd_trace_record, &cmd_trace_fit,	   &cmd_trace_generate,
};

#define NR_SUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

int trace_read_to(const char *name, bool *csv, struct error *err)
{
	*csv = !strcmp(name, "csv");
	if (*csv || !strcmp(name, "slabtrace"))
		return 0;
	return error_input(err, "--to: there is no format \"%.60s\"; there are slabtrace and csv",
			   name);
}

struct stream *trace_open_whole(const char *file, struct trace_options *opt, struct error *err)
{
	opt->may_block = -1;
	opt->reorder_ns = -1;
	opt->adopt = true;
	return stream_open(file, opt, err);
}

void trace_tell_account(const struct stream *st)
{
	struct source_note *notes;
	uint64_t lines = st->info.events - st->notes[NOTE_IMPLICIT_FREE] - st->notes[NOTE_ADOPTED];
	unsigned n;

	notes = notes_collect(st->notes, &n);
	if (!notes)
		return;
	for (unsigned i = 0; i < n; i++)
		if (notes[i].skipped)
			lines += notes[i].count;
	command_note("%llu lines or records, %llu events", (unsigned long long)lines,
		     (unsigned long long)st->info.events);
	for (unsigned i = 0; i < n; i++)
		command_note("%s%s: %llu (%s)", notes[i].skipped ? "skipped, " : "", notes[i].name,
			     (unsigned long long)notes[i].count, notes[i].help);
	free(notes);
}

static const struct command *find(const char *name, struct error *err)
{
	struct suggest s;
	char hint[128];

	suggest_init(&s, name);
	for (size_t i = 0; i < NR_SUBCOMMANDS; i++) {
		if (!strcmp(subcommands[i]->name, name))
			return subcommands[i];
		suggest_offer(&s, subcommands[i]->name);
	}
	error_input(err, "trace: there is no subcommand \"%.60s\"%s", name,
		    s.best ? suggest_text(&s, hint, sizeof(hint)) : "; see slabsim trace --help");
	return NULL;
}

static int run(int argc, char **argv, struct error *err)
{
	const struct command *sub;
	char name[80];

	if (argc < 2)
		return error_input(err, "trace: which subcommand? see slabsim trace --help");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return COMMAND_HELP;
	sub = find(argv[1], err);
	if (!sub)
		return -1;
	/* Messages tell how it was called. */
	snprintf(name, sizeof(name), "trace %s", sub->name);
	argv[1] = name;
	return command_run(sub, argc - 1, argv + 1, err);
}

const struct command cmd_trace = {
    .name = "trace",
    .summary = "recorded traces: look into, convert, cut and record them",
    .help = help,
    .run = run,
};
