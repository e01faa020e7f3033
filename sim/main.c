#include <errno.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdbool.h>

#include "sim/cmd/command.h"
#include "sim/escape.h"
#include "sim/file.h"
#include "sim/policy.h"
#include "sim/suggest.h"
#include "sim/version.h"

static const struct command *const commands[] = {
    &cmd_run, &cmd_sweep, &cmd_compare, &cmd_plot, &cmd_report, &cmd_order, &cmd_trace, &cmd_list,
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *out)
{
	fputs("slabsim " SLABSIM_VERSION ": what would this slab allocator policy do to this "
	      "workload on this machine?\n\n"
	      "Usage: slabsim COMMAND [ARGUMENT]...\n\n",
	      out);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n"
	      "slabsim COMMAND --help tells more. Results go to standard output, all else to\n"
	      "standard error. Exit status: 0 done, 1 failed, 2 wrong usage or input.\n",
	      out);
}

static const struct command *find_command(const char *name, struct error *err)
{
	char hint[128];
	struct suggest s;

	suggest_init(&s, name);
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
		suggest_offer(&s, commands[i]->name);
	}
	suggest_offer(&s, "--help");
	suggest_offer(&s, "--version");
	error_input(err, "there is no %s \"%.100s\"%s", *name == '-' ? "option" : "command", name,
		    s.best ? suggest_text(&s, hint, sizeof(hint)) : "; see slabsim --help");
	return NULL;
}

static int help(int argc, char **argv, struct error *err)
{
	const struct command *command;

	if (argc > 1)
		return command_bad_argument((char *[]){"help"}, argv[1], err);
	if (argc == 0) {
		usage(stdout);
		return 0;
	}
	command = find_command(argv[0], err);
	if (!command)
		return -1;
	fputs(command->help, stdout);
	return 0;
}

static int dispatch(int argc, char **argv, struct error *err)
{
	const struct command *command;

	if (argc < 2) {
		usage(stderr);
		return error_input(err, "a command is missing");
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return help(argc - 2, argv + 2, err);
	if (!strcmp(argv[1], "--version")) {
		puts("slabsim " SLABSIM_VERSION);
		return 0;
	}
	command = find_command(argv[1], err);
	if (!command || policies_init(err))
		return -1;
	return command_run(command, argc - 1, argv + 1, err);
}

/* What was written must have arrived: on a full disk, or when nobody reads on, it has not. */
static void finish_output(struct error *err)
{
	errno = 0;
	if (fflush(stdout) || ferror(stdout))
		file_write_failed(stdout, "-", err);
	/* One that was closed from the start, and that nothing was written to, is no loss. */
	else if (fclose(stdout) && errno != EBADF)
		file_write_failed(stdout, "-", err);
}

int main(int argc, char **argv)
{
	struct error err = {0};

	/* A write to a closed pipe, or beyond a limit on files' sizes, shall fail like any other.
	 */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* GSL would end the program where it has no memory. */
	gsl_set_error_handler_off();
	dispatch(argc, argv, &err);
	finish_output(&err);
	if (err.kind == ERROR_NONE)
		return 0;
	fputs("slabsim: ", stderr);
	write_plain(stderr, err.text);
	fputc('\n', stderr);
	return err.kind;
}
