#include "surface.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <string.h>

size_t surface_terms(size_t dim)
{
	return 1 + dim + dim * (dim + 1) / 2;
}

static double term(const double *x, size_t dim, size_t i)
{
	if (i == 0)
		return 1;
	if (i <= dim)
		return x[i - 1];
	i -= dim + 1;
	for (size_t a = 0; a < dim; a++) {
		if (i < dim - a)
			return x[a] * x[a + i];
		i -= dim - a;
	}
	return 0;
}

double surface_at(const struct surface *s, size_t figure, const double *point)
{
	size_t terms = surface_terms(s->dim);
	double sum = 0;

	for (size_t i = 0; i < terms; i++)
		sum += s->coef[figure * terms + i] * term(point, s->dim, i);
	return sum;
}

double surface_distance(const struct surface *s, const double *point)
{
	double sum = 0, weights = 0;

	for (size_t f = 0; f < s->figures; f++) {
		double d = surface_at(s, f, point) - s->wanted[f];

		sum += s->weight[f] * d * d;
		weights += s->weight[f];
	}
	return sqrt(sum / weights);
}

int surface_fit(struct surface *s, struct error *err)
{
	size_t terms = surface_terms(s->dim);
	gsl_matrix *x = gsl_matrix_alloc(s->samples, terms), *cov = gsl_matrix_alloc(terms, terms);
	gsl_vector *y = gsl_vector_alloc(s->samples), *c = gsl_vector_alloc(terms);
	gsl_multifit_robust_workspace *w =
	    gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, s->samples, terms);
	int ret = 0;

	gsl_set_error_handler_off();
	for (size_t i = 0; i < s->samples; i++)
		for (size_t t = 0; t < terms; t++)
			gsl_matrix_set(x, i, t, term(&s->point[i * s->dim], s->dim, t));
	for (size_t f = 0; f < s->figures && !ret; f++) {
		int status;

		for (size_t i = 0; i < s->samples; i++)
			gsl_vector_set(y, i, s->figure[i * s->figures + f]);
		status = gsl_multifit_robust(x, y, c, cov, w);
		if (status && status != GSL_EMAXITER)
			ret = error_failed(err, "fitting a surface: %s", gsl_strerror(status));
		for (size_t t = 0; t < terms; t++)
			s->coef[f * terms + t] = gsl_vector_get(c, t);
	}
	gsl_multifit_robust_free(w);
	gsl_matrix_free(x);
	gsl_matrix_free(cov);
	gsl_vector_free(y);
	gsl_vector_free(c);
	return ret;
}

static double objective(const gsl_vector *v, void *arg)
{
	const struct surface *s = arg;
	double x[SURFACE_MAX_DIM], outside = 0;

	for (size_t i = 0; i < s->dim; i++) {
		x[i] = gsl_vector_get(v, i);
		if (fabs(x[i]) > 1) {
			outside += fabs(x[i]) - 1;
			x[i] = x[i] > 0 ? 1 : -1;
		}
	}
	return surface_distance(s, x) + outside;
}

static double descend(const struct surface *s, double *point)
{
	gsl_multimin_function f = {objective, s->dim, (void *)(size_t)s};
	gsl_multimin_fminimizer *m =
	    gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, s->dim);
	gsl_vector *start = gsl_vector_alloc(s->dim), *step = gsl_vector_alloc(s->dim);
	double distance;

	for (size_t i = 0; i < s->dim; i++)
		gsl_vector_set(start, i, point[i]);
	gsl_vector_set_all(step, 0.3);
	gsl_multimin_fminimizer_set(m, &f, start, step);
	for (int i = 0; i < 2000; i++)
		if (gsl_multimin_fminimizer_iterate(m) ||
		    gsl_multimin_test_size(gsl_multimin_fminimizer_size(m), 1e-4) == GSL_SUCCESS)
			break;
	for (size_t i = 0; i < s->dim; i++) {
		double v = gsl_vector_get(m->x, i);

		point[i] = v > 1 ? 1 : v < -1 ? -1 : v;
	}
	distance = surface_distance(s, point);
	gsl_multimin_fminimizer_free(m);
	gsl_vector_free(start);
	gsl_vector_free(step);
	return distance;
}

int surface_nearest(const struct surface *s, double *point, struct error *err)
{
	double best = INFINITY;

	(void)err;
	for (size_t corner = 0; corner <= (size_t)1 << s->dim; corner++) {
		double x[SURFACE_MAX_DIM] = {0}, distance;

		for (size_t i = 0; corner && i < s->dim; i++)
			x[i] = (corner - 1) >> i & 1 ? 0.6 : -0.6;
		distance = descend(s, x);
		if (distance < best) {
			best = distance;
			memcpy(point, x, s->dim * sizeof(*x));
		}
	}
	return 0;
}
