/* A source that hands out events which lie in memory, without copying them. */
#include "bench/bench.h"

#include <stdlib.h>

#define BATCH 4096

struct preloaded {
	struct source src;
	const struct event_set *set;
	unsigned rounds, round;
	size_t at; /* the next event */
	struct sample *sample;
};

static int preloaded_next(struct source *src, struct batch *batch, struct error *err)
{
	struct preloaded *p = (struct preloaded *)src;
	size_t end = p->at < p->set->fill ? p->set->fill : p->set->fill + p->set->n;

	(void)err;
	if (p->sample && p->at == p->set->fill && p->round == 0)
		sample_begin(p->sample);
	if (p->at == end && p->at > p->set->fill) {
		if (++p->round == p->rounds) {
			if (p->sample)
				sample_end(p->sample, (uint64_t)p->rounds * p->set->n);
			return 0;
		}
		p->at = p->set->fill;
	}
	*batch = (struct batch){.events = p->set->events + p->at, .n = end - p->at};
	if (batch->n > BATCH)
		batch->n = BATCH;
	p->at += batch->n;
	return 1;
}

static void preloaded_close(struct source *src)
{
	free(src);
}

static const struct source_ops preloaded_ops = {
    .next = preloaded_next,
    .close = preloaded_close,
};

struct source *preloaded_open(const struct event_set *set, unsigned rounds, struct sample *sample,
			      struct error *err)
{
	struct preloaded *p = calloc(1, sizeof(*p));

	if (!p) {
		error_memory(err, "events");
		return NULL;
	}
	*p = (struct preloaded){
	    .src = {.ops = &preloaded_ops, .info = set->info},
	    .set = set,
	    .rounds = rounds,
	    .sample = sample,
	};
	p->src.info.events = set->fill + (uint64_t)rounds * set->n;
	return &p->src;
}
