#include "workloads/load-tee.h"

#include <stdlib.h>

struct tee {
	struct load load;
	struct load *inner;
	load_tee_fn show;
	void *arg;
};

static int next(struct load *load, unsigned cpu, uint64_t now, struct load_operation *op,
		struct error *err)
{
	struct load *inner = ((struct tee *)load)->inner;

	return inner->ops->next(inner, cpu, now, op, err);
}

static int begin(struct load *load, unsigned cpu, struct load_operation *op, struct error *err)
{
	struct load *inner = ((struct tee *)load)->inner;

	return inner->ops->begin ? inner->ops->begin(inner, cpu, op, err) : 0;
}

static int ended(struct load *load, unsigned cpu, const struct load_operation *op, uint64_t start,
		 uint64_t end, uint64_t waited, struct error *err)
{
	struct tee *t = (struct tee *)load;

	/* Before the inner load puts the next operation's events in their place. */
	if (op->n && t->show(t->arg, cpu, op, start, err))
		return -1;
	return t->inner->ops->ended(t->inner, cpu, op, start, end, waited, err);
}

static int woken(struct load *load)
{
	struct load *inner = ((struct tee *)load)->inner;

	return inner->ops->woken(inner);
}

static void close_load(struct load *load)
{
	struct tee *t = (struct tee *)load;

	t->inner->ops->close(t->inner);
	free(t);
}

static const struct load_ops load_ops = {
    .next = next,
    .begin = begin,
    .ended = ended,
    .woken = woken,
    .close = close_load,
};

struct load *load_tee(struct load *inner, load_tee_fn show, void *arg, struct error *err)
{
	struct tee *t = calloc(1, sizeof(*t));

	if (!t) {
		inner->ops->close(inner);
		error_memory(err, "a load");
		return NULL;
	}
	*t = (struct tee){{&load_ops, inner->info}, inner, show, arg};
	return &t->load;
}
