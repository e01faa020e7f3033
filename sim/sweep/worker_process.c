/* The reader and the workers: what goes on in processes of their own. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/sweep/sweep_run.h"
#include "sim/sweep/worker_wire.h"
#include "workloads/memory.h"

/* One process of a group. */
struct process {
	const struct worker_job *job;
	atomic_uint_fast64_t *next; /* shared: index of the next run */
	int out;
	unsigned worker;
};

/* ---- sending ---- */

/* Whoever reads is gone: nothing is left to do here. */
static void send_chunk(int out, const struct wire_head *head, const void *data)
{
	char chunk[PIPE_BUF];
	size_t len = sizeof(*head) + head->len;
	ssize_t n;

	memcpy(chunk, head, sizeof(*head));
	if (data)
		memcpy(chunk + sizeof(*head), data, head->len);
	do
		n = write(out, chunk, len);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)len)
		_exit(1);
}

static void send_text(int out, struct wire_head head, const char *text, size_t len)
{
	struct wire_head part = head;

	part.kind = WIRE_PART;
	part.len = WIRE_DATA;
	for (; len > WIRE_DATA; text += WIRE_DATA, len -= WIRE_DATA)
		send_chunk(out, &part, text);
	head.len = (uint16_t)len;
	send_chunk(out, &head, text);
}

static void send_error(int out, struct wire_head head, const struct error *err)
{
	head.is_input = err->kind == ERROR_INPUT;
	send_text(out, head, err->text, strlen(err->text));
}

/* ---- a worker ---- */

/* The terminal's signals are for the process that the user started; it tells us. */
static void settle(pid_t parent)
{
	sigset_t none;

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Nobody works on for a sweep that was killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

static void do_run(const struct process *p, const struct memory *workload, uint64_t run)
{
	struct wire_head head = {.run = run, .worker = p->worker, .kind = WORKER_DONE};
	struct error err = {0};
	char *text;
	size_t len;

	if (sweep_run(p->job->plan, run, workload, &text, &len, &err)) {
		head.kind = WORKER_ERROR;
		send_error(p->out, head, &err);
		return;
	}
	send_text(p->out, head, text, len);
	free(text);
}

static void __attribute__((noreturn)) work(const struct process *p, const struct memory *workload)
{
	atomic_uint_fast64_t *current = &p->job->shared->current[p->worker];
	uint64_t i;

	while (!atomic_load(&p->job->shared->stop)) {
		i = atomic_fetch_add(p->next, 1);
		if (i >= p->job->nr_runs)
			break;
		atomic_store(current, p->job->runs[i] + 1);
		do_run(p, workload, p->job->runs[i]);
		atomic_store(current, 0);
	}
	_exit(0);
}

/* ---- the reader ---- */

struct child {
	pid_t pid;
	unsigned worker;
	struct child *next;
};

static void send_gone(const struct process *p, unsigned worker, int status)
{
	uint64_t run = atomic_exchange(&p->job->shared->current[worker], 0);
	struct wire_head head = {
	    .run = run ? run - 1 : UINT64_MAX,
	    .worker = worker,
	    .status = status,
	    .kind = WORKER_GONE,
	};

	send_chunk(p->out, &head, NULL);
}

static void add_worker(struct process *p, const struct memory *workload, unsigned worker,
		       struct child **children)
{
	struct child *c = malloc(sizeof(*c));
	pid_t self = getpid(), pid = c ? fork() : -1;

	if (!pid) {
		free(c);
		settle(self);
		p->worker = worker;
		work(p, workload);
	}
	if (pid < 0) {
		free(c);
		send_gone(p, worker, W_EXITCODE(1, 0));
		return;
	}
	*c = (struct child){.pid = pid, .worker = worker, .next = *children};
	*children = c;
}

static void reap(const struct process *p, struct child **children)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (struct child **at = children; *at; at = &(*at)->next) {
			struct child *c = *at;

			if (c->pid != pid)
				continue;
			send_gone(p, c->worker, status);
			*at = c->next;
			free(c);
			break;
		}
	}
}

static int child_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Fork workers as ordered, and tell of those that end. */
static void serve(struct process *p, const struct memory *workload, int orders)
{
	struct signalfd_siginfo info;
	struct child *children = NULL;
	int signals = child_signals();
	bool finish = false;

	while (signals >= 0 && (!finish || children)) {
		struct pollfd fds[] = {{.fd = signals, .events = POLLIN},
				       {.fd = finish ? -1 : orders, .events = POLLIN}};
		uint32_t order;

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents) {
			if (read(orders, &order, sizeof(order)) != sizeof(order) ||
			    order == WIRE_FINISH)
				finish = true;
			else
				add_worker(p, workload, order, &children);
		}
		while (read(signals, &info, sizeof(info)) > 0)
			;
		reap(p, &children);
	}
}

void worker_reader(const struct worker_job *job, atomic_uint_fast64_t *next, pid_t parent, int out,
		   int orders)
{
	struct process p = {.job = job, .next = next, .out = out};
	struct wire_head head = {.kind = WORKER_READY};
	struct error err = {0};
	struct memory *workload;

	settle(parent);
	if (sweep_load_workload(job->plan, job->runs[0], &workload, &err)) {
		head.kind = WORKER_FAILED;
		send_error(out, head, &err);
		_exit(0);
	}
	send_chunk(out, &head, NULL);
	serve(&p, workload, orders);
	_exit(0);
}
