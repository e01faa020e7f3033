/* What came out of runs: into the journal, and told of. */
#include <inttypes.h>

#include "sim/sweep/sweep_drive_part.h"
#include "sim/sweep/sweep_run.h"

void drive_count_failed(struct drive *d, uint64_t run, bool is_input, const char *message)
{
	struct error *first = &d->outcome->first;

	d->failed[run] = true;
	d->outcome->failed++;
	d->progress.failed++;
	if (!first->kind && is_input)
		error_input(first, "%s", message);
	else if (!first->kind)
		error_failed(first, "%s", message);
}

void drive_tell_failed(struct drive *d, uint64_t run, const char *message)
{
	struct error ignored = {0};
	char *label = sweep_label(&d->plan->sweep, sweep_point_of(&d->plan->sweep, run), &ignored);

	sweep_progress_note(&d->progress, "run %" PRIu64 " (%s) failed: %s", run + 1,
			    label ? label : "", message);
	free(label);
}

int drive_put_record(struct drive *d, uint64_t run, const char *text, size_t len, struct error *err)
{
	if (d->journal->entries[run].length)
		return 0;
	if (journal_append(d->journal, run, text, len, err))
		return -1;
	d->dirty = true;
	d->progress.done++;
	return 0;
}

/* What is wrong with the input stays wrong; only such a failure is recorded. */
int drive_put_error(struct drive *d, uint64_t run, bool is_input, const char *message,
		    struct error *err)
{
	char *text;
	size_t len;
	int ret;

	drive_count_failed(d, run, is_input, message);
	if (!is_input)
		return 0;
	if (sweep_error_record(d->plan, run, message, &text, &len, err))
		return -1;
	ret = drive_put_record(d, run, text, len, err);
	free(text);
	return ret;
}

bool drive_open_run(const struct drive *d, uint64_t run)
{
	return !d->journal->entries[run].length && !d->failed[run];
}

/* All runs of a group that have nothing to show; told once. */
int drive_put_errors(struct drive *d, const struct group *g, bool is_input, const char *message,
		     struct error *err)
{
	uint64_t n = 0, last = 0;

	for (uint64_t i = 0; i < g->nr_runs; i++) {
		if (!drive_open_run(d, g->runs[i]))
			continue;
		last = g->runs[i];
		n++;
		if (drive_put_error(d, last, is_input, message, err))
			return -1;
	}
	if (n == 1)
		drive_tell_failed(d, last, message);
	else if (n)
		sweep_progress_note(&d->progress, "%" PRIu64 " runs failed: %s", n, message);
	return 0;
}

/* The workers go on while the disk is waited for. */
int drive_sync(struct drive *d, struct error *err)
{
	if (!d->dirty)
		return 0;
	d->dirty = false;
	return journal_sync(d->journal, err);
}
