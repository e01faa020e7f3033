#include "workloads/live-tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sys/resource.h>
#include <tracefs.h>
#include <unistd.h>

#include "sim/file.h"

#define INSTANCE_PREFIX "slabsim-"
#define KALLSYMS_MAX	(256u << 20)

static const char *const event_names[] = {"kmalloc",	     "kmalloc_node",
					  "kfree",	     "kmem_cache_alloc",
					  "kmem_cache_free", "kmem_cache_alloc_node"};

#define NR_EVENTS (sizeof(event_names) / sizeof(event_names[0]))

/* ---- setting up ---- */

static int check_rights(struct error *err)
{
	const char *dir = NULL;
	char path[256];

	tracefs_set_loglevel(TEP_LOG_NONE);
	/* Asked first, since tracefs_tracing_dir() would mount it. */
	if (tracefs_tracing_dir_is_mounted(false, NULL) > 0)
		dir = tracefs_tracing_dir();
	if (!dir)
		return error_failed(err, "tracefs is not mounted: mount -t tracefs nodev "
					 "/sys/kernel/tracing");
	snprintf(path, sizeof(path), "%.200s/instances", dir);
	if (!access(path, W_OK))
		return 0;
	if (errno == ENOENT)
		return error_failed(err, "%s: this kernel's tracefs has no instances", path);
	return error_failed(err, "%s: %s: recording the kernel takes root's rights", path,
			    strerror(errno));
}

/* The process an instance of ours belongs to; 0: it is none of ours. */
static pid_t owner(const char *instance)
{
	const char *number = instance + strlen(INSTANCE_PREFIX);
	char *end;
	long pid;

	if (strncmp(instance, INSTANCE_PREFIX, strlen(INSTANCE_PREFIX)))
		return 0;
	pid = strtol(number, &end, 10);
	return pid > 0 && end > number && !*end ? (pid_t)pid : 0;
}

/* Instances of recordings that were killed. */
static void remove_stale(void)
{
	char **list = tracefs_instances(NULL);

	for (size_t i = 0; list && list[i]; i++) {
		pid_t pid = owner(list[i]);
		struct tracefs_instance *stale;

		if (!pid || !kill(pid, 0) || errno != ESRCH)
			continue;
		stale = tracefs_instance_create(list[i]);
		if (!stale)
			continue;
		tracefs_instance_destroy(stale);
		tracefs_instance_free(stale);
	}
	if (list)
		tracefs_list_free(list);
}

static int create_instance(struct live_tracefs *t, struct error *err)
{
	char name[64];

	snprintf(name, sizeof(name), INSTANCE_PREFIX "%ld", (long)getpid());
	t->instance = tracefs_instance_create(name);
	if (!t->instance)
		return error_failed(err, "cannot create an instance of tracefs: %s",
				    strerror(errno));
	if (tracefs_trace_off(t->instance))
		return error_failed(err, "cannot switch tracing off in a new instance of tracefs");
	if (tracefs_instance_set_buffer_size(t->instance, t->buffer_kb, -1))
		return error_failed(err,
				    "cannot get trace buffers of %u KiB for each CPU: less, "
				    "with --buffer-size, may do",
				    t->buffer_kb);
	/* Wake us early; older kernels wait for the first page, or cannot be told. */
	tracefs_instance_file_write(t->instance, "buffer_percent", "20");
	/* One clock for all CPUs; the default is one for each. */
	if (tracefs_instance_file_write(t->instance, "trace_clock", "mono") < 0)
		tracefs_instance_file_write(t->instance, "trace_clock", "global");
	return 0;
}

static int enable_events(struct live_tracefs *t, struct error *err)
{
	unsigned enabled = 0;

	for (size_t i = 0; i < NR_EVENTS; i++) {
		/* Kernels since 6.1 have no *_node ones. */
		if (!tracefs_event_file_exists(t->instance, "kmem", event_names[i], "enable"))
			continue;
		if (tracefs_event_enable(t->instance, "kmem", event_names[i]))
			return error_failed(err, "cannot enable the event kmem:%s: %s",
					    event_names[i], strerror(errno));
		enabled++;
	}
	return enabled ? 0 : error_failed(err, "this kernel has no kmem events");
}

static int read_formats(struct live_tracefs *t, struct error *err)
{
	static const char *const systems[] = {"kmem", NULL};
	struct error none = {0};
	size_t len;
	char *symbols;

	errno = 0;
	t->tep = tracefs_local_events_system(NULL, systems);
	if (!t->tep)
		return error_failed(
		    err, "%s/events/kmem: cannot read the formats of its events%s%s",
		    tracefs_tracing_dir(), errno ? ": " : "", errno ? strerror(errno) : "");
	/* Without symbols, call sites are addresses. */
	symbols = file_read("/proc/kallsyms", KALLSYMS_MAX, &len, &none);
	if (symbols)
		tep_parse_kallsyms(t->tep, symbols);
	free(symbols);
	t->page_size = (size_t)tep_get_sub_buffer_size(t->tep);
	if (t->page_size < 512 || t->page_size > 1 << 20)
		t->page_size = (size_t)sysconf(_SC_PAGESIZE);
	return 0;
}

