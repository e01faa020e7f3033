#include "sim/sweep/sweep_progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/escape.h"

/* Seconds between two looks. */
#define BAR_PAUSE  0.1
#define LINE_PAUSE 5.0

#define MAX_BAR 20

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

void sweep_progress_begin(struct sweep_progress *p, uint64_t total, uint64_t before, bool quiet)
{
	*p = (struct sweep_progress){
	    .quiet = quiet,
	    .terminal = isatty(STDERR_FILENO),
	    .total = total,
	    .before = before,
	    .done = before,
	};
	clock_gettime(CLOCK_MONOTONIC, &p->start);
	p->last = p->start;
}

static void clear_bar(struct sweep_progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}

/* "14 s", "3 min 20 s", "5 h 2 min" */
static const char *duration(double seconds, char *buf, size_t size)
{
	uint64_t s = (uint64_t)(seconds + 0.5);

	if (s < 60)
		snprintf(buf, size, "%" PRIu64 " s", s);
	else if (s < 3600)
		snprintf(buf, size, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
	else
		snprintf(buf, size, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s / 60 % 60);
	return buf;
}

/* "37 of 200 runs, 1 failed, 12.3 runs/s, 13 s left" */
static void describe(const struct sweep_progress *p, char *text, size_t size)
{
	/* From the first run on: before that a workload was read, which is not done again. */
	double rate =
	    p->done > p->at_first ? (double)(p->done - p->at_first) / seconds_since(&p->first) : 0;
	char failed[40] = "", speed[80] = "", left[40];

	if (p->failed)
		snprintf(failed, sizeof(failed), ", %" PRIu64 " failed", p->failed);
	if (p->at_first && rate > 0)
		snprintf(speed, sizeof(speed), ", %.3g runs/s, %s left", rate,
			 duration((double)(p->total - p->done) / rate, left, sizeof(left)));
	snprintf(text, size, "%" PRIu64 " of %" PRIu64 " runs%s%s", p->done, p->total, failed,
		 speed);
}

static int columns(void)
{
	struct winsize w;

	return !ioctl(STDERR_FILENO, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : 80;
}

static void draw_bar(struct sweep_progress *p, const char *text)
{
	int room = columns() - (int)strlen("slabsim: [] ") - (int)strlen(text) - 1;
	int width = room > MAX_BAR ? MAX_BAR : room;
	int full = p->total ? (int)((double)width * (double)p->done / (double)p->total) : 0;

	fputs("\r\033[K", stderr);
	if (width < 4) {
		fprintf(stderr, "%.*s", columns() - 1, text);
	} else {
		fputs("slabsim: [", stderr);
		for (int i = 0; i < width; i++)
			putc(i < full ? '#' : '.', stderr);
		fprintf(stderr, "] %s", text);
	}
	fflush(stderr);
	p->shown = true;
}

void sweep_progress_show(struct sweep_progress *p)
{
	char text[200];

	if (!p->at_first && p->done > p->before) {
		p->at_first = p->done;
		clock_gettime(CLOCK_MONOTONIC, &p->first);
	}
	if (p->quiet || seconds_since(&p->last) < (p->terminal ? BAR_PAUSE : LINE_PAUSE))
		return;
	clock_gettime(CLOCK_MONOTONIC, &p->last);
	describe(p, text, sizeof(text));
	if (p->terminal)
		draw_bar(p, text);
	else
		fprintf(stderr, "slabsim: %s\n", text);
}

void sweep_progress_note(struct sweep_progress *p, const char *fmt, ...)
{
	char text[1400];
	va_list ap;

	if (p->quiet)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	clear_bar(p);
	fputs("slabsim: ", stderr);
	write_plain(stderr, text);
	putc('\n', stderr);
}

void sweep_progress_end(struct sweep_progress *p)
{
	double took = seconds_since(&p->start);
	char time[40], now[60] = "";

	clear_bar(p);
	if (p->quiet || p->done == p->before)
		return;
	if (took < 60)
		snprintf(time, sizeof(time), "%.1f s", took);
	else
		duration(took, time, sizeof(time));
	if (p->before)
		snprintf(now, sizeof(now), ", %" PRIu64 " of them now,", p->done - p->before);
	sweep_progress_note(p, "%" PRIu64 " of %" PRIu64 " runs done%s in %s (%.3g runs/s)",
			    p->done, p->total, now, time, (double)(p->done - p->before) / took);
}
