/* The program: chooses cases, repeats them, and writes what it found. */
#include "bench/bench.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <limits.h>
#include <unistd.h>

#include "sim/file.h"
#include "sim/policy.h"
#include "sim/table.h"

static const char help[] =
    "Usage: bench [options]    (from the root of the source tree; make bench does that)\n"
    "\n"
    "      --only PATTERN      cases whose name matches, e.g. 'order/*'; may be given again\n"
    "      --repeat N          repetitions of each case (5)\n"
    "      --instructions      count instructions with callgrind too, which takes minutes\n"
    "      --format FORMAT     text (default), markdown, csv or json\n"
    "  -o, --output FILE       write to FILE instead of standard output\n"
    "      --compare OLD.json  beside what another build found, written with --format json\n"
    "      --scale             instead: how time and memory grow with events and CPUs\n"
    "      --list              name the cases\n"
    "      --once CASE         one repetition of CASE; prints how many events it timed\n"
    "  -h, --help              this text\n";

#define MAX_REPEAT 1000

struct arguments {
	const char **only;
	unsigned nr_only;
	unsigned repeat;
	bool instructions, scale, list, help;
	enum table_format format;
	const char *output, *once, *compare;
};

static int parse_repeat(const char *s, unsigned *n, struct error *err)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(s, &end, 10);
	if (errno || *end || end == s || value < 1 || value > MAX_REPEAT)
		return error_input(err, "--repeat %.40s: a number from 1 to %d is wanted", s,
				   MAX_REPEAT);
	*n = (unsigned)value;
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"only", required_argument, NULL, 'O'},
	    {"repeat", required_argument, NULL, 'r'},
	    {"instructions", no_argument, NULL, 'i'},
	    {"format", required_argument, NULL, 'f'},
	    {"output", required_argument, NULL, 'o'},
	    {"compare", required_argument, NULL, 'c'},
	    {"scale", no_argument, NULL, 's'},
	    {"list", no_argument, NULL, 'l'},
	    {"once", required_argument, NULL, '1'},
	    {"help", no_argument, NULL, 'h'},
	    {0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "o:h", options, NULL)) != -1) {
		if (c == 'O')
			a->only[a->nr_only++] = optarg;
		else if (c == 'r' && parse_repeat(optarg, &a->repeat, err))
			return -1;
		else if (c == 'f' && table_format_find(optarg, &a->format, err))
			return -1;
		else if (c == 'i')
			a->instructions = true;
		else if (c == 'o')
			a->output = optarg;
		else if (c == 'c')
			a->compare = optarg;
		else if (c == 's')
			a->scale = true;
		else if (c == 'l')
			a->list = true;
		else if (c == '1')
			a->once = optarg;
		else if (c == 'h')
			a->help = true;
		else if (c == '?')
			return error_input(err, "see bench --help");
	}
	if (optind < argc)
		return error_input(err, "an argument too many: %.100s", argv[optind]);
	return 0;
}

static bool wanted(const struct arguments *a, const struct bench_case *c)
{
	for (unsigned i = 0; i < a->nr_only; i++)
		if (!fnmatch(a->only[i], c->name, 0))
			return true;
	return a->nr_only == 0;
}

