/* One file per subcommand, cmd_NAME.c; main.c has the table of them. */
#ifndef SLABSIM_COMMAND_H
#define SLABSIM_COMMAND_H

#include <stdint.h>

#include "sim/error.h"

struct command {
	const char *name;
	const char *summary; /* one line, for slabsim --help */
	const char *help;    /* whole text of slabsim NAME --help */
	/* argv[0] is the subcommand's name. 0, or -1 and err; COMMAND_HELP: print the help. */
	int (*run)(int argc, char **argv, struct error *err);
};

extern const struct command cmd_run, cmd_sweep, cmd_compare, cmd_plot, cmd_report, cmd_order,
    cmd_trace, cmd_list;

/* Run it, or print its help where that is asked for. 0, or -1 and err. */
int command_run(const struct command *command, int argc, char **argv, struct error *err);

struct option;

#define COMMAND_HELP 1

/*
 * Take the options of argv: take() is given each one's letter, its value in optarg; 0, or -1 and
 * err. letters and options are getopt_long()'s, both with -h for the help. Returns 0, optind being
 * the first argument that is no option; -1 and err; COMMAND_HELP.
 */
int command_options(int argc, char **argv, const char *letters, const struct option *options,
		    int (*take)(void *arg, int c, struct error *err), void *arg, struct error *err);
/* The argument at optind, a WHAT, which must be there and the last. 0, or -1 and err. */
int command_argument(int argc, char **argv, const char *what, const char **argument,
		     struct error *err);
/* The arguments from optind on: *operands is their array. How many. */
unsigned command_operands(int argc, char **argv, char ***operands);
/*
 * Is output, which may be NULL, none of the files that are read: files themselves, and a sweep's in
 * what is its folder? 0, or -1 and err.
 */
int command_check_inputs(const char *output, char *const *files, unsigned n, struct error *err);
/* 0 when an output was named; -1 and err. */
int command_needs_output(char **argv, const char *output, struct error *err);
/*
 * The message for what getopt_long(), with a short option string that begins with ":", did not
 * take: c is what it returned. options is getopt's own table. Returns -1.
 */
int command_bad_option(char **argv, int c, const struct option *options, struct error *err);
/* A whole number from min to max as the value of an option. 0, or -1 and err. */
int command_number(const char *option, const char *text, uint64_t min, uint64_t max,
		   uint64_t *number, struct error *err);
/* *output = value, of an option -o that may be given once. -1 and err: it is there already. */
int command_output(const char **output, const char *value, struct error *err);
/* An argument too many. Returns -1. */
int command_bad_argument(char **argv, const char *argument, struct error *err);
/* "slabsim: note: ..." on standard error. */
void command_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
