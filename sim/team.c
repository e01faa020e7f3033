#include "sim/team.h"

#include "sim/allocator.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Events handed to the threads at once: 384 kB, much more work than handing them over. */
#define CHUNK 32768
/* Points that can fall into a chunk. */
#define POINTS 64

/* A point, due when so many of a bucket's events are replayed. */
struct mark {
	size_t at;
	struct series_point point;
};

/* What a worker has of a chunk. */
struct bucket {
	struct event *events; /* [CHUNK] */
	size_t n;
	struct mark marks[POINTS];
};

struct worker {
	struct team *team;
	pthread_t thread;
	bool started;
	unsigned number;
	struct bucket bucket[2]; /* one is filled while the other is replayed */
	int failed;
	struct error error;
};

struct team {
	struct cache *caches;
	unsigned nr_caches;
	const struct allocator_ops *allocator;
	team_point point;
	void *arg;
	uint16_t *owner; /* by cache: its worker */
	struct worker *workers;
	unsigned nr_workers;
	struct event **next; /* by worker: where in its bucket the next event goes */
	size_t filled;	     /* events in all buckets */
	unsigned nr_marks;   /* in each */

	pthread_mutex_t lock;
	pthread_cond_t go, done;
	uint64_t handed;    /* chunks; the next one fills bucket[handed % 2] */
	unsigned nr_points; /* of the last of them */
	unsigned busy;	    /* workers that have not finished it */
	bool quit;
};

static int take_points(struct worker *w, const struct series_point *p)
{
	struct team *t = w->team;

	for (unsigned i = 0; i < t->nr_caches; i++)
		if (t->owner[i] == w->number && t->point(t->arg, i, p, &w->error))
			return -1;
	return 0;
}

static int replay(struct worker *w, const struct bucket *b, unsigned nr_points)
{
	struct team *t = w->team;
	size_t at = 0;

	for (unsigned i = 0; i <= nr_points; i++) {
		size_t end = i < nr_points ? b->marks[i].at : b->n;

		if (allocator_replay(t->allocator, t->caches, b->events + at, end - at, &w->error))
			return -1;
		if (i < nr_points && take_points(w, &b->marks[i].point))
			return -1;
		at = end;
	}
	return 0;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct team *t = w->team;
	uint64_t seen = 0;

	pthread_mutex_lock(&t->lock);
	for (;;) {
		unsigned nr_points;

		while (t->handed == seen && !t->quit)
			pthread_cond_wait(&t->go, &t->lock);
		if (t->handed == seen)
			break;
		nr_points = t->nr_points;
		pthread_mutex_unlock(&t->lock);
		if (!w->failed)
			w->failed = replay(w, &w->bucket[seen % 2], nr_points);
		seen++;
		pthread_mutex_lock(&t->lock);
		if (--t->busy == 0)
			pthread_cond_signal(&t->done);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

struct share {
	uint64_t weight;
	unsigned cache;
};

static int heaviest_first(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return x->cache < y->cache ? -1 : 1;
}

/* Each cache, the heaviest first, goes to the worker with the least so far. */
static int share_out(struct team *t, const uint64_t *weight, unsigned n)
{
	uint64_t *load = calloc(t->nr_workers, sizeof(*load));
	struct share *shares = calloc(n + 1, sizeof(*shares));
	int ret = load && shares ? 0 : -1;

	for (unsigned i = 0; !ret && i < n; i++)
		shares[i] = (struct share){weight[i] + 1, i};
	if (!ret)
		qsort(shares, n, sizeof(*shares), heaviest_first);
	for (unsigned i = 0; !ret && i < n; i++) {
		unsigned to = 0;

		for (unsigned w = 1; w < t->nr_workers; w++)
			if (load[w] < load[to])
				to = w;
		t->owner[shares[i].cache] = (uint16_t)to;
		load[to] += shares[i].weight;
	}
	free(load);
	free(shares);
	return ret;
}

static int start(struct team *t, struct error *err)
{
	for (unsigned i = 0; i < t->nr_workers; i++) {
		struct worker *w = &t->workers[i];
		int error;

		w->team = t;
		w->number = i;
		for (unsigned k = 0; k < 2; k++) {
			w->bucket[k].events = calloc(CHUNK, sizeof(*w->bucket[k].events));
			if (!w->bucket[k].events)
				return error_memory(err, "threads");
		}
		t->next[i] = w->bucket[0].events;
		error = pthread_create(&w->thread, NULL, work, w);
		if (error)
			return error_failed(err, "cannot start a thread: %s", strerror(error));
		w->started = true;
	}
	return 0;
}

struct team *team_new(unsigned threads, struct cache *caches, const uint64_t *weight, unsigned n,
		      const struct allocator_ops *allocator, team_point point, void *arg,
		      struct error *err)
{
	struct team *t = calloc(1, sizeof(*t));

	if (!t) {
		error_memory(err, "threads");
		return NULL;
	}
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->go, NULL);
	pthread_cond_init(&t->done, NULL);
	t->caches = caches;
	t->nr_caches = n;
	t->point = point;
	t->arg = arg;
	t->allocator = allocator;
	t->owner = calloc(n + 1, sizeof(*t->owner));
	t->workers = calloc(threads, sizeof(*t->workers));
	t->next = calloc(threads, sizeof(*t->next));
	t->nr_workers = threads;
	if (!t->owner || !t->workers || !t->next || share_out(t, weight, n)) {
		error_memory(err, "threads");
		team_free(t);
		return NULL;
	}
	if (start(t, err)) {
		team_free(t);
		return NULL;
	}
	return t;
}

void team_free(struct team *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->quit = true;
	pthread_cond_broadcast(&t->go);
	pthread_mutex_unlock(&t->lock);
	for (unsigned i = 0; t->workers && i < t->nr_workers; i++) {
		struct worker *w = &t->workers[i];

		if (w->started)
			pthread_join(w->thread, NULL);
		free(w->bucket[0].events);
		free(w->bucket[1].events);
	}
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->go);
	pthread_cond_destroy(&t->done);
	free(t->owner);
	free(t->next);
	free(t->workers);
	free(t);
}

