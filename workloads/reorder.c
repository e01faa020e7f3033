#include "workloads/reorder.h"

/* A burst of frees this long is let go: it bounds memory when the clock stands still. */
#define MOST_HELD 4096

void reorder_init(struct reorder *ro, struct resolver *to, int64_t window_ns)
{
	*ro = (struct reorder){.to = to, .window_ns = window_ns};
}

void reorder_free(struct reorder *ro)
{
	free(ro->held);
}

/* Let the held frees go, in order, that choose() picks. */
static int release(struct reorder *ro, const struct record *because,
		   bool (*choose)(const struct reorder *ro, const struct record *held,
				  const struct record *because),
		   struct error *err)
{
	size_t kept = 0;
	int ret = 0;

	for (size_t i = 0; i < ro->n; i++) {
		if (!ret && choose(ro, &ro->held[i], because))
			ret = resolver_add(ro->to, &ro->held[i], err);
		else
			ro->held[kept++] = ro->held[i];
	}
	ro->n = kept;
	return ret;
}

static bool is_past(const struct reorder *ro, const struct record *held,
		    const struct record *because)
{
	return held->time_ns + (uint64_t)ro->window_ns < because->time_ns;
}

static bool is_same_cpu(const struct reorder *ro, const struct record *held,
			const struct record *because)
{
	(void)ro;
	return held->cpu == because->cpu;
}

static bool is_any(const struct reorder *ro, const struct record *held,
		   const struct record *because)
{
	(void)ro;
	(void)held;
	(void)because;
	return true;
}

static int hold(struct reorder *ro, const struct record *rec, struct error *err)
{
	if (ro->n == ro->cap) {
		size_t cap = ro->cap ? 2 * ro->cap : 64;
		struct record *held = reallocarray(ro->held, cap, sizeof(*held));

		if (!held)
			return error_memory(err, "reading a trace");
		ro->held = held;
		ro->cap = cap;
	}
	ro->held[ro->n++] = *rec;
	return 0;
}

/* Is the address still to be freed by some CPU? That CPU's frees come first then. */
static int free_address_first(struct reorder *ro, const struct record *rec, struct error *err)
{
	for (size_t i = ro->n; i-- > 0;)
		if (ro->held[i].ptr == rec->ptr)
			return release(ro, &ro->held[i], is_same_cpu, err);
	return 0;
}

int reorder_add(struct reorder *ro, const struct record *rec, struct error *err)
{
	bool is_free = rec->op == EV_FREE || rec->op == EV_FREE_RCU;

	/* An operation list, and a trace without times, are in order as they are. */
	if (ro->window_ns < 0 || rec->kind == RECORD_CSV || ro->to->ctx->missing_time) {
		if (ro->n && reorder_finish(ro, err))
			return -1;
		return resolver_add(ro->to, rec, err);
	}
	if (ro->n && release(ro, rec, ro->n < MOST_HELD ? is_past : is_any, err))
		return -1;
	if (is_free)
		return hold(ro, rec, err);
	if (ro->n && (release(ro, rec, is_same_cpu, err) || free_address_first(ro, rec, err)))
		return -1;
	ro->moved += ro->n;
	return resolver_add(ro->to, rec, err);
}

int reorder_finish(struct reorder *ro, struct error *err)
{
	return release(ro, NULL, is_any, err);
}