/* The set of the case, made when it is not the last one's. */
static int change_set(struct event_set *set, const struct set_recipe **made,
		      const struct bench_case *c, struct error *err)
{
	if (!c->set || c->set == *made)
		return 0;
	set_free(set);
	*made = NULL;
	if (set_make(set, c->set, err))
		return error_prefix(err, "%s", c->name);
	*made = c->set;
	return 0;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int repeat_case(struct finding *f, const struct bench_run *run, unsigned repeat,
		       struct error *err)
{
	double rate[MAX_REPEAT];

	for (unsigned i = 0; i < repeat; i++) {
		struct sample s = {0};

		if (run->c->run(run, &s, err))
			return error_prefix(err, "%s", run->c->name);
		rate[i] = (double)s.events * 1e9 / (double)(s.ns ? s.ns : 1);
		f->bytes = s.events ? (double)s.bytes / (double)s.events : 0;
	}
	qsort(rate, repeat, sizeof(*rate), by_size);
	f->best = rate[repeat - 1];
	f->median = rate[repeat / 2];
	return 0;
}

static const struct finding *find_limit(const struct finding *f, unsigned n, const char *name)
{
	for (unsigned i = 0; name && i < n; i++)
		if (!strcmp(f[i].c->name, name))
			return &f[i];
	return NULL;
}

static int self_path(char *path, size_t size, struct error *err)
{
	ssize_t len = readlink("/proc/self/exe", path, size - 1);

	if (len < 0)
		return error_failed(err, "cannot tell where this program is: %s", strerror(errno));
	path[len] = '\0';
	return 0;
}

static int run_cases(const struct arguments *a, struct finding *f, unsigned *n, struct error *err)
{
	const struct set_recipe *made = NULL;
	struct event_set set = {0};
	char self[PATH_MAX];
	int ret = self_path(self, sizeof(self), err);

	for (unsigned i = 0; i < nr_bench_cases && !ret; i++) {
		const struct bench_case *c = &bench_cases[i];
		struct bench_run run = {c, c->set ? &set : NULL, c->rounds ? c->rounds : 1};

		if (!wanted(a, c))
			continue;
		fprintf(stderr, "bench: %s\n", c->name);
		f[*n] = (struct finding){.c = c, .limit = find_limit(f, *n, c->limit)};
		ret = change_set(&set, &made, c, err);
		if (!ret)
			ret = repeat_case(&f[*n], &run, a->repeat, err);
		if (!ret && a->instructions)
			f[*n].instructions = bench_instructions(self, c);
		++*n;
	}
	set_free(&set);
	return ret;
}

/* What bench_instructions() runs under valgrind. */
static int run_once(const char *name, struct error *err)
{
	for (unsigned i = 0; i < nr_bench_cases; i++) {
		const struct bench_case *c = &bench_cases[i];
		const struct set_recipe *made = NULL;
		struct event_set set = {0};
		struct sample s = {0};
		struct bench_run run = {c, c->set ? &set : NULL, 1};
		int ret;

		if (strcmp(c->name, name))
			continue;
		ret = change_set(&set, &made, c, err);
		if (!ret)
			ret = c->run(&run, &s, err);
		if (!ret)
			printf("%llu\n", (unsigned long long)s.events);
		set_free(&set);
		return ret;
	}
	return error_input(err, "there is no case \"%.100s\"; --list names them", name);
}

static int measure(const struct arguments *a, struct table *t, struct error *err)
{
	struct finding *f = calloc(nr_bench_cases, sizeof(*f));
	struct cJSON *old = NULL;
	unsigned n = 0;
	int ret = 0;

	if (!f)
		return error_memory(err, "what was found");
	if (a->compare) {
		old = bench_old(a->compare, err);
		ret = old ? 0 : -1;
	}
	if (!ret)
		ret = run_cases(a, f, &n, err);
	if (!ret)
		bench_table(t, f, n, a->repeat, old);
	cJSON_Delete(old);
	free(f);
	return ret;
}

static int write_out(const struct arguments *a, const struct table *t, struct error *err)
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

static int run(struct arguments *a, int argc, char **argv, struct error *err)
{
	struct table t = {0};
	int ret;

	if (policies_init(err) || parse(a, argc, argv, err))
		return -1;
	if (a->help) {
		fputs(help, stdout);
		return 0;
	}
	if (a->list) {
		for (unsigned i = 0; i < nr_bench_cases; i++)
			puts(bench_cases[i].name);
		return 0;
	}
	if (a->once)
		return run_once(a->once, err);
	if (a->scale ? bench_scale(&t, err) : measure(a, &t, err))
		ret = -1;
	else
		ret = write_out(a, &t, err);
	table_free(&t);
	return ret;
}

int main(int argc, char **argv)
{
	struct arguments a = {.repeat = 5, .format = TABLE_TEXT};
	struct error err = {0};
	int ret = -1;

	a.only = calloc((size_t)argc + 1, sizeof(*a.only));
	if (a.only)
		ret = run(&a, argc, argv, &err);
	else
		error_memory(&err, "the arguments");
	free(a.only);
	if (ret)
		fprintf(stderr, "bench: %s\n", err.text);
	return ret ? (int)err.kind : 0;
}
