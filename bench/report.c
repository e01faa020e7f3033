/* The table of what was found, and the comparison of two of them. */
#include "bench/bench.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "sim/json_reader.h"
#include "sim/table.h"

#ifndef BENCH_BUILD
#define BENCH_BUILD "unknown flags"
#endif

void bench_table_init(struct table *t)
{
	table_init(t, "build");
	table_group(t, BENCH_BUILD " (" __VERSION__ ")");
}

cJSON *bench_old(const char *file, struct error *err)
{
	cJSON *old = json_read_file(file, err);

	if (old && cJSON_IsArray(cJSON_GetObjectItem(old, "rows")))
		return old;
	if (old)
		error_input(err, "%s: not what bench --format json has written", file);
	cJSON_Delete(old);
	return NULL;
}

/* What the other build found for a case; NAN: nothing. */
static double old_value(const cJSON *old, const char *name, const char *key)
{
	const cJSON *row, *value;

	cJSON_ArrayForEach (row, cJSON_GetObjectItem(old, "rows")) {
		const char *its = cJSON_GetStringValue(cJSON_GetObjectItem(row, "case"));

		value = cJSON_GetObjectItem(row, key);
		if (its && !strcmp(its, name) && cJSON_IsNumber(value) && value->valuedouble > 0)
			return value->valuedouble;
	}
	return NAN;
}

/* Beside a case's own figures: time and instructions, in % of the other build's. */
static void compare(struct table *t, const struct finding *f, const cJSON *old)
{
	double ns = old_value(old, f->c->name, "best_ns");
	double instructions = old_value(old, f->c->name, "instructions");

	table_real(t, ns, 2);
	table_change(t, 1e9 / f->best, ns);
	table_real(t, instructions, 1);
	table_change(t, f->instructions > 0 ? f->instructions : NAN, instructions);
}

void bench_table(struct table *t, const struct finding *f, unsigned n, unsigned repeat,
		 const cJSON *old)
{
	static const char *const columns[][2] = {
	    {"case", "Case"},
	    {"unit", "Unit"},
	    {"best_per_second", "Best/s"},
	    {"median_per_second", "Median/s"},
	    {"best_ns", "ns each"},
	    {"instructions", "Instr each"},
	    {"of_limit", "Times limit"},
	    {"bytes", "Bytes each"},
	    {"old_ns", "ns before"},
	    {"ns_change", "Change"},
	    {"old_instructions", "Instr before"},
	    {"instructions_change", "Change"},
	};

	bench_table_init(t);
	for (unsigned i = 0; i < (old ? 12 : 8); i++)
		table_column(t, columns[i][0], columns[i][1]);
	table_note(
	    t, "%u repetitions, CPU time; \"Times limit\" is the best time over the limit loop's",
	    repeat);
	for (unsigned i = 0; i < n; i++) {
		table_row(t);
		table_string(t, f[i].c->name);
		table_string(t, f[i].c->unit);
		table_u64(t, (uint64_t)f[i].best);
		table_u64(t, (uint64_t)f[i].median);
		table_real(t, 1e9 / f[i].best, 2);
		table_real(t, f[i].instructions > 0 ? f[i].instructions : NAN, 1);
		table_real(t, f[i].limit ? f[i].limit->best / f[i].best : NAN, 2);
		table_real(t, f[i].bytes > 0 ? f[i].bytes : NAN, 2);
		if (old)
			compare(t, &f[i], old);
	}
}
