/*
 * Damaged files of every kind, given to the commands as a user would: each must be refused with a
 * message that names the file, or be done with everything skipped or mended counted; none may
 * crash, and none may take more than five seconds of processor time. Always the same damage;
 * SLABSIM_MALFORMED=N damages each file N times instead of a few.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cmd/command.h"
#include "sim/file.h"
#include "sim/policy.h"
#include "tests/json_file.h"

#define ROUNDS	200
#define SECONDS 5
/* Under valgrind everything takes so much longer. */
#define VALGRIND 30
/* Large files are damaged near their start as well as anywhere. */
#define HEADER 512

enum kind {
	TRACE,
	TEXT_TRACE,
	CONFIG,
	SWEEP,
	INITIAL,
	RESULT,
	PLOT,
	REPORT,
	JOURNAL,
	PUBLISHED,
	ORDERS,
	SLABINFO,
	MACHINE
};

/* Which command reads it. */
static const struct command *const commands[] = {
    [TRACE] = &cmd_run,	   [TEXT_TRACE] = &cmd_run,    [CONFIG] = &cmd_run,
    [SWEEP] = &cmd_sweep,  [INITIAL] = &cmd_run,       [RESULT] = &cmd_compare,
    [PLOT] = &cmd_plot,	   [REPORT] = &cmd_report,     [JOURNAL] = &cmd_sweep,
    [ORDERS] = &cmd_order, [PUBLISHED] = &cmd_compare, [SLABINFO] = &cmd_order,
    [MACHINE] = &cmd_run,
};

struct sample {
	const char *file; /* below the top of the tree, or made by make_samples() */
	enum kind kind;
	unsigned share; /* one round in so many: slow ones */
};

static const struct sample samples[] = {
    {"tests/data/trace-ftrace.txt", TEXT_TRACE, 1},
    {"tests/data/trace-perf-script.txt", TEXT_TRACE, 1},
    {"tests/data/trace-trace-cmd.txt", TEXT_TRACE, 1},
    {"csv", TRACE, 1},
    {"zstd", TRACE, 1},
    {"gzip", TRACE, 1},
    {"xz", TRACE, 1},
    {"slabtrace", TRACE, 1},
    {"tests/data/trace-v7.dat", TRACE, 4},
    {"trace-v6.dat", TRACE, 4},
    {"trace-perf.data", TRACE, 8},
    {"config", CONFIG, 1},
    {"sweep", SWEEP, 1},
    {"configs/machines/two-socket-32cpu.json", MACHINE, 1},
    {"configs/slabinfo-6.12-boot.txt", SLABINFO, 1},
    {"workloads/traces/hackbench-6.1-8cpu.slabinfo", INITIAL, 1},
    {"result", RESULT, 1},
    {"result", PLOT, 4},
    {"result", REPORT, 4},
    {"part/journal.jsonl", JOURNAL, 1},
    {"configs/published/000-cpu-partial-accounting.json", PUBLISHED, 1},
    {"configs/published/001-order-min-waste.json", ORDERS, 1},
};

static const char csv[] = "#slabsim machine cpus=4 nodes=2 page_size=4096\n"
			  "#slabsim cache object_size=30 size=32 name=filp\n"
			  "op,cpu,object,time_ns,node,cache,size,bulk,gfp\n"
			  "alloc,0,1,5,0,filp,30,,kernel\n"
			  "alloc_bulk,1,2,5,,filp,30,7,atomic\n"
			  "alloc_bulk,1,3,5,,filp,30,7,atomic\n"
			  "free_bulk,1,2,6,,,,7,\n"
			  "free_bulk,1,3,6,,,,7,\n"
			  "free_rcu,0,1,6,,,,,\n"
			  "alloc,0,4,5,,filp,30,,\n"
			  "shrink,,,7,,filp,,,\n"
			  "free,1,4,8,,,,,\n";

