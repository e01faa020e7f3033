/*
 * model: hackbench
 *
 *	groups x (fan senders + fan receivers); every sender writes loops messages to each
 *	receiver of its group, one after the other; every receiver reads until all have come
 *	write:  blocks while the receiver's socket holds sndbuf bytes; allocates the skb head, then
 *	        its data, on the sender's CPU; wakes the receiver if that sleeps
 *	read:   sleeps while nothing is there; frees the data, then the head, on the receiver's CPU;
 *	        wakes the socket's waiting writers when it is no more than a quarter full
 *	run:    all of that "runs" times over, the caches staying as they are
 *
 * Closed: who runs when depends on how long operations take. hackbench -g groups -l loops, with
 * the run queues of sched.h. The first cache of the configuration is the skb heads', the second,
 * if there is one, the data's.
 */
#include <cjson/cJSON.h>
#include <gsl/gsl_randist.h>

#include "sim/cost.h"
#include "workloads/distribution.h"
#include "workloads/host.h"
#include "workloads/object_ids.h"
#include "workloads/sched.h"

struct message {
	uint32_t head, data;
};

/* What one receiver reads from: a ring of messages, and the senders that wait for room. */
struct sock {
	struct message *ring;
	uint32_t first, n;
	uint32_t *waiting; /* tasks */
	uint32_t nr_waiting;
	uint32_t sending; /* messages being allocated: they count as well */
};

struct hack_task {
	uint32_t left; /* messages still to send, or to receive */
	uint32_t peer; /* senders: the receiver whose turn it is, within the group */
};

enum step { STEP_NOTHING, STEP_SEND, STEP_RECEIVE };

struct hack_cpu {
	uint64_t ready; /* when the CPU is done with what it does between slab operations */
	bool idle;
	enum step step; /* the operation going on */
	uint32_t task;
	struct event ev[2];
};

struct hackbench {
	struct load load;
	gsl_rng *rng;
	uint32_t groups, fan, loops, runs;
	uint32_t socket_messages; /* that fit into a socket */
	uint64_t write_ps, read_ps, switch_ps, wake_ps, idle_ps;
	double jitter; /* of syscalls: the relative spread of their time */
	struct sched sched;
	struct sched_params sp;
	struct host host;
	unsigned host_cpus;
	uint64_t host_slice;
	struct hack_task *task; /* group by group: fan receivers, then fan senders */
	struct sock *sock;	/* by receiver */
	struct hack_cpu *cpu;
	unsigned cpus;
	struct object_ids ids[2];
	unsigned nr_caches;
	uint32_t running; /* tasks that have not finished */
	unsigned *woken;
	unsigned nr_woken;
	unsigned *order; /* of the CPUs, in which new processes are spread over them */
};

static uint32_t group_of(const struct hackbench *h, uint32_t task)
{
	return task / (2 * h->fan);
}

static bool is_receiver(const struct hackbench *h, uint32_t task)
{
	return task % (2 * h->fan) < h->fan;
}

static struct sock *sock_of(const struct hackbench *h, uint32_t group, uint32_t receiver)
{
	return &h->sock[group * h->fan + receiver];
}

static void start_run(struct hackbench *h, uint64_t now)
{
	uint32_t n = h->groups * 2 * h->fan;

	for (uint32_t task = 0; task < n; task++) {
		h->task[task] = (struct hack_task){.left = h->loops * h->fan};
		if (task % h->cpus == 0)
			gsl_ran_shuffle(h->rng, h->order, h->cpus, sizeof(*h->order));
		sched_new(&h->sched, task, h->order[task % h->cpus], now);
	}
	/* Who came to poll() last stands first in the queue. */
	for (uint32_t task = n; task > 0; task--)
		sched_wake(&h->sched, task - 1, 0, TASK_NONE, true, now);
	h->running = n;
}

