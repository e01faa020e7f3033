#include <errno.h>
#include <getopt.h>
#include <math.h>

#include "sim/cmd/cmd_trace.h"
#include "sim/config/config.h"
#include "sim/engine.h"
#include "sim/file.h"
#include "sim/config/fit_config.h"
#include "sim/machine.h"
#include "sim/policy.h"
#include "workloads/fit.h"
#include "workloads/workload.h"

static const char help[] =
    "Usage: slabsim trace fit TRACE -o CONFIG [options]\n"
    "\n"
    "Derive an open workload model from a trace and write it as a config: for every cache how\n"
    "often bursts of allocations come, how long they are, how long objects live, how many are\n"
    "freed by another CPU, and how busy each CPU is. A trace that is a model can be longer, or\n"
    "have more CPUs. Then both are run and shown side by side.\n"
    "\n"
    "  -o, --output FILE    the config\n"
    "      --cpus N         for a machine of so many CPUs, with as much more to do; the CPUs'\n"
    "                       weights are used again from the first one on\n"
    "      --nodes N        nodes of the machine (those of the trace, or 1)\n"
    "      --least N        leave out caches with fewer allocations (1000)\n"
    "      --preset NAME    policy of the config and of the comparison (linux-6.1)\n"
    "  -q, --quiet          no comparison\n"
    "  -h, --help           this text\n"
    "\n"
    "Example:\n"
    "  slabsim trace fit recording.slabtrace -o model.json --cpus 64\n";

struct arguments {
	const char *trace, *out, *preset;
	uint64_t cpus, nodes, least;
	bool quiet;
};

static int read_option(void *arg, int c, struct error *err)
{
	struct arguments *a = arg;

	switch (c) {
	case 'o':
		return command_output(&a->out, optarg, err);
	case 'c':
		return command_number("--cpus", optarg, 1, MAX_CPUS, &a->cpus, err);
	case 'N':
		return command_number("--nodes", optarg, 1, MAX_NODES, &a->nodes, err);
	case 'l':
		return command_number("--least", optarg, 1, UINT32_MAX, &a->least, err);
	case 'p':
		a->preset = optarg;
		break;
	case 'q':
		a->quiet = true;
		break;
	}
	return 0;
}

static int parse(struct arguments *a, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"output", required_argument, NULL, 'o'}, {"cpus", required_argument, NULL, 'c'},
	    {"nodes", required_argument, NULL, 'N'},  {"least", required_argument, NULL, 'l'},
	    {"preset", required_argument, NULL, 'p'}, {"quiet", no_argument, NULL, 'q'},
	    {"help", no_argument, NULL, 'h'},	      {0},
	};
	int ret;

	ret = command_options(argc, argv, ":o:qh", options, read_option, a, err);
	if (ret)
		return ret;
	if (command_argument(argc, argv, "trace", &a->trace, err))
		return -1;
	if (command_needs_output(argv, a->out && strcmp(a->out, "-") ? a->out : NULL, err))
		return -1;
	if (file_check_not_input(a->out, a->trace, err))
		return -1;
	if (!preset_find(a->preset))
		return error_input(
		    err, "--preset: there is no \"%.60s\"; slabsim list presets tells them",
		    a->preset);
	return 0;
}

/* ---- the model ---- */

static int fit(const struct arguments *a, struct error *err)
{
	struct trace_options opt = {.may_block = -1};
	struct machine m = {.page_size = 4096};
	struct fit_config to = {.name = a->trace,
				.preset = a->preset,
				.cpus = (unsigned)a->cpus,
				.nodes = (unsigned)a->nodes,
				.least = a->least};
	struct source *src = trace_open(a->trace, &opt, err);
	struct fit f;
	int ret = -1;

	if (!src)
		return -1;
	m.cpus = src->info.cpus;
	if (!to.nodes)
		to.nodes = src->info.nodes ? src->info.nodes : 1;
	m.nodes = to.nodes;
	if (to.cpus && to.cpus != m.cpus && to.nodes <= to.cpus)
		command_note("the model has %u CPUs, the trace %u", to.cpus, m.cpus);
	if (!m.cpus)
		error_input(err, "%s: it does not tell how many CPUs there are", a->trace);
	else if (to.nodes > (to.cpus ? to.cpus : m.cpus))
		error_input(err, "--nodes %u: there are %u CPUs, and each node has one at least",
			    to.nodes, to.cpus ? to.cpus : m.cpus);
	else if (!machine_init(&m, NULL, NULL, err)) {
		if (!fit_source(&f, src, m.node_of_cpu, err)) {
			if (!f.has_times)
				command_note("%s has no times: its events are taken to be 1 us "
					     "apart",
					     a->trace);
			ret = fit_config_write(&f, &src->info, &to, a->out, err);
			fit_free(&f);
		}
		machine_free(&m);
	}
	src->ops->close(src);
	return ret;
}

