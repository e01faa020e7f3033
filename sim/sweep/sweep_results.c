#include "sim/sweep/sweep_results.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

#include "sim/file.h"
#include "sim/json_writer.h"
#include "sim/result/result_file.h"

/*
 * A record is {"run":N,"key":"...","result":{...}}, or has "error":"..." at the end; the journal
 * takes no other. A key has nothing that would be escaped.
 */
static char *last_member(const char *line, const char *name)
{
	const char *at = strstr(line, ",\"key\":\"");

	at = at ? strchr(at + strlen(",\"key\":\""), '"') : NULL;
	if (!at || strncmp(at + 1, name, strlen(name)))
		return NULL;
	return (char *)at + 1 + strlen(name);
}

char *sweep_record_result(char *line, size_t *len)
{
	char *at = last_member(line, ",\"result\":");

	if (!at)
		return NULL;
	*len = strlen(at) - 1;
	at[*len] = 0;
	return at;
}

const char *sweep_record_error(const char *line)
{
	return last_member(line, ",\"error\":");
}

/* The end of the object that begins at text; its closing brace, or the end of a broken text. */
static char *object_end(char *text)
{
	unsigned depth = 0;
	bool in_string = false;

	for (; *text; text++) {
		if (in_string) {
			if (*text == '\\' && text[1])
				text++;
			else if (*text == '"')
				in_string = false;
		} else if (*text == '"') {
			in_string = true;
		} else if (*text == '{') {
			depth++;
		} else if (*text == '}' && !--depth) {
			break;
		}
	}
	return text;
}

/*
 * Take out the members of that name that are objects: most of a result is series and figures by
 * CPU, which take most of the time to parse.
 */
static void drop_members(char *text, const char *name)
{
	char *from = text, *to = text, *at;

	while ((at = strstr(from, name))) {
		memmove(to, from, (size_t)(at - from));
		to += at - from;
		from = object_end(at + strlen(name) - 1);
		from += *from == '}';
	}
	memmove(to, from, strlen(from) + 1);
}

/* The result in a line, whole or as sweep_record_parse() has it. */
static cJSON *parse(char *line, bool whole)
{
	size_t len;
	char *text = sweep_record_result(line, &len);

	if (!text)
		return NULL;
	if (whole)
		return result_parse(text, len);
	drop_members(text, ",\"series\":{");
	drop_members(text, ",\"per_cpu\":{");
	drop_members(text, ",\"distribution\":{");
	return result_parse(text, strlen(text));
}

cJSON *sweep_record_parse(char *line)
{
	return parse(line, false);
}

int sweep_record_load(const struct journal *j, uint64_t run, bool whole, struct loaded_result *r,
		      struct error *err)
{
	bool failed;
	cJSON *tree;
	char *line;

	if (!j->entries[run].length)
		return 0;
	line = journal_read(j, run, err);
	if (!line)
		return -1;
	failed = sweep_record_error(line);
	tree = failed ? NULL : parse(line, whole);
	free(line);
	if (failed)
		return 0;
	if (!tree)
		return error_memory(err, "a result");
	if (!result_load_tree(r, tree, j->path, err))
		return 1;
	loaded_result_free(r);
	return -1;
}

static int write_run(struct json_writer *w, const struct sweep *s, const struct journal *j,
		     uint64_t run, struct sweep_tally *tally, struct error *err)
{
	uint64_t point = sweep_point_of(s, run);
	const char *result, *error;
	char *line, *label;
	size_t len;

	if (!j->entries[run].length) {
		tally->missing++;
		return 0;
	}
	line = journal_read(j, run, err);
	label = line ? sweep_label(s, point, err) : NULL;
	if (!label) {
		free(line);
		return -1;
	}
	json_object(w, NULL);
	sweep_write_parameters(s, point, w);
	json_string(w, "label", label);
	json_u64(w, "seed", sweep_seed(s, run));
	result = sweep_record_result(line, &len);
	if (result) {
		json_raw(w, "result", result);
		tally->done++;
	} else {
		error = sweep_record_error(line);
		line[strlen(line) - 1] = 0;
		json_raw(w, "error", error ? error : "\"\"");
		tally->failed++;
	}
	json_end_object(w);
	free(label);
	free(line);
	return 0;
}

static bool complete(const struct journal *j)
{
	for (uint64_t run = 0; run < j->runs; run++)
		if (!j->entries[run].length)
			return false;
	return true;
}

static int write_json(FILE *out, const struct sweep *s, const char *version,
		      const struct journal *j, struct sweep_tally *tally, struct error *err)
{
	struct json_writer w;

	json_init(&w, out);
	json_object(&w, NULL);
	json_string(&w, "slabsim", version);
	json_string(&w, "name", s->name);
	json_tree(&w, "sweep", s->json);
	json_u64(&w, "seeds", s->seeds);
	json_bool(&w, "complete", complete(j));
	json_array(&w, "runs");
	for (uint64_t run = 0; run < s->nr_runs; run++)
		if (write_run(&w, s, j, run, tally, err))
			return -1;
	json_end_array(&w);
	if (s->seeds > 1 && sweep_results_points(&w, s, j, err))
		return -1;
	json_end_object(&w);
	return 0;
}

static char *file_in(const char *dir, const char *name, struct error *err)
{
	char *path;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		error_memory(err, "a file name");
		return NULL;
	}
	return path;
}

int sweep_check_files(const char *dir, const char *output, const char *input, struct error *err)
{
	static const char *const names[] = {JOURNAL_NAME, "results.json", "results.csv"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = file_in(dir, names[i], err);
		int ret =
		    path ? file_check_not_input(output ? output : path, input ? input : path, err)
			 : -1;

		free(path);
		if (ret)
			return -1;
	}
	return 0;
}

int sweep_results_write(const char *dir, const struct sweep *s, const char *version,
			const struct journal *j, struct sweep_tally *tally, struct error *err)
{
	char *json = file_in(dir, "results.json", err);
	char *csv = json ? file_in(dir, "results.csv", err) : NULL;
	struct out_file out;
	int ret = -1;

	*tally = (struct sweep_tally){0};
	if (csv && !file_create(&out, json, err)) {
		ret = write_json(out.stream, s, version, j, tally, err);
		if (ret)
			file_abandon(&out);
		else
			ret = file_commit(&out, err);
	}
	if (!ret && !file_create(&out, csv, err)) {
		ret = sweep_results_csv(out.stream, s, j, err);
		if (ret)
			file_abandon(&out);
		else
			ret = file_commit(&out, err);
	} else {
		ret = -1;
	}
	free(json);
	free(csv);
	return ret;
}
