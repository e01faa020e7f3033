/*
 * How time and memory grow with events, with CPUs and with live objects. Each line is a process
 * of its own, so that none finds memory that another has given back.
 */
#include "bench/bench.h"

#include <sys/wait.h>
#include <unistd.h>

#include "sim/table.h"

#define KI	 1024
#define REPEAT	 3
#define PRESET_1 "linux-6.1"
#define PRESET_2 "linux-7.0"

/* The set, about as many events as its recipe says, is replayed rounds times. */
#define LINE(name_, cpus_, live_, events_, rounds_, timed_, preset_)                               \
	{                                                                                          \
		{.name = name_,                                                                    \
		 .preset = preset_,                                                                \
		 .rounds = rounds_,                                                                \
		 .timed = timed_,                                                                  \
		 .run = order_run},                                                                \
		{                                                                                  \
			.ids = (live_) + (live_) / 8, .live = live_, .cpus = cpus_,                \
			.events = events_, .once = (rounds_) == 1                                  \
		}                                                                                  \
	}
#define EVENTS(name, rounds) LINE(name, 8, 64 * KI, 900000, rounds, false, PRESET_1)
#define ORDER(cpus, preset)                                                                        \
	LINE("order/" #cpus "-cpus/" preset, cpus, 128 * KI, 4000000, 1, false, preset)
#define TIMED(cpus)                                                                                \
	LINE("timed/" #cpus "-cpus/" PRESET_1, cpus, 128 * KI, 2000000, 1, true, PRESET_1)

struct scale_line {
	struct bench_case c;
	struct set_recipe set;
};

static const struct scale_line lines[] = {
    EVENTS("order/1M-events", 1),
    EVENTS("order/10M-events", 10),
    EVENTS("order/100M-events", 100),
    EVENTS("order/1000M-events", 1000),
    LINE("order/16Mi-objects/" PRESET_1, 8, 16 * KI * KI, 4000000, 1, false, PRESET_1),
    LINE("order/16Mi-objects/" PRESET_2, 8, 16 * KI * KI, 4000000, 1, false, PRESET_2),
    ORDER(1, PRESET_1),
    ORDER(8, PRESET_1),
    ORDER(64, PRESET_1),
    ORDER(512, PRESET_1),
    ORDER(1, PRESET_2),
    ORDER(8, PRESET_2),
    ORDER(64, PRESET_2),
    ORDER(512, PRESET_2),
    TIMED(1),
    TIMED(8),
    TIMED(64),
    TIMED(512),
};

static int run_line(const struct scale_line *l, struct sample *s, struct error *err)
{
	struct event_set set = {0};
	struct bench_run run = {&l->c, &set, l->c.rounds};
	int ret = set_make(&set, &l->set, err);

	if (!ret)
		ret = l->c.run(&run, s, err);
	set_free(&set);
	return ret;
}

/* run_line() in another process. */
static int run_apart(const struct scale_line *l, struct sample *s, struct error *err)
{
	int pipes[2], status;
	ssize_t got;
	pid_t pid;

	if (pipe(pipes))
		return error_failed(err, "no pipe");
	pid = fork();
	if (pid < 0)
		return error_failed(err, "no process");
	if (!pid) {
		*s = (struct sample){0};
		if (run_line(l, s, err))
			fprintf(stderr, "bench: %s: %s\n", l->c.name, err->text);
		else if (write(pipes[1], s, sizeof(*s)) == sizeof(*s))
			_exit(0);
		_exit(1);
	}
	close(pipes[1]);
	got = read(pipes[0], s, sizeof(*s));
	close(pipes[0]);
	if (waitpid(pid, &status, 0) < 0 || status || got != sizeof(*s))
		return error_failed(err, "%s failed", l->c.name);
	return 0;
}

/* The fastest of some repetitions; of long ones, the first. */
static int best_of(const struct scale_line *l, struct sample *best, struct error *err)
{
	for (unsigned i = 0; i < (l->c.rounds > 100 ? 1 : REPEAT); i++) {
		struct sample s;

		if (run_apart(l, &s, err))
			return -1;
		if (!i || s.ns < best->ns)
			*best = s;
	}
	return 0;
}

int bench_scale(struct table *t, struct error *err)
{
	bench_table_init(t);
	table_column(t, "case", "Case");
	table_column(t, "events", "Events");
	table_column(t, "seconds", "s");
	table_column(t, "ns", "ns each");
	table_column(t, "memory_kib", "Memory KiB");
	table_column(t, "live", "Live objects");
	table_column(t, "bytes_per_object", "Bytes each");
	table_note(t, "Best of %d; memory is the most the engine has, beside the source's events",
		   REPEAT);
	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct sample s = {0};

		fprintf(stderr, "bench: %s\n", lines[i].c.name);
		if (best_of(&lines[i], &s, err))
			return -1;
		table_row(t);
		table_string(t, lines[i].c.name);
		table_u64(t, s.events);
		table_real(t, (double)s.ns / 1e9, 3);
		table_real(t, (double)s.ns / (double)s.events, 2);
		table_u64(t, s.memory / 1024);
		table_u64(t, lines[i].set.live);
		table_real(t, (double)s.memory / (double)lines[i].set.live, 2);
	}
	return 0;
}
