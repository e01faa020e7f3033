#include "sim/result/result_timing.h"

#include <inttypes.h>

static double ns(uint64_t ps)
{
	return (double)ps / PS_PER_NS;
}

static double mean_ns(uint64_t sum, uint64_t count)
{
	return count ? ns(sum) / (double)count : 0;
}

static double per_cent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static const char *const transfer_names[] = {"complex", "node", "remote"};

static void paths_text(FILE *out, const struct result_timing *t)
{
	fputs("\nTime by path (ns)          Operations      Mean       p50       p99     p99.9"
	      "        Max\n"
	      "---------------------------------------------------------------------------------"
	      "---------\n",
	      out);
	for (unsigned i = 0; i < NR_PATHS; i++) {
		const struct histogram *h = &t->path_time[i];

		if (!h->count)
			continue;
		fprintf(out, "%-22s %14" PRIu64 " %9.1f %9.1f %9.1f %9.1f %10.1f\n", path_name(i),
			h->count, mean_ns(h->sum, h->count), ns(histogram_quantile(h, 0.5)),
			ns(histogram_quantile(h, 0.99)), ns(histogram_quantile(h, 0.999)),
			ns(h->max));
	}
}

static void lock_text(FILE *out, const char *name, unsigned node, const struct result_lock *l)
{
	if (!l->acquisitions)
		return;
	fprintf(out, "%-9s %5u %12" PRIu64 " %12" PRIu64 " %10.1f %10.1f %9.1f %9.1f\n", name, node,
		l->acquisitions, l->contended, mean_ns(l->wait, l->acquisitions), ns(l->wait_max),
		mean_ns(l->hold, l->acquisitions), ns(l->hold_max));
}

static void causes_text(FILE *out, const struct result_timing *t)
{
	uint64_t sum = t->lock_wait;

	for (unsigned i = 0; i < NR_COST_ITEMS; i++)
		sum += t->spent[i];
	fputs("\nTime by cause                       ns   %\n"
	      "-----------------------------------------------\n",
	      out);
	fprintf(out, "%-22s %15.0f %5.1f\n", "waiting for locks", ns(t->lock_wait),
		per_cent(t->lock_wait, sum));
	for (unsigned i = 0; i < NR_COST_ITEMS; i++)
		if (t->spent[i])
			fprintf(out, "%-22s %15.0f %5.1f\n", cost_name(i), ns(t->spent[i]),
				per_cent(t->spent[i], sum));
}

void result_timing_text(FILE *out, const struct results *res)
{
	const struct result_timing *t = res->timing;

	if (!t)
		return;
	fprintf(out, "\nTimed: %" PRIu64 " operations on %u CPUs in %.3f ms", t->operations,
		res->cpus, ns(t->end) / 1e6);
	if (t->end)
		fprintf(out, ", %.3f million a second",
			(double)t->operations / (ns(t->end) / 1e9) / 1e6);
	fputs("\n", out);
	paths_text(out, t);
	fputs(
	    "\nLock       Node Acquisitions    Contended  Mean wait   Max wait Mean hold  Max hold"
	    "\n---------------------------------------------------------------------------------"
	    "---\n",
	    out);
	for (unsigned node = 0; node < t->nodes; node++) {
		lock_text(out, "list_lock", node, &t->node[node]);
		lock_text(out, "barn", node, &t->barn[node]);
	}
	causes_text(out, t);
	fputs("\nCache lines moved within a complex, a node, between nodes:", out);
	for (unsigned i = 0; i < 3; i++)
		fprintf(out, " %" PRIu64, t->transfers[i]);
	fputs("\n", out);
	if (t->reads)
		fprintf(
		    out,
		    "Readers of slabinfo: %" PRIu64 " readings, %" PRIu64
		    " slabs looked at, free objects off by %.3f %% on average, %.3f %% at most\n",
		    t->reads, t->slabs_read, 100 * t->read_error_mean, 100 * t->read_error_max);
}

static void path_json(struct json_writer *w, const char *name, const struct histogram *h)
{
	json_object(w, name);
	json_u64(w, "operations", h->count);
	json_double(w, "mean", mean_ns(h->sum, h->count));
	json_double(w, "p50", ns(histogram_quantile(h, 0.5)));
	json_double(w, "p90", ns(histogram_quantile(h, 0.9)));
	json_double(w, "p99", ns(histogram_quantile(h, 0.99)));
	json_double(w, "p99.9", ns(histogram_quantile(h, 0.999)));
	json_double(w, "max", ns(h->max));
	json_end_object(w);
}

static void locks_json(struct json_writer *w, const char *name, const struct result_lock *l,
		       unsigned nodes)
{
	json_array(w, name);
	for (unsigned node = 0; node < nodes; node++) {
		json_object_inline(w, NULL);
		json_u64(w, "acquisitions", l[node].acquisitions);
		json_u64(w, "contended", l[node].contended);
		json_double(w, "wait_total", ns(l[node].wait));
		json_double(w, "wait_max", ns(l[node].wait_max));
		json_double(w, "hold_total", ns(l[node].hold));
		json_double(w, "hold_max", ns(l[node].hold_max));
		json_end_object(w);
	}
	json_end_array(w);
}

/* The shape of the latency distribution over all paths: value and count of bins in use. */
static void distribution_json(struct json_writer *w, const struct result_timing *t)
{
	struct histogram *all = calloc(1, sizeof(*all));

	if (!all)
		return;
	for (unsigned i = 0; i < NR_PATHS; i++)
		if (i != PATH_READ)
			histogram_merge(all, &t->path_time[i]);
	path_json(w, "all", all);
	json_object(w, "distribution");
	json_array_inline(w, "up_to");
	for (unsigned i = 0; i < HIST_BINS; i++)
		if (all->bin[i])
			json_double(w, NULL, ns(histogram_bin_end(i)));
	json_end_array(w);
	json_array_inline(w, "operations");
	for (unsigned i = 0; i < HIST_BINS; i++)
		if (all->bin[i])
			json_u64(w, NULL, all->bin[i]);
	json_end_array(w);
	json_end_object(w);
	free(all);
}

void result_timing_json(struct json_writer *w, const struct results *res)
{
	const struct result_timing *t = res->timing;

	if (!t)
		return;
	json_object(w, "timing");
	json_string(w, "unit", "ns");
	json_u64(w, "operations", t->operations);
	json_double(w, "end", ns(t->end));
	json_double(w, "operations_per_s", t->end ? (double)t->operations / (ns(t->end) / 1e9) : 0);
	json_object(w, "paths");
	for (unsigned i = 0; i < NR_PATHS; i++)
		if (t->path_time[i].count)
			path_json(w, path_name(i), &t->path_time[i]);
	json_end_object(w);
	distribution_json(w, t);
	locks_json(w, "list_lock", t->node, t->nodes);
	locks_json(w, "barn_lock", t->barn, t->nodes);
	json_object(w, "causes");
	json_double(w, "lock_wait", ns(t->lock_wait));
	for (unsigned i = 0; i < NR_COST_ITEMS; i++)
		if (t->spent[i])
			json_double(w, cost_name(i), ns(t->spent[i]));
	json_end_object(w);
	json_object(w, "line_transfers");
	for (unsigned i = 0; i < 3; i++)
		json_u64(w, transfer_names[i], t->transfers[i]);
	json_end_object(w);
	json_object(w, "readers");
	json_u64(w, "readings", t->reads);
	json_u64(w, "slabs", t->slabs_read);
	json_double(w, "error_mean", t->read_error_mean);
	json_double(w, "error_max", t->read_error_max);
	json_end_object(w);
	json_end_object(w);
}
