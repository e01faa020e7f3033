/* The clock, and instructions as callgrind counts them. */
#include "bench/bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

/* Time on a CPU: that others are waited for on a busy machine does not count. */
static uint64_t now(const struct sample *s)
{
	struct timespec t;

	clock_gettime(s->wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void sample_begin(struct sample *s)
{
	CALLGRIND_START_INSTRUMENTATION;
	s->started = now(s);
}

void sample_end(struct sample *s, uint64_t events)
{
	s->ns = now(s) - s->started;
	CALLGRIND_STOP_INSTRUMENTATION;
	s->events = events;
}

/* The number behind "totals: " in callgrind's output. */
static double read_total(const char *file)
{
	FILE *in = fopen(file, "re");
	char line[256];
	uint64_t n = 0;

	if (!in)
		return 0;
	while (fgets(line, sizeof(line), in))
		if (sscanf(line, "totals: %" SCNu64, &n) == 1)
			break;
	fclose(in);
	return (double)n;
}

/* The number a program prints, or 0. */
static double read_output(const char *command)
{
	FILE *in = popen(command, "re");
	double n = 0;

	if (!in)
		return 0;
	if (fscanf(in, "%lf", &n) != 1)
		n = 0;
	return pclose(in) ? 0 : n;
}

double bench_instructions(const char *self, const struct bench_case *c)
{
	char out[] = "/tmp/slabsim-bench-XXXXXX";
	int fd = mkstemp(out);
	char *command;
	double events = 0, total = 0;

	if (fd < 0)
		return 0;
	close(fd);
	if (asprintf(&command,
		     "valgrind -q --tool=callgrind --instr-atstart=no --callgrind-out-file=%s "
		     "--log-file=/dev/null %s --once %s 2>/dev/null",
		     out, self, c->name) >= 0) {
		events = read_output(command);
		total = read_total(out);
		free(command);
	}
	unlink(out);
	return events > 0 ? total / events : 0;
}