static const char config[] =
    "{\"name\": \"x\", \"description\": \"\\u00e4\", \"plugins\": [],\n"
    " \"machine\": {\"cpus\": 4, \"nodes\": 2, \"page_size\": 4096, \"cpus_of_node\": [\"0-1\", "
    "[2, 3]], \"distances\": [[10, 20], [20, 10]], \"costs\": {\"cmpxchg\": 20}},\n"
    " \"caches\": [{\"name\": \"filp\", \"object_size\": 30, \"align\": 8, \"order\": 1,\n"
    "  \"match\": {\"call_site\": \"f\", \"size\": 64}}, {\"name\": \"b\", \"size\": 64}],\n"
    " \"policy\": {\"preset\": \"linux-6.1\", \"cpu_partial\": {\"scale\": 2.5, \"of\": "
    "\"default\"}, \"order\": 2, \"remote_node_defrag_ratio\": 50},\n"
    " \"workload\": {\"trace\": \"csv\", \"gfp\": \"kernel\", \"reorder_ns\": 10},\n"
    " \"replay\": {\"mode\": \"timed\", \"only\": [\"f*\"], \"merge\": true, \"seed\": 3},\n"
    " \"sweep\": {\"policy.cpu_partial\": [1, 2], \"replay.seed\": {\"from\": 4, \"to\": 16, "
    "\"times\": 2},\n"
    "  \"kernel\": [{\"label\": \"old\", \"set\": {\"policy.preset\": \"linux-5.15\"}}, "
    "{\"label\": \"new\", \"set\": {\"policy.preset\": \"linux-6.12\"}}],\n"
    "  \"zip\": [[\"policy.cpu_partial\", \"kernel\"]], \"exclude\": [{\"kernel\": \"old\"}]},\n"
    " \"seeds\": 2}\n";

static const char runs[] = "{\"workload\": {\"trace\": \"csv\"},\n"
			   " \"sweep\": {\"policy.cpu_partial\": [1, 2, 3]}}\n";

/* What the children tell. */
struct report {
	unsigned round;	  /* that is going on */
	unsigned done[2]; /* refused, done */
	char message[2000];
};

static char temp[] = "/tmp/slabsim-malformed-XXXXXX";
static char root[4096];
static struct report *report;

static uint32_t next_random(uint32_t *x)
{
	*x = *x * 1664525 + 1013904223;
	return *x >> 8;
}

static size_t place(size_t n, uint32_t *x)
{
	size_t near = n < HEADER || next_random(x) % 2 ? n : HEADER;

	return next_random(x) % near;
}

static void put_number(char *at, size_t room, uint32_t *x)
{
	static const char *const numbers[] = {
	    "-1",
	    "0",
	    "4294967295",
	    "4294967296",
	    "9223372036854775807",
	    "18446744073709551615",
	    "18446744073709551616",
	    "1e308",
	    "1e999",
	    "-0",
	    "0x10",
	    "99999999999999999999999999",
	};
	const char *number = numbers[next_random(x) % (sizeof(numbers) / sizeof(numbers[0]))];
	size_t len = strlen(number);

	memcpy(at, number, len < room ? len : room);
}

/* One or a few of the things that happen to files. s has room for as much again. */
static size_t damage(char *s, size_t n, uint32_t *x)
{
	for (unsigned times = 1 + next_random(x) % 3; times && n > 1; times--) {
		size_t at = place(n, x), len = 1 + next_random(x) % 60, from = place(n, x);

		len = len < n - at ? len : n - at;
		switch (next_random(x) % 8) {
		case 0:
			s[at] = (char)next_random(x);
			break;
		case 1:
			s[at] = "0123456789-+=:,.[]{}() \n\tx\""[next_random(x) % 27];
			break;
		case 2: /* some are gone */
			memmove(s + at, s + at + len, n - at - len);
			n -= len;
			break;
		case 3: /* some come from elsewhere */
			len = len < n - from ? len : n - from;
			memmove(s + at, s + from, len);
			break;
		case 4: /* some are there twice */
			memmove(s + at + len, s + at, n - at);
			n += len;
			break;
		case 5: /* the end is missing */
			n = at;
			break;
		case 6:
			put_number(s + at, n - at, x);
			break;
		case 7: /* a flipped bit */
			s[at] = (char)(s[at] ^ 1 << next_random(x) % 8);
			break;
		}
	}
	return n;
}

static void write_bytes(const char *file, const void *data, size_t n)
{
	FILE *out = fopen(file, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, n, out), n);
	assert_int_equal(fclose(out), 0);
}

static int command(const struct command *c, char **argv, struct error *err)
{
	int argc = 0;

	*err = (struct error){0};
	while (argv[argc])
		argc++;
	return c->run(argc, argv, err);
}

/* ---- one damaged file ---- */

static void tell(const char *what, const char *more)
{
	snprintf(report->message, sizeof(report->message), "%s%s", what, more);
	_exit(3);
}