/* Idle CPUs that have got a task begin. */
static void start_cpus(struct hackbench *h, uint64_t now)
{
	int cpu;

	while ((cpu = sched_started(&h->sched)) >= 0) {
		if (!h->cpu[cpu].idle)
			continue;
		h->cpu[cpu].idle = false;
		h->cpu[cpu].ready = now + h->idle_ps;
		if (host_start(&h->host, (unsigned)cpu, now))
			h->woken[h->nr_woken++] = (unsigned)cpu;
	}
}

/* The task that runs on cpu wakes another, and pays for it. */
static void wake(struct hackbench *h, unsigned cpu, uint32_t task)
{
	struct hack_cpu *c = &h->cpu[cpu];

	c->ready += h->wake_ps;
	sched_wake(&h->sched, task, cpu, c->task, true, c->ready);
}

static int next(struct load *load, unsigned cpu, uint64_t now, struct load_operation *op,
		struct error *err)
{
	struct hackbench *h = (struct hackbench *)load;
	struct hack_cpu *c = &h->cpu[cpu];

	(void)now;
	(void)err;
	if (c->idle)
		return h->running ? LOAD_WAITS : LOAD_FINISHED;
	if (!host_runs(&h->host, cpu))
		return LOAD_WAITS;
	*op = (struct load_operation){.events = c->ev, .start = c->ready, .order = cpu};
	return LOAD_OPERATION;
}

static uint64_t spread(struct hackbench *h, uint64_t ps)
{
	return (uint64_t)((double)ps * (1 + h->jitter * (2 * gsl_rng_uniform(h->rng) - 1)));
}

static struct event event(unsigned cpu, unsigned cache, uint8_t op, uint32_t object)
{
	return (struct event){.object = object,
			      .cpu = (uint16_t)cpu,
			      .cache = (uint16_t)cache,
			      .node = NUMA_NO_NODE,
			      .op = op,
			      .flags = op == EV_ALLOC ? EVF_MAY_BLOCK : 0};
}

/* The sender writes its next message, or has to wait. True: the operation is set up. */
static bool begin_send(struct hackbench *h, unsigned cpu, uint32_t task, struct load_operation *op,
		       struct error *err)
{
	struct hack_cpu *c = &h->cpu[cpu];
	struct sock *s = sock_of(h, group_of(h, task), h->task[task].peer);
	uint32_t id[2];

	if (s->n + s->sending >= h->socket_messages) {
		s->waiting[s->nr_waiting++] = task;
		return false;
	}
	for (unsigned i = 0; i < h->nr_caches; i++) {
		if (!object_ids_get(&h->ids[i], &id[i])) {
			error_memory(err, "the objects of a model");
			return false;
		}
		c->ev[i] = event(cpu, i, EV_ALLOC, id[i]);
	}
	s->sending++;
	c->step = STEP_SEND;
	op->n = h->nr_caches;
	return true;
}

static bool begin_receive(struct hackbench *h, unsigned cpu, uint32_t task,
			  struct load_operation *op)
{
	struct hack_cpu *c = &h->cpu[cpu];
	struct sock *s = sock_of(h, group_of(h, task), task % (2 * h->fan));
	struct message m;

	if (!s->n)
		return false;
	m = s->ring[s->first];
	s->first = (s->first + 1) % h->socket_messages;
	s->n--;
	op->n = 0;
	if (h->nr_caches > 1)
		c->ev[op->n++] = event(cpu, 1, EV_FREE, m.data);
	c->ev[op->n++] = event(cpu, 0, EV_FREE, m.head);
	/* The message's memory counts until it has been freed. */
	s->sending++;
	c->step = STEP_RECEIVE;
	return true;
}

/* What the CPU does at its turn: one message, or sleeping, or another task. */
static int begin(struct load *load, unsigned cpu, struct load_operation *op, struct error *err)
{
	struct hackbench *h = (struct hackbench *)load;
	struct hack_cpu *c = &h->cpu[cpu];
	bool switched;

	c->step = STEP_NOTHING;
	h->nr_woken = 0;
	c->task = sched_pick(&h->sched, cpu, op->start, &switched);
	start_cpus(h, op->start);
	c->ready = op->start + (switched ? h->switch_ps : 0);
	op->n = 0;
	if (c->task == TASK_NONE) {
		c->idle = true;
		return 0;
	}
	/* The switch comes first; the message at the next turn. */
	if (switched && h->switch_ps)
		return 0;
	if (is_receiver(h, c->task) ? begin_receive(h, cpu, c->task, op)
				    : begin_send(h, cpu, c->task, op, err))
		return 0;
	if (err->kind != ERROR_NONE)
		return -1;
	sched_block(&h->sched, cpu, op->start, false);
	return 0;
}

