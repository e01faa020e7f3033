#include "sim/sweep/sweep_drive_part.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Workloads in memory at a time. */
#define MAX_OPEN 4

static const char *how_it_ended(int status, char *buf, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(buf, size, "was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(buf, size, "ended with status %d", WEXITSTATUS(status));
	return buf;
}

/* ---- starting ---- */

static int start_reading(struct drive *d, struct group *g, struct error *err)
{
	struct worker_job job = {
	    .plan = d->plan,
	    .runs = g->runs,
	    .nr_runs = g->nr_runs,
	    .shared = d->shared,
	};

	g->workers = worker_group_start(&job, d->opt->jobs, err);
	if (!g->workers)
		return -1;
	g->state = GROUP_READS;
	d->reading++;
	d->open++;
	return 0;
}

static int add_worker(struct drive *d, struct group *g, struct error *err)
{
	unsigned worker = 0;

	while (d->busy[worker])
		worker++;
	if (worker_group_add(g->workers, worker, err))
		return -1;
	d->busy[worker] = g;
	d->working++;
	return 0;
}

/* A group that a free processor can be used for: work that is ready comes first. */
static struct group *next_group(struct drive *d)
{
	struct group *waits = NULL;

	for (uint32_t i = 0; i < d->plan->nr_groups; i++) {
		struct group *g = &d->groups[i];

		if (g->state == GROUP_READY && worker_group_left(g->workers))
			return g;
		if (g->state == GROUP_WAITS && !waits)
			waits = g;
	}
	return d->open < MAX_OPEN ? waits : NULL;
}

static int schedule(struct drive *d, struct error *err)
{
	struct group *g;

	while (!d->stopping && d->working + d->reading < d->opt->jobs && (g = next_group(d)))
		if (g->state == GROUP_WAITS ? start_reading(d, g, err) : add_worker(d, g, err))
			return -1;
	for (uint32_t i = 0; i < d->plan->nr_groups; i++) {
		g = &d->groups[i];
		if (g->state != GROUP_READY || (!d->stopping && worker_group_left(g->workers)))
			continue;
		worker_group_finish(g->workers);
		g->state = GROUP_FINISHES;
	}
	return 0;
}

/* ---- listening ---- */

static void stop(struct drive *d)
{
	d->stopping = true;
	atomic_store(&d->shared->stop, true);
	for (uint32_t i = 0; i < d->plan->nr_groups; i++)
		if (d->groups[i].state == GROUP_READS)
			worker_group_kill(d->groups[i].workers);
}

static void kill_all(struct drive *d)
{
	stop(d);
	for (uint32_t i = 0; i < d->plan->nr_groups; i++)
		if (d->groups[i].workers)
			worker_group_kill(d->groups[i].workers);
}

static void worker_gone(struct drive *d, const struct worker_event *ev)
{
	char how[100], message[200];

	if (ev->worker < d->opt->jobs && d->busy[ev->worker]) {
		d->busy[ev->worker] = NULL;
		d->working--;
	}
	if (!ev->status || ev->run >= d->plan->sweep.nr_runs || !drive_open_run(d, ev->run))
		return;
	snprintf(message, sizeof(message), "its process %s",
		 how_it_ended(ev->status, how, sizeof(how)));
	drive_count_failed(d, ev->run, false, message);
	drive_tell_failed(d, ev->run, message);
}

static int handle(struct drive *d, struct group *g, const struct worker_event *ev,
		  struct error *err)
{
	switch (ev->message) {
	case WORKER_READY:
		d->reading--;
		g->state = GROUP_READY;
		return 0;
	case WORKER_FAILED:
		g->broken = true;
		return drive_put_errors(d, g, ev->is_input, ev->text, err);
	case WORKER_DONE:
		return drive_put_record(d, ev->run, ev->text, ev->len, err);
	case WORKER_ERROR:
		drive_tell_failed(d, ev->run, ev->text);
		return drive_put_error(d, ev->run, ev->is_input, ev->text, err);
	case WORKER_GONE:
		worker_gone(d, ev);
		/* Without a run it was at, something is wrong that more workers do not mend. */
		if (ev->status && ev->run == UINT64_MAX)
			return error_failed(err, "no process can be started");
		return 0;
	}
	return 0;
}

static int group_over(struct drive *d, struct group *g, struct error *err)
{
	int status = worker_group_end(g->workers);
	char how[100], message[200];

	if (g->state == GROUP_READS)
		d->reading--;
	d->open--;
	g->workers = NULL;
	g->state = GROUP_OVER;
	/* A reader that died took its workers with it, untold. */
	for (unsigned i = 0; i < d->opt->jobs; i++) {
		if (d->busy[i] == g) {
			d->busy[i] = NULL;
			d->working--;
		}
	}
	if (d->stopping || g->broken)
		return 0;
	snprintf(message, sizeof(message), "the process that read the workload %s",
		 how_it_ended(status, how, sizeof(how)));
	return drive_put_errors(d, g, false, message, err);
}

static int listen_to(struct drive *d, struct group *g, struct error *err)
{
	struct worker_event ev;
	int more = worker_group_read(g->workers, err);

	if (more < 0)
		return -1;
	while (worker_group_next(g->workers, &ev))
		if (handle(d, g, &ev, err))
			return -1;
	return more ? 0 : group_over(d, g, err);
}

static void read_signal(struct drive *d)
{
	struct signalfd_siginfo info;

	if (read(d->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (d->outcome->interrupted) {
		kill_all(d);
		return;
	}
	d->outcome->interrupted = true;
	sweep_progress_note(&d->progress,
			    "stopping; the runs that are going on are finished first");
	stop(d);
}

/* Wait for something to happen, and see to it. */
static int step(struct drive *d, struct error *err)
{
	struct pollfd fds[MAX_OPEN + 1] = {{.fd = d->signals, .events = POLLIN}};
	struct group *of[MAX_OPEN + 1] = {NULL};
	unsigned n = 1;

	for (uint32_t i = 0; i < d->plan->nr_groups && n <= MAX_OPEN; i++) {
		if (!d->groups[i].workers)
			continue;
		fds[n].fd = worker_group_fd(d->groups[i].workers);
		fds[n].events = POLLIN;
		of[n++] = &d->groups[i];
	}
	if (poll(fds, n, 1000) < 0)
		return errno == EINTR ? 0 : error_failed(err, "poll: %s", strerror(errno));
	if (fds[0].revents)
		read_signal(d);
	for (unsigned i = 1; i < n; i++)
		if (fds[i].revents && listen_to(d, of[i], err))
			return -1;
	return 0;
}

static int loop(struct drive *d, struct error *err)
{
	for (;;) {
		if (schedule(d, err))
			return -1;
		if (!d->open)
			return 0;
		if (step(d, err) || schedule(d, err) || drive_sync(d, err))
			return -1;
		sweep_progress_show(&d->progress);
	}
}

/* ---- the whole ---- */

static bool to_do(const struct drive *d, uint64_t run)
{
	return sweep_in_shard(d->opt, run) && !d->journal->entries[run].length;
}

/* Sort what is to do by its groups. */
static int make_groups(struct drive *d, struct error *err)
{
	const struct sweep_plan *p = d->plan;
	uint64_t *at;

	d->groups = calloc((size_t)p->nr_groups + 1, sizeof(*d->groups));
	d->runs = calloc(p->sweep.nr_runs, sizeof(*d->runs));
	d->failed = calloc(p->sweep.nr_runs, sizeof(*d->failed));
	d->busy = calloc(d->opt->jobs, sizeof(*d->busy));
	if (!d->groups || !d->runs || !d->failed || !d->busy)
		return error_memory(err, "a sweep");
	for (uint64_t i = 0; i < p->sweep.nr_runs; i++)
		if (to_do(d, i))
			d->groups[p->runs[i].group].nr_runs++;
	at = d->runs;
	for (uint32_t i = 0; i < p->nr_groups; i++) {
		d->groups[i].runs = at;
		at += d->groups[i].nr_runs;
		if (!d->groups[i].nr_runs)
			d->groups[i].state = GROUP_OVER;
		d->groups[i].nr_runs = 0;
	}
	for (uint64_t i = 0; i < p->sweep.nr_runs; i++) {
		struct group *g;

		if (!to_do(d, i))
			continue;
		g = &d->groups[p->runs[i].group];
		g->runs[g->nr_runs++] = i;
	}
	return 0;
}

/* Signals that the program was started to ignore stay ignored. */
static int watch_signals(struct drive *d, sigset_t *old, struct error *err)
{
	static const int wanted[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;
	sigset_t set;

	sigemptyset(&set);
	for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (!sigaction(wanted[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&set, wanted[i]);
	sigprocmask(SIG_BLOCK, &set, old);
	d->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (d->signals < 0)
		return error_failed(err, "signals: %s", strerror(errno));
	return 0;
}

/* After a failure of the sweep itself: nobody is left behind. */
static void end_groups(struct drive *d)
{
	kill_all(d);
	for (uint32_t i = 0; i < d->plan->nr_groups; i++)
		if (d->groups[i].workers)
			worker_group_end(d->groups[i].workers);
}

static void count_outcome(struct drive *d)
{
	for (uint64_t i = 0; i < d->plan->sweep.nr_runs; i++)
		if (to_do(d, i) && !d->failed[i])
			d->outcome->missing++;
}

static int carry_out(struct drive *d, struct error *err)
{
	uint64_t before = 0;

	for (uint64_t i = 0; i < d->plan->sweep.nr_runs; i++) {
		if (!sweep_in_shard(d->opt, i))
			continue;
		d->outcome->runs++;
		before += d->journal->entries[i].length != 0;
	}
	sweep_progress_begin(&d->progress, d->outcome->runs, before, d->opt->quiet);
	if (make_groups(d, err))
		return -1;
	d->shared = worker_shared_new(d->opt->jobs, err);
	if (!d->shared)
		return -1;
	if (loop(d, err)) {
		end_groups(d);
		sweep_progress_end(&d->progress);
		return -1;
	}
	count_outcome(d);
	sweep_progress_end(&d->progress);
	return 0;
}

int sweep_drive(const struct sweep_plan *p, struct journal *j, const struct sweep_options *opt,
		struct sweep_outcome *outcome, struct error *err)
{
	struct drive d = {.plan = p, .opt = opt, .journal = j, .outcome = outcome, .signals = -1};
	sigset_t old;
	int ret;

	*outcome = (struct sweep_outcome){0};
	ret = watch_signals(&d, &old, err);
	if (!ret)
		ret = carry_out(&d, err);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (d.signals >= 0)
		close(d.signals);
	worker_shared_free(d.shared, opt->jobs);
	free(d.groups);
	free(d.runs);
	free(d.failed);
	free(d.busy);
	return ret;
}
