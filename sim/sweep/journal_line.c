#include "sim/sweep/journal_line.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

#include "sim/json_reader.h"
#include "sim/json_writer.h"
#include "sim/config/option.h"
#include "sim/sweep/sweep.h"
#include "sim/version.h"

char *journal_head_line(const struct sweep *s, const char *plan, struct error *err)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct json_writer w;

	if (out) {
		json_init(&w, out);
		json_object_inline(&w, NULL);
		json_string(&w, "slabsim", SLABSIM_VERSION);
		json_u64(&w, "journal", 1);
		json_string(&w, "plan", plan);
		json_string(&w, "name", s->name);
		json_u64(&w, "runs", s->nr_runs);
		json_u64(&w, "seed", s->base_seed);
		json_u64(&w, "seeds", s->seeds);
		json_tree(&w, "sweep", s->json);
		json_end_object(&w);
		if (!fclose(out))
			return text;
	}
	free(text);
	error_memory(err, "a journal");
	return NULL;
}

static int get_number(const cJSON *head, const char *key, uint64_t max, uint64_t *value)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(head, key);

	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || item->valuedouble > (double)max)
		return -1;
	*value = (uint64_t)item->valuedouble;
	return 0;
}

static int get_text(const cJSON *object, const char *key, char *text, size_t size)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!cJSON_IsString(item) || strlen(item->valuestring) >= size)
		return -1;
	snprintf(text, size, "%s", item->valuestring);
	return 0;
}

static int read_head(struct journal_head *head, const char *where, const cJSON *json,
		     struct error *err)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(json, "name");
	const cJSON *axes = cJSON_GetObjectItemCaseSensitive(json, "sweep");
	uint64_t format, seed, seeds;
	char before[200];

	if (get_number(json, "journal", UINT32_MAX, &format) || format != 1 ||
	    get_text(json, "slabsim", head->version, sizeof(head->version)) ||
	    get_text(json, "plan", head->plan, sizeof(head->plan)) || !cJSON_IsString(name) ||
	    get_number(json, "runs", SWEEP_MAX_RUNS, &head->runs) ||
	    get_number(json, "seeds", SWEEP_MAX_RUNS, &seeds) ||
	    get_number(json, "seed", OPTION_MAX_NUMBER, &seed))
		return error_input(err, "%s:1: not the first line of a sweep's journal", where);
	head->name = strdup(name->valuestring);
	head->sweep = calloc(1, sizeof(*head->sweep));
	if (!head->name || !head->sweep)
		return error_memory(err, "a journal");
	snprintf(before, sizeof(before), "%.180s:1: ", where);
	if (sweep_init(head->sweep, before, head->name, cJSON_IsObject(axes) ? axes : NULL,
		       (unsigned)seeds, seed, err))
		return -1;
	if (head->sweep->nr_runs != head->runs)
		return error_input(err, "%s:1: \"runs\" is %" PRIu64 ", but its sweep has %" PRIu64,
				   where, head->runs, head->sweep->nr_runs);
	return 0;
}

int journal_parse_head(struct journal_head *head, const char *where, const char *line, size_t len,
		       struct error *err)
{
	cJSON *json = json_parse(line, len, where, err);
	int ret;

	*head = (struct journal_head){0};
	if (!json)
		return -1;
	ret = read_head(head, where, json, err);
	cJSON_Delete(json);
	return ret;
}

void journal_head_free(struct journal_head *head)
{
	if (head->sweep)
		sweep_free(head->sweep);
	free(head->sweep);
	free(head->name);
	*head = (struct journal_head){0};
}

/* *at: behind what; false when something else stands there. */
static bool skip(const char **at, const char *what)
{
	size_t len = strlen(what);

	if (strncmp(*at, what, len))
		return false;
	*at += len;
	return true;
}

/*
 * It has to look just as it is written, for parts of it are copied as they are. It may be long,
 * so no tree is built of it.
 */
bool journal_parse_record(struct journal_record *rec, const char *line, size_t len)
{
	const char *at = line;
	size_t n;

	if (!skip(&at, "{\"run\":"))
		return false;
	n = strspn(at, "0123456789");
	if (!n || n > 7)
		return false;
	rec->run = strtoull(at, NULL, 10);
	at += n;
	rec->rest = at + 1;
	if (!skip(&at, ",\"key\":\""))
		return false;
	n = strspn(at, "0123456789abcdefghijklmnopqrstuvwxyz-");
	if (n >= sizeof(rec->key))
		return false;
	memcpy(rec->key, at, n);
	rec->key[n] = 0;
	at += n;
	if (!skip(&at, "\",\"result\":{") && !skip(&at, "\",\"error\":\""))
		return false;
	return json_valid(line, len);
}
