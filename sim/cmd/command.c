#include <getopt.h>

#include "sim/cmd/command.h"
#include "sim/escape.h"
#include "sim/suggest.h"

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

int command_output(const char **output, const char *value, struct error *err)
{
	if (*output)
		return error_input(err, "-o is given twice, with \"%.200s\" and \"%.200s\"",
				   *output, value);
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
