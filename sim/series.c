#include "sim/series.h"

void series_init(struct series *s)
{
	*s = (struct series){.stride = 1};
}

void series_expect(struct series *s, uint64_t events)
{
	/* Points come with the first event, a stride after it and so on; one more at the end. */
	while (events && (events - 1) / s->stride + 1 >= SERIES_POINTS)
		s->stride *= 2;
}

void series_free(struct series *s)
{
	free(s->points);
	series_init(s);
}

static int grow(struct series *s, struct error *err)
{
	unsigned cap = s->cap ? s->cap * 2 : 16;
	struct series_point *points;

	if (cap > SERIES_POINTS)
		cap = SERIES_POINTS;
	points = realloc(s->points, cap * sizeof(*points));
	if (!points)
		return error_memory(err, "a series");
	s->points = points;
	s->cap = cap;
	return 0;
}

/*
 * Double the stride until half the points are gone. More than once when the points came in
 * batches much larger than the stride.
 */
static void thin_out(struct series *s)
{
	unsigned i, kept;

	while (s->nr > SERIES_POINTS / 2 && s->stride <= UINT64_MAX / 2) {
		s->stride *= 2;
		for (i = 1, kept = 1; i < s->nr; i++)
			if (s->points[i].event - s->points[kept - 1].event >= s->stride)
				s->points[kept++] = s->points[i];
		s->nr = kept;
	}
}

int series_add(struct series *s, const struct series_point *p, struct error *err)
{
	if (s->tail)
		s->nr--;
	s->tail = false;
	if (s->nr == s->cap && s->cap < SERIES_POINTS && grow(s, err))
		return -1;
	if (s->nr == SERIES_POINTS) {
		thin_out(s);
		s->next = s->points[s->nr - 1].event + s->stride;
	}
	s->points[s->nr++] = *p;
	if (p->event < s->next) {
		s->tail = true;
		return 0;
	}
	s->next = p->event > UINT64_MAX - s->stride ? UINT64_MAX : p->event + s->stride;
	return 0;
}
