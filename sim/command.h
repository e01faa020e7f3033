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

extern const struct command cmd_run, cmd_list;

#endif
