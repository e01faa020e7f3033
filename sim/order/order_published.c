#include "sim/order/order_published.h"

#include <cjson/cJSON.h>

#include "sim/escape.h"
#include "sim/json_reader.h"
#include "sim/json_writer.h"
#include "sim/order/order_print.h"

/* The totals of ours that a published figure of that name stands beside. */
static const struct {
	const char *key, *what;
	size_t offset;
} metrics[] = {
    {"wastage_kB", "wastage, kB", offsetof(struct order_totals, waste_tail)},
    {"total_slub_memory_kB", "total slub memory, kB", offsetof(struct order_totals, memory)},
};

#define NR_METRICS (sizeof(metrics) / sizeof(metrics[0]))

static unsigned setup_number(const cJSON *json, const char *key, unsigned max)
{
	const cJSON *n =
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, "setup"), key);

	if (!cJSON_IsNumber(n) || !(n->valuedouble >= 1 && n->valuedouble <= max))
		return 0;
	return (unsigned)n->valuedouble;
}

int order_published_load(struct order_published *p, const char *path, struct error *err)
{
	const cJSON *policy, *title;
	unsigned i = 0;

	*p = (struct order_published){.title = ""};
	p->json = json_read_file(path, err);
	if (!p->json)
		return -1;
	cJSON_ArrayForEach (policy, cJSON_GetObjectItemCaseSensitive(p->json, "policies")) {
		const cJSON *order = cJSON_GetObjectItemCaseSensitive(policy, "order");

		if (i < 2 && policy->string && cJSON_IsString(order)) {
			p->column[i] = policy->string;
			p->rule[i++] = order->valuestring;
		}
	}
	if (i < 2) {
		error_input(
		    err, "%s: \"policies\" should name two policies, each with an \"order\"", path);
		order_published_free(p);
		return -1;
	}
	title = cJSON_GetObjectItemCaseSensitive(p->json, "title");
	if (cJSON_IsString(title))
		p->title = title->valuestring;
	p->cpus = setup_number(p->json, "cpus", MAX_CPUS);
	p->page_size = setup_number(p->json, "page_size", 65536);
	return 0;
}

void order_published_free(struct order_published *p)
{
	cJSON_Delete(p->json);
	*p = (struct order_published){0};
}

/* clang-format off */
static const char notes[] =
	"Comparable: direction and share. Not comparable: the kB, since the caches and objects of the\n"
	"published machine are not known. Our share of the memory is likely too low: objects are packed\n"
	"tightly here, while a running machine also keeps partly filled and empty slabs, which weigh\n"
	"more where slabs are larger. A replay (slabsim run, slabsim sweep) has those too.\n";
/* clang-format on */

/* Is this rule one the published order names, or begins to name ("min-waste (see ...)")? */
static bool names_rule(const char *published, const char *rule)
{
	size_t len = strcspn(published, " ");

	return !strncmp(published, rule, len);
}

/* The rules that the published change is compared with: those it names, or else all. */
static bool stands_beside(const struct order_published *p, const struct order_table *t,
			  unsigned rule)
{
	bool any = false;

	for (unsigned r = 1; r < t->nr_rules; r++)
		any |= names_rule(p->rule[1], t->rule[r].name);
	return !any || names_rule(p->rule[1], t->rule[rule].name);
}

static uint64_t total_at(const struct order_table *t, unsigned rule, size_t offset)
{
	struct order_totals sum;

	order_table_totals(t, rule, &sum);
	return *(const uint64_t *)((const char *)&sum + offset);
}

/* One published pair; false when value is not one. */
static bool pair_of(const struct order_published *p, const cJSON *value, double pair[2])
{
	for (int i = 0; i < 2; i++) {
		const cJSON *n = cJSON_GetObjectItemCaseSensitive(value, p->column[i]);

		if (!cJSON_IsNumber(n))
			return false;
		pair[i] = n->valuedouble;
	}
	return true;
}

static void print_pair(FILE *out, const char *whose, const char *when, double was, double is)
{
	char percent[32], label[160];

	snprintf(label, sizeof(label), "  %.40s%s%.100s", whose, when ? ", " : "",
		 when ? when : "");
	write_padded(out, label, 32);
	fprintf(out, " %10.0f %10.0f  %s\n", was, is,
		order_percent(percent, sizeof(percent), was, is));
}

