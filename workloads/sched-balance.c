/* Moving tasks between run queues: load_balance() among all CPUs. */
#include "workloads/sched-internal.h"

#define IMBALANCE_PERCENT 117
#define NR_MIGRATE	  32 /* sched_nr_migrate: so many are looked at */
#define CACHE_NICE_TRIES  1  /* after more failures, tasks that have just run are moved as well */

static void move(struct sched *s, uint32_t task, unsigned cpu, uint64_t now)
{
	sched_dequeue(s, task, now);
	sched_set_cpu(s, task, cpu, now);
	sched_enqueue(s, cpu, task, now);
	sched_check_preempt(s, cpu, task);
}

static unsigned busiest_cpu(struct sched *s, unsigned cpu, uint64_t now, uint64_t *max,
			    uint64_t *sum)
{
	unsigned busiest = cpu;

	*sum = *max = 0;
	for (unsigned other = 0; other < s->cpus; other++) {
		uint64_t load = sched_cpu_load(s, other, now);

		*sum += load;
		if (other != cpu && s->rq[other].n && load > *max) {
			*max = load;
			busiest = other;
		}
	}
	return busiest;
}

/* The end of cfs_tasks: who was woken, moved or put on the CPU longest ago. */
static uint32_t last_listed(const struct sched *s, const struct runqueue *rq)
{
	uint32_t found = rq->queue[0];

	for (uint32_t i = 1; i < rq->n; i++)
		if (s->task[rq->queue[i]].listed < s->task[found].listed)
			found = rq->queue[i];
	return found;
}

/* task_hot() */
static bool is_hot(const struct sched *s, uint32_t task, unsigned cpu, uint64_t now)
{
	const struct task *t = &s->task[task];
	const struct runqueue *rq = &s->rq[t->cpu];

	if (sched_nr_running(&s->rq[cpu]) && (rq->next == task || rq->last == task))
		return true;
	return t->ran && t->ran + s->p.migration_cost > now;
}

/*
 * detach_tasks(): of busiest's waiting tasks the next that may go to cpu, or TASK_NONE. Who may not
 * comes to the head of the list; *tries is how many are looked at yet.
 */
static uint32_t candidate(struct sched *s, unsigned busiest, unsigned cpu, unsigned *tries,
			  uint64_t now)
{
	const struct runqueue *rq = &s->rq[busiest];

	for (; *tries && rq->n; --*tries) {
		uint32_t task = last_listed(s, rq);

		if (!is_hot(s, task, cpu, now) || s->rq[cpu].balance_failed > CACHE_NICE_TRIES)
			return task;
		sched_list(s, task);
	}
	return TASK_NONE;
}

static bool pull(struct sched *s, unsigned cpu, uint64_t now)
{
	uint64_t max, sum;
	unsigned busiest = busiest_cpu(s, cpu, now, &max, &sum), tries = NR_MIGRATE;
	uint32_t task;

	if (busiest == cpu)
		return false;
	task = candidate(s, busiest, cpu, &tries, now);
	if (task == TASK_NONE)
		return false;
	sched_dequeue(s, task, now);
	sched_set_cpu(s, task, cpu, now);
	sched_enqueue(s, cpu, task, now);
	s->rq[cpu].balance_failed = 0;
	return true;
}

bool sched_balance_newidle(struct sched *s, unsigned cpu, uint64_t now)
{
	struct runqueue *rq = &s->rq[cpu];

	rq->idle_since = now;
	/* Not worth it where the next wake-up is near. */
	if (rq->avg_idle < s->p.migration_cost || !pull(s, cpu, now))
		return false;
	rq->idle_since = 0;
	return true;
}

void sched_idle_ends(struct sched *s, unsigned cpu, uint64_t now)
{
	struct runqueue *rq = &s->rq[cpu];
	uint64_t idle = now > rq->idle_since ? now - rq->idle_since : 0;

	if (!rq->idle_since)
		return;
	rq->avg_idle = rq->avg_idle - rq->avg_idle / 8 + idle / 8;
	if (rq->avg_idle > 2 * s->p.migration_cost)
		rq->avg_idle = 2 * s->p.migration_cost;
	rq->idle_since = 0;
}

/* Move tasks of busiest to cpu until that much load has come; false: none. */
static bool move_load(struct sched *s, unsigned busiest, unsigned cpu, uint64_t imbalance,
		      uint64_t now)
{
	unsigned tries = sched_nr_running(&s->rq[busiest]);
	bool moved = false;
	uint32_t task;

	if (tries > NR_MIGRATE)
		tries = NR_MIGRATE;
	for (; imbalance; tries--) {
		uint64_t load;

		task = candidate(s, busiest, cpu, &tries, now);
		if (task == TASK_NONE)
			break;
		load = sched_task_load(s, task, now);
		load = load ? load : 1;
		if (load >> s->rq[cpu].balance_failed > imbalance) {
			sched_list(s, task);
			continue;
		}
		move(s, task, cpu, now);
		moved = true;
		imbalance -= load < imbalance ? load : imbalance;
	}
	return moved;
}

static void even_out(struct sched *s, unsigned cpu, uint64_t now)
{
	struct runqueue *rq = &s->rq[cpu];
	uint64_t max, sum, mean, own;
	unsigned busiest = busiest_cpu(s, cpu, now, &max, &sum);

	own = rq->load.avg;
	mean = sum / s->cpus;
	if (busiest == cpu || own >= max || own >= mean || 100 * max <= IMBALANCE_PERCENT * own) {
		/* sd->max_interval is twice sd->min_interval. */
		rq->interval = 2 * s->p.balance;
		rq->balance_failed = 0;
		return;
	}
	rq->interval = s->p.balance;
	if (move_load(s, busiest, cpu, max - mean < mean - own ? max - mean : mean - own, now))
		rq->balance_failed = 0;
	else if (rq->balance_failed < 63)
		rq->balance_failed++;
}

/* nohz_balancer_kick(): a CPU with work to spare sends an idle one to fetch some. */
static void kick_idle(struct sched *s, unsigned cpu, uint64_t now)
{
	for (unsigned i = 1; i < s->cpus; i++) {
		unsigned other = (cpu + i) % s->cpus;

		if (!sched_idle(&s->rq[other]))
			continue;
		if (pull(s, other, now))
			sched_start_idle(s, other);
		return;
	}
}

void sched_balance_tick(struct sched *s, unsigned cpu, uint64_t now)
{
	struct runqueue *rq = &s->rq[cpu];

	if (rq->n)
		kick_idle(s, cpu, now);
	if (!s->p.balance || now < rq->next_balance)
		return;
	even_out(s, cpu, now);
	rq->next_balance = now + rq->interval;
}