static void sent(struct hackbench *h, unsigned cpu, uint64_t end)
{
	struct hack_cpu *c = &h->cpu[cpu];
	struct hack_task *t = &h->task[c->task];
	uint32_t group = group_of(h, c->task);
	uint32_t receiver = group * 2 * h->fan + t->peer;
	struct sock *s = sock_of(h, group, t->peer);

	s->sending--;
	s->ring[(s->first + s->n++) % h->socket_messages] = (struct message){
	    .head = c->ev[0].object,
	    .data = c->ev[1].object,
	};
	c->ready = end + spread(h, h->write_ps);
	if (h->sched.task[receiver].state == TASK_BLOCKED)
		wake(h, cpu, receiver);
	t->peer = (t->peer + 1) % h->fan;
	t->left--;
}

static int received(struct hackbench *h, unsigned cpu, const struct load_operation *op,
		    uint64_t end, struct error *err)
{
	struct hack_cpu *c = &h->cpu[cpu];
	struct sock *s = sock_of(h, group_of(h, c->task), c->task % (2 * h->fan));

	s->sending--;
	c->ready = end + spread(h, h->read_ps);
	for (size_t i = 0; i < op->n; i++)
		if (!object_ids_put(&h->ids[op->events[i].cache], op->events[i].object))
			return error_memory(err, "the objects of a model");
	/* unix_write_space(): all of them, the last to come first, once a quarter is left. */
	if (s->nr_waiting && 4 * (s->n + s->sending) <= h->socket_messages) {
		while (s->nr_waiting)
			wake(h, cpu, s->waiting[--s->nr_waiting]);
	}
	h->task[c->task].left--;
	return 0;
}

/* Every CPU has to know, and waits for nothing any more. */
static void finish(struct hackbench *h, unsigned cpu)
{
	h->cpu[cpu].idle = true;
	for (unsigned other = 0; other < h->cpus; other++)
		if (h->cpu[other].idle && other != cpu)
			h->woken[h->nr_woken++] = other;
}

static int message_done(struct hackbench *h, unsigned cpu, const struct load_operation *op,
			uint64_t end, struct error *err)
{
	struct hack_cpu *c = &h->cpu[cpu];

	if (c->step == STEP_SEND)
		sent(h, cpu, end);
	else if (received(h, cpu, op, end, err))
		return -1;
	if (!h->task[c->task].left) {
		sched_block(&h->sched, cpu, c->ready, true);
		if (!--h->running && --h->runs)
			start_run(h, c->ready);
		if (!h->running)
			finish(h, cpu);
	}
	start_cpus(h, c->ready);
	return 0;
}

static int ended(struct load *load, unsigned cpu, const struct load_operation *op, uint64_t start,
		 uint64_t end, uint64_t waited, struct error *err)
{
	struct hackbench *h = (struct hackbench *)load;
	struct hack_cpu *c = &h->cpu[cpu];
	int next_cpu;

	(void)start;
	(void)waited;
	if (c->step != STEP_NOTHING && message_done(h, cpu, op, end, err))
		return -1;
	next_cpu = c->idle ? host_stop(&h->host, cpu, end) : host_turn(&h->host, cpu, c->ready);
	if (next_cpu >= 0) {
		if (h->cpu[next_cpu].ready < end)
			h->cpu[next_cpu].ready = end;
		h->woken[h->nr_woken++] = (unsigned)next_cpu;
	}
	return 0;
}

static int woken(struct load *load)
{
	struct hackbench *h = (struct hackbench *)load;

	return h->nr_woken ? (int)h->woken[--h->nr_woken] : -1;
}

