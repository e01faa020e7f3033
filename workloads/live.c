#include "workloads/live.h"

#include <poll.h>
#include <unistd.h>

#include "workloads/live-machine.h"
#include "workloads/live-perf.h"
#include "workloads/live-tracefs.h"

struct recording {
	const struct live_options *opt;
	struct live_result *res;
	struct live_machine machine;
	struct trace_options trace;
	char *slabinfo_before, *slabinfo_after;
	uint64_t lost;
};

/* Everything recorded becomes a stream. */
static struct stream *resolve(struct recording *r, struct live_tracefs *t, struct live_pages *pages,
			      struct error *err)
{
	struct input *none = input_nothing("the recording", err);
	struct stream *st = NULL;
	struct import im;

	if (!none)
		return NULL;
	if (!import_begin(&im, none, &r->trace, err) &&
	    !live_pages_resolve(pages, t->tep, &im, err))
		st = import_finish(&im, err);
	import_free(&im);
	input_close(none);
	return st;
}

/* In this order: signals must not end us while there is something to clean up. */
static struct stream *record_tracefs(struct recording *r, struct live_command *c, struct error *err)
{
	struct live_pages pages = {0};
	struct live_tracefs t;
	struct stream *st = NULL;
	int ret;

	r->res->way = "tracefs";
	if (live_tracefs_open(&t, r->machine.cpus, r->res->buffer_kb, &r->res->no_tracefs)) {
		live_command_finish(c);
		return NULL;
	}
	ret = live_pages_init(&pages, t.cpus, t.page_size, err);
	if (!ret)
		ret = live_tracefs_record(&t, c, &pages, &r->lost, err);
	live_tracefs_stop(&t);
	r->res->status = c->status;
	r->res->interrupted = c->interrupted;
	live_command_finish(c);
	r->slabinfo_after = live_slabinfo_read(&r->res->no_slabinfo);
	if (!ret)
		st = resolve(r, &t, &pages, err);
	live_pages_free(&pages);
	live_tracefs_close(&t);
	return st;
}

/* perf starts the command itself; we wait for perf. */
static int run_perf(struct recording *r, struct live_perf *p, struct error *err)
{
	struct live_command c;
	int ret = live_command_prepare(&c, p->argv, err);

	if (ret)
		return -1;
	ret = live_command_start(&c, err);
	while (!ret && !c.ended) {
		struct pollfd fd = {.fd = c.signals, .events = POLLIN};

		poll(&fd, 1, 1000);
		live_command_check(&c);
	}
	r->res->status = c.status;
	r->res->interrupted = c.interrupted;
	live_command_finish(&c);
	return ret;
}

static struct stream *record_perf(struct recording *r, struct error *err)
{
	struct stream *st = NULL;
	struct live_perf p;

	r->res->way = "perf";
	if (!live_perf_open(&p, r->opt->command, r->res->buffer_kb, err) && !run_perf(r, &p, err)) {
		r->slabinfo_after = live_slabinfo_read(&r->res->no_slabinfo);
		st = live_perf_read(&p, &r->trace, err);
	}
	live_perf_close(&p);
	return st;
}

static struct stream *record(struct recording *r, struct error *err)
{
	struct error *no_tracefs = &r->res->no_tracefs;
	struct live_command c;
	struct stream *st;

	if (r->opt->way == LIVE_PERF)
		return record_perf(r, err);
	if (live_command_prepare(&c, r->opt->command, err))
		return NULL;
	st = record_tracefs(r, &c, err);
	if (no_tracefs->kind == ERROR_NONE)
		return st;
	if (r->opt->way == LIVE_ANY && live_perf_works())
		return record_perf(r, err);
	*err = *no_tracefs;
	return NULL;
}

/* What the stream is told beside its events. */
static void describe(struct recording *r, struct stream *st)
{
	if (st->info.cpus < r->machine.cpus)
		st->info.cpus = r->machine.cpus;
	if (st->info.nodes < r->machine.nodes)
		st->info.nodes = r->machine.nodes;
	if (st->info.cpus == r->machine.cpus) {
		st->node_of_cpu = r->machine.node_of_cpu;
		r->machine.node_of_cpu = NULL;
	}
	st->notes[NOTE_LOST_EVENTS] += r->lost;
	if (!r->slabinfo_before || !r->slabinfo_after)
		return;
	st->slabinfo_before = r->slabinfo_before;
	st->slabinfo_after = r->slabinfo_after;
	r->slabinfo_before = r->slabinfo_after = NULL;
}

struct stream *live_record(const struct live_options *opt, struct live_result *res,
			   struct error *err)
{
	struct recording r = {.opt = opt, .res = res};
	struct stream *st = NULL;

	*res = (struct live_result){0};
	r.trace = (struct trace_options){.may_block = -1, .reorder_ns = -1, .adopt = true};
	r.trace.page_size = (unsigned)sysconf(_SC_PAGESIZE);
	if (!live_machine_read(&r.machine, err)) {
		res->buffer_kb =
		    opt->buffer_kb ? opt->buffer_kb : live_machine_buffer_kb(&r.machine);
		r.slabinfo_before = live_slabinfo_read(&res->no_slabinfo);
		st = record(&r, err);
		if (st)
			describe(&r, st);
	}
	live_machine_free(&r.machine);
	free(r.slabinfo_before);
	free(r.slabinfo_after);
	return st;
}