/* ---- beside the trace ---- */

static int simulate(const struct config *cfg, struct results *res, struct error *err)
{
	struct source *src = workload_open(cfg, err);
	struct engine *e = src ? engine_new(cfg, src, err) : NULL;
	int ret = -1;

	if (e)
		ret = engine_run(e, NULL, NULL, err) || engine_results(e, res, err) ? -1 : 0;
	engine_free(e);
	if (src)
		src->ops->close(src);
	return ret;
}

static const struct result_cache *find(const struct results *res, const char *name)
{
	for (unsigned i = 0; i < res->nr_caches; i++)
		if (!strcmp(res->caches[i].name, name))
			return &res->caches[i];
	return NULL;
}

static double allocations(const struct result_cache *c)
{
	return (double)(c->stat[ALLOC_FASTPATH] + c->stat[ALLOC_SLOWPATH] + c->stat[ALLOC_PCS]);
}

static void show_row(const char *name, double trace, double model, const char *unit)
{
	printf("  %-22s %10.2f %-2s %10.2f %-2s", name, trace, unit, model, unit);
	if (trace > 0)
		printf(" %+8.1f %%", 100 * (model / trace - 1));
	putchar('\n');
}

static void show_cache(const struct result_cache *t, const struct result_cache *m)
{
	double of_t = allocations(t), of_m = allocations(m);

	printf("\n%s: %.0f objects allocated in the trace, %.0f by the model\n", t->name, of_t,
	       of_m);
	if (!(of_t > 0) || !(of_m > 0))
		return;
	printf("  %-22s %13s %13s\n", "", "trace", "model");
	for (int i = 0; i < NR_STAT_ITEMS; i++) {
		double x = 100 * (double)t->stat[i] / of_t, y = 100 * (double)m->stat[i] / of_m;

		if (x >= 1 || y >= 1)
			show_row(stat_name((enum stat_item)i), x, y, "%");
	}
	show_row("memory.peak_total", (double)t->state.peak_total / 1024,
		 (double)m->state.peak_total / 1024, "kB");
}

static int load(struct config *cfg, const struct arguments *a, bool trace, struct error *err)
{
	char *settings[] = {(char[]){"workload={}"}, (char[]){"replay={}"}};

	if (config_load(cfg, a->out, settings, trace ? 2 : 0, err))
		return -1;
	if (!trace || !config_set_trace(cfg, a->trace, err))
		return 0;
	config_free(cfg);
	return -1;
}

static int run_one(const struct arguments *a, bool trace, struct results *res, struct error *err)
{
	struct config cfg;
	int ret;

	if (load(&cfg, a, trace, err))
		return -1;
	ret = simulate(&cfg, res, err);
	config_free(&cfg);
	return ret;
}

static int compare(const struct arguments *a, struct error *err)
{
	struct results t, m;

	if (run_one(a, true, &t, err))
		return -1;
	if (run_one(a, false, &m, err)) {
		results_free(&t);
		return -1;
	}
	printf("Counters of at least 1 %% of the allocations, %s\n", a->preset);
	for (unsigned i = 0; i < m.nr_caches; i++) {
		const struct result_cache *of_trace = find(&t, m.caches[i].name);

		if (of_trace)
			show_cache(of_trace, &m.caches[i]);
	}
	results_free(&t);
	results_free(&m);
	return 0;
}

static int run(int argc, char **argv, struct error *err)
{
	struct arguments a = {.preset = "linux-6.1", .least = 1000};
	int ret = parse(&a, argc, argv, err);

	if (ret)
		return ret;
	if (file_check_writable(a.out, err) || fit(&a, err))
		return -1;
	return a.quiet ? 0 : compare(&a, err);
}

const struct command cmd_trace_fit = {
    .name = "fit",
    .summary = "an open workload model of a trace, as a config",
    .help = help,
    .run = run,
};
