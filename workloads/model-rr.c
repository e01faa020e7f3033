/*
 * model: rr
 *
 *	connections of a client and a server, each on its CPU:
 *	client: send a request: allocate one object of every cache (skb head, data, ...)
 *	        after "latency_ns" the server receives it: frees them, the last one first, works for
 *	        "serve_ns" and sends the response, the same way; when the client has received that,
 *	        and after "think_ns", the next request
 *	until "transactions" have been made in all
 *
 * Like netperf's TCP_RR: closed, one message under way on every connection.
 */
#include <cjson/cJSON.h>

#include "sim/cost.h"
#include "workloads/agenda.h"
#include "workloads/distribution.h"

enum { TODO_REQUEST = 1, TODO_SERVE, TODO_RESPOND, TODO_RECEIVE };

#define MAX_OBJECTS 16

struct connection {
	unsigned cpu[2];	       /* the client's, the server's */
	uint32_t message[MAX_OBJECTS]; /* the one under way: an object of every cache */
};

struct rr {
	struct agenda agenda;
	struct distribution think, serve, latency;
	struct connection *connection;
	unsigned nr_connections;
	uint64_t left; /* transactions to begin */
};

static uint64_t draw_ps(const struct distribution *d, gsl_rng *rng)
{
	return (uint64_t)(distribution_draw(d, rng) * PS_PER_NS);
}

static int send(struct rr *r, unsigned cpu, struct connection *c, struct event *ev,
		struct error *err)
{
	unsigned n = r->agenda.nr_caches;

	for (unsigned i = 0; i < n; i++) {
		if (agenda_alloc(&r->agenda, cpu, (uint16_t)i, &ev[i], 1, err))
			return -1;
		c->message[i] = ev[i].object;
	}
	return (int)n;
}

static int receive(struct rr *r, unsigned cpu, const struct connection *c, struct event *ev,
		   struct error *err)
{
	unsigned n = r->agenda.nr_caches;

	for (unsigned i = 0; i < n; i++) {
		unsigned cache = n - 1 - i;

		if (agenda_release(&r->agenda, cpu, (uint16_t)cache, &c->message[cache], 1, &ev[i],
				   err))
			return -1;
	}
	return (int)n;
}

static int begin(struct agenda *a, unsigned cpu, const struct todo *t, struct event *ev,
		 struct error *err)
{
	struct rr *r = (struct rr *)a;
	struct connection *c = &r->connection[t->object];

	if (t->kind == TODO_REQUEST || t->kind == TODO_RESPOND)
		return send(r, cpu, c, ev, err);
	return receive(r, cpu, c, ev, err);
}

static int ended(struct agenda *a, unsigned cpu, const struct todo *t, const struct event *ev,
		 unsigned n, uint64_t end, struct error *err)
{
	struct rr *r = (struct rr *)a;
	const struct connection *c = &r->connection[t->object];
	struct todo then = {.object = t->object};
	gsl_rng *rng = a->cpu[cpu].rng;

	(void)ev;
	(void)n;
	switch (t->kind) {
	case TODO_REQUEST:
		then.kind = TODO_SERVE;
		then.time = end + draw_ps(&r->latency, rng);
		return agenda_add(a, c->cpu[1], then, err);
	case TODO_SERVE:
		then.kind = TODO_RESPOND;
		then.time = end + draw_ps(&r->serve, rng);
		return agenda_add(a, c->cpu[1], then, err);
	case TODO_RESPOND:
		then.kind = TODO_RECEIVE;
		then.time = end + draw_ps(&r->latency, rng);
		return agenda_add(a, c->cpu[0], then, err);
	default:
		if (!r->left)
			return 0;
		r->left--;
		then.kind = TODO_REQUEST;
		then.time = end + draw_ps(&r->think, rng);
		return agenda_add(a, c->cpu[0], then, err);
	}
}

static void close_model(struct agenda *a)
{
	struct rr *r = (struct rr *)a;

	free(r->connection);
	agenda_close(a);
	free(r);
}

static const struct agenda_ops agenda_ops = {
    .begin = begin,
    .ended = ended,
    .close = close_model,
};

