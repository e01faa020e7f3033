#include "workloads/live-perf.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/temp-file.h"

#define EVENTS "kmem:kmalloc,kmem:kfree,kmem:kmem_cache_alloc,kmem:kmem_cache_free"

bool live_perf_works(void)
{
	char *const argv[] = {"perf", "record", "-q", "-a",	   "-R", "-c",	 "1",
			      "-e",   EVENTS,	"-o", "/dev/null", "--", "true", NULL};
	posix_spawn_file_actions_t fa;
	int ret, status = 1;
	pid_t pid;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&fa, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&fa, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	ret = posix_spawnp(&pid, "perf", &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	while (!ret && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return !ret && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int live_perf_open(struct live_perf *p, char *const *command, unsigned buffer_kb, struct error *err)
{
	const char *fixed[] = {"perf", "record", "-q", "-a",   "-R", "-c", "1",
			       "-m",   NULL,	 "-e", EVENTS, "-o", NULL, "--"};
	const size_t n = sizeof(fixed) / sizeof(fixed[0]);
	size_t words = 0;
	char buffer[32];

	*p = (struct live_perf){0};
	snprintf(p->dir, sizeof(p->dir), "%.40s/slabsim-XXXXXX", temp_file_directory());
	if (!mkdtemp(p->dir)) {
		p->dir[0] = '\0';
		return error_failed(err, "cannot create a folder in %s: %s; set TMPDIR to another",
				    temp_file_directory(), strerror(errno));
	}
	while (command[words])
		words++;
	/* perf wants a power of two, of kilobytes. */
	snprintf(buffer, sizeof(buffer), "%uK",
		 1u << (31 - (unsigned)__builtin_clz(buffer_kb | 4)));
	p->argv = calloc(n + words + 1, sizeof(*p->argv));
	if (!p->argv || asprintf(&p->data, "%s/perf.data", p->dir) < 0)
		return error_memory(err, "perf's arguments");
	fixed[8] = buffer;
	fixed[12] = p->data;
	for (size_t i = 0; i < n + words; i++) {
		p->argv[i] = strdup(i < n ? fixed[i] : command[i - n]);
		if (!p->argv[i])
			return error_memory(err, "perf's arguments");
	}
	return 0;
}

struct stream *live_perf_read(struct live_perf *p, const struct trace_options *opt,
			      struct error *err)
{
	if (!access(p->data, R_OK))
		return stream_open(p->data, opt, err);
	error_failed(err, "perf has recorded nothing: recording the kernel takes root's rights");
	return NULL;
}

void live_perf_close(struct live_perf *p)
{
	for (size_t i = 0; p->argv && p->argv[i]; i++)
		free(p->argv[i]);
	free(p->argv);
	if (p->data)
		unlink(p->data);
	free(p->data);
	if (p->dir[0])
		rmdir(p->dir);
	*p = (struct live_perf){0};
}
