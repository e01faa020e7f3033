#include "sim/sweep/pareto.h"

#include <math.h>
#include <stdlib.h>

struct measures {
	const double *x, *y;
};

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_x_then_y(const void *a, const void *b, void *arg)
{
	const struct measures *m = arg;
	size_t l = *(const size_t *)a, r = *(const size_t *)b;
	int order = compare(m->x[l], m->x[r]);

	if (!order)
		order = compare(m->y[l], m->y[r]);
	return order ? order : (l > r) - (l < r);
}

size_t pareto_front(const double *x, const double *y, size_t n, size_t *front)
{
	struct measures m = {x, y};
	size_t points = 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i]) && !isnan(y[i]))
			front[points++] = i;
	qsort_r(front, points, sizeof(*front), by_x_then_y, &m);
	/* From left to right, a point is on the front when it is lower than all before. */
	for (size_t i = 0; i < points; i++) {
		size_t last = kept ? front[kept - 1] : 0, at = front[i];

		if (!kept || y[at] < y[last] || (y[at] == y[last] && x[at] == x[last]))
			front[kept++] = at;
	}
	return kept;
}