static void close_load(struct load *load)
{
	struct hackbench *h = (struct hackbench *)load;

	for (uint32_t i = 0; h->sock && i < h->groups * h->fan; i++) {
		free(h->sock[i].ring);
		free(h->sock[i].waiting);
	}
	if (h->rng)
		gsl_rng_free(h->rng);
	sched_free(&h->sched);
	host_free(&h->host);
	object_ids_free(&h->ids[0]);
	object_ids_free(&h->ids[1]);
	free(h->load.info.caches);
	free(h->task);
	free(h->sock);
	free(h->cpu);
	free(h->woken);
	free(h->order);
	free(h);
}

static const struct load_ops load_ops = {
    .next = next,
    .begin = begin,
    .ended = ended,
    .woken = woken,
    .close = close_load,
};

/* A cost of the machine, which "slowdown" makes a slower one. */
static uint64_t params_cost(struct model_params *p, const char *key, double def, double slowdown)
{
	return (uint64_t)(params_number(p, key, def, 0, 1e12) * slowdown * PS_PER_NS);
}

static uint64_t params_ps(struct model_params *p, const char *key, double def)
{
	return (uint64_t)(params_number(p, key, def, 0, 1e12) * PS_PER_NS);
}

static int read_params(struct hackbench *h, const cJSON *params, struct error *err)
{
	struct model_params p;
	double sndbuf, truesize, slowdown;

	params_init(&p, "hackbench", params, err);
	h->groups = (uint32_t)params_count(&p, "groups", 10, 1, 1000);
	h->fan = (uint32_t)params_count(&p, "fan", 20, 1, 200);
	h->loops = (uint32_t)params_count(&p, "loops", 100, 1, 1e7);
	h->runs = (uint32_t)params_count(&p, "runs", 1, 1, 1000);
	sndbuf = params_number(&p, "sndbuf", 212992, 1, 1e9);
	truesize = params_number(&p, "truesize", 768, 1, 1e6);
	slowdown = params_number(&p, "slowdown", 1, 1e-3, 1e6);
	/* Round figures; docs/hackbench.md has what they came to on one machine. */
	h->write_ps = params_cost(&p, "write_ns", 1000, slowdown);
	h->read_ps = params_cost(&p, "read_ns", 1000, slowdown);
	h->switch_ps = params_cost(&p, "switch_ns", 3000, slowdown);
	h->wake_ps = params_cost(&p, "wake_ns", 1000, slowdown);
	h->idle_ps = params_cost(&p, "idle_ns", 2000, slowdown);
	h->jitter = params_number(&p, "jitter", 0.2, 0, 1);
	h->sp.latency = params_ps(&p, "sched_latency_ns", 24e6);
	h->sp.min_granularity = params_ps(&p, "sched_min_granularity_ns", 3e6);
	h->sp.wakeup_granularity = params_ps(&p, "sched_wakeup_granularity_ns", 4e6);
	h->sp.migration_cost = params_ps(&p, "sched_migration_cost_ns", 5e5);
	h->sp.balance = params_ps(&p, "sched_balance_ns", 16e6 * h->cpus);
	h->sp.tick = (uint64_t)(1e12 / params_number(&p, "hz", 250, 1, 1e6));
	h->sp.llc_cpus = (unsigned)params_count(&p, "llc_cpus", h->cpus, 1, 1e6);
	h->host_cpus = (unsigned)params_count(&p, "host_cpus", 0, 0, 1e6);
	h->host_slice = params_ps(&p, "host_slice_ns", 4e6);
	/* A write is let in as long as there is any room. */
	h->socket_messages = (uint32_t)((sndbuf + truesize - 1) / truesize);
	/* Or nobody would ever get to do anything. */
	if (h->sp.tick < 2 * h->switch_ps)
		params_error(&p, "hz", "a context switch must take less than half a tick");
	if ((double)h->loops * h->fan > UINT32_MAX)
		params_error(&p, "loops", "loops x fan is too large");
	return params_finish(&p);
}

