/*
 * The results of a sweep: results.json and results.csv, made from the journal alone and in the
 * order of the runs, so that they are the same bytes however the sweep was carried out.
 */
#ifndef SLABSIM_SWEEP_RESULTS_H
#define SLABSIM_SWEEP_RESULTS_H

#include "sim/sweep/journal.h"
#include "sim/sweep/sweep.h"

struct cJSON;
struct json_writer;
struct loaded_result;

/* What became of the runs that were asked for. */
struct sweep_tally {
	uint64_t done, failed, missing;
};

/* Write both files into the folder. 0, or -1 and err. */
int sweep_results_write(const char *dir, const struct sweep *s, const char *version,
			const struct journal *j, struct sweep_tally *tally, struct error *err);

/* Its line: where the result, or the text of the error, begins; NULL when it is the other. */
char *sweep_record_result(char *line, size_t *len);
const char *sweep_record_error(const char *line);

/*
 * The result in a line, which is changed on the way, without what it has by CPU and over time.
 * NULL when there is none, or out of memory.
 */
struct cJSON *sweep_record_parse(char *line);
/*
 * The result of a run that is done. 1; 0: it is not done, or it failed; -1 and err. After 1 to
 * be freed with loaded_result_free(). whole: with what it has by CPU and over time, which takes
 * most of the time to parse.
 */
int sweep_record_load(const struct journal *j, uint64_t run, bool whole, struct loaded_result *r,
		      struct error *err);

/* Between the files: the CSV; the points' means. */
int sweep_results_csv(FILE *out, const struct sweep *s, const struct journal *j, struct error *err);
int sweep_results_points(struct json_writer *w, const struct sweep *s, const struct journal *j,
			 struct error *err);

/*
 * None of the files of a sweep in dir may be output, which would overwrite it, nor input, which the
 * sweep would overwrite; one of the two is NULL. 0, or -1 and err.
 */
int sweep_check_files(const char *dir, const char *output, const char *input, struct error *err);

#endif
