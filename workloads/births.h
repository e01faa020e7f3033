/* Streams of allocations for open models: when, how long objects live, and who frees them. */
#ifndef SLABSIM_BIRTHS_H
#define SLABSIM_BIRTHS_H

#include "workloads/agenda.h"
#include "workloads/distribution.h"

/* One kind of allocation. */
struct births {
	struct distribution think;    /* ns from one burst to the next */
	struct distribution burst;    /* allocations in a row */
	struct distribution lifetime; /* ns */
	struct distribution away;     /* lifetime of what another CPU frees, when has_away */
	bool has_away;
	double remote;	    /* share freed by another CPU than the one that allocated */
	double remote_node; /* of those, by one of another node; below 0: wherever */
	double at_once;	    /* share freed right away, by the CPU that allocated it */
	double together;    /* share of a burst freed right behind the one before */
};

/* A stream of them on one CPU. */
struct birth_stream {
	uint64_t next;	     /* the next burst, ps */
	unsigned burst_left; /* allocations of this one that are still to come */
	uint64_t fate_time;  /* of the object before, when it is of the same burst */
	unsigned fate_cpu;
	bool has_fate;
};

struct fate {
	bool at_once;
	uint64_t time; /* ps */
	unsigned cpu;
};

/*
 * Keys think_ns, burst, lifetime_ns, remote_lifetime_ns, remote, remote_node, at_once, together;
 * what is not given is as in def, or when that is NULL as births help says.
 */
void births_read(struct births *b, struct model_params *p, const struct births *def);
/*
 * When the next allocation of the stream is, the last one having ended at end; rate is how many
 * times as often as b says.
 */
uint64_t births_next(const struct births *b, struct birth_stream *s, uint64_t end, double rate,
		     gsl_rng *rng);
/* The burst that births_next() has begun is as long as one of this distribution. */
void births_set_burst(struct birth_stream *s, const struct distribution *burst, gsl_rng *rng);
/* Lifetimes instead of those in struct births; NULL: those. */
struct lifetimes {
	const struct distribution *own, *away;
};

/* How an object that cpu has allocated at end will end; nodes is every CPU's node. */
struct fate births_fate(const struct births *b, struct birth_stream *s, unsigned cpu, unsigned cpus,
			const uint16_t *nodes, uint64_t end, double stretch, struct lifetimes lives,
			gsl_rng *rng);

/*
 * Keys cpu_skew, node_skew, cpu_weights: how busy each CPU is, on average 1, for the caller to
 * free. Of n nodes or CPUs the k-th is as busy as 1/k^skew; weights are used again from the first
 * on when there are more CPUs. NULL and err.
 */
double *births_cpu_rates(struct model_params *p, unsigned cpus, const uint16_t *nodes);

#define BIRTHS_HELP                                                                                \
	"think_ns             from one burst of a CPU to its next (1000)\n"                        \
	"burst                allocations in a row (1)\n"                                          \
	"lifetime_ns          of an object (10000)\n"                                              \
	"remote_lifetime_ns   of one that another CPU frees (lifetime_ns)\n"                       \
	"remote, remote_node  share freed by another CPU, and of these by another node's\n"        \
	"at_once              share that is freed right away; the rest as above (0)\n"             \
	"together             share of a burst freed right behind the object before (0)\n"
#define SKEW_HELP                                                                                  \
	"cpu_skew, node_skew  the k-th CPU (node) is as busy as 1/k^skew (0)\n"                    \
	"cpu_weights          how busy each CPU is, instead\n"

#endif
