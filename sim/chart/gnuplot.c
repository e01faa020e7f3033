#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/chart/gnuplot.h"

/* What gnuplot says comes first in a message, the rest of a long one is of no use. */
#define SAID_MAX 600

/* Its first words, on one line. */
static void read_said(int fd, char *said, size_t size)
{
	char buf[512];
	size_t n = 0;
	ssize_t got, i;

	while ((got = read(fd, buf, sizeof(buf))) > 0)
		for (i = 0; i < got; i++) {
			char c = buf[i] == '\n' || buf[i] == '\t' ? ' ' : buf[i];

			if (n + 1 < size && (unsigned char)c >= ' ' &&
			    !(c == ' ' && (n == 0 || said[n - 1] == ' ')))
				said[n++] = c;
		}
	while (n && said[n - 1] == ' ')
		n--;
	said[n] = 0;
}

static int spawn(pid_t *pid, int in, int out, int said)
{
	/* -d: neither the system's nor the user's settings */
	char *argv[] = {(char *)"gnuplot", (char *)"-d", (char *)"-", NULL};
	posix_spawn_file_actions_t actions;
	int code;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, said, 2);
	code = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

static int not_installed(struct error *err)
{
	return error_failed(err, "gnuplot is not installed (apt install gnuplot-nox)");
}

static int wait_for(pid_t pid, FILE *errors, struct error *err)
{
	char said[SAID_MAX];
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_failed(err, "gnuplot: %s", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	rewind(errors);
	read_said(fileno(errors), said, sizeof(said));
	/*
	 * posix_spawn() may find out only in the child that there is no such program; a program
	 * whose libraries cannot be loaded ends that way, too, but says so
	 */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return *said ? error_failed(err, "gnuplot cannot be started: %s", said)
			     : not_installed(err);
	if (WIFSIGNALED(status))
		return error_failed(err, "gnuplot died of signal %d: %s", WTERMSIG(status), said);
	return error_failed(err, "gnuplot failed: %s", said);
}

/* What gnuplot draws, all of it, into memory. */
static int read_picture(int fd, char **picture, size_t *len, struct error *err)
{
	FILE *mem = open_memstream(picture, len);
	char buf[16384];
	ssize_t got = 0;
	bool short_of_memory;

	if (!mem)
		return error_memory(err, "a chart");
	while (!ferror(mem) && (got = read(fd, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, (size_t)got, mem);
	if (got < 0)
		error_failed(err, "gnuplot: %s", strerror(errno));
	short_of_memory = ferror(mem);
	if (fclose(mem) || short_of_memory)
		error_memory(err, "a chart");
	if (err->kind == ERROR_NONE)
		return 0;
	free(*picture);
	*picture = NULL;
	return -1;
}

static int run(FILE *in, FILE *errors, char **picture, size_t *len, struct error *err)
{
	int fds[2], code, ret;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return error_failed(err, "gnuplot: %s", strerror(errno));
	code = spawn(&pid, fileno(in), fds[1], fileno(errors));
	close(fds[1]);
	if (code) {
		close(fds[0]);
		if (code == ENOENT)
			return not_installed(err);
		return error_failed(err, "gnuplot cannot be started: %s", strerror(code));
	}
	ret = read_picture(fds[0], picture, len, err);
	close(fds[0]);
	return wait_for(pid, errors, err) || ret ? -1 : 0;
}

char *gnuplot_draw(const char *script, size_t n, size_t *len, struct error *err)
{
	FILE *in = tmpfile(), *errors = tmpfile();
	char *picture = NULL;
	int ret;

	if (!in || !errors || fwrite(script, 1, n, in) != n || fflush(in) ||
	    lseek(fileno(in), 0, SEEK_SET) < 0)
		ret = error_failed(err, "a temporary file: %s", strerror(errno));
	else
		ret = run(in, errors, &picture, len, err);
	if (in)
		fclose(in);
	if (errors)
		fclose(errors);
	if (!ret && *len == 0)
		ret = error_failed(err, "gnuplot drew nothing");
	if (!ret)
		return picture;
	free(picture);
	return NULL;
}
