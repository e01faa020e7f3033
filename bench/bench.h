/*
 * make bench: how many events a second each path of slabsim takes, beside the limit loop, which
 * is the least any replayer must do. What is measured stands in one table (cases.c).
 */
#ifndef SLABSIM_BENCH_H
#define SLABSIM_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/source.h"

/*
 * Events in memory. The first of them bring the caches to their size and are not timed; the
 * others end where they began, so that they can be replayed again and again.
 */
struct event_set {
	struct event *events;
	size_t fill; /* not timed */
	size_t n;    /* timed, behind them */
	size_t cap;
	struct source_info info;
	uint32_t objects; /* distinct object ids, all caches together */
};

/* What sets are made of. */
struct set_recipe {
	const char *name;
	const char *what;
	const char *trace; /* a recorded one; or else generated: */
	uint32_t ids;	   /* length of the object table */
	uint32_t live;	   /* objects that live at the start */
	unsigned run;	   /* allocations, then frees, in runs of so many; 0: a coin decides */
	unsigned cpus;	   /* 0: 8 */
	size_t events;
	bool once; /* need not end where it began */
};

int set_make(struct event_set *set, const struct set_recipe *recipe, struct error *err);
void set_free(struct event_set *set);

/*
 * A source that hands out a set: what is not timed, then the rest so many times. What lies
 * between the two and the end is timed in sample, unless that is NULL.
 */
struct sample;
struct source *preloaded_open(const struct event_set *set, unsigned rounds, struct sample *sample,
			      struct error *err);

/* One repetition of a case. */
struct sample {
	uint64_t events; /* or lines */
	uint64_t ns;
	uint64_t bytes;	 /* of the file that was written or read; 0: none was */
	uint64_t memory; /* bytes the engine had at most */
	uint64_t started;
	bool wall; /* by the clock on the wall: for threads */
};

/* Begin and end what is timed; instructions are counted between them, too. */
void sample_begin(struct sample *s);
void sample_end(struct sample *s, uint64_t events);

struct bench_case;

struct bench_run {
	const struct bench_case *c;
	const struct event_set *set; /* NULL when the case has none */
	unsigned rounds;
};

struct bench_case {
	const char *name;
	const struct set_recipe *set; /* NULL: none */
	const char *limit;	      /* the case this one is a ratio to; NULL: none */
	const char *preset;	      /* of an order-mode replay */
	const char *unit;
	unsigned rounds;   /* how often the set is replayed in a repetition; 0: once */
	bool timed;	   /* the timed machine */
	const char *model; /* what drives it, as JSON; NULL: the set does */
	unsigned cpus;	   /* of a model's machine */
	unsigned threads;  /* of an order-mode replay */
	unsigned prefetch; /* limit loop: how many events ahead; 0: not at all */
	int (*run)(const struct bench_run *run, struct sample *s, struct error *err);
};

/* The table; cases of one set stand together, and a limit before those that name it. */
extern const struct bench_case bench_cases[];
extern const unsigned nr_bench_cases;

int limit_run(const struct bench_run *run, struct sample *s, struct error *err);
int order_run(const struct bench_run *run, struct sample *s, struct error *err);
int model_run(const struct bench_run *run, struct sample *s, struct error *err);
int import_run(const struct bench_run *run, struct sample *s, struct error *err);
int deliver_run(const struct bench_run *run, struct sample *s, struct error *err);
int convert_run(const struct bench_run *run, struct sample *s, struct error *err);
int read_run(const struct bench_run *run, struct sample *s, struct error *err);
int read_bare_run(const struct bench_run *run, struct sample *s, struct error *err);
int read_in_order_run(const struct bench_run *run, struct sample *s, struct error *err);

/* What was found for a case. */
struct finding {
	const struct bench_case *c;
	double best, median;	     /* a second */
	double instructions;	     /* per event; 0: not counted */
	double bytes;		     /* the same */
	const struct finding *limit; /* NULL: none */
};

struct table;
struct cJSON;

/*
 * Instructions that a repetition of the case takes per event, by callgrind; self is this program.
 * 0 when there is no valgrind.
 */
double bench_instructions(const char *self, const struct bench_case *c);

/* A table that names the build; its columns are the caller's. */
void bench_table_init(struct table *t);
/* What --format json has written before; NULL and err. For cJSON_Delete(). */
struct cJSON *bench_old(const char *file, struct error *err);
/* old: what another build found, or NULL. */
void bench_table(struct table *t, const struct finding *f, unsigned n, unsigned repeat,
		 const struct cJSON *old);
/* Time and memory against the number of events, of CPUs and of objects. 0, or -1 and err. */
int bench_scale(struct table *t, struct error *err);

#endif
