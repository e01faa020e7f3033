/*
 * perf.data, the binary file of perf record. Its format is perf's own affair, and so perf reads
 * it, where it is installed; else the user is told how to.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/perf-script.h"

#define SCRIPT "perf script --ns --show-lost-events -F cpu,time,event,trace -i"

struct perf_data {
	struct reader_ctx *ctx;
	pid_t pid;
	struct input *text; /* what perf prints */
};

static int perf_data_probe(const char *head, size_t len)
{
	return len >= 8 && (!memcmp(head, "PERFILE2", 8) || !memcmp(head, "2ELIFREP", 8)) ? 100 : 0;
}

static int cannot_run(const struct reader_ctx *ctx, int error, struct error *err)
{
	if (error != ENOENT)
		return error_failed(err, "cannot run perf: %s", strerror(error));
	return error_input(
	    err,
	    "%s: this is a perf.data file, which perf must read, but there is no perf "
	    "here. Where there is one: " SCRIPT " %s > trace.txt; then take trace.txt",
	    input_name(ctx->in), input_name(ctx->in));
}

/* Run perf with the file as its standard input and out as its standard output. */
static int spawn_perf(struct perf_data *p, int file, int out, struct error *err)
{
	/* -f: whose file it is does not matter. */
	char *const argv[] = {"perf",
			      "script",
			      "--ns",
			      "--show-lost-events",
			      "-F",
			      "cpu,time,event,trace",
			      "-f",
			      "-i",
			      "/proc/self/fd/0",
			      NULL};
	posix_spawn_file_actions_t fa;
	int ret;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, file, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&fa, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&fa, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	ret = posix_spawnp(&p->pid, "perf", &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	if (!ret)
		return 0;
	p->pid = 0;
	return cannot_run(p->ctx, ret, err);
}

/*
 * A damaged file can make perf run for ever. It gets three seconds of processor time, and one more
 * for every MiB of the file, which is twenty times what it needs.
 */
static void limit_time(const struct perf_data *p, int file)
{
	struct rlimit limit = {.rlim_cur = 3};
	struct stat st;

	if (!fstat(file, &st) && st.st_size > 0)
		limit.rlim_cur += (rlim_t)st.st_size >> 20;
	/* SIGXCPU comes at the one, SIGKILL at the other. */
	limit.rlim_max = limit.rlim_cur + 1;
	prlimit(p->pid, RLIMIT_CPU, &limit, NULL);
}

static int failed(struct perf_data *p, struct error *err)
{
	const char *name = input_name(p->ctx->in);
	int status = 0;

	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->pid = 0;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		return error_input(err, "%s: damaged: perf does not come to its end", name);
	return error_input(err, "%s: perf cannot read this file; to see why: " SCRIPT " %s", name,
			   name);
}

static void perf_data_close(void *state)
{
	struct perf_data *p = state;

	input_close(p->text);
	if (p->pid > 0) {
		kill(p->pid, SIGKILL);
		while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	free(p);
}

static int start(struct perf_data *p, struct error *err)
{
	int file = input_file(p->ctx->in, err), ends[2], ret;
	struct error none = {0};

	if (file < 0)
		return -1;
	if (pipe2(ends, O_CLOEXEC)) {
		close(file);
		return error_failed(err, "cannot create a pipe: %s", strerror(errno));
	}
	ret = spawn_perf(p, file, ends[1], err);
	if (!ret)
		limit_time(p, file);
	close(file);
	close(ends[1]);
	if (ret) {
		close(ends[0]);
		return -1;
	}
	p->text = input_open_fd(ends[0], input_name(p->ctx->in), &none);
	/* Nothing at all was printed. */
	if (!p->text && !failed(p, err))
		error_input(err, "%s: there are no events in this perf.data file",
			    input_name(p->ctx->in));
	return p->text ? 0 : -1;
}

static void *perf_data_open(struct reader_ctx *ctx, struct error *err)
{
	struct perf_data *p = calloc(1, sizeof(*p));

	if (!p) {
		error_memory(err, "reading a trace");
		return NULL;
	}
	p->ctx = ctx;
	if (!start(p, err))
		return p;
	perf_data_close(p);
	return NULL;
}

static int64_t perf_data_next(void *state, struct record *rec, size_t cap, struct error *err)
{
	struct perf_data *p = state;
	struct input *file = p->ctx->in;
	int64_t n;

	p->ctx->in = p->text;
	n = reader_next_lines(p->ctx, perf_script_line, rec, cap, err);
	p->ctx->in = file;
	return n == 0 && p->pid && failed(p, err) ? -1 : n;
}

static const struct reader_ops perf_data = {
    .name = "perf-data",
    .summary = "perf.data, the binary file of perf record, if perf is there to read it",
    .probe = perf_data_probe,
    .open = perf_data_open,
    .next = perf_data_next,
    .close = perf_data_close,
};
READER(perf_data);
