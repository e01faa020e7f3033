#include <getopt.h>

#include "sim/cmd/cmd_trace.h"
#include "sim/file.h"
#include "sim/cmd/trace_info.h"

static const char help[] =
    "Usage: slabsim trace info FILE [options]\n"
    "\n"
    "Tell what a trace of any format holds: events, how long it took, CPUs; for each cache its\n"
    "share of the events, how long its objects lived and how many another CPU freed than\n"
    "allocated; what had to be mended, what is missing.\n"
    "\n"
    "      --format FORMAT  text (default), json, or csv: the caches alone\n"
    "  -o, --output FILE    write to FILE instead of standard output\n"
    "      --all            all caches in the text, not only the largest\n"
    "      --slabinfo WHICH before or after: print the /proc/slabinfo that slabsim trace record\n"
    "                       has stored, and nothing else; before is a replay.initial\n"
    "      --salvage        of a damaged .slabtrace file, take what is before the damage\n"
    "  -h, --help           this text\n"
    "\n"
    "Quantiles of lifetimes are right to 3 %. Objects that were live before the first event, and\n"
    "those never freed, have none.\n";

struct arguments {
	const char *file, *output, *slabinfo;
	enum trace_info_format format;
	bool all;
	struct trace_options opt;
};

static int read_format(struct arguments *a, const char *name, struct error *err)
{
	if (!strcmp(name, "text"))
		a->format = TRACE_INFO_TEXT;
	else if (!strcmp(name, "json"))
		a->format = TRACE_INFO_JSON;
	else if (!strcmp(name, "csv"))
		a->format = TRACE_INFO_CSV;
	else
		return error_input(err,
				   "--format: there is no format \"%.60s\"; there are text, "
				   "json and csv",
				   name);
	return 0;
}

static int read_slabinfo(struct arguments *a, const char *which, struct error *err)
{
	a->slabinfo = which;
	if (!strcmp(which, "before") || !strcmp(which, "after"))
		return 0;
	return error_input(err, "--slabinfo: before or after is wanted, not \"%.60s\"", which);
}

static int read_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 'f':
		return read_format(a, optarg, err);
	case 'i':
		return read_slabinfo(a, optarg, err);
	case 'o':
		return command_output(&a->output, optarg, err);
	case 'a':
		a->all = true;
		break;
	case 's':
		a->opt.salvage = true;
		break;
	}
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"format", required_argument, NULL, 'f'},
	    {"output", required_argument, NULL, 'o'},
	    {"all", no_argument, NULL, 'a'},
	    {"slabinfo", required_argument, NULL, 'i'},
	    {"salvage", no_argument, NULL, 's'},
	    {"help", no_argument, NULL, 'h'},
	    {0},
	};
	int ret = command_options(argc, argv, ":o:h", options, read_option, a, err);

	return ret ? ret : command_argument(argc, argv, "trace", &a->file, err);
}

static int print_slabinfo(const struct arguments *a, const struct stream *st, FILE *out,
			  struct error *err)
{
	const char *text = *a->slabinfo == 'b' ? st->slabinfo_before : st->slabinfo_after;

	if (!text)
		return error_input(err,
				   "%s: no slabinfo is stored in it; slabsim trace record does "
				   "that",
				   a->file);
	fputs(text, out);
	return 0;
}

static int write_info(const struct arguments *a, struct stream *st, struct error *err)
{
	struct profile p = {0};
	struct out_file out;
	int ret;

	if (!a->slabinfo && profile_make(&p, st, err)) {
		profile_free(&p);
		return -1;
	}
	ret = file_create(&out, a->output ? a->output : "-", err);
	if (!ret) {
		if (a->slabinfo)
			ret = print_slabinfo(a, st, out.stream, err);
		else
			ret = trace_info_write(&p, st, a->format, a->all, out.stream, err);
		if (ret)
			file_abandon(&out);
		else
			ret = file_commit(&out, err);
	}
	profile_free(&p);
	return ret;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {0};
	int ret = parse(&a, argc, argv, err);
	struct stream *st;

	if (ret)
		return ret;
	if (file_check_not_input(a.output, a.file, err))
		return -1;
	st = trace_open_whole(a.file, &a.opt, err);
	ret = st ? write_info(&a, st, err) : -1;
	stream_close(st);
	return ret;
}

const struct command cmd_trace_info = {
    .name = "info",
    .summary = "what a trace holds: caches, lifetimes, repairs, losses",
    .help = help,
    .run = run,
};
