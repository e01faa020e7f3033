/* Moving tasks between run queues: load_balance() among all CPUs. */
#include "workloads/sched-internal.h"

#define IMBALANCE_PERCENT 117
#define NR_MIGRATE	  32 /* sched_nr_migrate: so many are looked at */

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

/* Of those that ran at from or later, the task that has not run for longest; none: TASK_NONE. */
static uint32_t coldest(const struct sched *s, const struct runqueue *rq, uint64_t from,
			uint64_t now)
{
	uint32_t found = TASK_NONE;
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < rq->n; i++) {
		const struct task *t = &s->task[rq->queue[i]];

		if (t->ran < from || t->ran >= least || rq->queue[i] == rq->last)
			continue;
		found = rq->queue[i];
		least = t->ran;
	}
	return found != TASK_NONE && least + s->p.migration_cost <= now ? found : TASK_NONE;
}

static bool pull(struct sched *s, unsigned cpu, uint64_t now)
{
	uint64_t max, sum;
	unsigned busiest = busiest_cpu(s, cpu, now, &max, &sum);
	uint32_t task;

	if (busiest == cpu)
		return false;
	task = coldest(s, &s->rq[busiest], 0, now);
	if (task == TASK_NONE)
		return false;
	sched_dequeue(s, task, now);
	sched_set_cpu(s, task, cpu, now);
	sched_enqueue(s, cpu, task, now);
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

static void even_out(struct sched *s, unsigned cpu, uint64_t now)
{
	struct runqueue *rq = &s->rq[cpu];
	uint64_t max, sum, mean, own, imbalance, from = 0;
	unsigned busiest = busiest_cpu(s, cpu, now, &max, &sum);
	uint32_t moved = 0, task;

	own = rq->load.avg;
	mean = sum / s->cpus;
	if (busiest == cpu || own >= max || own >= mean || 100 * max <= IMBALANCE_PERCENT * own)
		return;
	imbalance = max - mean < mean - own ? max - mean : mean - own;
	for (unsigned tries = 0; tries < NR_MIGRATE && imbalance && s->rq[busiest].n; tries++) {
		uint64_t load;

		task = coldest(s, &s->rq[busiest], from, now);
		if (task == TASK_NONE)
			break;
		from = s->task[task].ran + 1;
		load = sched_task_load(s, task, now);
		load = load ? load : 1;
		if (load >> rq->balance_failed > imbalance)
			continue;
		move(s, task, cpu, now);
		moved++;
		imbalance -= load < imbalance ? load : imbalance;
	}
	rq->balance_failed = moved || rq->balance_failed > 16 ? 0 : rq->balance_failed + 1;
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
	rq->next_balance = now + s->p.balance;
	even_out(s, cpu, now);
}