/* The server is on the same CPU, on the next one, or on one of another node. */
enum { ENDS_SAME_CPU, ENDS_APART, ENDS_OTHER_NODE };
static const char *const ends_names[] = {"same-cpu", "apart", "other-node", NULL};

static unsigned server_cpu(const uint16_t *nodes, unsigned cpus, unsigned client, unsigned ends)
{
	if (ends == ENDS_SAME_CPU)
		return client;
	for (unsigned i = 1; ends == ENDS_OTHER_NODE && i < cpus; i++) {
		unsigned cpu = (client + cpus / 2 + i - 1) % cpus;

		if (nodes[cpu] != nodes[client])
			return cpu;
	}
	return (client + 1) % cpus;
}

static int place(struct rr *r, unsigned ends, const struct config *cfg, struct error *err)
{
	uint16_t *nodes = model_nodes(cfg, err);
	unsigned cpus = r->agenda.cpus;

	if (!nodes)
		return -1;
	r->connection = calloc(r->nr_connections, sizeof(*r->connection));
	for (unsigned i = 0; r->connection && i < r->nr_connections; i++) {
		/* Apart, clients and servers take turns; so that all CPUs are used alike. */
		unsigned client = (ends == ENDS_APART ? 2 * i : i) % cpus;

		r->connection[i].cpu[0] = client;
		r->connection[i].cpu[1] = server_cpu(nodes, cpus, client, ends);
	}
	free(nodes);
	return r->connection ? 0 : error_memory(err, "the connections of a model");
}

static int set_up(struct rr *r, const cJSON *params, const struct config *cfg, struct error *err)
{
	static const struct distribution think = {.kind = DIST_CONSTANT, .a = 1000};
	static const struct distribution latency = {.kind = DIST_CONSTANT, .a = 5000};
	struct model_params p;
	double transactions;
	unsigned ends;

	params_init(&p, "rr", params, err);
	if (cfg->nr_caches > MAX_OBJECTS)
		return error_input(err, "workload.model.rr: at most %d caches", MAX_OBJECTS);
	if (agenda_init(&r->agenda, &agenda_ops, cfg, MAX_OBJECTS, err))
		return -1;
	transactions = params_count(&p, "transactions", 1e5, 1, 1e12);
	r->nr_connections =
	    (unsigned)params_count(&p, "connections", (r->agenda.cpus + 1) / 2, 1, 1e6);
	r->think = params_distribution(&p, "think_ns", &think);
	r->serve = params_distribution(&p, "serve_ns", &think);
	r->latency = params_distribution(&p, "latency_ns", &latency);
	ends = params_choice(&p, "ends", ends_names, ENDS_APART);
	if (params_finish(&p) || place(r, ends, cfg, err))
		return -1;
	r->left = (uint64_t)transactions;
	r->agenda.load.info.events = r->left * 4 * cfg->nr_caches;
	for (unsigned i = 0; i < r->nr_connections && r->left; i++, r->left--) {
		unsigned cpu = r->connection[i].cpu[0];
		struct todo t = {.kind = TODO_REQUEST, .object = i};

		t.time = draw_ps(&r->think, r->agenda.cpu[cpu].rng);
		if (agenda_add(&r->agenda, cpu, t, err))
			return -1;
	}
	return 0;
}

static struct load *open_model(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct rr *r = calloc(1, sizeof(*r));

	if (!r) {
		error_memory(err, "a model");
		return NULL;
	}
	if (!set_up(r, params, cfg, err))
		return &r->agenda.load;
	close_model(&r->agenda);
	return NULL;
}

static const struct model_ops rr = {
    .name = "rr",
    .summary = "requests and responses between two ends, as netperf TCP_RR",
    .help = "transactions         requests with their responses, in all (1e5)\n"
	    "connections          at a time, one message under way on each (half the CPUs)\n"
	    "ends                 \"same-cpu\", \"apart\" or \"other-node\" (apart)\n"
	    "think_ns, serve_ns   before a request, before its response (1000, 1000)\n"
	    "latency_ns           from sending to receiving (5000)\n",
    .open = open_model,
};
MODEL(rr);
