/* "points" of results.json: what the seeds of a point have in common. */
#include <cjson/cJSON.h>
#include <math.h>

#include "sim/json_writer.h"
#include "sim/sweep/sweep_figures.h"
#include "sim/sweep/sweep_results.h"

/* The results of a point that are there. */
struct point_runs {
	struct loaded_result *r;
	unsigned n;
};

static void free_runs(struct point_runs *p)
{
	for (unsigned i = 0; i < p->n; i++)
		loaded_result_free(&p->r[i]);
	free(p->r);
}

static int read_runs(struct point_runs *p, const struct sweep *s, const struct journal *j,
		     uint64_t point, struct error *err)
{
	*p = (struct point_runs){.r = calloc(s->seeds, sizeof(*p->r))};
	if (!p->r)
		return error_memory(err, "the runs of a point");
	for (uint64_t run = point * s->seeds; run < (point + 1) * s->seeds; run++) {
		int found = sweep_record_load(j, run, false, &p->r[p->n], err);

		if (found < 0)
			return -1;
		p->n += (unsigned)found;
	}
	return 0;
}

static void write_estimate(struct json_writer *w, const char *name, const double *values,
			   unsigned n)
{
	struct estimate e;

	for (unsigned i = 0; i < n; i++)
		if (isnan(values[i]))
			return;
	e = estimate(values, n);
	json_object_inline(w, name);
	json_double(w, "mean", e.mean);
	json_double(w, "ci95", e.ci);
	json_end_object(w);
}

/* Caches that all runs of the point have. */
static int write_cache(struct json_writer *w, const struct point_runs *p, const char *name,
		       double *values, struct error *err)
{
	double figures[NR_FIGURES];

	for (unsigned i = 0; i < p->n; i++) {
		const struct loaded_cache *lc = name ? loaded_cache_find(&p->r[i], name) : NULL;

		if (name && !lc)
			return 0;
		if (figures_read(&p->r[i], lc, figures, err))
			return -1;
		for (unsigned f = 0; f < NR_FIGURES; f++)
			values[(size_t)f * p->n + i] = figures[f];
	}
	json_object(w, name ? NULL : "totals");
	if (name)
		json_string(w, "name", name);
	for (unsigned f = 0; f < NR_FIGURES; f++)
		write_estimate(w, figure_name(f), &values[(size_t)f * p->n], p->n);
	json_end_object(w);
	return 0;
}

static int write_point(struct json_writer *w, const struct sweep *s, uint64_t point,
		       const struct point_runs *p, struct error *err)
{
	double *values = calloc((size_t)NR_FIGURES * p->n, sizeof(*values));
	char *label = sweep_label(s, point, err);
	int ret = values && label ? 0 : error_memory(err, "a point");

	if (!ret) {
		json_object(w, NULL);
		sweep_write_parameters(s, point, w);
		json_string(w, "label", label);
		json_u64(w, "n", p->n);
		json_array(w, "caches");
		for (unsigned i = 0; !ret && i < p->r[0].nr_caches; i++)
			ret = write_cache(w, p, p->r[0].caches[i].c.name, values, err);
		json_end_array(w);
		if (!ret)
			ret = write_cache(w, p, NULL, values, err);
		json_end_object(w);
	}
	free(values);
	free(label);
	return ret;
}

int sweep_results_points(struct json_writer *w, const struct sweep *s, const struct journal *j,
			 struct error *err)
{
	int ret = 0;

	json_array(w, "points");
	for (uint64_t point = 0; !ret && point < s->nr_points; point++) {
		struct point_runs p;

		ret = read_runs(&p, s, j, point, err);
		if (!ret && p.n)
			ret = write_point(w, s, point, &p, err);
		free_runs(&p);
	}
	json_end_array(w);
	return ret;
}
