/* The journal: cut off at every byte, spoilt, of another plan, in use; records that do not fit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/file.h"
#include "sim/sweep/journal.h"
#include "sim/sweep/sweep.h"

#define RUNS 4

static char dir[64], path[128];
static struct sweep sweep;

/* Keys by which two plans can share runs: a plan's keys begin at its number. */
static const char *key_of(const void *arg, uint64_t run)
{
	static char text[64][DIGEST_LEN + 1];
	unsigned number = *(const unsigned *)arg + (unsigned)run;

	snprintf(text[number], sizeof(text[number]), "key-%u", number);
	return text[number];
}

static int set_up(void **state)
{
	cJSON *axes = cJSON_Parse("{\"machine.cpus\": [1, 2, 3, 4]}");
	struct error err = {0};

	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/test-journal-XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/journal.jsonl", dir);
	assert_int_equal(sweep_init(&sweep, "", "test", axes, 1, 1, &err), 0);
	cJSON_Delete(axes);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	sweep_free(&sweep);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

static void append(struct journal *j, uint64_t run, unsigned plan)
{
	struct error err = {0};
	char text[200];

	snprintf(text, sizeof(text), "\"key\":\"%s\",\"result\":{\"n\":\"%u, \\\"result\\\":\"}",
		 key_of(&plan, run), (unsigned)run);
	if (journal_append(j, run, text, strlen(text), &err) || journal_sync(j, &err))
		fail_msg("%s", err.text);
}

static void create(struct journal *j, const char *plan)
{
	struct error err = {0};

	unlink(path);
	if (journal_lock(j, dir, &err) || journal_create(j, &sweep, plan, &err))
		fail_msg("%s", err.text);
}

static int resume(struct journal *j, unsigned plan, struct error *err)
{
	char name[20];

	snprintf(name, sizeof(name), "plan-%u", plan);
	if (journal_lock(j, dir, err))
		return -1;
	return journal_resume(j, &sweep, name, key_of, &plan, err);
}

static char *whole(size_t *len)
{
	struct error err = {0};
	char *text = file_read(path, 1 << 20, len, &err);

	assert_non_null(text);
	return text;
}

static void put(const char *text, size_t len)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

static unsigned count_lines(const char *text, size_t len)
{
	unsigned n = 0;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

/* Whatever byte a crash stopped at: whole records stay, and the next one stands by itself. */
static void test_torn(void **state)
{
	struct error err = {0};
	struct journal j;
	size_t len, head, after;
	char *text, *again;

	(void)state;
	create(&j, "plan-0");
	for (uint64_t run = 0; run < RUNS; run++)
		append(&j, run, 0);
	journal_close(&j);
	text = whole(&len);
	head = (size_t)(strchr(text, '\n') - text) + 1;
	for (size_t cut = head; cut <= len; cut++) {
		unsigned records = count_lines(text, cut) - 1;

		put(text, cut);
		assert_int_equal(resume(&j, 0, &err), 0);
		assert_int_equal(j.done, records);
		assert_int_equal(j.torn, text[cut - 1] != '\n');
		for (uint64_t run = 0; run < RUNS; run++)
			assert_int_equal(j.entries[run].length != 0, run < records);
		for (uint64_t run = records; run < RUNS; run++)
			append(&j, run, 0);
		journal_close(&j);
		again = whole(&after);
		assert_int_equal(after, len);
		assert_memory_equal(again, text, len);
		free(again);
	}
	/* Without a whole first line it cannot be told what it is: it is left as it is. */
	put(text, head - 1);
	assert_int_equal(resume(&j, 0, &err), -1);
	assert_non_null(strstr(err.text, "the first line of a sweep's journal is missing"));
	journal_close(&j);
	free(text);
}

static void test_read(void **state)
{
	struct journal_head head;
	struct error err = {0};
	struct journal j;
	char *line;

	(void)state;
	create(&j, "plan-0");
	append(&j, 2, 0);
	append(&j, 0, 0);
	line = journal_read(&j, 0, &err);
	assert_string_equal(
	    line, "{\"run\":0,\"key\":\"key-0\",\"result\":{\"n\":\"0, \\\"result\\\":\"}}");
	free(line);
	journal_close(&j);

	assert_int_equal(journal_open(&j, &head, dir, &err), 0);
	assert_string_equal(head.name, "test");
	assert_string_equal(head.plan, "plan-0");
	assert_int_equal(head.runs, RUNS);
	assert_int_equal(head.sweep->nr_points, RUNS);
	assert_int_equal(j.done, 2);
	line = journal_read(&j, 2, &err);
	assert_non_null(strstr(line, "{\"run\":2,"));
	free(line);
	journal_close(&j);
	journal_head_free(&head);
}

/* Lines in between that are no records: their runs are done again, the others stay. */
static void test_spoilt(void **state)
{
	static const char *const lines[] = {"",
					    "x",
					    "{\"run\":1,\"key\":\"key-1\"}",
					    "{\"run\":1,\"key\":\"key-1\",\"result\":3}",
					    "{\"key\":\"key-1\",\"run\":1,\"result\":{}}",
					    "{\"run\":9,\"key\":\"key-9\",\"error\":\"\"}",
					    "{\"run\":1,\"key\":\"key-2\",\"result\":{}}",
					    "{\"run\":-1,\"key\":\"\",\"result\":{}}"};
	struct error err = {0};
	struct journal j;

	(void)state;
	create(&j, "plan-0");
	append(&j, 0, 0);
	journal_close(&j);
	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		FILE *out = fopen(path, "a");

		assert_non_null(out);
		fprintf(out, "%s\n", lines[i]);
		fclose(out);
	}
	assert_int_equal(resume(&j, 0, &err), 0);
	append(&j, 3, 0);
	journal_close(&j);
	assert_int_equal(resume(&j, 0, &err), 0);
	assert_int_equal(j.done, 2);
	assert_int_equal(j.spoilt, 6);
	assert_int_equal(j.first_spoilt, 3);
	assert_int_equal(j.foreign, 2);
	assert_false(j.torn);
	journal_close(&j);
}

/*
 * Another plan has keys 2..5: two runs are the same, under other numbers. The old journal is
 * kept. A third plan has none of them: nothing is changed.
 */
static void test_other_plan(void **state)
{
	struct error err = {0};
	struct journal j;
	size_t len, after;
	char *text, *again, *line, old[160];

	(void)state;
	create(&j, "plan-0");
	for (uint64_t run = 0; run < RUNS; run++)
		append(&j, run, 0);
	journal_close(&j);
	text = whole(&len);

	assert_int_equal(resume(&j, 2, &err), 0);
	assert_int_equal(j.done, 2);
	line = journal_read(&j, 0, &err);
	assert_string_equal(
	    line, "{\"run\":0,\"key\":\"key-2\",\"result\":{\"n\":\"2, \\\"result\\\":\"}}");
	free(line);
	append(&j, 2, 2);
	journal_close(&j);
	snprintf(old, sizeof(old), "%s/journal-1.jsonl", dir);
	again = file_read(old, 1 << 20, &after, &err);
	assert_non_null(again);
	assert_string_equal(again, text);
	free(again);
	free(text);
	unlink(old);

	text = whole(&len);
	assert_int_equal(resume(&j, 20, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "the journal of another sweep"));
	journal_close(&j);
	again = whole(&after);
	assert_string_equal(again, text);
	free(again);
	free(text);
	memset(&err, 0, sizeof(err));
	assert_int_equal(resume(&j, 2, &err), 0);
	assert_int_equal(j.done, 3);
	journal_close(&j);
}

/* Another process has it. */
static void test_locked(void **state)
{
	struct error err = {0};
	struct journal j;
	int status;
	pid_t pid;

	(void)state;
	create(&j, "plan-0");
	pid = fork();
	if (!pid) {
		struct journal other;

		_exit(journal_lock(&other, dir, &err) && err.kind == ERROR_INPUT &&
			      strstr(err.text, "another sweep is at work in it")
			  ? 0
			  : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	journal_close(&j);
	assert_int_equal(journal_lock(&j, dir, &err), 0);
	journal_close(&j);
}

/* A full disk, as a limit on the file's size: half a line is taken back. */
static void test_full(void **state)
{
	struct rlimit old, limit;
	struct error err = {0};
	struct journal j;
	struct stat st;
	char text[400];
	off_t end;

	(void)state;
	create(&j, "plan-0");
	append(&j, 0, 0);
	end = j.end;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = (struct rlimit){.rlim_cur = (rlim_t)end + 100, .rlim_max = old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	snprintf(text, sizeof(text), "\"key\":\"key-1\",\"result\":{\"n\":\"%0300d\"}", 0);
	assert_int_equal(journal_append(&j, 1, text, strlen(text), &err), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(err.kind, ERROR_FAILED);
	assert_non_null(strstr(err.text, "cannot be written"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, end);
	assert_int_equal(j.done, 1);
	append(&j, 1, 0);
	journal_close(&j);
	memset(&err, 0, sizeof(err));
	assert_int_equal(resume(&j, 0, &err), 0);
	assert_int_equal(j.done, 2);
	journal_close(&j);
}

static void test_folders(void **state)
{
	struct error err = {0};
	struct journal j;
	char name[200];

	(void)state;
	snprintf(name, sizeof(name), "%s/a//b/c/", dir);
	assert_int_equal(journal_lock(&j, name, &err), 0);
	assert_int_equal(journal_exists(&j, &err), 0);
	journal_close(&j);
	create(&j, "plan-0");
	journal_close(&j);
	/* A file where a folder is wanted. */
	snprintf(name, sizeof(name), "%s/journal.jsonl", dir);
	assert_int_equal(journal_lock(&j, name, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "not a folder"));
	journal_close(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_torn),    cmocka_unit_test(test_read),
	    cmocka_unit_test(test_spoilt),  cmocka_unit_test(test_other_plan),
	    cmocka_unit_test(test_locked),  cmocka_unit_test(test_full),
	    cmocka_unit_test(test_folders),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
