#include <errno.h>
#include <getopt.h>

#include "sim/cmd/command.h"
#include "sim/escape.h"
#include "sim/file.h"
#include "sim/suggest.h"
#include "sim/sweep/sweep_results.h"

int command_run(const struct command *command, int argc, char **argv, struct error *err)
{
	int ret = command->run(argc, argv, err);

	if (ret != COMMAND_HELP)
		return ret;
	fputs(command->help, stdout);
	return 0;
}

int command_options(int argc, char **argv, const char *letters, const struct option *options,
		    int (*take)(void *arg, int c, struct error *err), void *arg, struct error *err)
{
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (c == 'h')
			return COMMAND_HELP;
		if (c == '?' || c == ':')
			return command_bad_option(argv, c, options, err);
		if (take(arg, c, err))
			return -1;
	}
	return 0;
}

int command_argument(int argc, char **argv, const char *what, const char **argument,
		     struct error *err)
{
	if (optind == argc)
		return error_input(err, "%s: which %s? see slabsim %s --help", argv[0], what,
				   argv[0]);
	*argument = argv[optind++];
	return optind < argc ? command_bad_argument(argv, argv[optind], err) : 0;
}

unsigned command_operands(int argc, char **argv, char ***operands)
{
	*operands = argv + optind;
	return (unsigned)(argc - optind);
}

int command_check_inputs(const char *output, char *const *files, unsigned n, struct error *err)
{
	for (unsigned i = 0; output && i < n; i++)
		if (file_check_not_input(output, files[i], err) ||
		    sweep_check_files(files[i], output, NULL, err))
			return -1;
	return 0;
}

int command_needs_output(char **argv, const char *output, struct error *err)
{
	if (output)
		return 0;
	return error_input(err, "%s: where to? -o FILE is missing", argv[0]);
}

int command_bad_option(char **argv, int c, const struct option *options, struct error *err)
{
	const char *given = argv[optind - 1];
	char hint[128], name[80];
	struct suggest s;

	/* getopt steps over a word only when all its letters are done. */
	if (optopt && strncmp(given, "--", 2)) {
		snprintf(name, sizeof(name), "-%c", optopt);
		return error_input(err, "%s: %s; see slabsim %s --help", name,
				   c == ':' ? "a value is missing" : "unknown option", argv[0]);
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(given, "="), given);
	if (c == ':')
		return error_input(err, "%s: a value is missing; see slabsim %s --help", name,
				   argv[0]);
	suggest_init(&s, name + 2);
	for (; options->name; options++) {
		if (!strcmp(options->name, name + 2))
			return error_input(err, "%s takes no value; see slabsim %s --help", name,
					   argv[0]);
		suggest_offer(&s, options->name);
	}
	if (s.best)
		snprintf(hint, sizeof(hint), "did you mean --%s?", s.best);
	else
		snprintf(hint, sizeof(hint), "see slabsim %s --help", argv[0]);
	return error_input(err, "%s: unknown option; %s", name, hint);
}

int command_number(const char *option, const char *text, uint64_t min, uint64_t max,
		   uint64_t *number, struct error *err)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < min || value > max)
		return error_input(err,
				   "%s: a whole number from %llu to %llu is wanted, not "
				   "\"%.60s\"",
				   option, (unsigned long long)min, (unsigned long long)max, text);
	*number = value;
	return 0;
}

int command_output(const char **output, const char *value, struct error *err)
{
	if (*output)
		return error_input(err, "-o is given twice, with \"%.200s\" and \"%.200s\"",
				   *output, value);
	if (!*value)
		return error_input(err, "-o: a name is wanted, not an empty one");
	*output = value;
	return 0;
}

int command_bad_argument(char **argv, const char *argument, struct error *err)
{
	return error_input(err, "\"%.200s\" is one argument too many; see slabsim %s --help",
			   argument, argv[0]);
}

void command_note(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fputs("slabsim: note: ", stderr);
	write_plain(stderr, text);
	fputc('\n', stderr);
}
