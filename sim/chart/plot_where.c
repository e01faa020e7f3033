#include "sim/chart/plot_where.h"

int plot_no_axis(const struct runs *runs, const char *option, const char *name, struct error *err)
{
	char list[400] = "";
	size_t len = 0;

	for (unsigned a = 0; a < runs->nr_axes && len < sizeof(list) - 100; a++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%.80s", a ? ", " : "",
					runs->axes[a].path);
	if (!runs->nr_axes)
		return error_input(err,
				   "%s: no axis \"%.100s\"; the results do not differ in any "
				   "setting",
				   option, name);
	return error_input(err, "%s: no axis \"%.100s\"; there %s %s", option, name,
			   runs->nr_axes == 1 ? "is" : "are", list);
}

/* The axis whose name ends at some =, which names and values may have in them, too. */
static unsigned find_named(const struct runs *runs, const char *text, const char **value,
			   struct error *err)
{
	unsigned axis = runs->nr_axes;
	char *name = strdup(text), *equals;

	if (!name) {
		error_memory(err, "--where");
		return axis;
	}
	while (axis == runs->nr_axes && (equals = strrchr(name, '='))) {
		*equals = 0;
		*value = text + (equals - name) + 1;
		axis = runs_find_axis(runs, name);
	}
	if (axis == runs->nr_axes)
		plot_no_axis(runs, "--where", name, err);
	free(name);
	return axis;
}

static int read_condition(const struct runs *runs, const char *text, unsigned *axis,
			  unsigned *value, struct error *err)
{
	const char *wanted = NULL;
	const struct run_axis *a;

	if (!strchr(text, '='))
		return error_input(err, "--where: AXIS=VALUE is wanted, not \"%.100s\"", text);
	*axis = find_named(runs, text, &wanted, err);
	if (*axis == runs->nr_axes)
		return -1;
	a = &runs->axes[*axis];
	for (*value = 0; *value < a->n; ++*value)
		if (strcmp(a->text[*value], wanted) == 0)
			return 0;
	return error_input(err, "--where: no point has %.100s %.100s; the first has %.100s",
			   a->path, wanted, a->text[0]);
}

/* One axis named twice: either value fits. */
static int fits(const struct runs *runs, const struct run_point *p, char *const *where, unsigned n,
		struct error *err)
{
	unsigned axis, value, other_axis, other;

	for (unsigned i = 0; i < n; i++) {
		bool good = false;

		if (read_condition(runs, where[i], &axis, &value, err))
			return -1;
		for (unsigned j = 0; j < n; j++) {
			if (read_condition(runs, where[j], &other_axis, &other, err))
				return -1;
			good |= other_axis == axis && p->value[axis] == other;
		}
		if (!good)
			return 0;
	}
	return 1;
}

unsigned *plot_where(const struct runs *runs, char *const *where, unsigned n, unsigned *count,
		     struct error *err)
{
	unsigned *points = calloc((size_t)runs->nr_points + 1, sizeof(*points));
	int fit = 0;

	if (!points) {
		error_memory(err, "--where");
		return NULL;
	}
	*count = 0;
	for (unsigned p = 0; fit >= 0 && p < runs->nr_points; p++) {
		fit = fits(runs, &runs->points[p], where, n, err);
		if (fit > 0)
			points[(*count)++] = p;
	}
	if (fit >= 0 && *count)
		return points;
	if (fit >= 0)
		error_input(err, "--where: no point has all of these values");
	free(points);
	return NULL;
}
