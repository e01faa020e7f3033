/* The report a person reads: what slabinfo prints, under a header for the run. */
#include <inttypes.h>
#include <cjson/cJSON.h>

#include "sim/escape.h"
#include "sim/result/exporter.h"
#include "sim/result/report.h"
#include "sim/result/result_timing.h"

/* As many caches are reported one by one; of more there is a list, and these many reports. */
#define FULL_REPORTS 3
#define LINE_WIDTH   100
#define INDENT	     11

/* "key value" of one policy, as a line of its own would say it. Free the result. */
static char *setting_text(const cJSON *item)
{
	char *value, *text;
	int n;

	value = cJSON_IsString(item) ? NULL : cJSON_PrintUnformatted(item);
	if (!cJSON_IsString(item) && !value)
		return NULL;
	n = asprintf(&text, "%s %s", item->string ? item->string : "",
		     value ? value : item->valuestring);
	cJSON_free(value);
	return n < 0 ? NULL : text;
}

/* The settings of an object, wrapped. */
static void settings(FILE *out, const cJSON *object)
{
	size_t column = INDENT, width;
	const cJSON *item;
	bool first = true;
	char *text;

	cJSON_ArrayForEach (item, object) {
		/* what was not given and has no default says nothing */
		if (cJSON_IsNull(item))
			continue;
		text = setting_text(item);
		if (!text)
			continue;
		width = plain_width(text);
		if (!first)
			fputs(",", out);
		if (!first && column + 2 + width > LINE_WIDTH) {
			fprintf(out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (!first) {
			putc(' ', out);
			column++;
		}
		write_plain(out, text);
		column += width + 1;
		first = false;
		free(text);
	}
	putc('\n', out);
}

/* Words of text, wrapped; the line is at indent already. */
static void wrapped(FILE *out, const char *text, unsigned indent)
{
	unsigned column = indent;
	size_t n;

	while (*(text += strspn(text, " "))) {
		n = strcspn(text, " ");
		if (column > indent && column + 1 + n > LINE_WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			putc(' ', out);
			column++;
		}
		fwrite(text, 1, n, out);
		column += (unsigned)n;
		text += n;
	}
}

/* Caches that were asked for by name are all reported. */
static bool asked_for(const struct results *res)
{
	const cJSON *replay = cJSON_GetObjectItemCaseSensitive(res->config, "replay");

	return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(replay, "only")) > 0;
}

static void notes(FILE *out, const struct results *res)
{
	unsigned i, width = 0;

	for (i = 0; i < res->nr_notes; i++)
		if (res->notes[i].count && strlen(res->notes[i].name) > width)
			width = (unsigned)strlen(res->notes[i].name);
	for (i = 0; i < res->nr_notes; i++) {
		const struct source_note *n = &res->notes[i];

		if (!n->count)
			continue;
		fprintf(out, "%*s%-*s %10" PRIu64 "  ", INDENT, "", (int)width, n->name, n->count);
		wrapped(out, n->help ? n->help : "", INDENT + width + 13);
		fputs(n->skipped ? " (skipped)\n" : "\n", out);
	}
}

/* What memory there is, when it has an end. */
static void memory_words(FILE *out, const cJSON *pages)
{
	const cJSON *memory = cJSON_GetObjectItemCaseSensitive(pages, "memory_per_node");
	const cJSON *share = cJSON_GetObjectItemCaseSensitive(pages, "free");
	const cJSON *pieces = cJSON_GetObjectItemCaseSensitive(pages, "fragmentation");

	if (cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(pages, "free_blocks")))
		fputs(", free blocks as given", out);
	if (!cJSON_IsNumber(memory))
		return;
	fprintf(out, ", %.0f kB a node", memory->valuedouble / 1024);
	if (cJSON_IsNumber(share) && cJSON_IsNumber(pieces))
		fprintf(out, " (%.0f %% free, of that %.0f %% fragmented)", share->valuedouble,
			pieces->valuedouble);
}

static void machine_line(FILE *out, const struct results *res)
{
	const cJSON *machine = cJSON_GetObjectItemCaseSensitive(res->config, "machine");
	const cJSON *nodes = cJSON_GetObjectItemCaseSensitive(machine, "nodes");
	const cJSON *page_size = cJSON_GetObjectItemCaseSensitive(machine, "page_size");

	fprintf(out, "\nMachine:   %u CPU%s", res->cpus, res->cpus == 1 ? "" : "s");
	if (cJSON_IsNumber(nodes))
		fprintf(out, ", %.0f node%s", nodes->valuedouble,
			nodes->valuedouble == 1 ? "" : "s");
	if (cJSON_IsNumber(page_size))
		fprintf(out, ", pages of %.0f bytes", page_size->valuedouble);
	memory_words(out, cJSON_GetObjectItemCaseSensitive(machine, "pages"));
	putc('\n', out);
}

static void header(FILE *out, const struct results *res)
{
	const cJSON *policy = cJSON_GetObjectItemCaseSensitive(res->config, "policy");

	fputs("Run:       ", out);
	write_plain(out, res->name && *res->name ? res->name : "(no name)");
	machine_line(out, res);
	fputs("Policy:    ", out);
	if (cJSON_IsObject(policy))
		settings(out, policy);
	else
		fprintf(out, "allocator %s\n", res->allocator->policy.name);
	fprintf(out, "Events:    %" PRIu64 " replayed, %" PRIu64 " skipped%s\n", res->replayed,
		res->skipped,
		res->nr_notes && asked_for(res) ? "; of the whole trace, not only these caches:"
						: "");
	notes(out, res);
}

static void report(FILE *out, const struct results *res, const struct result_cache *c)
{
	report_slabinfo(out, c);
	report_extra(out, c, res->allocator);
}

/* Is c among the n busiest? Of equals, the first in order of name. */
static bool among_busiest(const struct results *res, const struct result_cache *c, unsigned n)
{
	uint64_t activity = stat_activity(c->stat);
	unsigned i, busier = 0;

	for (i = 0; i < res->nr_caches && busier < n; i++) {
		uint64_t other = stat_activity(res->caches[i].stat);

		if (other > activity || (other == activity && &res->caches[i] < c))
			busier++;
	}
	return busier < n;
}

static void write_text(FILE *out, const struct results *res)
{
	bool many = res->nr_caches > FULL_REPORTS, all = !many || asked_for(res);
	unsigned i;

	header(out, res);
	if (res->nr_caches == 0)
		fputs("\nNo cache had an event.\n", out);
	if (many) {
		putc('\n', out);
		report_listing_header(out);
		for (i = 0; i < res->nr_caches; i++)
			report_listing_row(out, &res->caches[i]);
	}
	if (many && !all)
		fprintf(out,
			"\n%u caches. The %u busiest in full; replay.only chooses others, "
			"--format json has all.\n",
			res->nr_caches, FULL_REPORTS);
	for (i = 0; i < res->nr_caches; i++)
		if (all || among_busiest(res, &res->caches[i], FULL_REPORTS))
			report(out, res, &res->caches[i]);
	result_timing_text(out, res);
}

const struct exporter exporter_text = {
    .name = "text",
    .summary = "a report of every cache, as slabinfo -r prints it",
    .write = write_text,
};
