/*
 * The load of an open model: every CPU has an agenda, things to do each at its time. A model puts
 * things there, says which events one of them is and what follows when it is done; frees are
 * seen to here. CPUs do one thing at a time, the earliest first; what is put on the agenda of
 * a CPU that is busy happens later than asked for.
 */
#ifndef SLABSIM_AGENDA_H
#define SLABSIM_AGENDA_H

#include <gsl/gsl_rng.h>

#include "sim/config/config.h"
#include "sim/load.h"
#include "workloads/model.h"
#include "workloads/object_ids.h"

struct todo {
	uint64_t time;	 /* ps */
	uint64_t order;	 /* given by agenda_add() */
	uint32_t object; /* of a free; else the model's */
	uint16_t cache;
	uint16_t kind; /* TODO_FREE, or the model's, from 1 on */
};

#define TODO_FREE 0

/* A heap of them, the earliest on top. */
struct todo_heap {
	struct todo *p;
	size_t n, cap;
};

struct agenda_cpu {
	struct todo_heap todo;
	struct todo current; /* what is being done */
	struct event *ev;    /* [max_events] */
	gsl_rng *rng;
	bool woken;
};

struct agenda;

struct agenda_ops {
	/* Fill ev with the events of a thing to do; returns how many, -1 and err. Not for frees. */
	int (*begin)(struct agenda *a, unsigned cpu, const struct todo *t, struct event *ev,
		     struct error *err);
	/* It is done, frees too; what follows is put on agendas. 0, or -1 and err. */
	int (*ended)(struct agenda *a, unsigned cpu, const struct todo *t, const struct event *ev,
		     unsigned n, uint64_t end, struct error *err);
	/* Frees the model; agenda_close() comes last. */
	void (*close)(struct agenda *a);
};

/* The first member of every such model. */
struct agenda {
	struct load load;
	const struct agenda_ops *ops;
	struct agenda_cpu *cpu;
	unsigned cpus;
	struct object_ids *ids; /* by cache */
	unsigned nr_caches;
	unsigned max_events; /* of one operation */
	bool may_block;
	uint64_t left; /* things on all agendas, or being done */
	uint64_t order;
	unsigned *woken; /* CPUs whose next thing to do has changed, each once */
	unsigned nr_woken;
};

/*
 * Set up an agenda for cfg's machine, with a random stream for every CPU, and for its caches,
 * unless the model has filled in load.info before; -1 and err. Also after a failure,
 * agenda_close() is to be called.
 */
int agenda_init(struct agenda *a, const struct agenda_ops *ops, const struct config *cfg,
		unsigned max_events, struct error *err);
/* Does not free a itself. */
void agenda_close(struct agenda *a);

/* Put something on cpu's agenda. 0, or -1 and err. */
int agenda_add(struct agenda *a, unsigned cpu, struct todo t, struct error *err);
/* cpu will free the object at time (ps). */
int agenda_free(struct agenda *a, unsigned cpu, uint64_t time, uint16_t cache, uint32_t object,
		struct error *err);
/* An allocation of a new object; with more than one, a bulk call of n. 0, or -1 and err. */
int agenda_alloc(struct agenda *a, unsigned cpu, uint16_t cache, struct event *ev, unsigned n,
		 struct error *err);
/* Events that free n objects, by one bulk call if more than one. Their ids may be used again. */
int agenda_release(struct agenda *a, unsigned cpu, uint16_t cache, const uint32_t *object,
		   unsigned n, struct event *ev, struct error *err);

#endif
