/* The table of what was found, and the comparison of two of them. */
#include "bench/bench.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "sim/file.h"
#include "sim/table.h"
#include "sim/version.h"

#ifndef BENCH_BUILD
#define BENCH_BUILD "unknown flags"
#endif

void bench_table(struct table *t, const struct finding *f, unsigned n, unsigned repeat)
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
	};

	table_init(t, "build");
	for (unsigned i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_column(t, columns[i][0], columns[i][1]);
	table_group(t, BENCH_BUILD " (" __VERSION__ ")");
	table_note(t, "%u repetitions; \"Times limit\" is the best time over the limit loop's",
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
	}
}