static int make_tasks(struct hackbench *h, struct error *err)
{
	uint32_t sockets = h->groups * h->fan;

	if (sched_init(&h->sched, h->cpus, 2 * sockets, &h->sp, err) ||
	    host_init(&h->host, h->host_cpus, h->host_slice, h->cpus, err))
		return -1;
	h->task = calloc(2 * (size_t)sockets, sizeof(*h->task));
	h->sock = calloc(sockets, sizeof(*h->sock));
	if (!h->task || !h->sock)
		return error_memory(err, "the processes of hackbench");
	for (uint32_t i = 0; i < sockets; i++) {
		h->sock[i].ring = calloc(h->socket_messages, sizeof(*h->sock[i].ring));
		h->sock[i].waiting = calloc(h->fan, sizeof(*h->sock[i].waiting));
		if (!h->sock[i].ring || !h->sock[i].waiting)
			return error_memory(err, "the sockets of hackbench");
	}
	return 0;
}

static struct load *open_hackbench(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct hackbench *h = calloc(1, sizeof(*h));

	if (!h) {
		error_memory(err, "a model");
		return NULL;
	}
	h->load.ops = &load_ops;
	h->cpus = cfg->machine.cpus;
	h->nr_caches = cfg->nr_caches < 2 ? cfg->nr_caches : 2;
	h->load.info = model_info(cfg, err);
	if (!h->load.info.caches || read_params(h, params, err) || make_tasks(h, err))
		goto fail;
	h->cpu = calloc(h->cpus, sizeof(*h->cpu));
	h->woken = calloc(2 * (size_t)h->cpus, sizeof(*h->woken));
	h->order = calloc(h->cpus, sizeof(*h->order));
	h->rng = gsl_rng_alloc(gsl_rng_taus2);
	if (!h->cpu || !h->woken || !h->order || !h->rng) {
		error_memory(err, "a model");
		goto fail;
	}
	gsl_rng_set(h->rng, cfg->seed);
	for (unsigned cpu = 0; cpu < h->cpus; cpu++)
		h->order[cpu] = cpu;
	h->load.info.events =
	    (uint64_t)h->runs * h->groups * h->fan * h->fan * h->loops * 2 * h->nr_caches;
	start_run(h, 0);
	while (sched_started(&h->sched) >= 0)
		;
	for (unsigned cpu = 0; cpu < h->cpus; cpu++)
		host_start(&h->host, cpu, 0);
	return &h->load;
fail:
	close_load(&h->load);
	return NULL;
}

static const struct model_ops hackbench = {
    .name = "hackbench",
    .summary = "hackbench -g groups -l loops: senders, receivers, sockets and a scheduler",
    .help =
	"groups, loops, fan   as hackbench -g, -l and 20 (10, 100, 20)\n"
	"runs                 so many times, the caches staying as they are (1)\n"
	"sndbuf, truesize     bytes a socket holds, and a message takes (212992, 768)\n"
	"write_ns, read_ns    a system call without the slab allocator (1000, 1000)\n"
	"switch_ns, wake_ns   a context switch, a wake-up (3000, 1000)\n"
	"idle_ns              until an idle CPU runs what woke it (2000)\n"
	"slowdown             factor to the five costs above: a slower machine (1)\n"
	"jitter               relative spread of the system calls' time (0.2)\n"
	"sched_latency_ns, sched_min_granularity_ns, sched_wakeup_granularity_ns\n"
	"                     as the kernel's sysctls (24e6, 3e6, 4e6: 8 CPUs)\n"
	"sched_migration_cost_ns, hz     as the kernel's (5e5, 250)\n"
	"sched_balance_ns     how often a busy CPU evens out (16e6 per CPU), or half\n"
	"host_cpus            of a virtual machine's host, when it has fewer than the machine (0)\n"
	"host_slice_ns        how long a CPU runs there when others wait (4e6)\n"
	"llc_cpus             CPUs that share a last level cache (all)\n",
    .open = open_hackbench,
};
MODEL(hackbench);
