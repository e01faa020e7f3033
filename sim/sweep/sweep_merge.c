#include "sim/sweep/sweep_merge.h"

#include <inttypes.h>
#include <unistd.h>

#include "sim/cmd/command.h"
#include "sim/sweep/journal_line.h"
#include "sim/sweep/sweep.h"
#include "sim/sweep/sweep_results.h"

struct merge {
	struct journal to;
	struct journal_head head; /* of the first */
};

/* Two machines that disagree are a fault somewhere, not a choice. */
static int check_same(const struct merge *m, const struct journal *from, uint64_t run,
		      const char *line, struct error *err)
{
	char *there = journal_read(&m->to, run, err);
	int ret;

	if (!there)
		return -1;
	ret = strcmp(there, line)
		  ? error_input(err,
				"%s: run %" PRIu64
				" is not what another part has; they were made from "
				"different files or by different programs",
				from->path, run + 1)
		  : 0;
	free(there);
	return ret;
}

static int copy_record(struct merge *m, const struct journal *from, uint64_t run, struct error *err)
{
	struct journal_record rec;
	char *line = journal_read(from, run, err);
	int ret = -1;

	if (!line)
		return -1;
	if (m->to.entries[run].length)
		ret = check_same(m, from, run, line, err);
	else if (!journal_parse_record(&rec, line, from->entries[run].length))
		error_failed(err, "%s: changed meanwhile", from->path);
	else
		ret = journal_append(&m->to, run, rec.rest, strlen(rec.rest) - 1, err);
	free(line);
	return ret;
}

static int check_plan(const struct merge *m, const struct journal *from,
		      const struct journal_head *head, struct error *err)
{
	if (!strcmp(head->plan, m->head.plan))
		return 0;
	return error_input(err,
			   "%s: of another sweep than the first folder's (\"%.80s\", slabsim %s, "
			   "against \"%.80s\", slabsim %s), or of changed files",
			   from->path, head->name, head->version, m->head.name, m->head.version);
}

/* It need not matter: another part may have the runs. */
static void tell_of_damage(const struct journal *from)
{
	if (from->spoilt)
		command_note("%s:%" PRIu64 ": not a record, the first of %" PRIu64
			     " such lines; they are passed over",
			     from->path, from->first_spoilt, from->spoilt);
	if (from->foreign)
		command_note("%s: %" PRIu64 " runs of it are not of this sweep", from->path,
			     from->foreign);
	if (from->torn)
		command_note("%s: the last line is not whole and is passed over", from->path);
}

static int add_part(struct merge *m, const char *part, bool quiet, struct error *err)
{
	struct journal_head head;
	struct journal from;
	int ret = journal_open(&from, &head, part, err);

	if (!ret)
		ret = check_plan(m, &from, &head, err);
	for (uint64_t run = 0; !ret && run < from.runs; run++)
		if (from.entries[run].length)
			ret = copy_record(m, &from, run, err);
	if (!ret && !quiet)
		tell_of_damage(&from);
	journal_close(&from);
	journal_head_free(&head);
	return ret;
}

static int begin(struct merge *m, const char *first, const char *dir, struct error *err)
{
	struct journal from;
	int exists, ret = journal_open(&from, &m->head, first, err);

	journal_close(&from);
	if (ret || journal_lock(&m->to, dir, err))
		return -1;
	exists = journal_exists(&m->to, err);
	if (exists < 0)
		return -1;
	if (exists)
		return error_input(
		    err, "%s: a sweep was here before; give another folder to merge into", dir);
	return journal_create(&m->to, m->head.sweep, m->head.plan, err);
}

static int finish(struct merge *m, const char *dir, struct error *err)
{
	struct sweep_tally tally;

	if (journal_sync(&m->to, err) ||
	    sweep_results_write(dir, m->head.sweep, m->head.version, &m->to, &tally, err))
		return -1;
	if (tally.missing)
		return error_failed(err,
				    "%" PRIu64 " of %" PRIu64 " runs are in none of the folders; "
				    "slabsim sweep CONFIG.json -o %s --resume does them",
				    tally.missing, m->head.runs, dir);
	if (tally.failed)
		return error_failed(err,
				    "%" PRIu64 " of %" PRIu64
				    " runs failed; their \"error\" in %s/results.json tells why",
				    tally.failed, m->head.runs, dir);
	return 0;
}

int sweep_merge(char *const *dirs, unsigned n, const char *dir, bool quiet, struct error *err)
{
	struct merge m = {.to = {.fd = -1, .lock = -1}};
	int ret = begin(&m, dirs[0], dir, err);
	bool created = !ret;

	for (unsigned i = 0; !ret && i < n; i++)
		ret = add_part(&m, dirs[i], quiet, err);
	/* Half a merge is of no use, and would be in the way of the next. */
	if (ret && created)
		unlink(m.to.path);
	if (!ret)
		ret = finish(&m, dir, err);
	journal_close(&m.to);
	journal_head_free(&m.head);
	return ret;
}
