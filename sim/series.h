/*
 * A bounded record of values over a run. Points come at least a stride of events apart; when
 * SERIES_POINTS are held, the stride doubles and points that are now too close are dropped, so
 * that the points stay evenly spaced however long the run. The first point and the last stay.
 */
#ifndef SLABSIM_SERIES_H
#define SLABSIM_SERIES_H

#include "sim/result/results.h"

struct series {
	struct series_point *points; /* grows up to SERIES_POINTS */
	unsigned nr, cap;
	uint64_t stride; /* events */
	uint64_t next;	 /* the event at which a point is due */
	bool tail;	 /* the last point came before it was due; the next one replaces it */
};

void series_init(struct series *s);
/*
 * The run will have so many events: begin with the stride that it would end with. The points are
 * the same as without, and fewer are taken and dropped again. After series_init().
 */
void series_expect(struct series *s, uint64_t events);
void series_free(struct series *s);

static inline bool series_due(const struct series *s, uint64_t event)
{
	return event >= s->next;
}

/*
 * Add a point, its event not before that of the last one. One that is not due yet is kept only
 * until the next: so the state at the end can always be added. -1 when out of memory.
 */
int series_add(struct series *s, const struct series_point *p, struct error *err);

#endif
