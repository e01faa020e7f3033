#include "workloads/live-command.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The new process: wait, then become the command. */
static void become(const struct live_command *c, int go, int failed, char *const *argv)
{
	int error;
	char byte;

	sigprocmask(SIG_SETMASK, &c->old_mask, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	/* No byte: whoever should have written it has given up. */
	if (read(go, &byte, 1) != 1)
		_exit(127);
	execvp(argv[0], argv);
	error = errno;
	if (write(failed, &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

static int start_process(struct live_command *c, char *const *argv, struct error *err)
{
	int go[2], failed[2];

	if (pipe2(go, O_CLOEXEC))
		return error_failed(err, "cannot create a pipe: %s", strerror(errno));
	if (pipe2(failed, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return error_failed(err, "cannot create a pipe: %s", strerror(errno));
	}
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		close(failed[0]);
		become(c, go[0], failed[1], argv);
	}
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	if (c->pid > 0)
		return 0;
	c->pid = 0;
	return error_failed(err, "cannot start a process: %s", strerror(errno));
}

int live_command_prepare(struct live_command *c, char *const *argv, struct error *err)
{
	static const int taken[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};
	sigset_t mask;

	*c = (struct live_command){.go = -1, .failed = -1, .signals = -1, .name = argv[0]};
	sigemptyset(&mask);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaddset(&mask, taken[i]);
	sigprocmask(SIG_BLOCK, &mask, &c->old_mask);
	c->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (c->signals < 0)
		error_failed(err, "cannot wait for signals: %s", strerror(errno));
	if (c->signals >= 0 && !start_process(c, argv, err))
		return 0;
	live_command_finish(c);
	return -1;
}

int live_command_start(struct live_command *c, struct error *err)
{
	int error = 0;
	ssize_t got;

	if (write(c->go, "", 1) != 1)
		return error_failed(err, "cannot start %s: %s", c->name, strerror(errno));
	close_one(&c->go);
	/* The other end closes when the program has begun. */
	do
		got = read(c->failed, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	close_one(&c->failed);
	if (got == sizeof(error))
		return error_input(err, "cannot run %s: %s", c->name, strerror(error));
	return 0;
}

static void stop(struct live_command *c, int signal_number)
{
	/* A terminal tells the command itself, too, but a kill of ours does not. */
	if (!c->ended)
		kill(c->pid, c->interrupted ? SIGKILL : signal_number);
	if (!c->interrupted)
		c->interrupted = signal_number;
}

void live_command_check(struct live_command *c)
{
	struct signalfd_siginfo si;

	while (read(c->signals, &si, sizeof(si)) == sizeof(si))
		if (si.ssi_signo != SIGCHLD)
			stop(c, (int)si.ssi_signo);
	if (!c->ended && waitpid(c->pid, &c->status, WNOHANG) == c->pid)
		c->ended = true;
}

void live_command_finish(struct live_command *c)
{
	struct signalfd_siginfo si;

	close_one(&c->go);
	if (c->pid > 0 && !c->ended) {
		kill(c->pid, SIGKILL);
		while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	c->pid = 0;
	/* What came while we were finishing must not end us now. */
	while (c->signals >= 0 && read(c->signals, &si, sizeof(si)) == sizeof(si))
		;
	close_one(&c->signals);
	close_one(&c->failed);
	sigprocmask(SIG_SETMASK, &c->old_mask, NULL);
}
