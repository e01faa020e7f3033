/* Reading text: a trace into the spool, and events out of it. */
#include "bench/bench.h"

#include "bench/cases.h"
#include "workloads/input.h"
#include "workloads/trace.h"

static int count_lines(const char *file, uint64_t *n, struct error *err)
{
	struct input *in = input_open(file, err);
	struct line line;
	int more;

	*n = 0;
	if (!in)
		return -1;
	while ((more = input_line(in, &line, err)) > 0)
		++*n;
	input_close(in);
	return more;
}

int import_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	struct trace_options opt = {.page_size = 4096, .may_block = -1};
	struct source *src;
	uint64_t lines;

	(void)run;
	if (count_lines(BUNDLED_TRACE, &lines, err))
		return -1;
	sample_begin(s);
	src = trace_open(BUNDLED_TRACE, &opt, err);
	sample_end(s, lines);
	if (src)
		src->ops->close(src);
	return src ? 0 : -1;
}

int deliver_run(const struct bench_run *run, struct sample *s, struct error *err)
{
	struct trace_options opt = {.page_size = 4096, .may_block = -1};
	struct source *src = trace_open(BUNDLED_TRACE, &opt, err);
	uint64_t events = 0;
	struct batch b;
	int more = -1;

	if (!src)
		return -1;
	sample_begin(s);
	for (unsigned i = 0; i < run->rounds; i++) {
		if (i && src->ops->rewind(src, err))
			break;
		while ((more = src->ops->next(src, &b, err)) > 0)
			events += b.n;
		if (more < 0)
			break;
	}
	sample_end(s, events);
	src->ops->close(src);
	return more;
}
