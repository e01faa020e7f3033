#include "workloads/host.h"

#include <stdlib.h>

int host_init(struct host *h, unsigned cpus, uint64_t slice, unsigned guests, struct error *err)
{
	*h = (struct host){.cpus = cpus < guests ? cpus : 0, .slice = slice, .guests = guests};
	if (!h->cpus)
		return 0;
	h->queue = calloc(guests, sizeof(*h->queue));
	h->until = calloc(guests, sizeof(*h->until));
	return h->queue && h->until ? 0 : error_memory(err, "the host");
}

void host_free(struct host *h)
{
	free(h->queue);
	free(h->until);
}

static void run(struct host *h, unsigned guest, uint64_t now)
{
	h->until[guest] = now + h->slice + 1;
}

static int run_next(struct host *h, uint64_t now)
{
	unsigned guest;

	if (!h->n)
		return -1;
	guest = h->queue[h->first];
	h->first = (h->first + 1) % h->guests;
	h->n--;
	run(h, guest, now);
	return (int)guest;
}

static void wait_turn(struct host *h, unsigned guest)
{
	h->until[guest] = 0;
	h->queue[(h->first + h->n++) % h->guests] = guest;
}

bool host_start(struct host *h, unsigned guest, uint64_t now)
{
	if (!h->cpus)
		return true;
	if (h->busy == h->cpus) {
		wait_turn(h, guest);
		return false;
	}
	h->busy++;
	run(h, guest, now);
	return true;
}

int host_stop(struct host *h, unsigned guest, uint64_t now)
{
	int next;

	if (!h->cpus)
		return -1;
	h->until[guest] = 0;
	next = run_next(h, now);
	if (next < 0)
		h->busy--;
	return next;
}

int host_turn(struct host *h, unsigned guest, uint64_t now)
{
	int next;

	if (!h->cpus || now < h->until[guest])
		return -1;
	next = run_next(h, now);
	if (next < 0)
		run(h, guest, now);
	else
		wait_turn(h, guest);
	return next;
}
