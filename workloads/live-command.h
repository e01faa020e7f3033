/* A command that waits for a start signal, and the signals that arrive meanwhile. */
#ifndef SLABSIM_LIVE_COMMAND_H
#define SLABSIM_LIVE_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "sim/error.h"

struct live_command {
	pid_t pid;   /* 0: there is none (any more) */
	int go;	     /* a byte written here starts it */
	int failed;  /* here it tells why it could not be started */
	int signals; /* signalfd: readable when live_command_check() has something to do */
	sigset_t old_mask;
	const char *name;
	bool ended;
	int status;	 /* once it has ended: as of waitpid() */
	int interrupted; /* the first signal that asked us to stop; 0: none */
};

/*
 * Make a process for the command, which does not run yet. From here to live_command_finish()
 * the signals that end a program are taken by live_command_check(). 0, or -1 and err.
 */
int live_command_prepare(struct live_command *c, char *const *argv, struct error *err);
/* Let it run: 0, or -1 and err when there is no such program. */
int live_command_start(struct live_command *c, struct error *err);
/*
 * See what has happened: has it ended? A signal that asks us to stop is passed on to it, the
 * second one kills it.
 */
void live_command_check(struct live_command *c);
/* Signals are as they were. A command that has not ended is killed. */
void live_command_finish(struct live_command *c);

#endif
