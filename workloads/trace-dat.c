#include "workloads/trace-dat.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "workloads/tep-kmem.h"

/* Of one CPU of one buffer: the record that comes next. */
struct stream {
	struct tracecmd_input *buffer;
	int cpu;
	unsigned order; /* decides between records of the same time */
	struct tep_record *next;
};

struct server {
	struct reader_ctx *ctx;
	struct tep_kmem *kmem;
	int out;
	time_t patience; /* seconds of processor time without any progress */
	uint32_t strings_sent;
	struct stream *heap; /* the earliest record is on top */
	size_t n;
	struct record rec[TRACE_DAT_RECORDS_MAX];
	size_t nr_rec;
};

/* ---- sending ---- */

static int put(int out, const void *buf, size_t n)
{
	const char *p = buf;
	ssize_t done;

	while (n) {
		done = write(out, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return -1;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

static int send_frame(int out, enum trace_dat_type type, const void *buf, size_t n)
{
	struct trace_dat_frame frame = {type, (uint32_t)n};

	return put(out, &frame, sizeof(frame)) || put(out, buf, n) ? -1 : 0;
}

/* Records, and before them the strings that they are the first to name. */
static int send_records(struct server *s)
{
	for (; s->strings_sent < intern_count(s->ctx->strings); s->strings_sent++) {
		const char *text = intern_str(s->ctx->strings, s->strings_sent);

		if (send_frame(s->out, TRACE_DAT_STRING, text, strlen(text)))
			return -1;
	}
	if (s->nr_rec && send_frame(s->out, TRACE_DAT_RECORDS, s->rec, s->nr_rec * sizeof(*s->rec)))
		return -1;
	s->nr_rec = 0;
	return 0;
}

static int send_end(struct server *s)
{
	struct trace_dat_end end = {.cpus = s->ctx->cpus, .missing_time = s->ctx->missing_time};

	if (send_records(s))
		return -1;
	memcpy(end.notes, s->ctx->notes, sizeof(end.notes));
	end.census = s->ctx->census;
	return send_frame(s->out, TRACE_DAT_END, &end, sizeof(end));
}

/* ---- the records of all CPUs, by time ---- */

static bool earlier(const struct stream *a, const struct stream *b)
{
	return a->next->ts != b->next->ts ? a->next->ts < b->next->ts : a->order < b->order;
}

static void sift_down(struct stream *heap, size_t n, size_t i)
{
	struct stream moved = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= n)
			break;
		if (child + 1 < n && earlier(&heap[child + 1], &heap[child]))
			child++;
		if (!earlier(&heap[child], &moved))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moved;
}

static int add_buffer(struct server *s, struct tracecmd_input *buffer, int cpus)
{
	struct stream *larger = reallocarray(s->heap, s->n + (size_t)cpus, sizeof(*larger));

	if (!larger)
		return -1;
	s->heap = larger;
	for (int cpu = 0; cpu < cpus; cpu++) {
		struct tep_record *first = tracecmd_read_cpu_first(buffer, cpu);

		if (!first)
			continue;
		s->heap[s->n] = (struct stream){buffer, cpu, (unsigned)s->n, first};
		s->n++;
	}
	return 0;
}

/* The file's main buffer, then those of instances, as trace-cmd report takes them. */
static int open_buffers(struct server *s, struct tracecmd_input *file, int cpus)
{
	int instances = tracecmd_buffer_instances(file);

	if (add_buffer(s, file, cpus))
		return -1;
	for (int i = 0; i < instances; i++) {
		struct tracecmd_input *buffer = tracecmd_buffer_instance_handle(file, i);

		if (buffer && add_buffer(s, buffer, cpus))
			return -1;
	}
	for (size_t i = s->n / 2; i-- > 0;)
		sift_down(s->heap, s->n, i);
	return 0;
}

static void advance(struct server *s)
{
	struct stream *top = &s->heap[0];

	tracecmd_free_record(top->next);
	top->next = tracecmd_read_data(top->buffer, top->cpu);
	if (!top->next)
		s->heap[0] = s->heap[--s->n];
	if (s->n)
		sift_down(s->heap, s->n, 0);
}

/* ---- the whole file ---- */

/* Begin counting processor time afresh; SIGPROF ends a process that has used too much. */
static void be_patient(const struct server *s)
{
	const struct itimerval limit = {.it_value.tv_sec = s->patience};

	setitimer(ITIMER_PROF, &limit, NULL);
}

static int serve_records(struct server *s, struct error *err)
{
	uint64_t records = 0;
	int ret;

	for (; s->n; advance(s)) {
		struct tep_record *next = s->heap[0].next;

		if (next->missed_events) {
			/* Negative: some, it is not known how many. */
			s->ctx->notes[NOTE_LOST_EVENTS] +=
			    next->missed_events > 0 ? (uint64_t)next->missed_events : 1;
		}
		ret = tep_kmem_decode(s->kmem, next, &s->rec[s->nr_rec], err);
		if (ret < 0)
			return -1;
		s->nr_rec += (size_t)ret;
		if (s->nr_rec == TRACE_DAT_RECORDS_MAX && send_records(s))
			return error_failed(err, "the reader has gone");
		if (++records % 4096 == 0)
			be_patient(s);
	}
	return 0;
}

static int serve(struct server *s, int fd, struct error *err)
{
	struct tracecmd_input *file;
	int cpus;

	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	file =
	    tracecmd_open_fd(fd, TRACECMD_FL_LOAD_NO_PLUGINS | TRACECMD_FL_LOAD_NO_SYSTEM_PLUGINS);
	if (!file)
		return error_input(err,
				   "%s: libtracecmd cannot open this trace.dat file: it is "
				   "damaged, or of a version that library does not read",
				   input_name(s->ctx->in));
	cpus = tep_get_cpus(tracecmd_get_tep(file));
	if (cpus < 1 || cpus > MAX_CPUS)
		return error_input(err, "%s: this trace.dat file is damaged: it has %d CPUs",
				   input_name(s->ctx->in), cpus);
	s->ctx->cpus = (unsigned)cpus;
	s->kmem = tep_kmem_new(tracecmd_get_tep(file), s->ctx, err);
	if (!s->kmem)
		return -1;
	if (open_buffers(s, file, cpus))
		return error_memory(err, "the buffers of a trace");
	return serve_records(s, err);
}

/* Signals and output as in a process of its own. */
static void settle_in(struct server *s, int fd)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE,	SIGILL, SIGABRT,
				      SIGTERM, SIGINT, SIGPROF, SIGHUP, SIGQUIT};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct stat st;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_DUMPABLE, 0);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	/* A compressed file is decompressed before its first record comes. */
	s->patience = 2 + (fstat(fd, &st) ? 0 : st.st_size / 5000000);
	be_patient(s);
}

_Noreturn void trace_dat_serve(int fd, int out, struct reader_ctx *ctx)
{
	struct server s = {.ctx = ctx, .out = out};
	struct error err = {0};
	int ret;

	settle_in(&s, fd);
	/* The reader has these already. */
	s.strings_sent = intern_count(ctx->strings);
	ret = serve(&s, fd, &err);
	if (ret)
		send_frame(out, TRACE_DAT_ERROR, &err, sizeof(err));
	else
		ret = send_end(&s);
	_exit(ret ? 1 : 0);
}