static void print_metric(FILE *out, const struct order_published *p, const struct order_table *t,
			 size_t m)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(p->json, metrics[m].key), *when;
	double pair[2];

	if (!cJSON_IsObject(value))
		return;
	fprintf(out, "%s\n", metrics[m].what);
	if (pair_of(p, value, pair))
		print_pair(out, "published", NULL, pair[0], pair[1]);
	cJSON_ArrayForEach (when, value) {
		if (pair_of(p, when, pair))
			print_pair(out, "published", when->string, pair[0], pair[1]);
	}
	for (unsigned r = 1; r < t->nr_rules && t->has_objects; r++) {
		if (stands_beside(p, t, r))
			print_pair(out, "ours", t->rule[r].name,
				   (double)total_at(t, 0, metrics[m].offset) / 1024,
				   (double)total_at(t, r, metrics[m].offset) / 1024);
	}
}

static void print_claims(FILE *out, const struct order_published *p, const struct order_table *t)
{
	const cJSON *claim;
	bool none = false;

	fputs("orders that change\n", out);
	cJSON_ArrayForEach (claim, cJSON_GetObjectItemCaseSensitive(p->json, "claims")) {
		if (!cJSON_IsString(claim))
			continue;
		fputs("  published: ", out);
		write_plain(out, claim->valuestring);
		fputs("\n", out);
	}
	for (unsigned r = 1; r < t->nr_rules; r++) {
		struct order_totals sum;

		if (!stands_beside(p, t, r))
			continue;
		order_table_totals(t, r, &sum);
		fprintf(out, "  ours, %s: %u of %u\n", t->rule[r].name, sum.changed, t->nr_rows);
		none |= !sum.changed;
	}
	if (none)
		fputs("Where no order changes, a count like ours cannot differ; what was measured "
		      "then "
		      "comes\nfrom other numbers of objects in the two runs.\n",
		      out);
}

void order_published_text(FILE *out, const struct order_published *p, const struct order_table *t)
{
	fputs("\nBeside what was published: ", out);
	write_plain(out, p->title);
	if (p->cpus && p->page_size)
		fprintf(out, " (%u CPUs, pages of %u bytes)", p->cpus, p->page_size);
	fputs("\npublished: ", out);
	write_plain(out, p->column[0]);
	fputs(" -> ", out);
	write_plain(out, p->column[1]);
	fprintf(out, "; ours: from %s\n", t->rule[0].name);
	for (size_t m = 0; m < NR_METRICS; m++)
		print_metric(out, p, t, m);
	print_claims(out, p, t);
	if ((p->cpus && p->cpus != t->nr_cpus) || (p->page_size && p->page_size != t->page_size))
		fputs("The machines differ in CPUs or page size, so the orders do too.\n", out);
	fputs(notes, out);
}

static void json_pair(struct json_writer *w, const char *source, const char *when, double was,
		      double is)
{
	json_object_inline(w, NULL);
	json_string(w, "source", source);
	if (when)
		json_string(w, source[0] == 'o' ? "rule" : "when", when);
	json_double(w, "first", was);
	json_double(w, "second", is);
	json_double(w, "change_percent", was > 0 ? 100 * (is - was) / was : 0);
	json_end_object(w);
}

void order_published_json(struct json_writer *w, const struct order_published *p,
			  const struct order_table *t)
{
	json_object(w, "published");
	json_string(w, "title", p->title);
	for (size_t m = 0; m < NR_METRICS; m++) {
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(p->json, metrics[m].key);
		const cJSON *when;
		double pair[2];

		if (!cJSON_IsObject(value))
			continue;
		json_array(w, metrics[m].key);
		if (pair_of(p, value, pair))
			json_pair(w, "published", NULL, pair[0], pair[1]);
		cJSON_ArrayForEach (when, value) {
			if (pair_of(p, when, pair))
				json_pair(w, "published", when->string, pair[0], pair[1]);
		}
		for (unsigned r = 1; r < t->nr_rules && t->has_objects; r++) {
			if (stands_beside(p, t, r))
				json_pair(w, "ours", t->rule[r].name,
					  (double)total_at(t, 0, metrics[m].offset) / 1024,
					  (double)total_at(t, r, metrics[m].offset) / 1024);
		}
		json_end_array(w);
	}
	json_end_object(w);
}
