#include "sim/sweep/sweep_dry_run.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

#include "sim/table.h"

static int add_run(struct table *t, const struct sweep_plan *p, uint64_t run, struct error *err)
{
	const struct sweep *s = &p->sweep;
	char number[24], seed[24];

	table_row(t);
	snprintf(number, sizeof(number), "%" PRIu64, run + 1);
	table_string(t, number);
	for (unsigned a = 0; a < s->nr_axes; a++) {
		char *text = sweep_value_text(sweep_value(s, sweep_point_of(s, run), a));

		if (!text)
			return error_memory(err, "a run");
		table_string(t, text);
		free(text);
	}
	snprintf(seed, sizeof(seed), "%" PRIu64, sweep_seed(s, run));
	table_string(t, seed);
	return 0;
}

int sweep_dry_run(const struct sweep_plan *p, const struct sweep_options *opt, FILE *out,
		  struct error *err)
{
	const struct sweep *s = &p->sweep;
	uint64_t runs = 0;
	struct table t;
	int ret = 0;

	for (uint64_t run = 0; run < s->nr_runs; run++)
		runs += sweep_in_shard(opt, run);
	table_init(&t, "sweep");
	table_column(&t, "run", "run");
	for (unsigned a = 0; a < s->nr_axes; a++)
		table_column(&t, s->axes[a].name, s->axes[a].name);
	table_column(&t, "seed", "seed");
	table_note(&t,
		   "%" PRIu64 " runs: %" PRIu64 " points, %u seed%s each; %u workload%s to read",
		   runs, s->nr_points, s->seeds, s->seeds == 1 ? "" : "s", p->nr_groups,
		   p->nr_groups == 1 ? "" : "s");
	table_group(&t, s->name);
	for (uint64_t run = 0; !ret && run < s->nr_runs; run++)
		if (sweep_in_shard(opt, run))
			ret = add_run(&t, p, run, err);
	if (!ret)
		ret = table_write(&t, TABLE_TEXT, out, err);
	table_free(&t);
	return ret;
}
