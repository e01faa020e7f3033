/* The side of the process that steers. */
#include "sim/sweep/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/sweep/worker_wire.h"

/* The kernel's limit for an unprivileged process. Fewer waits when there is more than one. */
#define PIPE_ROOM (1 << 20)

/* The text that a worker is sending. */
struct assembly {
	char *text;
	size_t len, cap;
};

struct worker_group {
	struct worker_job job;
	atomic_uint_fast64_t *next; /* shared */
	pid_t pid;
	int in, orders;
	char raw[16 * PIPE_BUF];
	size_t have, used;	   /* bytes in raw, and how many of them are taken */
	struct assembly *assembly; /* [nr_workers + 1]; the last is the reader's */
	unsigned nr_workers;
	struct assembly *spent; /* of the last event */
	bool out_of_memory;
};

static void *shared_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static size_t shared_size(unsigned workers)
{
	return sizeof(struct worker_shared) + workers * sizeof(atomic_uint_fast64_t);
}

struct worker_shared *worker_shared_new(unsigned workers, struct error *err)
{
	struct worker_shared *s = shared_memory(shared_size(workers));

	if (!s)
		error_memory(err, "the workers");
	return s;
}

void worker_shared_free(struct worker_shared *s, unsigned workers)
{
	if (s)
		munmap(s, shared_size(workers));
}

/* ---- start and end ---- */

static void release(struct worker_group *g)
{
	if (g->next)
		munmap(g->next, sizeof(*g->next));
	if (g->in >= 0)
		close(g->in);
	if (g->orders >= 0)
		close(g->orders);
	for (unsigned i = 0; g->assembly && i <= g->nr_workers; i++)
		free(g->assembly[i].text);
	free(g->assembly);
	free(g);
}

static int start(struct worker_group *g, struct error *err)
{
	int results[2] = {-1, -1}, orders[2] = {-1, -1};
	pid_t self = getpid();

	if (!pipe2(results, O_CLOEXEC) && !pipe2(orders, O_CLOEXEC))
		g->pid = fork();
	if (!g->pid)
		worker_reader(&g->job, g->next, self, results[1], orders[0]);
	g->in = results[0];
	g->orders = orders[1];
	if (results[1] >= 0)
		close(results[1]);
	if (orders[0] >= 0)
		close(orders[0]);
	if (g->pid < 0)
		return error_failed(err, "no process can be started: %s", strerror(errno));
	fcntl(g->in, F_SETFL, O_NONBLOCK);
	fcntl(g->in, F_SETPIPE_SZ, PIPE_ROOM);
	return 0;
}

struct worker_group *worker_group_start(const struct worker_job *job, unsigned max_workers,
					struct error *err)
{
	struct worker_group *g = calloc(1, sizeof(*g));

	if (!g) {
		error_memory(err, "the workers");
		return NULL;
	}
	g->job = *job;
	g->pid = g->in = g->orders = -1;
	g->nr_workers = max_workers;
	g->assembly = calloc((size_t)max_workers + 1, sizeof(*g->assembly));
	g->next = shared_memory(sizeof(*g->next));
	if (!g->assembly || !g->next)
		error_memory(err, "the workers");
	else if (!start(g, err))
		return g;
	release(g);
	return NULL;
}

static int order(struct worker_group *g, uint32_t what, struct error *err)
{
	if (write(g->orders, &what, sizeof(what)) == sizeof(what))
		return 0;
	return error_failed(err, "the process that read the workload is gone");
}

int worker_group_add(struct worker_group *g, unsigned worker, struct error *err)
{
	return order(g, worker, err);
}

void worker_group_finish(struct worker_group *g)
{
	struct error ignored = {0};

	/* If it is gone, it has finished. */
	order(g, WIRE_FINISH, &ignored);
}

void worker_group_kill(struct worker_group *g)
{
	kill(g->pid, SIGKILL);
}

int worker_group_end(struct worker_group *g)
{
	int status = 0;

	while (waitpid(g->pid, &status, 0) < 0 && errno == EINTR)
		;
	release(g);
	return status;
}

/* ---- what it says ---- */

uint64_t worker_group_left(const struct worker_group *g)
{
	uint64_t taken = atomic_load(g->next);

	return taken < g->job.nr_runs ? g->job.nr_runs - taken : 0;
}

int worker_group_fd(const struct worker_group *g)
{
	return g->in;
}

int worker_group_read(struct worker_group *g, struct error *err)
{
	ssize_t n;

	if (g->out_of_memory)
		return error_memory(err, "a result");
	memmove(g->raw, g->raw + g->used, g->have - g->used);
	g->have -= g->used;
	g->used = 0;
	n = read(g->in, g->raw + g->have, sizeof(g->raw) - g->have);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return error_failed(err, "a worker's pipe: %s", strerror(errno));
	if (n > 0)
		g->have += (size_t)n;
	return n != 0;
}

static bool gather(struct assembly *a, const char *data, size_t len)
{
	size_t cap = a->cap ? a->cap : 4096;
	char *text;

	while (cap < a->len + len + 1)
		cap *= 2;
	if (cap != a->cap) {
		text = realloc(a->text, cap);
		if (!text)
			return false;
		a->text = text;
		a->cap = cap;
	}
	memcpy(a->text + a->len, data, len);
	a->len += len;
	a->text[a->len] = 0;
	return true;
}

bool worker_group_next(struct worker_group *g, struct worker_event *ev)
{
	struct wire_head head;

	if (g->spent)
		g->spent->len = 0;
	g->spent = NULL;
	while (g->have - g->used >= sizeof(head)) {
		const char *at = g->raw + g->used;
		struct assembly *a;

		memcpy(&head, at, sizeof(head));
		if (g->have - g->used < sizeof(head) + head.len)
			return false;
		g->used += sizeof(head) + head.len;
		a = &g->assembly[head.worker < g->nr_workers ? head.worker : g->nr_workers];
		/* What a worker that is gone had begun to send is not going to end. */
		if (head.kind == WORKER_GONE)
			a->len = 0;
		if (!gather(a, at + sizeof(head), head.len)) {
			g->out_of_memory = true;
			return false;
		}
		if (head.kind == WIRE_PART)
			continue;
		g->spent = a;
		*ev = (struct worker_event){
		    .message = head.kind,
		    .worker = head.worker,
		    .run = head.run,
		    .is_input = head.is_input,
		    .status = head.status,
		    .text = a->text,
		    .len = a->len,
		};
		return true;
	}
	return false;
}
