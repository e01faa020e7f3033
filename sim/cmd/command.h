/* One file per subcommand, cmd_NAME.c; main.c has the table of them. */
#ifndef SLABSIM_COMMAND_H
#define SLABSIM_COMMAND_H

#include "sim/error.h"

struct command {
	const char *name;
	const char *summary; /* one line, for slabsim --help */
	const char *help;    /* whole text of slabsim NAME --help */
	/* argv[0] is the subcommand's name. 0, or -1 and err. */
	int (*run)(int argc, char **argv, struct error *err);
};

extern const struct command cmd_run, cmd_sweep, cmd_compare, cmd_plot, cmd_report, cmd_order,
    cmd_trace, cmd_list;

struct option;

/*
 * The message for what getopt_long(), with a short option string that begins with ":", did not
 * take: c is what it returned. options is getopt's own table. Returns -1.
 */
int command_bad_option(char **argv, int c, const struct option *options, struct error *err);
/* *output = value, of an option -o that may be given once. -1 and err: it is there already. */
int command_output(const char **output, const char *value, struct error *err);
/* An argument too many. Returns -1. */
int command_bad_argument(char **argv, const char *argument, struct error *err);
/* "slabsim: note: ..." on standard error. */
void command_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