/* Every line gave an event, or is counted as skipped; every event that no line gave is, too. */
static void check_counts(const char *data, size_t n)
{
	struct error err = {0};
	cJSON *result = json_file_read("out.json", &err), *events, *note;
	double lines = n && data[n - 1] != '\n', sum, skips = 0;
	char text[200];

	if (!result)
		tell("no result: ", err.text);
	events = cJSON_GetObjectItem(result, "events");
	sum = cJSON_GetObjectItem(events, "replayed")->valuedouble +
	      cJSON_GetObjectItem(events, "skipped")->valuedouble;
	cJSON_ArrayForEach (note, cJSON_GetObjectItem(events, "repairs"))
		if (!strcmp(note->string, "implicit_free") || !strcmp(note->string, "adopted"))
			sum -= note->valuedouble;
	cJSON_ArrayForEach (note, cJSON_GetObjectItem(events, "skips"))
		skips += note->valuedouble;
	for (size_t i = 0; i < n; i++)
		lines += data[i] == '\n';
	snprintf(text, sizeof(text), "%.0f lines, %.0f counted", lines, sum);
	if (sum != lines)
		tell(text, "");
	if (skips != cJSON_GetObjectItem(events, "skipped")->valuedouble)
		tell("skipped is not the sum of skips", "");
	cJSON_Delete(result);
}

/* Of this process; a machine may be busy, and then a child may hang, too. */
static void limit_time(unsigned seconds)
{
	unsigned slower = getenv("SLABSIM_VALGRIND") ? VALGRIND : 1;
	struct itimerval cpu = {.it_value = {.tv_sec = seconds * slower}};

	setitimer(ITIMER_PROF, &cpu, NULL);
	alarm(20 * seconds * slower);
}

static void try_file(const struct sample *s, const char *data, size_t n)
{
	static char *const argv[][10] = {
	    [TRACE] = {"run", "--trace", "damaged", "-q", "--format", "json", "-o", "out.json"},
	    [TEXT_TRACE] = {"run", "--trace", "damaged", "-q", "--format", "json", "-o",
			    "out.json"},
	    [CONFIG] = {"run", "damaged", "-q", "--format", "json", "-o", "out.json"},
	    [SWEEP] = {"sweep", "damaged", "--dry-run", "-q"},
	    [INITIAL] = {"run", "--trace", "csv", "--set", "replay.initial=damaged", "-q", "-o",
			 "out.json"},
	    [RESULT] = {"compare", "damaged", "result", "-o", "out.json"},
	    [PLOT] = {"plot", "damaged", "result", "-o", "out.svg"},
	    [REPORT] = {"report", "damaged", "result", "-o", "out.html"},
	    [JOURNAL] = {"sweep", "--merge", "part", "damaged-part", "-o", "merged", "-q"},
	    [ORDERS] = {"order", "--sizes", "64..512", "--published", "damaged", "-o", "out.json"},
	    [PUBLISHED] = {"compare", "result", "result", "result", "--published", "damaged", "-o",
			   "out.json"},
	    [SLABINFO] = {"order", "--slabinfo", "damaged", "-o", "out.json"},
	    [MACHINE] = {"run", "--trace", "csv", "--set", "machine=damaged", "-q", "-o",
			 "out.json"},
	};
	static const char *const outputs[] = {"out.json",
					      "out.svg",
					      "out.html",
					      "merged/journal.jsonl",
					      "merged/results.json",
					      "merged/results.csv"};
	char *copy[10];
	struct error err;
	int ret;

	write_bytes(s->kind == MACHINE	 ? "machines/damaged.json"
		    : s->kind == JOURNAL ? "damaged-part/journal.jsonl"
					 : "damaged",
		    data, n);
	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		unlink(outputs[i]);
	memcpy(copy, argv[s->kind], sizeof(copy));
	limit_time(SECONDS);
	ret = command(commands[s->kind], copy, &err);
	limit_time(0);
	if (!ret == (err.kind != ERROR_NONE))
		tell("error and return value disagree: ", err.text);
	if (ret && err.kind != ERROR_INPUT)
		tell("not an input error: ", err.text);
	/* A configuration may go wrong in a file it names. */
	if (ret && s->kind != CONFIG && s->kind != SWEEP && !strstr(err.text, "damaged"))
		tell("the message names no place: ", err.text);
	if (ret && strlen(err.text) < 10)
		tell("the message says nothing: ", err.text);
	for (size_t i = 0; ret && i < 3; i++)
		if (!access(outputs[i], F_OK))
			tell("there is a result, although: ", err.text);
	snprintf(report->message, sizeof(report->message), "%s", err.text);
	if (!ret && s->kind == TEXT_TRACE)
		check_counts(data, n);
	report->done[!ret]++;
}

/* Does not return, so data is its to free. */
static void child(const struct sample *s, char *data, size_t n, unsigned rounds)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char *copy = malloc(16 * n + 256);
	uint32_t x = 1;

	if (!copy || null < 0)
		tell("no memory", "");
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	for (; report->round < rounds; report->round++) {
		memcpy(copy, data, n);
		/* First as it is: what is refused anyhow would prove nothing. */
		try_file(s, copy, report->round ? damage(copy, n, &x) : n);
		if (!report->done[1])
			tell("refused undamaged: ", report->message);
	}
	free(copy);
	free(data);
	close(null);
	_exit(0);
}