static int open_buffers(struct live_tracefs *t, struct error *err)
{
	unsigned opened = 0;

	t->fd = malloc(t->cpus * sizeof(*t->fd));
	if (!t->fd)
		return error_memory(err, "the kernel's trace");
	for (unsigned i = 0; i < t->cpus; i++) {
		char file[64];

		snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", i);
		t->fd[i] = tracefs_instance_file_open(t->instance, file,
						      O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		opened += t->fd[i] >= 0;
	}
	return opened ? 0 : error_failed(err, "cannot open the trace buffers: %s", strerror(errno));
}

int live_tracefs_open(struct live_tracefs *t, unsigned cpus, unsigned buffer_kb, struct error *err)
{
	*t = (struct live_tracefs){.cpus = cpus, .buffer_kb = buffer_kb};
	if (check_rights(err))
		return -1;
	remove_stale();
	if (!create_instance(t, err) && !enable_events(t, err) && !read_formats(t, err) &&
	    !open_buffers(t, err))
		return 0;
	live_tracefs_close(t);
	return -1;
}

void live_tracefs_stop(struct live_tracefs *t)
{
	for (unsigned i = 0; i < t->cpus && t->fd; i++)
		if (t->fd[i] >= 0)
			close(t->fd[i]);
	free(t->fd);
	t->fd = NULL;
	if (!t->instance)
		return;
	tracefs_trace_off(t->instance);
	tracefs_instance_destroy(t->instance);
	tracefs_instance_free(t->instance);
	t->instance = NULL;
}

void live_tracefs_close(struct live_tracefs *t)
{
	live_tracefs_stop(t);
	if (t->tep)
		tep_free(t->tep);
	*t = (struct live_tracefs){0};
}

/* ---- recording ---- */

/* Up to most pages of a CPU: 0, or -1 and err. */
static int drain_cpu(struct live_tracefs *t, unsigned cpu, struct live_pages *pages, size_t most,
		     struct error *err)
{
	while (most--) {
		void *page = live_pages_room(pages, cpu, err);
		ssize_t got;

		if (!page)
			return -1;
		do
			got = read(t->fd[cpu], page, t->page_size);
		while (got < 0 && errno == EINTR);
		if (got == 0 || (got < 0 && (errno == EAGAIN || errno == ENODEV)))
			return 0;
		if (got < 0)
			return error_failed(err, "cannot read the trace buffer of CPU %u: %s", cpu,
					    strerror(errno));
		/* A short one is padded: what it says of its length counts. */
		memset((char *)page + got, 0, t->page_size - (size_t)got);
		live_pages_add(pages, cpu);
	}
	return 0;
}

static int drain_all(struct live_tracefs *t, struct live_pages *pages, struct error *err)
{
	for (unsigned i = 0; i < t->cpus; i++)
		if (t->fd[i] >= 0 && drain_cpu(t, i, pages, SIZE_MAX, err))
			return -1;
	return 0;
}

/* Read full pages while the command runs, never the one that is being written. */
static int follow(struct live_tracefs *t, struct live_command *c, struct live_pages *pages,
		  struct error *err)
{
	/* A CPU's buffer is readable when a fifth of it is full. */
	size_t most = (size_t)t->buffer_kb * 1024 / 4 / t->page_size + 1;
	struct pollfd *fds = calloc((size_t)t->cpus + 1, sizeof(*fds));
	int ret = fds ? 0 : error_memory(err, "the kernel's trace");

	while (!ret && !c->ended) {
		for (unsigned i = 0; i < t->cpus; i++)
			fds[i] = (struct pollfd){.fd = t->fd[i], .events = POLLIN};
		fds[t->cpus] = (struct pollfd){.fd = c->signals, .events = POLLIN};
		if (poll(fds, t->cpus + 1, 1000) < 0 && errno != EINTR)
			ret = error_failed(err, "cannot wait for the kernel's trace: %s",
					   strerror(errno));
		live_command_check(c);
		for (unsigned i = 0; i < t->cpus && !ret; i++)
			if (fds[i].revents & POLLIN)
				ret = drain_cpu(t, i, pages, most, err);
	}
	free(fds);
	return ret;
}

/* The number behind name in the statistics of a CPU's buffer. */
static uint64_t read_stat(const char *stats, const char *name)
{
	const char *s = strstr(stats, name);

	return s ? strtoull(s + strlen(name), NULL, 10) : 0;
}

static uint64_t count_lost(struct live_tracefs *t)
{
	uint64_t lost = 0;

	for (unsigned i = 0; i < t->cpus; i++) {
		char file[64], *stats;

		snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", i);
		stats = tracefs_instance_file_read(t->instance, file, NULL);
		if (!stats)
			continue;
		lost += read_stat(stats, "\noverrun: ") + read_stat(stats, "\ndropped events: ");
		free(stats);
	}
	return lost;
}

int live_tracefs_record(struct live_tracefs *t, struct live_command *c, struct live_pages *pages,
			uint64_t *lost, struct error *err)
{
	/* The command has ours of before: it must not keep us from reading. */
	int ret, nice = getpriority(PRIO_PROCESS, 0);

	setpriority(PRIO_PROCESS, 0, -15);
	if (tracefs_trace_on(t->instance))
		return error_failed(err, "cannot switch tracing on: %s", strerror(errno));
	/* Perhaps nobody wants it any more. */
	live_command_check(c);
	if (c->interrupted)
		ret = error_failed(err, "interrupted (%s) before the command began",
				   strsignal(c->interrupted));
	else
		ret = live_command_start(c, err);
	if (!ret)
		ret = follow(t, c, pages, err);
	tracefs_trace_off(t->instance);
	if (!ret)
		ret = drain_all(t, pages, err);
	*lost = count_lost(t);
	setpriority(PRIO_PROCESS, 0, nice);
	return ret;
}
