#include "sim/config/fit_config.h"

#include <math.h>
#include <stdlib.h>

#include "sim/file.h"
#include "sim/json_writer.h"

/* Four digits: a measured distribution is not known better. */
static void number(struct json_writer *w, const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4g", value);
	json_double(w, key, strtod(text, NULL));
}

static void distribution(struct json_writer *w, const char *key, const struct histogram *h,
			 unsigned quantiles)
{
	struct distribution d = fit_distribution(h, quantiles);

	if (d.kind == DIST_CONSTANT) {
		number(w, key, d.a);
		return;
	}
	json_object_inline(w, key);
	json_array(w, "quantiles");
	for (unsigned i = 0; i < d.n; i++)
		number(w, NULL, d.q[i]);
	json_end_array(w);
	json_end_object(w);
}

static double share(uint64_t part, uint64_t of)
{
	return of ? (double)part / (double)of : 0;
}

static bool is_used(const struct fit *f, unsigned cache, const struct fit_config *to)
{
	return f->cache[cache].allocs >= to->least;
}

static void write_caches(struct json_writer *w, const struct fit *f, const struct source_info *info,
			 const struct fit_config *to)
{
	json_array(w, "caches");
	for (unsigned i = 0; i < f->nr_caches; i++) {
		if (!is_used(f, i, to))
			continue;
		json_object_inline(w, NULL);
		json_string(w, "name", info->caches[i].name);
		if (info->caches[i].object_size)
			json_u64(w, "object_size", info->caches[i].object_size);
		if (info->caches[i].size)
			json_u64(w, "size", info->caches[i].size);
		json_end_object(w);
	}
	json_end_array(w);
}

/* Enough for a part of the trace. */
#define PHASE_QUANTILES 9

/* Its bursts are of a length of time; rate: how many more in that time than all of them were. */
static void write_phase(struct json_writer *w, const struct fit_window *win, double length,
			double rate, bool last)
{
	json_object(w, NULL);
	/* What comes after the trace is as its last part. */
	number(w, "duration_ns", last ? 1e12 : fmin(1e12, length));
	number(w, "rate", rate);
	distribution(w, "burst", &win->burst, PHASE_QUANTILES);
	if (win->lifetime.count)
		distribution(w, "lifetime_ns", &win->lifetime, PHASE_QUANTILES);
	if (win->away.count)
		distribution(w, "remote_lifetime_ns", &win->away, PHASE_QUANTILES);
	json_end_object(w);
}

/* Windows as phases. One too short to begin or to end joins the next. */
static void write_phases(struct json_writer *w, const struct fit *f, const struct fit_cache *c)
{
	struct fit_window sum = {0};
	uint64_t from = 0;

	json_array(w, "phases");
	for (unsigned i = 0; i < c->nr_windows; i++) {
		const struct fit_window *win = &c->window[i];
		bool last = i == c->nr_windows - 1;
		uint64_t end = last ? f->ns : c->window[i + 1].begin;
		double length = end > from ? (double)(end - from) : 1;

		histogram_merge(&sum.burst, &win->burst);
		histogram_merge(&sum.lifetime, &win->lifetime);
		histogram_merge(&sum.away, &win->away);
		if (!sum.burst.count || (end <= from && !last))
			continue;
		write_phase(w, &sum, length,
			    fmin(1e6, (double)sum.burst.count / length * (double)f->ns /
					  (double)c->burst.count),
			    last);
		from = end;
		sum = (struct fit_window){0};
	}
	json_end_array(w);
}

static void write_births(struct json_writer *w, const struct fit *f, const struct fit_cache *c,
			 const char *name, const struct fit_config *to)
{
	json_object(w, NULL);
	json_string(w, "name", name);
	json_u64(w, "operations", to->cpus ? c->allocs * to->cpus / f->cpus : c->allocs);
	json_u64(w, "begin_ns", c->begin);
	distribution(w, "think_ns", &c->think, DIST_MAX_QUANTILES);
	distribution(w, "burst", &c->burst, DIST_MAX_QUANTILES);
	distribution(w, "lifetime_ns", &c->lifetime, DIST_MAX_QUANTILES);
	if (c->away.count)
		distribution(w, "remote_lifetime_ns", &c->away, DIST_MAX_QUANTILES);
	if (c->free_gap.count)
		distribution(w, "free_gap_ns", &c->free_gap, DIST_MAX_QUANTILES);
	number(w, "at_once", share(c->at_once, c->frees));
	number(w, "remote", share(c->remote, c->frees - c->at_once));
	if (to->nodes > 1)
		number(w, "remote_node", share(c->remote_node, c->remote));
	number(w, "together", share(c->together, c->followers));
	if (c->nr_windows > 1)
		write_phases(w, f, c);
	json_end_object(w);
}

static void write_model(struct json_writer *w, const struct fit *f, const struct source_info *info,
			const struct fit_config *to)
{
	json_object(w, "mix");
	json_array_inline(w, "cpu_weights");
	for (unsigned cpu = 0; cpu < f->cpus; cpu++)
		number(w, NULL, share(f->allocs[cpu], f->total) * f->cpus);
	json_end_array(w);
	json_array(w, "caches");
	for (unsigned i = 0; i < f->nr_caches; i++)
		if (is_used(f, i, to))
			write_births(w, f, &f->cache[i], info->caches[i].name, to);
	json_end_array(w);
	json_end_object(w);
}

static void write_config(FILE *out, const struct fit *f, const struct source_info *info,
			 const struct fit_config *to)
{
	struct json_writer w;

	json_init(&w, out);
	json_object(&w, NULL);
	json_string(&w, "name", to->name);
	json_string(&w, "description",
		    "an open model derived from this trace by slabsim trace fit");
	json_object_inline(&w, "machine");
	json_u64(&w, "cpus", to->cpus ? to->cpus : f->cpus);
	json_u64(&w, "nodes", to->nodes);
	json_end_object(&w);
	write_caches(&w, f, info, to);
	json_object_inline(&w, "policy");
	json_string(&w, "preset", to->preset);
	json_end_object(&w);
	json_object(&w, "workload");
	json_object(&w, "model");
	write_model(&w, f, info, to);
	json_end_object(&w);
	json_end_object(&w);
	json_object_inline(&w, "replay");
	json_string(&w, "mode", "timed");
	json_end_object(&w);
	json_end_object(&w);
}

int fit_config_write(const struct fit *f, const struct source_info *info,
		     const struct fit_config *to, const char *path, struct error *err)
{
	struct out_file out;
	bool any = false;

	for (unsigned i = 0; i < f->nr_caches; i++) {
		const struct source_cache *c = &info->caches[i];

		if (!is_used(f, i, to))
			continue;
		if (!c->size && !c->object_size)
			return error_input(err, "%s: the size of cache \"%.80s\" is not known",
					   to->name, c->name);
		any = true;
	}
	if (!any || !f->cpus)
		return error_input(err,
				   "%s: no cache has %llu allocations; --least tells how many are "
				   "needed",
				   to->name, (unsigned long long)to->least);
	if (file_create(&out, path, err))
		return -1;
	write_config(out.stream, f, info, to);
	return file_commit(&out, err);
}