static unsigned wanted_rounds(const struct sample *s)
{
	const char *wanted = getenv("SLABSIM_MALFORMED");
	unsigned rounds = wanted ? (unsigned)strtoul(wanted, NULL, 10) : ROUNDS;

	return rounds / (wanted ? 1 : s->share);
}

static void test_sample(void **state)
{
	const struct sample *s = *state;
	struct error err = {0};
	char file[4200];
	size_t n;
	char *data;
	int status;
	pid_t pid;

	snprintf(file, sizeof(file), "%s/%s", temp, s->file);
	if (access(file, F_OK))
		snprintf(file, sizeof(file), "%s/%s", root, s->file);
	if (access(file, F_OK)) {
		print_message("SKIPPED: %s: a program that makes or reads it is missing\n",
			      s->file);
		skip();
	}
	data = file_read(file, 1 << 22, &n, &err);
	if (!data)
		fail_msg("%s", err.text);
	memset(report, 0, sizeof(*report));
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		child(s, data, n, wanted_rounds(s));
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	free(data);
	if (WIFSIGNALED(status))
		fail_msg("%s: damage %u: %s", s->file, report->round,
			 WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF
			     ? "takes too long"
			     : strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status))
		fail_msg("%s: damage %u: %s", s->file, report->round, report->message);
	print_message("%s, by %s: %u refused, %u done\n", s->file, commands[s->kind]->name,
		      report->done[0], report->done[1]);
	assert_true(report->done[0] + report->done[1] == wanted_rounds(s));
}

/* ---- the files ---- */

/* Whatever makes the file, in the shell; without it there is no such file. */
static void make_sample(const char *file, const char *make)
{
	char line[200];

	snprintf(line, sizeof(line), "{ %s; } >%s 2>/dev/null || rm %s", make, file, file);
	assert_int_equal(system(line), 0);
}

static void make_samples(void)
{
	static const char *const made[][2] = {
	    {"zstd", "zstd -q -c $data/trace-ftrace.txt"},
	    {"gzip", "gzip -n -c $data/trace-ftrace.txt"},
	    {"xz", "xz -c $data/trace-ftrace.txt"},
	    {"trace-v6.dat", "zstd -q -d -c $data/trace-v6.dat.zst"},
	    {"trace-perf.data", "perf --version >&2 && zstd -q -d -c $data/trace-perf.data.zst"}};
	char *run[] = {"run", "--trace", "csv", "-q", "--format", "json", "-o", "result", NULL};
	char *convert[] = {"trace", "convert", "csv", "-o", "slabtrace", "-q", NULL};
	char *sweep[] = {"sweep", "runs", "-o", "part", "-q", "-j", "1", NULL};
	struct error err;
	char data[4200];

	write_bytes("csv", csv, sizeof(csv) - 1);
	write_bytes("config", config, sizeof(config) - 1);
	write_bytes("sweep", config, sizeof(config) - 1);
	assert_int_equal(mkdir("machines", 0777), 0);
	if (command(&cmd_run, run, &err) || command(&cmd_trace, convert, &err))
		fail_msg("%s", err.text);
	write_bytes("runs", runs, sizeof(runs) - 1);
	assert_int_equal(mkdir("damaged-part", 0777), 0);
	if (command(&cmd_sweep, sweep, &err))
		fail_msg("%s", err.text);
	snprintf(data, sizeof(data), "%s/tests/data", root);
	assert_int_equal(setenv("data", data, 1), 0);
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		make_sample(made[i][0], made[i][1]);
}

static int setup(void **state)
{
	struct error err = {0};
	char plots[4200];

	(void)state;
	report =
	    mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (report == MAP_FAILED || !getcwd(root, sizeof(root)) || !mkdtemp(temp) || chdir(temp))
		return -1;
	snprintf(plots, sizeof(plots), "%s/plots", root);
	if (setenv("SLABSIM_PLOTS", plots, 1) || policies_init(&err))
		return -1;
	make_samples();
	return 0;
}

static int teardown(void **state)
{
	char line[100];

	(void)state;
	munmap(report, sizeof(*report));
	snprintf(line, sizeof(line), "rm -rf %s", temp);
	return chdir("/") || system(line);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(samples) / sizeof(samples[0])];

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		tests[i] = (struct CMUnitTest){.name = samples[i].file,
					       .test_func = test_sample,
					       .initial_state = (void *)&samples[i]};
	return cmocka_run_group_tests(tests, setup, teardown);
}
