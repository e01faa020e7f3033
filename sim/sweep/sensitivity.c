#include "sim/sweep/sensitivity.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Numbers in a matrix: 80 MB. */
#define MAX_MATRIX 10000000

/* A diagonal element this small against the first is a dependent column. */
#define RANK_LIMIT 1e-9

/* The decomposed matrix of a model. */
struct fit {
	gsl_matrix *qr;
	gsl_vector *tau;
	size_t rank;
};

struct sensitivity {
	struct design d;
	gsl_vector *y;
	struct fit *fits; /* of the full model, then of that without each axis */
};

/* Parameters: one, and one less than its levels for every axis. */
static size_t parameters(const struct design *d, unsigned without)
{
	size_t p = 1;

	for (unsigned a = 0; a < d->nr_axes; a++)
		if (a != without)
			p += d->levels[a] - 1;
	return p;
}

static void fill(const struct design *d, unsigned without, gsl_matrix *x)
{
	for (size_t i = 0; i < d->n; i++) {
		size_t column = 1;

		gsl_matrix_set(x, i, 0, 1);
		for (unsigned a = 0; a < d->nr_axes; a++) {
			unsigned level = d->level[i * d->nr_axes + a];

			if (a == without)
				continue;
			if (level)
				gsl_matrix_set(x, i, column + level - 1, 1);
			column += d->levels[a] - 1;
		}
	}
}

/* Pivoting brings dependent columns to the end: axes that only vary together. */
static int decompose(struct fit *f, const struct design *d, unsigned without)
{
	size_t p = parameters(d, without), small = p < d->n ? p : d->n;
	gsl_permutation *perm = gsl_permutation_alloc(p);
	gsl_vector *norm = gsl_vector_alloc(p);
	int sign, ret = -1;

	f->qr = gsl_matrix_calloc(d->n, p);
	f->tau = gsl_vector_alloc(small);
	if (f->qr && f->tau && perm && norm) {
		fill(d, without, f->qr);
		ret = gsl_linalg_QRPT_decomp(f->qr, f->tau, perm, &sign, norm) ? -1 : 0;
	}
	while (!ret && f->rank < small &&
	       fabs(gsl_matrix_get(f->qr, f->rank, f->rank)) >
		   RANK_LIMIT * fabs(gsl_matrix_get(f->qr, 0, 0)))
		f->rank++;
	gsl_permutation_free(perm);
	gsl_vector_free(norm);
	return ret;
}

/* GSL's own handler ends the program. */
static int decompose_all(struct sensitivity *s)
{
	gsl_error_handler_t *old = gsl_set_error_handler_off();
	int ret = 0;

	for (unsigned i = 0; !ret && i <= s->d.nr_axes; i++)
		ret = decompose(&s->fits[i], &s->d, i ? i - 1 : s->d.nr_axes);
	gsl_set_error_handler(old);
	return ret;
}

struct sensitivity *sensitivity_new(const struct design *d, struct error *err)
{
	size_t p = parameters(d, d->nr_axes);
	struct sensitivity *s;

	if (p > MAX_MATRIX / d->n) {
		error_input(err, "%zu runs and %zu values of axes are too many to decompose", d->n,
			    p - 1);
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (s) {
		s->d = *d;
		s->y = gsl_vector_alloc(d->n);
		s->fits = calloc((size_t)d->nr_axes + 1, sizeof(*s->fits));
		if (s->y && s->fits && !decompose_all(s))
			return s;
	}
	sensitivity_free(s);
	error_memory(err, "a sweep's sensitivities");
	return NULL;
}

void sensitivity_free(struct sensitivity *s)
{
	if (!s)
		return;
	for (unsigned i = 0; s->fits && i <= s->d.nr_axes; i++) {
		gsl_matrix_free(s->fits[i].qr);
		gsl_vector_free(s->fits[i].tau);
	}
	free(s->fits);
	gsl_vector_free(s->y);
	free(s);
}

/* What the model leaves of y: the part of Q'y beyond the rank. */
static double residual(struct sensitivity *s, const struct fit *f, const double *y, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < s->d.n; i++)
		gsl_vector_set(s->y, i, y[i] - mean);
	gsl_linalg_QR_QTvec(f->qr, f->tau, s->y);
	for (size_t i = f->rank; i < s->d.n; i++)
		sum += gsl_vector_get(s->y, i) * gsl_vector_get(s->y, i);
	return sum;
}

static double share_of(double part, double total)
{
	double share = part / total;

	/* Rounding. */
	if (share < 1e-12)
		return 0;
	return share > 1 ? 1 : share;
}

int sensitivity_shares(struct sensitivity *s, const double *y, double *share, double *rest,
		       struct error *err)
{
	double mean = gsl_stats_mean(y, 1, s->d.n);
	double total = gsl_stats_tss_m(y, 1, s->d.n, mean), left;

	if (!isfinite(total))
		return error_input(err, "a figure that not all runs have");
	*rest = 0;
	memset(share, 0, s->d.nr_axes * sizeof(*share));
	if (!(total > 0))
		return 0;
	left = residual(s, &s->fits[0], y, mean);
	*rest = share_of(left, total);
	for (unsigned a = 0; a < s->d.nr_axes; a++)
		share[a] = share_of(residual(s, &s->fits[a + 1], y, mean) - left, total);
	return 0;
}