/* Until the chunk at work is done. */
static int finish(struct team *t, struct error *err)
{
	pthread_mutex_lock(&t->lock);
	while (t->busy)
		pthread_cond_wait(&t->done, &t->lock);
	pthread_mutex_unlock(&t->lock);
	for (unsigned i = 0; i < t->nr_workers; i++) {
		if (t->workers[i].failed) {
			*err = t->workers[i].error;
			return -1;
		}
	}
	return 0;
}

/* The buckets go to the workers, the others are filled next. */
static int hand_over(struct team *t, struct error *err)
{
	if (finish(t, err))
		return -1;
	pthread_mutex_lock(&t->lock);
	for (unsigned i = 0; i < t->nr_workers; i++) {
		struct worker *w = &t->workers[i];
		struct bucket *full = &w->bucket[t->handed % 2];

		full->n = (size_t)(t->next[i] - full->events);
		t->next[i] = w->bucket[(t->handed + 1) % 2].events;
	}
	t->nr_points = t->nr_marks;
	t->nr_marks = 0;
	t->filled = 0;
	t->busy = t->nr_workers;
	t->handed++;
	pthread_cond_broadcast(&t->go);
	pthread_mutex_unlock(&t->lock);
	return 0;
}

int team_replay(struct team *t, const struct event *ev, size_t n, struct error *err)
{
	while (n > 0) {
		size_t now = n < CHUNK - t->filled ? n : CHUNK - t->filled;

		for (size_t i = 0; i < now; i++)
			*t->next[t->owner[ev[i].cache]]++ = ev[i];
		ev += now;
		n -= now;
		t->filled += now;
		if (t->filled == CHUNK && hand_over(t, err))
			return -1;
	}
	return 0;
}

int team_add_points(struct team *t, const struct series_point *p, struct error *err)
{
	if (t->nr_marks == POINTS && hand_over(t, err))
		return -1;
	for (unsigned i = 0; i < t->nr_workers; i++) {
		struct bucket *b = &t->workers[i].bucket[t->handed % 2];

		b->marks[t->nr_marks] =
		    (struct mark){.at = (size_t)(t->next[i] - b->events), .point = *p};
	}
	t->nr_marks++;
	return 0;
}

int team_wait(struct team *t, struct error *err)
{
	if ((t->filled || t->nr_marks) && hand_over(t, err))
		return -1;
	return finish(t, err);
}
